import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { group, kindNames, kinds } from '../../src/api/group.ts';
import { namespaceLimits } from '../../src/api/limits.ts';

test('the quota that is shipped for the namespaces of teams allows no more objects than take part', () => {
  const file = join(import.meta.dirname, '../../config/tenants/resource-quota.yaml');
  const { hard } = parse(readFileSync(file, 'utf8')).spec;
  for (const kind of kindNames) {
    const allowed = Number(hard[`count/${kinds[kind].plural}.${group}`]);
    assert.ok(allowed > 0 && allowed <= namespaceLimits[kind].tenant, `${kind}: ${allowed}`);
  }
});
