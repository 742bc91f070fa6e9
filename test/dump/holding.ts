import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { Input } from '../../src/model/turn.ts';
import type { ContainerLog } from '../../src/runtime/recording/container-logs.ts';
import { type LoggedInput, LoggedObjects } from '../../src/runtime/recording/log-changes.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import type { CoreView } from '../../src/turn/core-view.ts';
import { watchedSource } from '../../src/world/kinds/kinds.ts';
import { tellsOfSecrets } from '../scenarios/kit/of-secrets.ts';
import { logText } from '../scenarios/kit/recorded.ts';
import type { Holding } from './formats.ts';
import { type Gathered, takenOf } from './gathered.ts';

/** A recorded cluster at one moment. */
export type Moment = Holding & {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The roots that the live run had open then. */
  readonly roots: readonly Ref[];
};

type Line = { readonly now: number; readonly inputs: readonly LoggedInput[]; readonly logs?: readonly ContainerLog[] };

/**
 * The lines of a recorded cluster, by the name of its scenario. Secrets are left out: no dump holds them, and `tocsin diagnose` looks at none. What
 * containers said is recorded as they fail and at the end; as where scenarios are played (`kit/play.ts`) it can be read from the start, by who watched
 * and by who writes a dump.
 */
export function linesOf(name: string): readonly string[] {
  const lines = linesByName.get(name) ?? readLines(name);
  linesByName.set(name, lines);
  return lines;
}

const linesByName = new Map<string, readonly string[]>();

function readLines(name: string): readonly string[] {
  const [header = '', ...texts] = logText(name).trimEnd().split('\n');
  const lines = texts.map((text) => {
    const line = JSON.parse(text) as Line;
    return { ...line, inputs: line.inputs.filter((input) => !tellsOfSecrets(input)) };
  });
  const logs = lines.flatMap((line) => line.logs ?? []);
  return [
    header,
    ...lines.map(({ logs: _, ...line }, index) => JSON.stringify(index === 0 ? { ...line, logs } : line)),
  ];
}

/** The same lines for somebody who is told of no other objects and logs than those that a tool takes at the moment. */
export function linesWithin(lines: readonly string[], moment: Moment, wanted: Gathered): readonly string[] {
  const [header = '', ...texts] = lines;
  const taken = takenOf(moment, wanted);
  const isTaken = (kind: string): boolean => wanted.kinds?.has(kind) !== false;
  const places = new Set(taken.objects.map(placeOf));
  const left = new Set(moment.objects.map(placeOf).filter((place) => !places.has(place)));
  const runs = new Set(taken.logs.map(runOf));
  const reader = new LoggedObjects();
  const within = (input: Input): readonly Input[] => {
    if (input.kind === 'source') return isTaken(input.coverage.kind) ? [input] : [];
    if (input.kind !== 'objects') return [input];
    const kind = watchedSource(input.source)?.kind;
    const events = input.events.filter(({ raw }) => isTaken(kind ?? raw.kind ?? '') && !left.has(placeOf(raw)));
    return events.length === 0 ? [] : [{ ...input, events }];
  };
  const rest = texts.map((text) => {
    const { inputs, logs, ...line } = JSON.parse(text) as Line;
    const read = logs?.filter((log) => runs.has(runOf(log)));
    return JSON.stringify({ ...line, logs: read, inputs: inputs.flatMap((one) => reader.read(one)).flatMap(within) });
  });
  return [header, ...rest];
}

const placeOf = ({ kind, metadata }: RawObject): string => `${kind}/${metadata.namespace ?? ''}/${metadata.name}`;
const runOf = ({ pod, container, previous }: ContainerLog): string => `${pod} ${container} ${previous}`;

/** A recorded cluster as it stood at a time (epoch milliseconds), and what the live run made of it. */
export const momentOf = (lines: readonly string[], now: number): Moment => ({
  ...holdingOf(lines, now),
  now,
  roots: courseOf(lines).opened.findLast(([at]) => at <= now)?.[1] ?? [],
});

