/** Plays many histories and counts what is wrong by rule: `node test/histories/search.ts FROM COUNT`; SHOW=3 tells of three faults of each rule, THEME=outages plays one theme. */
import { historyOf } from './kit/history.ts';
import { faultsOf } from './kit/shrink.ts';

const [from = '1', count = '200'] = process.argv.slice(2);
const seeds = Array.from({ length: Number(count) }, (_, index) => Number(from) + index);
const found = new Map<string, { readonly seed: number; readonly theme: string; readonly says: string }[]>();
const began = performance.now();
for (const seed of seeds) {
  const history = historyOf(seed);
  if (process.env.THEME !== undefined && history.theme !== process.env.THEME) continue;
  const faults = await faultsOf(history);
  for (const { rule, says } of faults) {
    const known = found.get(rule) ?? [];
    known.push({ seed, theme: history.theme, says });
    found.set(rule, known);
  }
}
const seconds = (performance.now() - began) / 1000;
console.log(`${count} histories from ${from} in ${seconds.toFixed(1)} s`);
for (const [rule, faults] of [...found].sort()) {
  const histories = Map.groupBy(faults, ({ seed }) => seed);
  const byTheme = Map.groupBy([...histories.values()], ([fault]) => fault?.theme ?? '');
  const themes = [...byTheme].map(([theme, list]) => `${theme} ${list.length}`).join(', ');
  console.log(`${rule}: ${histories.size} histories (${themes})`);
  for (const { seed, says } of faults.slice(0, Number(process.env.SHOW ?? 0))) console.log(`  ${seed}: ${says}`);
}
