import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { noEffect } from '../../src/api/no-effect.ts';
import type { Properties } from '../../src/model/schema.ts';
import { settingRows } from '../../src/model/setting-rows.ts';

const rows = Object.entries<Properties>(settingRows).flatMap(([group, settings]) =>
  Object.entries(settings).map(([name, { json }]) => ({ path: `${group}.${name}`, name, json })),
);

test('every setting has a default within its own bounds', () => {
  for (const { path, json } of rows) {
    assert.notEqual(json.default, undefined, `${path} has no default`);
    if (typeof json.default === 'number')
      assert.ok(json.default >= (json.minimum ?? 0) && json.default <= (json.maximum ?? 0), path);
  }
});

test('a setting that nothing reads is listed as one without effect, and one that is read is not', () => {
  const root = join(import.meta.dirname, '../../src');
  const files = globSync('**/*.ts', { cwd: root }).filter(
    (file) => !/^(?:model\/setting|api\/|providers\/)/.test(file),
  );
  const source = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n');
  const inVain = noEffect.AlertConfig.map(({ path }) => path);
  for (const { path, name } of rows) {
    const [group = ''] = path.split('.');
    const isRead = new RegExp(`\\b${group}\\??\\.${name}\\b`).test(source) || destructures(source, group, name);
    assert.equal(
      isRead,
      !inVain.includes(path),
      isRead ? `${path} is read: take its row out of no-effect.ts` : `nothing reads ${path}`,
    );
  }
});

/** Whether the group is taken apart somewhere and its setting used by name: `const { digest } = settings; digest.intervalSeconds`. */
function destructures(source: string, group: string, name: string): boolean {
  return new RegExp(`\\b${name}\\b[^\\n]*\\}[^\\n]*\\b${group}\\b`).test(source);
}
