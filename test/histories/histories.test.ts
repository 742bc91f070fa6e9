import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runs } from '../runs.ts';
import { historyOf } from './kit/history.ts';
import { faultsOf, inWords, shrink } from './kit/shrink.ts';
import type { Fault } from './kit/transcript.ts';

/** `HISTORY=123` plays one, `HISTORIES=5000` so many. */
const { HISTORY, HISTORIES } = process.env;
const first = Number(HISTORY ?? 1);
const count = HISTORY === undefined ? Number(HISTORIES ?? runs(150)) : 1;

/** Histories from seeds that went wrong once, in ways that a few hundred others do not come upon. */
const wrongOnce =
  HISTORY === undefined
    ? [183, 2078, 3032, 3040, 3349, 3792, 4584, 4591, 4928, 6757, 7839, 8223, 8374, 10200, 14761]
    : [];

for (const seed of wrongOnce)
  test(`the history of seed ${seed}, which went wrong once, goes well`, async () => {
    assert.deepEqual(await faultsOf(historyOf(seed)), []);
  });

test(`${count} random histories from seed ${first}: whoever is to know knows, whatever was opened is closed, in order and once`, async () => {
  const broken = new Map<string, { readonly seed: number; readonly fault: Fault }[]>();
  for (let seed = first; seed < first + count; seed += 1)
    for (const fault of await faultsOf(historyOf(seed))) {
      const known = broken.get(fault.rule) ?? [];
      known.push({ seed, fault });
      broken.set(fault.rule, known);
    }
  if (broken.size === 0) return;
  const report: string[] = [];
  for (const [rule, found] of [...broken].sort()) {
    const seeds = [...new Set(found.map(({ seed }) => seed))];
    report.push(`${rule}: ${seeds.length} of ${count} histories (seeds ${seeds.slice(0, 12).join(', ')})`);
  }
  for (const [rule, [example]] of [...broken].sort()) {
    if (!example) continue;
    const least = await shrink(historyOf(example.seed), example.fault);
    const says = (await faultsOf(least)).find((fault) => fault.rule === rule)?.says ?? '';
    report.push('', inWords(least), `=> ${rule}: ${says}`);
    report.push(`again alone: HISTORY=${example.seed} node --test test/histories/histories.test.ts`);
  }
  assert.fail(report.join('\n'));
});
