import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parseAllDocuments } from 'yaml';
import { createAuthority } from '../../sandbox/certificate.ts';
import { lintRules } from '../../src/api/lint/remark.ts';
import { runLint } from '../../src/cli/lint/run.ts';
import { issuer } from '../edition/licences.ts';
import { golden } from './golden.ts';
import { lintOf, preset, printed } from './streams.ts';

const root = join(import.meta.dirname, '../..');
/** The address of a file as somebody in the repository's root would write it, wherever the tests run. */
const at = (name: string): string => relative(process.cwd(), join(import.meta.dirname, 'manifests', name));
const plain = (text: string): string => text.replaceAll(at(''), 'manifests');

const provider = (spec: string, name = 'oncall'): string => `apiVersion: tocsin.dev/v1alpha1
kind: AlertProvider
metadata: { name: ${name}, namespace: tocsin }
spec:
${spec.replace(/^/gm, '  ')}
`;
const hook = 'type: webhook\nwebhook: { url: { secretKeyRef: { name: receiver, key: url } } }';
const silence = (spec: string, name = 'quiet'): string =>
  `apiVersion: tocsin.dev/v1alpha1\nkind: Silence\nmetadata: { name: ${name} }\nspec: ${spec}\n`;
const config = (spec: string, namespace = 'tocsin'): string =>
  unnamed(
    spec.includes('app: {')
      ? spec.replace('app: {', 'app: { clusterName: c,')
      : spec.replace('{', '{ app: { clusterName: c },'),
    namespace,
  );
/** One that does not name its cluster. */
const unnamed = (spec: string, namespace = 'tocsin'): string =>
  `apiVersion: tocsin.dev/v1alpha1\nkind: AlertConfig\nmetadata: { name: default, namespace: ${namespace} }\nspec: ${spec}\n`;
const secret = (data: string): string =>
  `apiVersion: v1\nkind: Secret\nmetadata: { name: receiver, namespace: tocsin }\n${data}\n`;

type Json = {
  readonly problems: readonly {
    level: string;
    rule: string;
    line: number;
    column: number;
    path: string;
    message: string;
  }[];
  readonly community: readonly { provider: { name: string }; active: boolean; why: string }[];
  readonly summary: Readonly<Record<string, number>>;
};

/** What lint says of texts given on standard input. */
async function judge(...texts: readonly string[]): Promise<Json> {
  return JSON.parse((await lintOf(['-'], { output: 'json' }, texts.join('---\n'))).out);
}

const rulesIn = ({ problems }: Json): readonly string[] => problems.map(({ rule }) => rule);

describe('the report', () => {
  test('for people has file, line, column, level and message, who is active, and the sums', async () => {
    const { code, out } = await lintOf([at('mistakes')]);
    golden('lint-mistakes.txt', plain(out));
    assert.equal(code, 1);
  });
  test('says who is active on Community and why when nothing is wrong', async () => {
    const { code, out } = await lintOf([at('well')]);
    golden('lint-well.txt', plain(out));
    assert.equal(code, 0);
  });
  test('for GitHub is workflow commands', async () => {
    golden(
      'lint-mistakes.github.txt',
      plain((await lintOf([at('mistakes')], { output: 'github' })).out).replaceAll(
        encodeURIComponent(at('')),
        'manifests',
      ),
    );
  });
  test('for programs follows its schema and names documented rules only', async () => {
    const check = new Ajv2020({ allErrors: true, strictTypes: false }).compile(
      JSON.parse(readFileSync(join(root, 'docs/lint.schema.json'), 'utf8')),
    );
    const page = readFileSync(join(root, 'docs/commands.md'), 'utf8');
    for (const folder of ['mistakes', 'well']) {
      const body = JSON.parse((await lintOf([at(folder)], { output: 'json' })).out);
      assert.ok(check(body), JSON.stringify(check.errors));
    }
    for (const [rule, { level, about }] of Object.entries(lintRules))
      assert.ok(page.includes(`| \`${rule}\` | ${level} | ${about} |`), `docs/commands.md lacks ${rule}`);
  });
  test('holds no credential, wherever it was written', async () => {
    for (const output of ['text', 'json', 'github'] as const) {
      const { out, err } = await lintOf([at('mistakes'), at('well')], { output });
      assert.doesNotMatch(out + err, /CANARY/);
    }
  });
  test('is coloured on a terminal, and the same text otherwise', async () => {
    const [piped, shown] = [await lintOf([at('mistakes')]), await lintOf([at('mistakes')], {}, '', true)];
    assert.notEqual(shown.out, piped.out);
    assert.equal(stripVTControlCharacters(shown.out), piped.out);
  });
});

