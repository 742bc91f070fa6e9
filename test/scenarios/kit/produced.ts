import type { Coverage } from '../../../src/model/coverage.ts';
import type { ObjectEvent, RawObject } from '../../../src/model/raw-object.ts';
import type { Input } from '../../../src/model/turn.ts';
import type { ContainerLog } from '../../../src/runtime/recording/container-logs.ts';
import type { ProducedCase } from '../../e2e/produced/case.ts';
import { ownEvents } from '../../e2e/produced/own.ts';
import { type Outcome, type Played, play } from '../../e2e/produced/play.ts';
import { logsOf } from './container-logs.ts';
import { compact, createSieve, isStock, type Log, type LogLine } from './log.ts';
import { header } from './record.ts';

/** So long before it is brought about Tocsin starts. */
const beforeMs = 5_000;
/** What comes within so long is one turn. */
const turnMs = 250;
/** How long settling may take besides the patience of a row (s). */
export const settlingSeconds = 60;

/** The namespace of each case: its row, its reason, and which of that reason it is. */
export function namespacesOf(cases: readonly ProducedCase[]): ReadonlyMap<ProducedCase, string> {
  const counts = new Map<string, number>();
  return new Map(
    cases.map((row) => {
      const key = `${row.id}-${row.reason}`.toLowerCase();
      const number = counts.get(key) ?? 0;
      counts.set(key, number + 1);
      return [row, `${key}-${number}`];
    }),
  );
}

/** Plays cases side by side on one control plane; each leaves a log of its own, or why it did not come about. */
export async function recordProduced(
  namespaces: ReadonlyMap<ProducedCase, string>,
): Promise<ReadonlyMap<ProducedCase, Log | Error>> {
  const logs = new Map<string, readonly ContainerLog[]>();
  const outcomes = await play([...namespaces.keys()], {
    namespaceOf: (row) => namespaces.get(row) ?? '',
    attended: async ({ client }, ns) => void logs.set(ns, await logsOf(client, ns)),
  });
  return new Map([...outcomes].map(([row, outcome]) => [row, logOf(row, outcome, logs.get(outcome.ns) ?? [])]));
}

function logOf(row: ProducedCase, outcome: Outcome, logs: readonly ContainerLog[]): Log | Error {
  if ('error' in outcome) return new Error(outcome.error);
  const listedAt = outcome.heard.find(({ input }) => input.kind === 'baseline')?.now ?? outcome.beganAt;
  const start = Math.max(outcome.beganAt - beforeMs, listedAt);
  const passes = createSieve();
  const lean = (input: Input): Input[] => {
    if (input.kind !== 'objects') return [input];
    const events = input.events
      .map(({ is, raw }) => ({ is, raw: compact(raw) }))
      .filter((event) => !isStock(event.raw) && passes(event));
    return events.length === 0 ? [] : [{ ...input, events }];
  };
  const own = ownHeard(row.subject(outcome.ns), outcome);
  const before = [...standing(own.filter(({ now }) => now <= start)), { kind: 'baseline' } as const];
  const lines: LogLine[] = [{ now: start, inputs: before.flatMap(lean) }];
  for (const turn of turnsOf(own.filter(({ now }) => now > start))) {
    const inputs = turn.inputs.flatMap(lean);
    if (inputs.length > 0) lines.push({ now: turn.now, inputs });
  }
  lines.push({ now: outcome.settledAt, inputs: [], settled: true, ...(logs.length > 0 && { logs }) });
  // From here on what a real kubelet says again and again is said no more: nobody looks longer than the row asks for.
  const { withinSeconds = 120 } = row;
  lines.push({ now: outcome.settledAt + (withinSeconds + settlingSeconds) * 1000, inputs: [] });
  return { header, lines };
}

type Heard = Played['heard'][number];

/** Leases that several cases write, each in its turn: they have their names from others. */
const sharedLeases = new Set(['kube-scheduler', 'kube-controller-manager']);

/** What would have been heard until the case had settled if nobody else's were in the cluster. */
function ownHeard(subject: string, { heard, settledAt, ns, namespaces }: Played): readonly Heard[] {
  return heard.flatMap(({ now, input }): Heard[] => {
    if (now > settledAt || input.kind === 'baseline') return [];
    if (input.kind !== 'objects') return [{ now, input }];
    const events = ownEvents(input.events, ns, namespaces).filter(
      ({ raw: { kind, metadata } }) =>
        kind !== 'Lease' || !sharedLeases.has(metadata.name) || subject.endsWith(`/${metadata.name}`),
    );
    return events.length === 0 ? [] : [{ now, input: { ...input, events } }];
  });
}

/** How things stand after all of that: every object that is there, and every source. Events are past. */
function standing(heard: readonly Heard[]): Input[] {
  const objects = new Map<string, Map<string, ObjectEvent>>();
  const sources = new Map<string, Coverage>();
  for (const { input } of heard) {
    if (input.kind === 'source') sources.set(input.coverage.source, input.coverage);
    if (input.kind !== 'objects') continue;
    const known = objects.get(input.source) ?? new Map<string, ObjectEvent>();
    objects.set(input.source, known);
    for (const event of input.events)
      if (event.is === 'put') known.set(keyOf(event.raw), event);
      else known.delete(keyOf(event.raw));
  }
  return [
    ...[...objects]
      .filter(([source]) => !source.startsWith('events'))
      .map(([source, known]): Input => ({ kind: 'objects', source, events: [...known.values()] })),
    ...[...sources.values()].map((coverage): Input => ({ kind: 'source', coverage })),
  ];
}

const keyOf = ({ metadata: { namespace, name } }: RawObject): string => `${namespace ?? ''}/${name}`;

function turnsOf(heard: readonly Heard[]): readonly { readonly now: number; readonly inputs: readonly Input[] }[] {
  const turns: { now: number; inputs: Input[] }[] = [];
  for (const { now, input } of heard) {
    const last = turns.at(-1);
    if (last && now - last.now < turnMs) last.inputs.push(input);
    else turns.push({ now, inputs: [input] });
  }
  return turns;
}
