import { tocsin } from '../../model/command.ts';
import { causeKey, downIn } from '../../model/explanation.ts';
import { awaitsEnd } from '../../model/hearing.ts';
import type { Disposition, Hearing, Incident, Told, Trouble } from '../../model/incident.ts';
import type { MutedBy } from '../../model/note.ts';
import { describeRef, nameOf, type Ref } from '../../model/ref.ts';
import { describeSelector, effectiveRoutes } from '../../model/routes.ts';
import type { ActiveReason, ProviderSettings, Settings } from '../../model/settings.ts';
import { compareSeverity } from '../../model/severity.ts';
import { acknowledgedInWords } from '../parts/acknowledged.ts';
import { clockTime } from '../parts/times.ts';
import { list, sentence } from '../parts/words.ts';
import { agentOf } from './notes.ts';

/** What became of an incident, or would. `endsAt`: when what holds it back ends, where it has an end (epoch milliseconds). */
export type Fate = {
  readonly disposition: Disposition;
  readonly by?: MutedBy;
  readonly endsAt?: number;
  /** The root of the incident that it is part of. */
  readonly foldedUnder?: Ref;
  /** When a message of its own was sent last, where one was (epoch milliseconds). */
  readonly toldAt?: number;
};

const until = (endsAt: number | undefined, now: number): string =>
  endsAt === undefined ? '' : ` until ${clockTime(endsAt, now)}`;

/** What is said of an incident that goes to everybody whom its routes pick. */
const heldByNothing = 'No filter, Silence or maintenance holds it back.';

/** That it was told before it was held back: nobody hears more of it, but its end. */
const toldBefore = (toldAt: number | undefined, now: number): string =>
  toldAt === undefined
    ? ''
    : ` It was announced at ${clockTime(toldAt, now)}: there are no updates, and its end will be told.`;

const fates: Readonly<Record<Disposition, (fate: Fate, now: number) => string>> = {
  Baseline: () =>
    'It was there when Tocsin started, so it is in the summary of the start and gets no message of its own unless it becomes worse.',
  Folded: ({ foldedUnder, toldAt }, now) => {
    const parent = foldedUnder === undefined ? 'another incident' : `the incident on ${describeRef(foldedUnder)}`;
    const before =
      toldAt === undefined ? '' : ` Its own message of ${clockTime(toldAt, now)} went out before that was known.`;
    return `It is part of ${parent}, whose message counts it.${before}`;
  },
  Filtered: ({ by = 'filters', toldAt }, now) =>
    `It is filtered out by the AlertConfig (spec.${by}).${toldBefore(toldAt, now)}`,
  Maintenance: ({ by = '', endsAt, toldAt }, now) =>
    `It is held back during maintenance${until(endsAt, now)}: ${agentOf(by)}.${toldBefore(toldAt, now)}`,
  Silenced: ({ by = '', endsAt, toldAt }, now) =>
    `It is silenced${until(endsAt, now)} by ${agentOf(by)}.${toldBefore(toldAt, now)}`,
  ToldByHub: ({ by = '' }) =>
    `${sentence(agentOf(by))} has told it for all clusters that it hits. If the hub does not confirm that for a minute, it is told from here.`,
  Digested: () => 'Its severity is low: it is told in the next digest, and gets no message of its own.',
  Delivered: () => heldByNothing,
};

/** What became of an incident, in words. `now`: epoch milliseconds. */
export function fateInWords(fate: Fate, now: number): string {
  return fates[fate.disposition](fate, now);
}

/** Why nothing is told at the moment, or no update that is no worse. */
type Quiet = { readonly isHeld: boolean; readonly isSilent: boolean };

/** What has changed since a provider was notified, and why it was not told. */
function sinceThen(told: Told, incident: Incident, quiet: Quiet): string {
  if (incident.state !== 'Open') return '';
  const { reason, root, severity } = incident.explanation;
  const cause = causeSince(told, incident.explanation);
  const down = downIn(incident.explanation).filter((ref) => !told.down?.includes(ref));
  const news = [
    ...(root.ref === told.root ? [] : [`the cause is ${describeRef(root.ref)}`]),
    ...(reason === told.reason ? [] : [`it is ${reason}`]),
    ...(cause === undefined ? [] : [cause]),
    ...(down.length === 0 ? [] : [`${list(down.map(describeRef), 3)} went down`]),
    ...(compareSeverity(severity, told.severity) < 0 ? [`it is of ${severity} severity`] : []),
  ];
  const milder = compareSeverity(severity, told.severity) > 0 ? [`it is of ${severity} severity only`] : [];
  const what = [...news, ...milder];
  if (what.length === 0) return '';
  return ` Since then ${list(what)}, ${whyNotTold(news.length > 0, incident, quiet)}.`;
}

/** What is known of the cause now that was not said, if that is another thing. */
function causeSince(told: Told, explanation: Incident['explanation']): string | undefined {
  const cause = causeKey(explanation);
  if (cause !== undefined && told.cause !== undefined && cause !== told.cause) return 'another edit is blamed';
  if (told.confidence === 'unknown' && cause !== undefined) return 'its cause is known';
  const isLost = told.confidence !== undefined && told.confidence !== 'unknown' && explanation.confidence === 'unknown';
  return isLost ? 'its cause is not known any more' : undefined;
}

/** Why a change was not told. `isNews`: it would be, but for that. */
function whyNotTold(isNews: boolean, { recurring }: Incident, { isHeld, isSilent }: Quiet): string {
  if (isHeld) return 'which is not told while it is held back';
  if (!isNews) return 'which gets no message of its own';
  if (recurring) return 'which gets no message of its own: it keeps coming back, and is summed up once a day';
  if (isSilent) return 'which is told here only if it gets worse: updates are silent';
  return 'which is told once it has lasted: updates are at least ten minutes apart';
}