/** A recorded cluster as it stood at a time (epoch milliseconds). */
export function holdingOf(lines: readonly string[], now: number): Holding {
  const reader = new LoggedObjects();
  const held = new Map<string, RawObject>();
  let logs: readonly ContainerLog[] = [];
  const written: Written[] = [];
  let isListed = false;
  for (const text of lines.slice(1)) {
    const line = JSON.parse(text) as Line;
    if (line.now > now) break;
    logs = [...(line.logs ?? []).toReversed(), ...logs];
    for (const input of line.inputs.flatMap((each) => reader.read(each)))
      if (input.kind === 'objects')
        for (const { is, raw } of input.events) {
          written.push({ at: isListed ? line.now : 0, version: versionOf(raw) });
          const key = `${input.source} ${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
          if (is === 'put') held.set(key, raw);
          else held.delete(key);
        }
      else isListed ||= input.kind === 'baseline';
  }
  const newest = logs.filter(
    (log, index) =>
      logs.findIndex(
        (one) => one.pod === log.pod && one.container === log.container && one.previous === log.previous,
      ) === index,
  );
  return { objects: alive([...held.values()], written, now), logs: newest };
}

/** The roots that a live run has open at a time (epoch milliseconds). */
export function rootsAt(lines: readonly string[], now: number): readonly Ref[] {
  let roots: readonly Ref[] = [];
  for (const turn of replay(lines)) {
    if (turn.now > now) break;
    roots = openIn(turn.view);
  }
  return roots;
}

/** The roots of what is open, in the order of names. */
function openIn(view: CoreView): readonly Ref[] {
  const roots = new Set<Ref>();
  for (const { state, foldedInto, explanation } of view.incidents())
    if (state === 'Open' && foldedInto === undefined) roots.add(explanation.root.ref);
  return [...roots].sort();
}

/** When an object was written (epoch milliseconds; 0: before the recording began), and the number that the write took. */
type Written = { readonly at: number; readonly version: number };

const versionOf = ({ metadata }: RawObject): number => Number(metadata.resourceVersion ?? 0);

/** How often a kubelet writes to its Node that it lives, when nothing else has changed (`nodeStatusReportFrequency`, ms). */
const heartbeatMs = 5 * 60_000;

/**
 * Recordings leave out what is written every few minutes: kubelets that live say so, each at a time of its own. Such a write takes a number as well,
 * for which all others get ten times theirs.
 */
function alive(objects: readonly RawObject[], written: readonly Written[], now: number): readonly RawObject[] {
  const nodes = objects.filter(({ kind }) => kind === 'Node');
  return objects.map((raw) => {
    const numbered = withVersion(raw, versionOf(raw) * 10);
    const { conditions } = (raw.kind === 'Node' ? (raw.status ?? {}) : {}) as {
      conditions?: readonly Record<string, unknown>[];
    };
    if (!conditions?.some(({ status }) => status !== 'Unknown')) return numbered;
    const at = now - ((nodes.indexOf(raw) + 0.5) / nodes.length) * heartbeatMs;
    const lastHeartbeatTime = new Date(at).toISOString();
    const beating = conditions.map((one) => (one.status === 'Unknown' ? one : { ...one, lastHeartbeatTime }));
    const before = written.reduce((most, one) => (one.at <= at ? Math.max(most, one.version) : most), versionOf(raw));
    return withVersion({ ...raw, status: { ...(raw.status as object), conditions: beating } }, before * 10 + 1);
  });
}

const withVersion = (raw: RawObject, version: number): RawObject => ({
  ...raw,
  metadata: { ...raw.metadata, resourceVersion: String(version) },
});

/** When somebody may ask: half a minute after the live run told of a problem for the last time, or before it recovers; 0: it told of none. */
export const askedAt = (lines: readonly string[]): number => courseOf(lines).askedAt;

/** What a live run made of a recorded cluster: `opened`: the roots that were open after each turn, by its time (epoch milliseconds). */
type Course = { readonly askedAt: number; readonly opened: readonly (readonly [at: number, roots: readonly Ref[]])[] };

/** To play a cluster takes up to a second, and several ask for it: each is played once. */
const courses = new WeakMap<readonly string[], Course>();

/** The course of a recorded cluster. */
export function courseOf(lines: readonly string[]): Course {
  const course = courses.get(lines) ?? playedCourse(lines);
  courses.set(lines, course);
  return course;
}

function playedCourse(lines: readonly string[]): Course {
  let [told, until] = [0, 0];
  const opened: (readonly [number, readonly Ref[]])[] = [];
  for (const { now, effects, view } of replay(lines)) {
    opened.push([now, openIn(view)]);
    for (const { action, disposition } of effects.save.audit)
      if (action === 'open' && disposition === 'Delivered') [told, until] = [now, now + 30_000];
      else if (action === 'recover' && now > told) until = Math.min(until, now - 1);
  }
  return { askedAt: until, opened };
}