test('a hostile manifest makes one line a problem, without control characters and commands of a runner, in every format', async () => {
  const name = 'a\n::error::injected\r\n##[add-mask]x\u001b[31m##vso[task.setvariable variable=a]b\u202e\u0007';
  const hostile = JSON.stringify(name);
  const text = `apiVersion: tocsin.dev/v1alpha1
kind: AlertProvider
metadata: { name: ${hostile}, namespace: ${JSON.stringify(`::warning::${name}`)} }
spec: { type: ${hostile}, ${hostile}: 1 }
---
apiVersion: tocsin.dev/v1alpha1
kind: ${hostile}
metadata: { name: ${hostile} }
---
${silence(`{ selector: { reasons: [${hostile}], ${hostile}: 1 }, durationSeconds: 60 }`)}`;
  for (const output of ['text', 'github', 'json'] as const) {
    const { out } = await lintOf(['-'], { output }, text);
    const { problems } = JSON.parse((await lintOf(['-'], { output: 'json' }, text)).out);
    assert.ok(problems.length >= 3, JSON.stringify(problems));
    for (const { message } of problems) assert.doesNotMatch(message, /[\p{Cc}\u202e]|##\[|##vso\[/u);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these is what is asked for
    assert.doesNotMatch(out, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/, output);
    assert.doesNotMatch(out, /##\[|##vso\[/, output);
    const lines = out.trimEnd().split('\n');
    if (output === 'github') assert.equal(lines.length, problems.length);
    if (output === 'text')
      assert.ok(
        lines.every((line) => !/^\s*::/.test(line)),
        out,
      );
    if (output === 'text') assert.equal(lines.filter((line) => line.startsWith('stdin')).length, problems.length);
  }
});

describe('exit codes', () => {
  test('warnings are 0, and 1 under --strict', async () => {
    const text = silence('{ selector: { reasons: [OOMKiled] }, durationSeconds: 60 }');
    assert.equal((await lintOf(['-'], {}, text)).code, 0);
    assert.equal((await lintOf(['-'], { strict: true }, text)).code, 1);
  });
  test('a call without a file, with a missing one, or with a folder without manifests is 2, with a remedy', async () => {
    const rows = [
      [[], /name files, folders or - .*--cluster/],
      [['absent.yaml'], /no file or folder "absent\.yaml"/],
      [[join(root, 'docs/reference/providers')], /holds no \.yaml, \.yml or \.json file/],
    ] as const;
    for (const [names, message] of rows) {
      const { code, out, err } = await lintOf(names);
      assert.deepEqual([code, out], [2, '']);
      assert.match(err, message);
    }
  });
  test('a file that is not YAML is 1, and the others are checked all the same', async () => {
    const { problems } = await judge('a: [1\n', silence('{}'));
    assert.deepEqual([problems[0]?.rule, problems.length > 1], ['InvalidYAML', true]);
  });
});

test('a problem points at the key of its field, or of what it belongs in', async () => {
  const text = provider(`type: webhook
webhook:
  url: { value: "https://h.acme.io/" }
  headers:
    - name: X-Team
      value: a
    - name: X Team
      value: a
  uri: b
routes:
  - selector:
      labels: { app: a, app.kubernetes.io/name: 5 }
  - {}`);
  const { problems } = await judge('# a comment\n', text);
  assert.deepEqual(
    problems.map(({ path, line, column }) => [path, line, column]),
    [
      ['spec.webhook.headers[1].name', 13, 9],
      ['spec.webhook.uri', 15, 5],
      ['spec.routes[0].selector.labels.app.kubernetes.io/name', 18, 27],
      ['spec.routes[1].selector', 19, 7],
    ],
  );
});

test('an alias and the items of a List have positions too', async () => {
  const { problems } = await judge(`apiVersion: v1
kind: List
items:
  - ${silence('{ selector: { reasons: [Nope] }, durationSeconds: 5 }').trimEnd().replaceAll('\n', '\n    ')}
`);
  assert.deepEqual(
    problems.map(({ rule, line, column }) => [rule, line, column]),
    [['UnknownReason', 7, 35]],
  );
});

test('texts are read as kubectl reads them', async () => {
  const rows = [
    ['suspend: yes', []],
    ['suspend: "yes"', ['spec.suspend']],
    ['retry: { maxAttempts: 0o7 }', []],
    ['retry: { maxAttempts: 1_0 }', []],
    ['suspend: ~', []],
  ] as const;
  for (const [line, paths] of rows) {
    const { problems } = await judge(provider(`${hook}\n${line}`));
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths,
      line,
    );
  }
  assert.deepEqual(rulesIn(await judge(silence('{ selector: { names: [a] }, endsAt: 2099-12-01T20:00:00Z }'))), []);
  assert.deepEqual(rulesIn(await judge('{"apiVersion": "v1", "kind": "ConfigMap"}')), []);
});

test('what was mistyped is found again', async () => {
  const rows = [
    [provider(hook.replace('type: webhook', 'type: webhok')), /did you mean "webhook"\?/],
    [provider(hook.replace('url:', 'ulr:')), /`spec\.webhook\.ulr` is not a field .* did you mean `url`\?/],
    [provider(`${hook}\nretires: 5`), /did you mean `retry`|check its spelling and place/],
    [provider(`${hook}\nretry: { maxattempts: 5 }`), /did you mean `maxAttempts`\?/],
    [provider(`${hook}\nretry: { delay: 5 }`), /is 5; it must be a text \(in quotes\): The first wait, .* such as 5s/],
    [silence('{ selector: { severity: [high] }, durationSeconds: 5 }'), /did you mean `severities`\?/],
    [
      silence('{ selector: { severities: [hihg] }, durationSeconds: 5 }'),
      /use one of: critical, high, medium, low; did you mean "high"\?/,
    ],
    [silence('{ selector: { reasons: [CrashLoopBackoff] }, durationSeconds: 5 }'), /did you mean "CrashLoopBackOff"\?/],
    [silence('{ selector: { kinds: [deployments] }, durationSeconds: 5 }'), /did you mean "Deployment"\?/],
  ] as const;
  for (const [text, message] of rows)
    assert.match((await judge(text)).problems.map((problem) => problem.message).join('\n'), message);
});

test('the role of the Pod at AWS is for the namespace of Tocsin', async () => {
  const topic = 'type: sns\nsns: { region: eu-west-1, topicArn: "arn:aws:sns:eu-west-1:123456789012:a" }';
  assert.deepEqual(rulesIn(await judge(provider(topic))), []);
  const report = await judge(provider(topic).replace('namespace: tocsin', 'namespace: shop'));
  assert.deepEqual(rulesIn(report), ['InvalidSpec']);
  assert.match(report.problems[0]?.message ?? '', /^`spec\.sns` has no keys: .*namespace of Tocsin/);
});

describe('Secrets among the files', () => {
  const authority = createAuthority('Own', Date.now());
  const pair = authority.sign({ commonName: 'x' });
  const ref = (key: string): string => `{ secretKeyRef: { name: tls, key: ${key} } }`;
  const tls = (key: string): string =>
    `tls: { caBundle: { value: ${JSON.stringify(authority.certificate)} }, clientCertificate: ${ref('tls.crt')}, clientKey: ${ref(key)} }`;
  const tlsSecret = `apiVersion: v1\nkind: Secret\nmetadata: { name: tls, namespace: tocsin }\nstringData: ${JSON.stringify(
    {
      ...{ 'ca.crt': authority.certificate, 'tls.crt': pair.certificate, 'tls.key': pair.key },
      'other.key': authority.sign({ commonName: 'y' }).key,
    },
  )}\n`;
  const good = secret('stringData: { url: "https://hooks.acme.io/CANARY" }');
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['nothing is said of a Secret when none is given', [provider(hook)], []],
    ['a good value is taken', [provider(hook), good], []],
    [
      'a base64 value with a line break at its end is taken',
      [provider(hook), secret(`data: { url: ${Buffer.from('https://h.acme.io/\n').toString('base64')} }`)],
      [],
    ],
    ['a key that is missing is named', [provider(hook), secret('stringData: { uri: a }')], ['SecretKeyMissing']],
    ['a Secret that is missing is named', [provider(hook.replace('receiver', 'other')), good], ['SecretNotFound']],
    [
      'a wrong value is a wrong destination',
      [provider(hook), secret('stringData: { url: "ftp://h.acme.io/CANARY" }')],
      ['InvalidDestination'],
    ],
    [
      'the address of something else of the product is a wrong destination',
      [
        provider(hook.replaceAll('webhook', 'slack').replace('url:', 'webhook:')),
        secret('stringData: { url: "https://hooks.slack.com/workflows/CANARY" }'),
      ],
      ['InvalidDestination'],
    ],
    [
      'an example host is a warning',
      [provider(hook), secret('stringData: { url: "https://a.example.org/" }')],
      ['ExampleHost'],
    ],
    ['another namespace is another matter', [provider(hook), good.replace('namespace: tocsin', 'namespace: shop')], []],
    [
      'a certificate and its key are taken, and may stand in the object as far as they are public',
      [provider(`${hook}\n${tls('tls.key')}`), good, tlsSecret],
      [],
    ],
    [
      'a key that is not of the certificate',
      [provider(`${hook}\n${tls('other.key')}`), good, tlsSecret],
      ['InvalidCertificate'],
    ],
    [
      'something else than authorities',
      [provider(`${hook}\ntls: { caBundle: { value: CANARY } }`), good],
      ['InvalidCertificate'],
    ],
    [
      'a key in the object is a warning',
      [
        provider(
          `${hook}\ntls: { clientCertificate: ${ref('tls.crt')}, clientKey: { value: ${JSON.stringify(pair.key)} } }`,
        ),
        good,
        tlsSecret,
      ],
      ['InlineSecret'],
    ],
    [
      'authorities for what is asked without TLS',
      [
        provider(
          `${hook.replace(/{ secretKeyRef.*} }/, '{ value: "http://h.acme.io/" } }')}\ntls: { caBundle: ${ref('ca.crt')} }`,
        ),
        tlsSecret,
      ],
      ['InlineSecret', 'NoEffect'],
    ],
    [
      'a value that sops has encrypted is not judged',
      [provider(hook), secret('stringData: { url: "ENC[AES256_GCM,data:x]" }\nsops: {}')],
      [],
    ],
    [
      'a sealed Secret will be there',
      [
        provider(hook),
        good.replace('name: receiver', 'name: other'),
        'apiVersion: bitnami.com/v1alpha1\nkind: SealedSecret\nmetadata: { name: receiver, namespace: tocsin }\n',
      ],
      [],
    ],
    [
      'an inline credential is a warning',
      [provider('type: webhook\nwebhook: { url: { value: "https://h.acme.io/CANARY" } }')],
      ['InlineSecret'],
    ],
    ['so is one of AlertConfig', [config('{ license: { value: CANARY } }')], ['InvalidLicense', 'InlineSecret']],
    [
      'and a Secret it names is looked for',
      [config('{ license: { secretKeyRef: { name: a, key: b } } }'), good],
      ['SecretNotFound'],
    ],
  ];
  for (const [title, texts, rules] of rows)
    test(title, async () => {
      const report = await judge(...texts);
      assert.deepEqual(rulesIn(report), rules);
      assert.doesNotMatch(JSON.stringify(report), /CANARY/);
    });
});

