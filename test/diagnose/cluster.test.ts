import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { DiagnoseArguments } from '../../src/cli/diagnose/arguments.ts';
import { runDiagnose } from '../../src/cli/diagnose/run.ts';
import { type Printed, printed } from '../cli/streams.ts';
import { namespace, startTown } from './town.ts';

type Town = Awaited<ReturnType<typeof startTown>>;
let town: Town;
before(async () => {
  town = await startTown();
});
after(async () => {
  await town.stop();
  rmSync(town.kubeconfigFile);
});

const diagnose = (asked: Partial<DiagnoseArguments> = {}, of: Town = town): Promise<Printed> =>
  printed((streams) => runDiagnose({ output: 'text', kubeconfig: of.kubeconfigFile, ...asked }, streams));
type Answer = { readonly broken: readonly Readonly<Record<string, unknown>>[]; readonly [field: string]: unknown };
const inJson = async (asked: Partial<DiagnoseArguments> = {}): Promise<Answer> =>
  JSON.parse((await diagnose({ ...asked, output: 'json' })).out);

const schema: object = JSON.parse(readFileSync(new URL('../../docs/diagnose.schema.json', import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, allErrors: true });
addFormats.default(ajv);
const isValid = ajv.compile(schema);

test('a cluster nobody has installed anything in: what is broken, how sure, the next step, exit code 1', async () => {
  const { code, out, err } = await diagnose();
  assert.deepEqual([code, err], [1, '']);
  assert.doesNotMatch(out, /Not seen/);
  assert.match(
    out,
    /^context sandbox of .*, Kubernetes v1\.\d+.*: \d+ objects as of .* UTC, watched for \d+ s\.\n1 thing is broken\.\n/,
  );
  assert.match(out, /CrashLoopBackOff · Pod shop\/api/);
  assert.match(out, /The cause is not known\./);
  assert.match(out, /Next: kubectl /);
  assert.match(out, /What such a look cannot know:\n- What came and went before/);
});

test('nothing is written: the cluster is at the same version afterwards', async () => {
  const version = async (): Promise<string> => {
    const answer = (await (await fetch(`${town.url}/api/v1/pods`)).json()) as { metadata: { resourceVersion: string } };
    return answer.metadata.resourceVersion;
  };
  const before = await version();
  assert.equal((await diagnose()).code, 1);
  assert.equal(await version(), before);
});

test('only what is asked for: a namespace, labels, what began lately; then nothing is broken, exit code 0', async () => {
  for (const asked of [
    { namespace: 'lab' },
    { selector: 'app=web' },
    { selector: 'app notin (api,other)' },
    { since: { ms: 1_000, text: '1s' } },
  ]) {
    const { code, out } = await diagnose(asked);
    assert.equal(code, 0, JSON.stringify(asked));
    assert.match(out, / Only (?:the namespace lab|what )[^\n]*\.\nNothing is broken, as far as can be seen\.\n/);
  }
  for (const asked of [
    { namespace: 'shop' },
    { selector: 'app in (api,other)' },
    { since: { ms: 3_600_000, text: '1h' } },
  ])
    assert.equal((await diagnose(asked)).code, 1, JSON.stringify(asked));
});

test('its JSON and YAML have the form that the schema says', async () => {
  const answer = await inJson();
  assert.ok(isValid({ ...answer }), JSON.stringify(isValid.errors));
  assert.deepEqual(
    answer.broken.map(({ reason, root, certain }) => ({ reason, root, certain })),
    [{ reason: 'CrashLoopBackOff', root: { kind: 'Pod', namespace: 'shop', name: 'api' }, certain: true }],
  );
  const again = parse((await diagnose({ output: 'yaml' })).out);
  assert.deepEqual(again.broken[0].root, answer.broken[0]?.root);
});

test('as Markdown and as a page of HTML that loads nothing', async () => {
  assert.match(
    (await diagnose({ output: 'markdown' })).out,
    /^## 1 thing is broken\.\n\n[\s\S]*\n### .*Pod shop\/api crashes/,
  );
  const { out } = await diagnose({ output: 'html' });
  assert.match(out, /^<!doctype html>\n[\s\S]*Pod shop\/api/);
  assert.doesNotMatch(out, /<script|src=|@import/);
});

test('what may not be seen is said, with what that means', async () => {
  const end = town.inject({ resource: ['nodes', 'pods/log'], does: { is: 'deny' } });
  const { code, out } = await diagnose();
  end();
  assert.equal(code, 1);
  assert.match(out, /Not seen:\n(?:- .*\n)*- nodes: you may not list and watch them\. A Node that is lost/);
  assert.match(out, /- pods\/log: you may not read them\. What programs say is not read/);
});

test('who may see one namespace alone gets the answer of that namespace, and what is elsewhere is unknown', async () => {
  const end = town.inject({ clusterWide: true, does: { is: 'deny' } });
  const { code, out } = await diagnose({ namespace: 'shop' });
  const elsewhere = await diagnose({ namespace: 'lab' });
  end();
  assert.equal(code, 1);
  assert.match(out, /CrashLoopBackOff · Pod shop\/api/);
  assert.match(out, /Only the namespace shop could be seen: causes elsewhere/);
  assert.equal(elsewhere.code, 0);
});

test('who may see no Pod at all is told so, what to ask and what to ask for, exit code 2', async () => {
  const end = town.inject({ resource: 'pods', does: { is: 'deny' } });
  const { code, out, err } = await diagnose();
  end();
  assert.deepEqual([code, out], [2, '']);
  assert.match(err, /^tocsin diagnose: you may not list and watch Pods, .*kubectl auth can-i watch pods -n default/);
});

test('a namespace that is not there, a selector that is none, a kubeconfig that is none: exit code 2 and what to do', async () => {
  for (const [asked, says] of [
    [{ namespace: 'shpo' }, /there is no namespace "shpo"/],
    [{ selector: 'app===x' }, /-l "app===x" is no selector: write it as for kubectl get/],
    [{ namespace: 'a', allNamespaces: true as const }, /give one/],
    [{ kubeconfig: '/nowhere/config' }, /\/nowhere\/config cannot be read/],
    [{ context: 'other' }, /There is no context "other"/],
  ] as const) {
    const { code, out, err } = await diagnose(asked);
    assert.deepEqual([code, out], [2, ''], JSON.stringify(asked));
    assert.match(err, says);
  }
});

test('an API server that does not answer is said at once, exit code 2', async () => {
  const gone = `${town.kubeconfigFile}.gone`;
  const text = readFileSync(town.kubeconfigFile, 'utf8').replace(town.url, 'http://127.0.0.1:1');
  writeFileSync(gone, text);
  const away = await diagnose({ kubeconfig: gone });
  rmSync(gone);
  assert.equal(away.code, 2);
  assert.match(away.err, /the API server does not answer: connection refused/);
});

test('a cluster in which nothing is wrong: exit code 0', async () => {
  const quiet = await startTown([namespace('shop')]);
  try {
    const { code, out } = await diagnose({}, quiet);
    assert.equal(code, 0);
    assert.match(out, /\nNothing is broken, as far as can be seen\.\n/);
  } finally {
    await quiet.stop();
    rmSync(quiet.kubeconfigFile);
  }
});
