import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import type { ContainerLog } from '../../src/runtime/recording/container-logs.ts';
import { type LoggedInput, LoggedObjects } from '../../src/runtime/recording/log-changes.ts';
import { replay } from '../../src/runtime/recording/replay.ts';
import { logText } from '../scenarios/kit/recorded.ts';
import type { Holding } from './formats.ts';

/** A recorded cluster at one moment. */
export type Moment = Holding & {
  /** Epoch milliseconds. */
  readonly now: number;
  /** The roots that the live run had open then. */
  readonly roots: readonly Ref[];
};

type Line = { readonly now: number; readonly inputs: readonly LoggedInput[]; readonly logs?: readonly ContainerLog[] };

/**
 * The lines of a recorded cluster, by the name of its scenario. What containers said is recorded at the end; as where scenarios are played
 * (`kit/play.ts`) it can be read from the start, by who watched and by who writes a dump.
 */
export function linesOf(name: string): readonly string[] {
  const [header = '', ...texts] = logText(name).trimEnd().split('\n');
  const lines = texts.map((text) => JSON.parse(text) as Line);
  const logs = lines.flatMap((line) => line.logs ?? []);
  return [
    header,
    ...lines.map(({ logs: _, ...line }, index) => JSON.stringify(index === 0 ? { ...line, logs } : line)),
  ];
}

/** A recorded cluster as it stood at a time (epoch milliseconds), and what the live run made of it. */
export function momentOf(lines: readonly string[], now: number): Moment {
  const reader = new LoggedObjects();
  const held = new Map<string, RawObject>();
  let logs: readonly ContainerLog[] = [];
  for (const text of lines.slice(1)) {
    const line = JSON.parse(text) as Line;
    if (line.now > now) break;
    logs = [...(line.logs ?? []).toReversed(), ...logs];
    for (const input of line.inputs.flatMap((each) => reader.read(each)))
      if (input.kind === 'objects')
        for (const { is, raw } of input.events) {
          const key = `${input.source} ${raw.metadata.namespace ?? ''}/${raw.metadata.name}`;
          if (is === 'put') held.set(key, raw);
          else held.delete(key);
        }
  }
  const roots = new Set<Ref>();
  for (const turn of replay(lines)) {
    if (turn.now > now) break;
    roots.clear();
    for (const { state, foldedInto, explanation } of turn.view.incidents())
      if (state === 'Open' && foldedInto === undefined) roots.add(explanation.root.ref);
  }
  const newest = logs.filter(
    (log, index) =>
      logs.findIndex(
        (one) => one.pod === log.pod && one.container === log.container && one.previous === log.previous,
      ) === index,
  );
  return { objects: [...held.values()].map((raw) => alive(raw, now)), logs: newest, now, roots: [...roots].sort() };
}

/** Recordings leave out what is written every few minutes: kubelets that live say so. */
function alive(raw: RawObject, now: number): RawObject {
  const { conditions } = (raw.kind === 'Node' ? (raw.status ?? {}) : {}) as {
    conditions?: readonly Record<string, unknown>[];
  };
  if (!conditions) return raw;
  const lastHeartbeatTime = new Date(now - 60_000).toISOString();
  const beating = conditions.map((one) => (one.status === 'Unknown' ? one : { ...one, lastHeartbeatTime }));
  return { ...raw, status: { ...(raw.status as object), conditions: beating } };
}

/** When somebody may ask: half a minute after the live run told of a problem for the last time, or before it recovers; 0: it told of none. */
export function askedAt(lines: readonly string[]): number {
  let [told, until] = [0, 0];
  for (const { now, effects } of replay(lines))
    for (const { action, disposition } of effects.save.audit)
      if (action === 'open' && disposition === 'Delivered') [told, until] = [now, now + 30_000];
      else if (action === 'recover' && now > told) until = Math.min(until, now - 1);
  return until;
}