/** Why a provider could not be told, and what becomes of that. `isOver`: there is nothing to tell it any more. */
function troubleInWords(
  { at, code, message, givenUp }: Trouble,
  provider: Pick<ProviderSettings, 'ref' | 'namespace'>,
  { now, isOver }: { readonly now: number; readonly isOver: boolean },
): string {
  const failed = `Could not be notified at ${clockTime(at, now)} (${code}: ${message}).`;
  if (isOver) return `${failed} It was over before that was possible: what is over wakes nobody.`;
  if (givenUp === 0) return `${failed} It is tried again.`;
  const again = tocsin('redeliver', nameOf(provider.ref), '-n', provider.namespace);
  return `${failed} It will be as soon as its product takes messages again${again === undefined ? '.' : `; to try at once: ${again}`}`;
}

/** What a provider has heard of an incident, or could not be told; `undefined`: nothing. `isHeld`: nobody is told of it at the moment. */
export function heardInWords(
  hearing: Hearing,
  incident: Incident,
  provider: Pick<ProviderSettings, 'ref' | 'namespace' | 'sendResolved' | 'silentUpdates'>,
  { now, isHeld }: { readonly now: number; readonly isHeld: boolean },
): string | undefined {
  const { knows, told, sending = [], trouble, listed = [], standsInFor = [] } = hearing;
  const parts: string[] = [];
  if (knows === 'over')
    parts.push(provider.sendResolved === false ? 'It is over, which is not sent here.' : 'Notified that it is over.');
  else if (knows === 'perhapsOpen' || (knows !== 'nothing' && !told))
    parts.push('An attempt to notify it may have arrived.');
  else if (told)
    parts.push(
      `Notified of ${told.reason} at ${clockTime(told.at, now)}.${sinceThen(told, incident, { isHeld, isSilent: provider.silentUpdates === true })}`,
    );
  const last = sending.at(-1);
  if (last && !trouble)
    parts.push(
      `${last.act === 'resolve' ? 'Its end' : `A message (${last.told.reason})`} is on its way since ${clockTime(last.told.at, now)}.`,
    );
  const isOver = incident.state === 'Resolved' && !awaitsEnd(hearing) && last === undefined;
  if (trouble) parts.push(troubleInWords(trouble, provider, { now, isOver }));
  if (parts.length === 0 && listed.length > 0) parts.push(`Named in a list (${listed.at(-1)?.act}).`);
  if (standsInFor.length > 0) parts.push('It was told that another AlertProvider could not be.');
  return parts.length === 0 ? undefined : parts.join(' ');
}

/** Why a provider did not get what nothing holds back, or what it gets by. */
export function routedInWords(provider: ProviderSettings, taken: boolean, settings: Settings): string {
  const { reason } = provider.active;
  if (reason !== 'Selected') return notActive[reason];
  const routes = effectiveRoutes(provider, settings);
  if (routes.length === 0) return 'It has no routes, so it gets everything in its scope.';
  const wanted = list(
    routes.map((route) => `(${describeSelector(route)})`),
    3,
  );
  if (taken) return routes.length === 1 ? `Its route picks it ${wanted}.` : `One of its routes picks it: ${wanted}.`;
  const none = routes.length === 1 ? 'Its route does not pick it' : `None of its ${routes.length} routes picks it`;
  return `${none}: it takes ${wanted}.`;
}

/** Why an AlertProvider receives nothing by itself, by the reason of its condition `Active`. */
const notActive: Readonly<Record<Exclude<ActiveReason, 'Selected'>, string>> = {
  CommunityLimit: 'It is not active: the Community edition tells one AlertProvider (condition Active).',
  FallbackOnly: 'It is only a fallback: it gets what another AlertProvider cannot deliver.',
  Suspended: 'It is suspended (spec.suspend).',
  Invalid: 'It cannot be used as it is: its condition Stalled says why.',
};

/** Where an incident is in its life, and what it waits for. `dueAt`: when the next step is due (epoch milliseconds). */
export function lifeInWords(incident: Incident, dueAt: number | undefined, now: number): string {
  const { state, openedAt, clearSince, resolvedAt, recoveries, askedAt } = incident;
  const at = (time: number | undefined): string => (time === undefined ? '' : ` at ${clockTime(time, now)}`);
  const often = recoveries.length > 1 ? ` It has recovered ${recoveries.length} times lately.` : '';
  const known = acknowledgedInWords(incident, now);
  const taken =
    known === undefined ? '' : ` It was acknowledged at ${known}: nobody is reminded of it, what is new is told.`;
  switch (state) {
    case 'Settling':
      if (askedAt !== undefined)
        return 'Nobody has been told yet: the hub is asked whether it tells it, for ten seconds at most.';
      return `Nobody has been told yet: it may still pass by itself${dueAt === undefined ? '' : `, and counts as an incident${at(dueAt)}`}.`;
    case 'Open':
      return `It has been open${openedAt === undefined ? '' : ` since ${clockTime(openedAt, now)}`}.${often}${taken}`;
    case 'Recovering':
      return `Everything has been healthy since ${clockTime(clearSince ?? now, now)}; its end is told${dueAt === undefined ? ' once that has lasted' : `${at(dueAt)} if that lasts`}.${often}${taken}`;
    case 'Resolved':
      return `It has been over${resolvedAt === undefined ? '' : ` since ${clockTime(resolvedAt, now)}`}.${often}`;
  }
}
