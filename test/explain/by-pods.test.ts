import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { causalRules } from '../../src/explain/rules/rules.ts';
import { inShort } from './helpers.ts';
import type { Proof } from './proof.ts';
import { house } from './raw.ts';

/** A workload that says no more than that it is short of Pods is explained by the row of these: a story for each, by its name. */
const folder = new URL('by-pods/', import.meta.url);

for (const file of readdirSync(folder)) {
  const { proof } = (await import(new URL(file, folder).href)) as { proof: Proof };
  for (const { what, tell, told } of [proof.shows, proof.not])
    test(`a workload asks by its Pods, ${file.replace('.ts', '')}: ${what}`, () => {
      const k8s = house(causalRules);
      tell(k8s);
      const ending = inShort(k8s.explain(), ({ change }) => (change === undefined ? '' : `, ${change.field} edited`));
      assert.deepEqual(ending, told);
    });
}
