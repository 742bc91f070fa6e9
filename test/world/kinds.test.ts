import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { detectors } from '../../src/detect/catalogue.ts';
import { sourceOf } from '../../src/model/resource.ts';
import { heldKinds, watchedKinds } from '../../src/world/kinds/kinds.ts';

const project = join(import.meta.dirname, '../..');
const names = new Set<string>(heldKinds.map(({ kind }) => kind));

test('every file of kinds/ has its rows in the table', async () => {
  const folder = join(project, 'src/world/kinds');
  const rows: unknown[] = [];
  for (const file of globSync('*/*.ts', { cwd: folder })) {
    const exported: Record<string, unknown> = await import(join(folder, file));
    const own = Object.entries(exported).filter(([, value]) => typeof value === 'object');
    assert.ok(own.length > 0, `${file} has no row`);
    for (const [name, row] of own)
      assert.ok((heldKinds as unknown[]).includes(row), `${file}: ${name} is not in kinds.ts`);
    rows.push(...own);
  }
  assert.equal(rows.length, heldKinds.length);
});

test('every watched kind has its own source name; the required ones are Pods, Nodes and Namespaces', () => {
  const sources = watchedKinds.map(sourceOf);
  assert.equal(new Set(sources).size, sources.length);
  assert.ok(sources.includes('deployments.apps') && sources.includes('pods'));
  const required = watchedKinds.filter((row) => row.required).map(({ kind }) => kind);
  assert.deepEqual(required.sort(), ['Namespace', 'Node', 'Pod']);
  const metadataOnly = watchedKinds.filter((row) => row.metadataOnly).map(({ kind }) => kind);
  assert.deepEqual(metadataOnly, ['ServiceAccount', 'PriorityClass', 'RuntimeClass', 'ConfigMap']);
});

test('who is judged by a kind is watched, and has a detector of its own', () => {
  const judged = new Set(detectors.map(({ judges }): string => judges));
  for (const { kind, judgedBy = [], judgedThrough = {} } of watchedKinds)
    for (const each of [...judgedBy, ...Object.values(judgedThrough).flat()])
      assert.ok(names.has(each) && judged.has(each), `${each}, judged by ${kind}`);
});

test('what has no namespace may be watched: the built-in role for readers has Namespaces only', () => {
  type Role = { rules?: { apiGroups: string[]; resources: string[]; verbs: string[] }[] };
  const rules = parseAllDocuments(readFileSync(join(project, 'config/rbac/cluster-role.yaml'), 'utf8')).flatMap(
    (document) => (document.toJS() as Role).rules ?? [],
  );
  for (const { group, plural, namespaced, kind } of watchedKinds) {
    if (namespaced || kind === 'Namespace') continue;
    const granted = rules.filter(({ apiGroups, resources }) => apiGroups.includes(group) && resources.includes(plural));
    assert.deepEqual(granted.flatMap(({ verbs }) => verbs).sort(), ['list', 'watch'], `config/rbac: ${plural}`);
  }
});
