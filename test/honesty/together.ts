/**
 * Unrelated faults in one cluster at once: recorded stories are moved to namespaces and Nodes of their own and to a common time, and played as one log.
 * Nobody may be lost, or told later, for the company.
 */
import type { Input } from '../../src/model/turn.ts';
import { type Log, type LogLine, readLog } from '../scenarios/kit/log.ts';
import { type Message, play } from '../scenarios/kit/play.ts';
import type { Scenario } from '../scenarios/kit/scenario.ts';

/** A story as it is told beside others: moved, with the roots that are right for it. */
export type Guest = { readonly name: string; readonly log: Log; readonly roots: ReadonlySet<string> };

/** Namespaces that every cluster has once. */
const shared: ReadonlySet<string> = new Set(['kube-system', 'default', 'kube-public', 'kube-node-lease', '']);
/** What goes by the name of its namespace is another thing in a namespace of another name. */
const named = /-system$|^ingress-nginx$|^cert-manager$/;
/** An instant as objects have it. */
const instant = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);

type Objects = Extract<Input, { readonly kind: 'objects' }>;
const isObjects = (input: Input): input is Objects => input.kind === 'objects';
const objectsOf = ({ lines }: Log): Objects['events'] =>
  lines.flatMap(({ inputs }) => inputs.filter(isObjects).flatMap(({ events }) => events));

/** Every namespace and Node of a log that it does not share with other clusters. */
function placesOf(log: Log): readonly string[] {
  const places = new Set<string>();
  for (const { raw } of objectsOf(log)) {
    places.add(raw.metadata.namespace ?? '');
    if (raw.kind === 'Node' || raw.kind === 'Namespace') places.add(raw.metadata.name);
  }
  return [...places].filter((place) => !shared.has(place)).toSorted((a, b) => b.length - a.length);
}

/**
 * The story as guest `index`, whose first line is at `start` (epoch milliseconds). The first guest brings what a cluster has once.
 * `undefined` where more than one thing fails, or one that is not of a namespace of its own.
 */
export function guestOf(name: string, story: Scenario, index: number, start: number): Guest | undefined {
  const [only, ...more] = story.incidents;
  const [, namespace = ''] = only?.root.split('/') ?? [];
  if (only === undefined || more.length > 0 || shared.has(namespace)) return undefined;
  const log = readLog(name);
  const places = placesOf(log);
  if (log.lines.some(({ restart }) => restart) || places.some((place) => named.test(place))) return undefined;
  const pattern = new RegExp(String.raw`(?<![\w-])(?:${places.map(escaped).join('|')})(?![\w-])`, 'g');
  const offset = start - (log.lines[0]?.now ?? 0);
  const moved = (text: string): string =>
    text
      .replaceAll(pattern, (place) => `${place}-${index}`)
      .replaceAll(instant, (at) => new Date(Date.parse(at) + offset).toISOString());
  const isOwn = (of: string | undefined): boolean => index === 0 || of === undefined || !shared.has(of);
  const lines = log.lines.map(({ now, inputs, ...line }): LogLine => {
    const own = inputs.flatMap((input): readonly Input[] => {
      if (!isObjects(input)) return index === 0 || isSeen(input) ? [input] : [];
      return [{ ...input, events: input.events.filter(({ raw }) => isOwn(raw.metadata.namespace)) }];
    });
    const rest: Omit<LogLine, 'now'> = JSON.parse(moved(JSON.stringify({ ...line, inputs: own })));
    return { ...rest, now: now + offset };
  });
  const right = [only.root, ...(only.accepts ?? []), ...(only.revisedTo === undefined ? [] : [only.revisedTo])];
  return { name, log: { ...log, lines }, roots: new Set(right.map(moved)) };
}

type Source = Extract<Input, { readonly kind: 'source' }>;
/** A kind that is watched. */
const isSeen = (input: Input): input is Source => input.kind === 'source' && input.coverage.state === 'Watching';

/** One log of all guests, in the order of time. What any of them sees is seen from the start: it is one cluster. */
export function together(guests: readonly [Guest, ...Guest[]]): Log {
  const [host] = guests;
  const seen = new Map(
    guests.flatMap(({ log }) =>
      log.lines.flatMap(({ inputs }) => inputs.filter(isSeen).map((input) => [input.coverage.source, input] as const)),
    ),
  );
  const first = host.log.lines.findIndex(({ inputs }) => inputs.some(isSeen));
  const lines = guests.flatMap(({ log }, guest) =>
    log.lines.map((line, at) => {
      const others = line.inputs.filter((input) => !isSeen(input));
      return { ...line, inputs: guest === 0 && at === first ? [...seen.values(), ...others] : others };
    }),
  );
  return { header: host.log.header, lines: lines.toSorted((a, b) => a.now - b.now) };
}

/** The first message of each guest that names a root which is right for it. */
export function heardOf(guests: readonly [Guest, ...Guest[]]): ReadonlyMap<Guest, Message> {
  const openings = play(together(guests), 'Pro').messages.filter(({ delivery }) => delivery.act === 'open');
  return new Map(
    guests.flatMap((guest) => {
      const message = openings.find(({ notification: { incident } }) => incident && guest.roots.has(incident.root));
      return message === undefined ? [] : [[guest, message] as const];
    }),
  );
}
