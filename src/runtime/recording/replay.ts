import { errorMessage } from '../../model/error-message.ts';
import type { Settings } from '../../model/settings.ts';
import type { Effects, Input } from '../../model/turn.ts';
import { Core } from '../../turn/core.ts';
import type { CoreView } from '../../turn/core-view.ts';
import { providerTraits } from '../sending/provider-types.ts';
import { type ContainerLog, evidenceFor } from './container-logs.ts';
import { DepartedRun, type Departure } from './departure.ts';
import { type LoggedInput, LoggedObjects } from './log-changes.ts';
import type { LogHeader } from './recorder.ts';
import { replaySettings } from './replay-settings.ts';

/** One turn of a replay. `view`: of the core as it was left by it, until the next turn. */
export type ReplayedTurn = {
  readonly now: number;
  readonly inputs: readonly Input[];
  readonly effects: Effects;
  readonly view: CoreView;
};

/**
 * The first line. `turns: 'events'`: a log of what happened in a cluster, without turns of Tocsin; wake-ups and settings are the
 * replayer's.
 */
type Header = LogHeader & { readonly turns?: 'events' };

/** Every further line. `restart`: Tocsin starts again, and what it knew is gone. `logs`: what can be read of containers from then on. */
type Line = {
  readonly now: number;
  readonly inputs: readonly LoggedInput[];
  readonly restart?: true;
  readonly logs?: readonly ContainerLog[];
};

/** Runs a log line by line through a fresh core. Both throw on what is no log, naming the line. */
type Replayer = {
  /** The turns that a line brings, in order. */
  line(text: string): Iterable<ReplayedTurn>;
  /** What time alone brings after the last line. */
  end(): Iterable<ReplayedTurn>;
};

/** Runs a log through a fresh core and yields every turn. Throws on a file that is not a log, naming the line. */
export function* replay(lines: Iterable<string>): Generator<ReplayedTurn> {
  const replayer = createReplayer();
  for (const text of lines) yield* replayer.line(text);
  yield* replayer.end();
}

/**
 * The same for lines that arrive one by one: a log of any size takes the memory of one line and of the core. `departure`: what was recorded
 * happens under other settings.
 */
export async function* replayStream(lines: AsyncIterable<string>, departure?: Departure): AsyncGenerator<ReplayedTurn> {
  const replayer = createReplayer(departure);
  for await (const text of lines) yield* replayer.line(text);
  yield* replayer.end();
}

function createReplayer(departure?: Departure): Replayer {
  let number = 0;
  let run: ReturnType<typeof runOf> | undefined;
  return {
    *line(text) {
      number += 1;
      if (text.trim() === '') return;
      const entry = parseLine(text, number);
      if (!run) run = runOf(headerOf(entry), departure);
      else yield* named(number, run.play(lineOf(entry, number)));
    },
    *end() {
      if (!run) throw new Error('the file is empty: expected the header of a Tocsin log in line 1');
      yield* named(number, run.rest());
    },
  };
}

/** Time alone goes on for so long after the last line of an events log: the longest hold of a recovery, and the cooldown. */
const epilogueMs = 40 * 60_000;
/** Between two lines a core asks for far fewer wake-ups; more would be one that never rests. */
const mostWakes = 100_000;

