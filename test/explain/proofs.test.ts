import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Rule } from '../../src/explain/rules/rule.ts';
import { causalRules } from '../../src/explain/rules/rules.ts';
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

/** The same with how sure it is: what proves a cause that another rule only suspects is needed, too. */
function surely({ tell }: Story, rules: readonly Rule[]): string[] {
  const k8s = house(rules);
  tell(k8s);
  return inShort(k8s.explain(), ({ change, confidence }) => `, ${change?.field} edited, ${confidence}`);
}

/** Every proof with the rule that it is of: that of its file's name unless it says another. */
const proofs = await Promise.all(
  readdirSync(folder).map(async (file) => {
    const { proof } = (await import(new URL(file, folder).href)) as { proof: Proof };
    const name = file.replace(/\.ts$/, '');
    return { name, ...proof, rule: proof.rule ?? name };
  }),
);

test('every causal rule has a proof, and every proof its rule', () => {
  assert.deepEqual([...new Set(proofs.map(({ rule }) => rule))].sort(), causalRules.map(({ id }) => id).sort());
});

/** How many proofs each rule has: what several show is general, and of one story another general rule may say the same. */
const proofsOf = Map.groupBy(proofs, ({ rule }) => rule);

for (const { name, rule, shows, not } of proofs) {
  const without = causalRules.filter(({ id }) => id !== rule);
  const isItsOnly = proofsOf.get(rule)?.length === 1;

  test(`${name}: ${shows.what}`, () => assert.deepEqual(ending(shows, causalRules), shows.told));
  test(`${name} does not apply: ${not.what}`, () => {
    assert.deepEqual(ending(not, causalRules), not.told);
    if (isItsOnly) assert.deepEqual(ending(not, without), not.told);
  });
}

for (const [rule, own] of proofsOf) {
  const without = causalRules.filter(({ id }) => id !== rule);

  test(`${rule} is needed for what it is shown by: without it a story ends otherwise`, () =>
    assert.ok(own.some(({ shows }) => !isDeepStrictEqual(surely(shows, without), surely(shows, causalRules)))));
}
