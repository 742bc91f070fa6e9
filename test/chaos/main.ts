/**
 * Never lose, never repeat: the program as it is shipped is killed, stopped and woken, loses its disk and its clock, on a real
 * control plane with workloads that break and mend. Judged by what three receivers got, one of them a pager that is
 * out at random, and its fallback. `CHAOS_ROUNDS` (default 100) says how often it is killed,
 * `CHAOS` which trials run (`kills clock disk pods`), `CHAOS_OUT` names a folder for all that was done and taken. Each writes its
 * figures into docs/contributing/reliability.md. Exit code 1 if a promise was broken.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, machineWords, versionWords } from '../bench/machine.ts';
import { withFigures } from '../bench/table.ts';
import { startArena } from './arena.ts';
import { failDisk } from './disk.ts';
import { mendWhileDead } from './forgetful.ts';
import { judge, type Trial } from './judge.ts';
import { killAgainAndAgain } from './kills.ts';
import { diskTable, faultsOf, killTable, lagTable, type Row, standbyTable } from './report.ts';
import { type StandbyTrial, standBy } from './standby.ts';
import { Volume } from './volume.ts';

const page = join(import.meta.dirname, '../../docs/contributing/reliability.md');
const trials = ['kills', 'clock', 'disk', 'pods'] as const;
type Chosen = (typeof trials)[number];
const rounds = Number(process.env.CHAOS_ROUNDS ?? 100);
if (!(rounds >= 1 && rounds <= 1_000)) throw new Error(`CHAOS_ROUNDS is "${process.env.CHAOS_ROUNDS}"; use 1 to 1000`);
const asked = (process.env.CHAOS ?? trials.join(' ')).split(/\s+/);
const isKnown = (name: string): name is Chosen => trials.some((each) => each === name);
const chosen = asked.filter(isKnown);
if (chosen.length < asked.length) throw new Error(`CHAOS is "${process.env.CHAOS}"; use some of: ${trials.join(' ')}`);

const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / 60_000).toFixed(1).padStart(6)} min, load ${load().toFixed(1)}  ${text}`);

await using stack = new AsyncDisposableStack();
say('starting the control plane, building the image');
const arena = await startArena(Math.random);
stack.defer(() => arena.stop());
const faults: string[] = [];
if (process.env.CHAOS_OUT) mkdirSync(process.env.CHAOS_OUT, { recursive: true });

/** Prints the figures of a trial and writes them into the page. */
function write(trial: Chosen, ...tables: readonly string[]): void {
  const when = `${new Date().toISOString().slice(0, 10)}. ${versionWords()}. ${machineWords()}, load average ${load().toFixed(1)}.`;
  const text = [when, ...tables].join('\n\n');
  console.log(`\n${text}\n`);
  writeFileSync(page, withFigures(readFileSync(page, 'utf8'), text, `chaos ${trial}`, 'chaos'));
}

/** Runs one trial and judges it. */
async function tried<T extends Trial>(
  name: string,
  run: () => Promise<T>,
  isClockOff = false,
): Promise<Row & { readonly trial: T }> {
  const droppedByKey = (): number =>
    arena.receivers.reduce((sum, { kind, dropped }) => sum + (kind === 'keyed' ? dropped : 0), 0);
  const before = droppedByKey();
  const trial = await run();
  const row: Row & { readonly trial: T } = { name, trial, dropped: droppedByKey() - before, isClockOff };
  const found = faultsOf(row);
  faults.push(...found);
  say(`${name}: ${trial.breaks.length} breaks, ${trial.taken.length} messages; ${found.length} faults`);
  const folder = process.env.CHAOS_OUT;
  if (folder !== undefined) writeFileSync(join(folder, `${trial.breaks[0]?.name}.json`), JSON.stringify(trial));
  return row;
}

// First the judge itself: what is not saved is lost, and it has to see that.
await arena.license('Community');
const forgotten = judge(await mendWhileDead(arena, 'community'));
if (forgotten.lostEnds.length === 0) faults.push('without saved state no loss was found: the judge sees nothing');
say(`without saved state: ${forgotten.lostEnds.length} end lost, as it must be`);
await arena.license('Pro');

if (chosen.includes('kills')) {
  const row = await tried('`kill -9`', () => killAgainAndAgain(arena, { name: 'kill', rounds, hasOutages: true, say }));
  write('kills', killTable([row]), lagTable([row]));
}
if (chosen.includes('clock')) {
  const options = { name: 'clock', rounds: Math.ceil(rounds / 5), setsClock: true, hasOutages: true, say };
  const row = await tried('`kill -9`, clock set by up to 2 h', () => killAgainAndAgain(arena, options), true);
  write('clock', killTable([row]), lagTable([row]));
}
if (chosen.includes('disk') && Volume.isPossible) {
  const row = await tried('`kill -9`, the disk fails', () => failDisk(arena, { name: 'disk', say }));
  write('disk', diskTable(row.trial.figures), killTable([row]), lagTable([row]));
} else if (chosen.includes('disk')) say('the disk was not made to fail: that needs root, loop devices and ext4');

const pods: { readonly name: string; readonly shared: boolean; readonly trial: StandbyTrial }[] = [];
if (chosen.includes('pods'))
  for (const [name, options] of [
    ['a directory each; the first wakes', { name: 'own', shared: false, ending: 'wakes' }],
    ['one directory; the first wakes', { name: 'shared', shared: true, ending: 'wakes' }],
    ['one directory; the first is killed', { name: 'killed', shared: true, ending: 'is killed' }],
  ] as const) {
    const trial = await standBy(arena, options);
    pods.push({ name, shared: options.shared, trial });
    for (const waiting of trial.waiting) say(`${name}: ${JSON.stringify(waiting)}`);
    if (trial.sentByStopped > 0)
      faults.push(`${name}: the first sent ${trial.sentByStopped} messages after it was stopped`);
    if (trial.waiting.some(({ healthz, readyz }) => healthz !== 200 || readyz !== 503))
      faults.push(`${name}: the second was not live and unready while it waited`);
    // With a directory of its own the second knows nothing of before: what is open then is in the summary of its start.
    if (options.shared) faults.push(...faultsOf({ name, trial, dropped: 0 }));
  }
if (pods.length > 0) write('pods', standbyTable(pods));

for (const fault of faults) console.log(`! ${fault}`);
console.log(
  faults.length === 0 ? 'Nothing lost, nothing told twice, everything in order.' : `FAILED: ${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
