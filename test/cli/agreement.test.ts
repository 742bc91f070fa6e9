/** Lint and the API server agree: the same table runs against a real API server in test/e2e/bad-input.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stringify } from 'yaml';
import { lint } from '../../src/api/lint/lint.ts';
import { cases } from '../api/cases.ts';
import { lintOf } from './streams.ts';

test('lint takes and refuses every case that the API server takes and refuses', async (context) => {
  assert.ok(cases.length >= 60, `${cases.length} cases`);
  assert.ok(cases.filter(({ refused }) => !refused).length >= 12, 'too few good ones');
  for (const { name, manifest, previous, refused } of cases)
    await context.test(`${manifest.kind}: ${name}`, async () => {
      if (previous) return;
      const { code, out } = await lintOf(['-'], { output: 'json' }, stringify(manifest, { version: '1.1' }));
      const { problems } = JSON.parse(out) as {
        problems: { rule: string; path: string; message: string; line: number }[];
      };
      const [first, ...others] = problems.filter(({ rule }) => rule === 'InvalidSpec');
      if (!refused) return assert.deepEqual([first, others], [undefined, []]);
      assert.equal(code, 1);
      assert.ok(first, 'it was taken');
      assert.ok(
        problems.some(({ path, message }) => path === refused.path && message.includes(refused.message ?? '')),
        JSON.stringify(problems),
      );
      assert.ok(first.line >= 1);
    });
});

test('an update is judged against what it updates', () => {
  const updates = cases.filter(({ previous }) => previous);
  assert.ok(updates.length > 0);
  for (const { name, manifest, previous, refused } of updates) {
    const verdict = lint([{ kind: manifest.kind, value: manifest, previous, where: name }], {
      operatorNamespace: 'tocsin',
      now: 0,
      secrets: () => 'unknown',
    });
    const wrong = verdict.judged[0]?.remarks.some(({ rule }) => rule === 'InvalidSpec');
    assert.equal(wrong, refused !== undefined, name);
  }
});