function runOf(header: Header, departure: Departure | undefined) {
  const byEvents = header.turns === 'events';
  const departed = departure && !byEvents ? new DepartedRun(departure) : undefined;
  const fresh = (): Core => new Core({ ...header, traits: byEvents ? new Map() : providerTraits, setsAside: true });
  let core = fresh();
  let started = false;
  let lastAt = 0;
  let wakeAt: number | undefined;
  /** Recorded turns until now. */
  let turns = 0;
  const objects = new LoggedObjects();
  /** The newest first. */
  let logs: readonly ContainerLog[] = [];

  const settingsAt = (now: number): Settings => departure?.settings(replaySettings, now) ?? replaySettings;

  /** A turn of what happened: log lines that it asks for are there at once, as far as they were recorded by then. */
  function* happening(inputs: readonly Input[], now: number): Generator<ReplayedTurn> {
    for (let next = inputs; next.length > 0; ) {
      const replayed = turn(next, now);
      yield replayed;
      next = replayed.effects.fetch.map((request) => ({ kind: 'evidence', evidence: evidenceFor(request, logs) }));
    }
  }

  function turn(inputs: readonly Input[], now: number): ReplayedTurn {
    const effects = core.turn(inputs, now);
    wakeAt = effects.wakeAt;
    departed?.sent(effects);
    return { now, inputs, effects, view: core.view };
  }

  function* until(instant: number): Generator<ReplayedTurn> {
    for (let wakes = 0; byEvents && wakeAt !== undefined && wakeAt < instant; wakes += 1) {
      if (wakes > mostWakes) throw new Error(`more than ${mostWakes} wake-ups: the core never rests`);
      yield* happening([{ kind: 'wake' }], wakeAt);
    }
  }

  /** What a run that departs does by itself before a recorded turn: it wakes up, and hears that what only it sends has arrived. */
  function* byItself(run: DepartedRun, instant: number): Generator<ReplayedTurn> {
    for (let own = 0; ; own += 1) {
      if (own > mostWakes) throw new Error(`more than ${mostWakes} turns of its own: the core never rests`);
      const arrivesAt = run.arrivesAt() ?? Number.POSITIVE_INFINITY;
      const wakesAt = wakeAt ?? Number.POSITIVE_INFINITY;
      if (arrivesAt < instant && arrivesAt <= wakesAt) yield turn(run.arrival(arrivesAt), later(arrivesAt));
      else if (wakesAt < instant && !run.isWake(turns, wakesAt))
        yield turn([{ kind: 'wake' }, ...run.inputs([], wakesAt)], later(wakesAt));
      else return;
    }
  }

  /** Time goes forward. */
  function later(instant: number): number {
    lastAt = Math.max(lastAt, instant);
    return lastAt;
  }

  return {
    *play({ now, inputs, restart, logs: more = [] }: Line): Generator<ReplayedTurn> {
      if (byEvents) {
        logs = [...more.toReversed(), ...logs];
        if (started) yield* until(now);
        if (restart) core = fresh();
        if (restart || !started) yield turn([{ kind: 'settings', settings: settingsAt(now) }], now);
        started = true;
        lastAt = now;
      }
      // A recorded turn without inputs was a turn all the same. Those of a run are as they were.
      if (inputs.length === 0) return;
      if (byEvents)
        yield* happening(
          inputs.flatMap((input) => objects.read(input)),
          now,
        );
      else if (departed) {
        yield* byItself(departed, now);
        turns += 1;
        yield turn(departed.inputs(inputs as Input[], now), later(now));
      } else yield turn(inputs as Input[], now);
    },
    rest: () => until(lastAt + epilogueMs),
  };
}

/** An input of the wrong shape fails somewhere inside: the line is what a person can look at. */
function* named(number: number, turns: Iterable<ReplayedTurn>): Generator<ReplayedTurn> {
  try {
    yield* turns;
  } catch (error) {
    const why = errorMessage(error);
    throw new Error(`line ${number} cannot be replayed: ${why}`, { cause: error });
  }
}

function parseLine(text: string, number: number): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new Error(`line ${number} is not JSON: was the file cut off or edited?`, { cause: error });
  }
  if (typeof value === 'object' && value !== null) return value;
  throw new Error(`line ${number} is not a JSON object`);
}

function headerOf(entry: object): Header {
  const header: Partial<Header> = entry;
  const { tocsinLog, clusterId, version, turns } = header;
  if (tocsinLog !== 1 || typeof clusterId !== 'string' || typeof version !== 'string')
    throw new Error('line 1 is not the header of a Tocsin log: expected {"tocsinLog":1,"clusterId":…,"version":…}');
  if (turns !== undefined && turns !== 'events')
    throw new Error(`line 1: "turns" is ${JSON.stringify(turns)}; it must be "events" or absent`);
  return { tocsinLog, clusterId, version, ...(turns && { turns }) };
}

function lineOf(entry: object, number: number): Line {
  const { now, inputs, restart, logs }: Partial<Line> = entry;
  if (typeof now !== 'number' || !Array.isArray(inputs))
    throw new Error(`line ${number} is not a turn: expected {"now":…,"inputs":[…]}`);
  return { now, inputs, ...(restart === true && { restart }), ...(Array.isArray(logs) && { logs }) };
}
