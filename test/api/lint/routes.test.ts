import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { lint } from '../../../src/api/lint/lint.ts';

const webhook = { type: 'webhook', webhook: { url: { secretKeyRef: { name: 'a', key: 'url' } } } };
type Row = { name?: string; namespace?: string; routes?: readonly object[]; suspend?: boolean };

/** What lint says of providers with these routes, beside a config, without that routes need a licence. */
function remarksOn(rows: readonly Row[], config: object = {}): string[] {
  const manifests = rows.map(({ name = 'one', namespace = 'tocsin', routes, suspend }) => {
    const spec = { ...webhook, ...(routes && { routes: routes.map((selector) => ({ selector })) }) };
    const value = {
      ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name, namespace } },
      spec: suspend ? { ...spec, suspend } : spec,
    };
    return { kind: 'AlertProvider' as const, value, where: name };
  });
  const settings = {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: config,
  };
  const all = [...manifests, { kind: 'AlertConfig' as const, value: settings, where: 'config' }];
  const { judged } = lint(all, { operatorNamespace: 'tocsin', now: 0, secrets: () => 'unknown' });
  return judged
    .flatMap(({ remarks }) => remarks)
    .filter(({ rule }) => rule !== 'NotLicensed' && rule !== 'ClusterUnnamed')
    .map(({ rule, path, message }) => `${rule} ${path} ${message}`);
}

const rest: Row = { name: 'rest' };
const cases: readonly {
  readonly what: string;
  readonly rows: readonly Row[];
  readonly config?: object;
  readonly says: readonly RegExp[];
}[] = [
  {
    what: 'good routes beside a catch-all have no remark',
    rows: [{ routes: [{ severities: ['critical'] }, { labels: { team: 'a' } }] }, rest],
    says: [],
  },
  {
    what: 'a name that no Namespace can have',
    rows: [{ routes: [{ namespaces: ['Shop'] }] }, rest],
    says: [/^NeverMatches spec\.routes\[0\]\.selector\.namespaces .*"Shop".*lower-case/],
  },
  {
    what: 'a label that no object can have',
    rows: [{ routes: [{ labels: { team: 'two words' } }] }, rest],
    says: [/^NeverMatches spec\.routes\[0\]\.selector\.labels .*"team: two words"/],
  },
  {
    what: 'globs that exclude each other without being the same',
    rows: [{ routes: [{ names: ['api-?', '!api-*'] }] }, rest],
    says: [/^NeverMatches spec\.routes\[0\]\.selector\.names .*excludes all that it includes/],
  },
  {
    what: 'a route that an earlier one covers',
    rows: [{ routes: [{ namespaces: ['team-*'] }, { namespaces: ['team-a'], severities: ['high'] }] }, rest],
    says: [/^Unreachable spec\.routes\[1\] .*`spec\.routes\[0\]` before it matches all/],
  },
  {
    what: 'a route that earlier ones cover together',
    rows: [
      { routes: [{ severities: ['critical', 'high'] }, { severities: ['medium', 'low'] }, { kinds: ['Node'] }] },
      rest,
    ],
    says: [/^Unreachable spec\.routes\[2\] .*`spec\.routes\[0\]` and `spec\.routes\[1\]` before it together match all/],
  },
  {
    what: 'a severity that an override never leaves',
    rows: [{ routes: [{ namespaces: ['preview-a'], severities: ['critical', 'high'] }] }, rest],
    config: { detection: { overrides: [{ selector: { namespaces: ['preview-*'] }, maxSeverity: 'medium' }] } },
    says: [/^SeverityOverridden spec\.routes\[0\]\.selector\.severities .*medium or low/],
  },
  {
    what: 'an override of some incidents leaves the others',
    rows: [{ routes: [{ severities: ['critical'] }] }, rest],
    config: { detection: { overrides: [{ selector: { namespaces: ['preview-*'] }, maxSeverity: 'medium' }] } },
    says: [],
  },
  {
    what: 'what the filters hold back',
    rows: [{ routes: [{ reasons: ['OOMKilled'] }, { namespaces: ['sandbox-a'] }] }, rest],
    config: { filters: { reasons: ['!OOM*'], namespaces: ['!sandbox-*'] } },
    says: [/^Filtered spec\.routes\[0\]\.selector\.reasons/, /^Filtered spec\.routes\[1\]\.selector\.namespaces/],
  },
  {
    what: 'a tenant that names another namespace',
    rows: [{ namespace: 'shop', routes: [{ namespaces: ['pay'] }] }, rest],
    says: [/^OutOfScope spec\.routes\[0\]\.selector\.namespaces .*only incidents of shop/],
  },
  {
    what: 'severities that fall through, and an example of what does of the others',
    rows: [{ routes: [{ severities: ['critical'] }, { severities: ['high'], namespaces: ['shop'] }] }],
    says: [/^NoRoute spec\.routes .*all that is medium or low; of high for example \w+ of \w+ .*take the rest/],
  },
  {
    what: 'a Node falls through where routes only name namespaces',
    rows: [{ routes: [{ namespaces: ['*'] }] }],
    says: [/^NoRoute spec\.routes .*of critical for example Node\w+ of Node /],
  },
  {
    what: 'that nobody gets what is low is no mistake',
    rows: [{ routes: [{ severities: ['critical'] }] }, { name: 'chat', routes: [{ severities: ['high', 'medium'] }] }],
    says: [],
  },
  {
    what: 'routes that together take everything leave nothing',
    rows: [{ routes: [{ names: ['api'] }] }, { name: 'chat', routes: [{ names: ['!api'] }] }],
    says: [],
  },
  {
    what: 'a suspended AlertProvider takes no rest',
    rows: [{ routes: [{ severities: ['critical', 'high', 'low'] }] }, { ...rest, suspend: true }],
    says: [/^NoRoute .*all that is medium/],
  },
  {
    what: 'a tenant takes nothing of the cluster, and leaves nothing to nobody',
    rows: [{ namespace: 'shop', routes: [{ severities: ['critical'] }] }],
    says: [],
  },
];

describe('lint of routes', () => {
  for (const { what, rows, config = {}, says } of cases)
    test(what, () => {
      const remarks = remarksOn(rows, config);
      assert.equal(remarks.length, says.length, remarks.join('\n'));
      for (const [index, pattern] of says.entries()) assert.match(remarks[index] ?? '', pattern);
    });
});

test('the sample of routes and the examples of the page have no remark but that they need a licence, and what their fallback means', () => {
  const root = join(import.meta.dirname, '../../..');
  const page = readFileSync(join(root, 'docs/teams.md'), 'utf8');
  const texts = [
    readFileSync(join(root, 'config/samples/alertprovider-routes.yaml'), 'utf8'),
    ...[...page.matchAll(/```yaml\n(.*?)```/gs)].map((match) => match[1] ?? ''),
  ];
  for (const text of texts) {
    const manifests = parseAllDocuments(text).map((document, index) => {
      return { kind: 'AlertProvider' as const, value: document.toJS() as object, where: `${index}` };
    });
    const isWhole = manifests.length > 1;
    const { judged } = lint(manifests, { operatorNamespace: 'tocsin', now: 0, secrets: () => 'unknown' });
    const rules = new Set(judged.flatMap(({ remarks }) => remarks.map(({ rule }) => rule)));
    // A single example leaves the rest to others.
    const fallback = text.includes('\n  fallback:') ? ['FallbackActive'] : [];
    assert.deepEqual([...rules].sort(), [...fallback, ...(isWhole ? [] : ['NoRoute']), 'NotLicensed']);
  }
});
