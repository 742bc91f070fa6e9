/** The acts of an incident played against a product, and what in its requests tells one incident from another. */
import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import type { Reference } from '../../../src/model/delivery.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { notifications } from '../notifications.ts';
import { attempt, type Bench } from './bench.ts';
import type { Evidence } from './case-file.ts';
import { lookUp } from './expect.ts';
import type { Arrived } from './wire.ts';

/** Evidence as it is played. `lost`: the product is asked for the reference before the act. */
export type Shown = Evidence & { readonly lost?: boolean };

/** The acts that are played, in order. `quiet`: an update that is no worse. */
const played = ['open', 'quiet', 'update', 'resolve', 'reopen'] as const;
export type Played = (typeof played)[number];

const { open, update, resolve, reopen } = notifications;
const { previousSeverity: _before, ...unchanged } = update.incident ?? assert.fail('an update has an incident');
/** Its revision is between those of the opening and the update. */
const quiet: Notification = { ...update, severity: open.severity, incident: { ...unchanged, revision: 1.5 } };
/** Act → its notification. */
export const acts: Readonly<Record<Played, Notification>> = { open, update, quiet, resolve, reopen };

/** The same act of another problem: another object, and so another incident with other keys. */
function ofAnother(notification: Notification): Notification {
  const text = JSON.stringify(notification).replaceAll('payments', 'orders');
  const { incident, ...other } = JSON.parse(text) as Notification;
  return incident ? { ...other, incident: { ...incident, id: 'inc-77c0ffee', alertKey: 'ffff000011112222' } } : other;
}

/** What arrived for each act, for the last of them, and what the opening returned. */
export type Play = {
  readonly all: readonly (readonly [Played, readonly Arrived[]])[];
  readonly last: readonly Arrived[];
  readonly opened?: Reference;
};

/** The same acts of another incident. */
export const others: Readonly<Record<Played, Notification>> = {
  open: ofAnother(open),
  update: ofAnother(update),
  quiet: ofAnother(quiet),
  resolve: ofAnother(resolve),
  reopen: ofAnother(reopen),
};

/** Plays the acts in order up to one, references kept; that one with the answers and the reference of the evidence. */
export async function play(
  { wire, ...bench }: Bench,
  told: Readonly<Record<Played, Notification>>,
  until: Played,
  { answers = [], ref: given, lost = false }: Shown,
): Promise<Play> {
  const all: [Played, readonly Arrived[]][] = [];
  let ref: Reference | undefined;
  let opened: Reference | undefined;
  for (const act of played.slice(0, played.indexOf(until) + 1)) {
    wire.script(act === until && act !== 'open' ? answers : []);
    const known = act === until ? (given ?? ref) : ref;
    const asks = act === until && lost;
    const outcome = await attempt({ ...bench, wire }, told[act], asks ? { lost } : known ? { ref: known } : {});
    assert.equal(outcome.is, 'delivered', `${act}: ${inspect(outcome)}`);
    all.push([act, wire.arrived()]);
    ref = outcome.ref ?? ref;
    if (act === 'open') opened = outcome.ref;
  }
  const from = given ?? opened;
  return { all, last: all.at(-1)?.[1] ?? [], ...(from && { opened: from }) };
}

/** What tells one incident from another: values that the product gave to the opening, and what only this incident has said before. */
export type Marks = { readonly answered: readonly string[]; readonly own: readonly string[] };

/** The marks of the incident that was played, beside another. */
export function marksOf(mine: Play, another: Play): Marks {
  const opening = textsOf(mine.all.slice(0, 1));
  // Digits of a counter are in many places.
  const answered = leavesOf(mine.opened ?? {}).filter((text) => text.length > 1 && !opening.has(text));
  const theirs = textsOf(another.all);
  return { answered, own: [...textsOf(mine.all.slice(0, -1)), ...opening].filter((text) => !theirs.has(text)) };
}

function textsOf(all: Play['all']): ReadonlySet<string> {
  return new Set(all.flatMap(([, requests]) => requests.flatMap((each) => textsIn(each))));
}

/** Short values must stand alone: a `12` is in many texts. */
const shortest = 6;
/** Whether a text holds one of them. */
export function isMarked(text: string, { answered, own }: Marks): boolean {
  return [...answered, ...own].some((mark) => text === mark || (mark.length >= shortest && text.includes(mark)));
}

/** The texts at a place of a request or mail, as the case file writes places; without one, all but headers of the connection. */
export function textsIn({ golden }: Arrived, at?: string, except?: readonly string[]): readonly string[] {
  const { request, ...rest } = golden;
  if (at !== undefined && at !== 'address') return leavesOf(lookUp(golden, at.split('.')));
  const address = typeof request === 'string' ? partsOf(new URL(request.slice(request.indexOf(' ') + 1))) : [];
  if (at === 'address') return address;
  const left = (except ?? []).flatMap((path) => leavesOf(lookUp(golden, path.split('.'))));
  return [...address, ...leavesOf(rest).filter((text) => !left.includes(text))];
}

function partsOf({ pathname, searchParams }: URL): readonly string[] {
  return [
    ...pathname
      .split('/')
      .filter((part) => part !== '')
      .map(decodeURIComponent),
    ...searchParams.values(),
  ];
}

/** Every value in a value as text, whatever its depth. */
function leavesOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return typeof value === 'object' ? Object.values(value).flatMap(leavesOf) : [String(value)];
}