describe('a licence among the files', () => {
  const ours = issuer();
  const now = Math.floor(Date.now() / 1000);
  const expiring = (inDays: number) => ({ iat: now - 86_400, exp: now + inDays * 86_400 });
  const files = (token: string): string =>
    [
      config('{ license: { secretKeyRef: { name: receiver, key: license } }, auditLog: { enabled: true } }'),
      secret(`stringData: { license: "${token}" }`),
    ].join('---\n');
  const judged = async (token: string) => {
    const asked = { ...preset, names: ['-'], output: 'json' } as const;
    return JSON.parse((await printed((streams) => runLint(asked, streams, ours.keys), files(token))).out);
  };

  test('says what it gives, and that Community lacks it is no news then', async () => {
    const report = await judged(await ours.issue(expiring(30)));
    assert.deepEqual([report.edition, rulesIn(report)], ['Pro', ['LicenseAccepted']]);
    assert.match(report.problems[0].message, /^Pro is licensed to Example Ltd until \d{4}-\d\d-\d\d$/);
    assert.equal(report.problems[0].path, 'spec.license');
  });

  test('that gives nothing here or now is a warning, one that is none an error', async () => {
    const good = await ours.issue(expiring(30));
    const cases = [
      [await ours.issue({ iat: now - 86_400 * 100, exp: now - 86_400 }), 'Pro', ['LicenseInactive']],
      [await issuer('theirs').issue(expiring(30)), 'Community', ['LicenseInactive', 'NotLicensed']],
      [`${good.slice(0, -4)}AAAA`, 'Community', ['InvalidLicense', 'NotLicensed']],
      ['', 'Community', ['InvalidLicense', 'NotLicensed']],
    ] as const;
    for (const [token, edition, rules] of cases) {
      const report = await judged(token);
      assert.deepEqual([report.edition, [...rulesIn(report)].sort()], [edition, rules]);
    }
  });

  test('is in the words for people: who is active with it, and who without', async () => {
    const token = await ours.issue(expiring(30));
    const text = [files(token), provider(hook)].join('---\n');
    const asked = { ...preset, names: ['-'] };
    const { out } = await printed((streams) => runLint(asked, streams, ours.keys), text);
    assert.match(
      out,
      /^With this licence \(Pro\) every AlertProvider is active .*Without a licence \(Community\) one/m,
    );
  });
});

