import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Rule } from '../../src/explain/rule.ts';
import { causalRules } from '../../src/explain/rules.ts';
import { inShort } from './helpers.ts';
import type { Proof, Story } from './proof.ts';
import { house } from './raw.ts';

const folder = new URL('proofs/', import.meta.url);

/** How a story ends by a set of rules. */
function ending({ tell }: Story, rules: readonly Rule[]): string[] {
  const k8s = house(rules);
  tell(k8s);
  return inShort(k8s.explain(), ({ change }) => (change === undefined ? '' : `, ${change.field} edited`));
}

test('every causal rule has a proof, and every proof its rule', () => {
  const files = readdirSync(folder).map((file) => file.replace(/\.ts$/, ''));
  assert.deepEqual(files.sort(), causalRules.map(({ id }) => id).sort());
});

for (const { id } of causalRules) {
  const without = causalRules.filter((rule) => rule.id !== id);
  const { proof } = (await import(new URL(`${id}.ts`, folder).href)) as { proof: Proof };
  const { shows, not } = proof;

  test(`${id}: ${shows.what}`, () => assert.deepEqual(ending(shows, causalRules), shows.told));
  test(`${id} is needed for it: without the rule it ends otherwise`, () =>
    assert.notDeepEqual(ending(shows, without), shows.told));
  test(`${id} does not apply: ${not.what}`, () => {
    assert.deepEqual(ending(not, causalRules), not.told);
    assert.deepEqual(ending(not, without), not.told);
  });
}
