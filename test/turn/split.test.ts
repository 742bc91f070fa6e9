/** A stop and a start with saved state, at any instant of any scenario, change nothing of what is decided and told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numberHash } from '../../src/model/hash.ts';
import type { Notification } from '../../src/model/notification.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { type Log, readLog } from '../scenarios/kit/log.ts';
import { type Played, play } from '../scenarios/kit/play.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { baselineAt, splitAt } from './split.ts';

/** Everything is over by then: the longest hold and the cooldown, after the last line (ms). */
const afterwardsMs = 20 * 60_000;
/** Of how many scenarios in `make test`; with `PROPERTY_RUNS` all of them, at more instants. */
const searches = process.env.PROPERTY_RUNS !== undefined;
const tried = searches ? Number.POSITIVE_INFINITY : 50;

/** What is judged again every so often is judged at once when a process starts, and so may be told that much sooner or later. */
const polled: ReadonlyMap<string, string> = new Map([
  ['labelled/drain-blocked-by-budget', 'whether a budget holds up a drain is looked at every 30 s'],
]);

/** The instants at which a scenario is split, which differ from scenario to scenario: half while it is recorded, half in what follows. */
function instantsOf(name: string, { lines }: Log, from: number): number[] {
  const end = lines.at(-1)?.now ?? from;
  const count = searches ? 6 : 1;
  const share = (index: number): number => (index + (numberHash(`${name} ${index}`) % 1000) / 1000) / count;
  const times = Array.from({ length: count }, (_, index) => share(index));
  return [
    ...times.map((part) => from + 1 + Math.floor(part * (end - from))),
    ...times.map((part) => end + 1 + Math.floor(part * afterwardsMs)),
  ];
}

/** What is replayed of it all: after its last line time alone goes on (ms). */
const epilogueMs = 40 * 60_000;

/** Log lines are read anew after a restart: those of a run that came meanwhile, if one did. */
const withoutExcerpt = ({ excerpt, ...notification }: Notification): Omit<Notification, 'excerpt'> => notification;

/** What was told until an instant, to the word. */
const toldBy = ({ messages }: Played, withTimes: boolean, until = Number.POSITIVE_INFINITY): string[] =>
  messages
    .filter(({ at }) => at < until)
    .map(({ at, delivery: { act, alertKey, stream, sequence }, notification }) =>
      withTimes
        ? JSON.stringify([at, act, alertKey, stream, sequence, withoutExcerpt(notification)])
        : JSON.stringify([act, notification.incident?.root, notification.incident?.reason]),
    );

/** What was decided, in no order within one instant: incidents are looked at in that in which they came to be known. */
const decidedBy = ({ decisions }: Played, until: number): string[] =>
  decisions
    .filter(({ time }) => Date.parse(time) < until)
    .map((decision) => JSON.stringify(decision))
    .sort();

const names = searches ? recordedNames() : recordedNames('labelled', 'quiet');
const logs = names
  .toSorted((a, b) => numberHash(a) - numberHash(b))
  .slice(0, tried)
  .map((name) => ({ name, log: readLog(name) }));

test('a log that is played twice gives the same decisions and the same messages, byte for byte', () => {
  for (const { name, log } of logs.slice(0, searches ? undefined : 20)) {
    const [one, two] = [play(log, 'Pro'), play(log, 'Pro')];
    assert.deepEqual(toldBy(two, true), toldBy(one, true), name);
    assert.deepEqual(
      two.decisions.map((decision) => JSON.stringify(decision)),
      one.decisions.map((decision) => JSON.stringify(decision)),
      name,
    );
  }
});

test('a stop and a start with saved state at any instant change no message and no decision', () => {
  let splits = 0;
  for (const { name, log } of logs) {
    const from = baselineAt(log);
    if (!Number.isFinite(from)) continue;
    const until = (log.lines.at(-1)?.now ?? 0) + epilogueMs;
    const whole = play(log, 'Pro', new MemoryStore());
    for (const instant of instantsOf(name, log, from)) {
      const split = play(splitAt(log, instant), 'Pro', new MemoryStore());
      const where = `${name}, split ${(instant - from) / 1000} s after its baseline`;
      const isExact = !polled.has(name);
      assert.deepEqual(toldBy(split, isExact, until), toldBy(whole, isExact, until), where);
      if (isExact) assert.deepEqual(decidedBy(split, until), decidedBy(whole, until), where);
      splits += 1;
    }
  }
  assert.ok(splits >= Math.min(names.length, tried), `${splits} splits`);
});