describe('objects together', () => {
  const rows: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['an unknown fallback', [provider(`${hook}\nfallback: mail`)], ['FallbackNotFound']],
    [
      'a fallback in another namespace',
      [provider(`${hook}\nfallback: mail`), provider(hook, 'mail').replace('namespace: tocsin', 'namespace: shop')],
      ['FallbackNotFound'],
    ],
    [
      'a cycle',
      [provider(`${hook}\nfallback: b`, 'a'), provider(`${hook}\nfallback: a`, 'b')],
      ['FallbackCycle', 'FallbackCycle'],
    ],
    [
      'a chain that only leads to a cycle',
      [provider(`${hook}\nfallback: b`, 'a'), provider(`${hook}\nfallback: b`, 'b')],
      ['FallbackCycle'],
    ],
    [
      'a fallback that receives everything itself',
      [provider(`${hook}\nfallback: b\nroutes: [{ selector: { severities: [critical] } }]`, 'a'), provider(hook, 'b')],
      ['FallbackActive', 'NotLicensed'],
    ],
    [
      'a fallback whose own routes leave it something to hear',
      [provider(`${hook}\nfallback: b`, 'a'), provider(`${hook}\nroutes: [{ selector: { severities: [low] } }]`, 'b')],
      ['NotLicensed'],
    ],
    [
      'a fallback that is suspended',
      [provider(`${hook}\nfallback: b\nroutes: [{ selector: {} }]`, 'a'), provider(`${hook}\nsuspend: true`, 'b')],
      ['NotLicensed'],
    ],
    ['a fallback where only one provider is active', [provider(`${hook}\nfallback: b`, 'a'), provider(hook, 'b')], []],
    ['the same object twice', [provider(hook), provider(hook)], ['Duplicate']],
    [
      'the same name in two namespaces',
      [provider(hook), provider(hook).replace('namespace: tocsin', 'namespace: shop')],
      [],
    ],
    ['an AlertConfig that does not name its cluster', [unnamed('{}')], ['ClusterUnnamed']],
    ['an AlertConfig elsewhere', [config('{}', 'shop')], ['WrongNamespace']],
    [
      'an unknown communityProvider',
      [provider(hook), config('{ app: { communityProvider: a } }')],
      ['CommunityProviderNotFound'],
    ],
    [
      'a communityProvider that is suspended',
      [provider(`${hook}\nsuspend: true`), config('{ app: { communityProvider: oncall } }')],
      ['CommunityProviderUnusable'],
    ],
    ['a communityProvider that nobody gave', [config('{ app: { communityProvider: a } }')], []],
    ['a kind of ours that does not exist', [silence('{}').replace('Silence', 'Silense')], ['UnknownKind']],
    ['a version of ours that does not exist', [silence('{}').replace('v1alpha1', 'v1')], ['UnknownKind']],
    ['a kind of ours without a group', [silence('{}').replace('tocsin.dev/', '')], ['UnknownKind']],
    ['a Silence of another tool', [silence('{}').replace('tocsin.dev', 'observability.giantswarm.io')], []],
    ['a silence that is over', [silence('{ selector: { names: [a] }, endsAt: 2020-01-01T00:00:00Z }')], ['Expired']],
    [
      'TLS with a Secret that the manifests do not hold',
      [
        config('{ statusEndpoint: { enabled: true, tls: { secretName: a } } }'),
        'apiVersion: v1\nkind: Secret\nmetadata: { name: b, namespace: tocsin }\nstringData: {}\n',
      ],
      ['SecretNotFound'],
    ],
    [
      'TLS with a Secret that lacks the key',
      [
        config('{ statusEndpoint: { enabled: true, tls: { secretName: a } } }'),
        'apiVersion: v1\nkind: Secret\nmetadata: { name: a, namespace: tocsin }\nstringData: { tls.crt: a }\n',
      ],
      ['SecretKeyMissing'],
    ],
    ['an audit log, which needs a licence', [config('{ auditLog: { enabled: true } }')], ['NotLicensed']],
    [
      'reasons of filters and runbooks',
      [config('{ filters: { reasons: ["!Nope*"] }, messages: { runbooks: { Nope: "https://a.acme.io" } } }')],
      ['UnknownReason', 'UnknownReason'],
    ],
    [
      'a window with a wrong schedule',
      [
        silence('{ selector: {}, schedule: "61 * * * *", durationSeconds: 60 }').replace(
          'Silence',
          'MaintenanceWindow',
        ),
      ],
      ['NotLicensed', 'InvalidSchedule'],
    ],
    [
      'an object without a name',
      [silence('{ selector: { names: [a] }, durationSeconds: 5 }').replace('name: quiet', 'labels: {}')],
      ['InvalidName'],
    ],
    [
      'a window without times, once',
      [silence('{ selector: {} }').replace('Silence', 'MaintenanceWindow')],
      ['NotLicensed', 'InvalidSpec'],
    ],
    ['a namespace that is too long', [config('{}', 'n'.repeat(64))], ['InvalidName']],
    [
      'two objects without a name',
      [
        silence('{}').replace('name: quiet', 'generateName: a-'),
        silence('{}').replace('name: quiet', 'generateName: a-'),
      ],
      ['InvalidSpec', 'InvalidSpec'],
    ],
  ];
  for (const [title, texts, rules] of rows)
    test(title, async () => assert.deepEqual(rulesIn(await judge(...texts)), rules));

  test('without a name in AlertConfig the oldest is active, then the first by name', async () => {
    const old = provider(hook, 'z').replace('metadata: {', 'metadata: { creationTimestamp: "2020-01-01T00:00:00Z",');
    const active = async (...texts: readonly string[]): Promise<unknown> =>
      (await judge(...texts)).community.filter((row) => row.active).map((row) => row.provider.name);
    assert.deepEqual(await active(provider(hook, 'b'), provider(hook, 'a')), ['a']);
    assert.deepEqual(await active(provider(hook, 'b'), provider(hook, 'a'), old), ['z']);
    assert.deepEqual(await active(provider(`${hook}\nfallback: a`, 'b'), provider(hook, 'a')), ['b']);
    assert.deepEqual(await active(provider(`${hook}\nsuspend: true`, 'a')), []);
  });

  test('--namespace is where Tocsin is, and where objects without a namespace go', async () => {
    const text = `${config('{}', 'alerts')}---\n${silence('{ selector: { names: [a] }, durationSeconds: 5 }')}`;
    const { code, out } = await lintOf(['-'], { namespace: 'alerts' }, text);
    assert.deepEqual([code, out], [0, '2 objects checked: nothing wrong\n']);
  });
});

test('the manifests that this project shows have nothing wrong', async () => {
  // Each folder is what one cluster is given: somebody lints it as it is.
  for (const folder of ['samples', 'settings', 'gitops']) {
    const paths = [join(root, 'config', folder)];
    const { code, out } = await lintOf(paths);
    assert.equal(code, 0, out);
  }
});

test('the manifests of these tests are what they seem: one object a document', () => {
  const text = readFileSync(join(import.meta.dirname, 'manifests/mistakes/alerts.yaml'), 'utf8');
  assert.ok(parseAllDocuments(text).length >= 8);
});
