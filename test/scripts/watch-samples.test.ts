import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';

const folder = join(import.meta.dirname, '../../config/rbac/watch-samples');

type Role = {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> };
  readonly rules: readonly {
    readonly apiGroups: readonly string[];
    readonly resources: readonly string[];
    readonly verbs: readonly string[];
  }[];
};

test('every sample is a role of its file’s name that is added to what is watched, and lets nothing but custom resources be read', () => {
  const files = readdirSync(folder);
  assert.ok(files.length > 10);
  for (const file of files) {
    const documents = parseAllDocuments(readFileSync(join(folder, file), 'utf8'));
    assert.equal(documents.length, 1, file);
    for (const document of documents) {
      const { kind, metadata, rules } = document.toJS() as Role;
      assert.equal(kind, 'ClusterRole');
      assert.equal(metadata.name, `tocsin-watch-${file.replace('.yaml', '')}`);
      assert.equal(metadata.labels['tocsin.dev/watch'], 'true');
      for (const { apiGroups, resources, verbs } of rules) {
        assert.deepEqual(verbs, ['list', 'watch'], file);
        for (const group of apiGroups) assert.match(group, /^[a-z0-9-]+(\.[a-z0-9-]+)+$/, file);
        for (const resource of resources) assert.match(resource, /^[a-z0-9]+$/, file);
      }
    }
  }
});
