import { type DeliveryReport, deliveryKeys } from '../model/delivery.ts';
import type { Explanation } from '../model/explanation.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Hearing, Incident, Knowledge, ProviderUid, Sending, Told } from '../model/incident.ts';
import { compareSeverity, type Severity } from '../model/severity.ts';
import { asTold } from './told.ts';

/** Lists that are remembered of an incident that fails again and again. */
const mostLists = 20;
/** Messages that are remembered as on their way to one reader: what is older has been superseded or is about to be reported. */
const mostSending = 8;

/** The incident once a provider has heard something else of it. */
export function withHearing(incident: Incident, uid: ProviderUid, hearing: Hearing): Incident {
  return { ...incident, hearings: { ...incident.hearings, [uid]: hearing } };
}

/**
 * By which act a reader comes to know that an incident is open; `undefined`: it does. `byKey`: its product makes one thing of two
 * openings, so that one that may have arrived is told again.
 */
export function openingFor(hearing: Hearing, byKey: boolean): 'open' | 'reopen' | undefined {
  const { knows } = expected(hearing);
  if (knows === 'nothing') return 'open';
  if (knows === 'over' || knows === 'perhapsOver') return 'reopen';
  return knows === 'perhapsOpen' && byKey ? 'open' : undefined;
}

/** Whether nobody is trying to tell a reader what it could not be told: that is a debt, which is paid when it can be. */
export function isOwed({ trouble, sending }: Hearing): boolean {
  return trouble !== undefined && trouble.givenUp > 0 && sending === undefined;
}

/** A message is on its way. */
export function afterSending(hearing: Hearing, message: Sending): Hearing {
  const { collapsed, sending = [], ...rest } = hearing;
  return { ...rest, sending: [...sending, message].slice(-mostSending) };
}

/** A list names it, as so severe. `sequence`: of a list that is told anew in its course. */
export function afterListing(
  hearing: Hearing,
  act: 'startup' | 'overview' | 'digest',
  id: string,
  severity: Severity,
  sequence?: number,
): Hearing {
  const { collapsed, ...rest } = hearing;
  const named = { act, id, severity, ...(sequence !== undefined && { sequence }) };
  return { ...rest, listed: [...(hearing.listed ?? []), named] };
}

/** Whether a list of this kind has named it. */
export function wasListed({ listed = [] }: Hearing, act: 'startup' | 'overview' | 'digest'): boolean {
  return listed.some((one) => one.act === act && !one.past);
}

/**
 * How a list tells a reader of an incident: as it is now or as worse, as milder, or not at all. What the summary of the start said of it does
 * not count once it has outgrown that.
 */
export function toldByList(
  { outgrown, explanation }: Incident,
  { listed = [] }: Hearing,
): 'whole' | 'milder' | undefined {
  const valid = listed.filter(({ act, past }) => !past && (act !== 'startup' || !outgrown));
  if (valid.length === 0) return undefined;
  return valid.some(({ severity }) => compareSeverity(explanation.severity, severity) >= 0) ? 'whole' : 'milder';
}

/**
 * Whether a list is on its way by which a reader comes to know of the incident: what is told by itself meanwhile may arrive before it, so
 * that only what is worse does not wait.
 */
export function isBeingListed({ knows, sending = [] }: Hearing): boolean {
  return knows !== 'open' && sending.some(({ act }) => act === 'startup') && !sending.some(({ act }) => act === 'open');
}

/** Whether something of its own is on its way to a reader: what follows goes the same way, since a list might arrive before it. */
export function isUnderWay({ sending = [] }: Hearing): boolean {
  return sending.some(({ act }) => act !== 'startup');
}

/** The incident fails again: lists stood for the time that is over, but a digest names it once. */
export function forAnotherTime({ listed = [], collapsed, standsInFor, ...hearing }: Hearing): Hearing {
  // An alert that a pager made of a list may still be to be closed.
  const kept = listed
    // A digest names it once, unless its reader was told since that it is over.
    .map((list) => (list.act === 'digest' && hearing.knows === 'nothing' ? list : { ...list, past: true as const }))
    .slice(-mostLists);
  return kept.length > 0 ? { ...hearing, listed: kept } : hearing;
}

const without = (hearing: Hearing, sending: readonly Sending[]): Hearing => {
  const { sending: _, ...rest } = hearing;
  return sending.length > 0 ? { ...rest, sending } : rest;
};

/** What is known when something may have arrived, and nothing has since. */
const perhaps = (knows: Knowledge, act: Sending['act']): Knowledge => {
  if (act === 'resolve') return knows === 'nothing' || knows === 'over' ? knows : 'perhapsOver';
  return knows === 'nothing' ? 'perhapsOpen' : knows;
};

/** A message may have arrived: where nothing else is known of the reader it is taken for what was told, and is what may have been told since elsewhere. */
function afterDoubt(hearing: Hearing, { act, told }: Sending): Hearing {
  const knows = perhaps(hearing.knows, act);
  if (act === 'resolve' || hearing.told?.at === told.at) return { ...hearing, knows };
  return hearing.told === undefined ? { ...hearing, knows, told } : { ...hearing, knows, perhaps: told };
}

function afterTrouble(hearing: Hearing, report: DeliveryReport): Hearing {
  const { failure, at, ended, overdue } = report;
  const givenUp = (hearing.trouble?.givenUp ?? 0) + (ended === 'failed' ? 1 : 0);
  const isRefused = failure?.class === 'permanent' && failure.code !== 'AuthFailed';
  return {
    ...hearing,
    trouble: {
      at,
      code: failure?.code ?? 'Unreachable',
      message: failure?.message ?? 'it could not be told',
      overdue: ended === 'failed' || overdue === true || hearing.trouble?.overdue === true,
      givenUp,
      ...(isRefused && { refused: true }),
    },
  };
}

/**
 * What a reader knows once a delivery, or an attempt, has ended like this. What arrived is heard, and so is all that went before it: one
 * lane is told in order. `summary`: the list it was.
 */
export function afterReport(hearing: Hearing, report: DeliveryReport, summary?: string): Hearing {
  const { sending = [] } = hearing;
  const { act, sequence, ended, mayHaveArrived } = report;
  const isIt = (one: Sending): boolean =>
    summary === undefined ? one.act === act && one.sequence === sequence : one.summary === summary;
  const index = sending.findIndex(isIt);
  const message = sending[index];
  if (ended === 'delivered') {
    const { trouble, ...left } = without(hearing, sending.slice(index + 1));
    if (message === undefined) return without({ ...left }, sending);
    const { perhaps: _, ...rest } = left;
    return message.act === 'resolve' ? { ...rest, knows: 'over' } : { ...rest, knows: 'open', told: message.told };
  }
  if (message === undefined) return ended === 'dropped' ? hearing : afterTrouble(hearing, report);
  const inDoubt = mayHaveArrived ? afterDoubt(hearing, message) : hearing;
  if (ended === 'pending') return afterTrouble(inDoubt, report);
  const left = without(inDoubt, sending.toSpliced(index, 1));
  if (ended === 'dropped') return act === 'resolve' ? unaware(left) : left;
  return afterTrouble(left, report);
}

/** An end that nobody needs: who knew of the incident wants to hear of no end, and is owed none. */
function unaware(hearing: Hearing): Hearing {
  return hearing.knows === 'nothing' ? hearing : { ...hearing, knows: 'over' };
}

/** What an earlier process left of deliveries, by id: those that wait or have failed, and those that have ended lately. */
export type LeftOutbox = { readonly undelivered: ReadonlySet<string>; readonly ended?: ReadonlySet<string> };

/**
 * The readers of an incident once a process goes on from what another one has saved: what was on its way and has ended has arrived. What
 * neither waits nor has ended was dropped, and told nobody anything.
 */
export function afterRestart(incident: Incident, { undelivered, ended }: LeftOutbox): Incident {
  const hearings = Object.entries(incident.hearings).map(([uid, hearing]): [ProviderUid, Hearing] => {
    const { sending = [], ...rest } = hearing;
    const idOf = ({ act, sequence, summary = incident.id }: Sending): string =>
      deliveryKeys(summary, uid, act, sequence).id;
    const waiting = sending.filter((message) => undelivered.has(idOf(message)));
    if (waiting.length === sending.length) return [uid, hearing];
    const gone = sending.filter((message) => !waiting.includes(message));
    const arrived = gone.filter((message) => ended?.has(idOf(message)) !== false);
    const heard = arrived.length === 0 ? rest : { ...rest, ...expected({ ...rest, sending: arrived }) };
    return [uid, without(heard, waiting)];
  });
  return { ...incident, hearings: Object.fromEntries(hearings) };
}

/** A message that waited for a log, and says more now than when it was announced. */
export type Retold = {
  /** Its id. */
  readonly incident: string;
  readonly sequence: number;
  readonly uids: readonly ProviderUid[];
  readonly view: Explanation;
};

/** What other words for the same message do not change. */
const whenTold = ({ at, acknowledgedAt }: Told): Pick<Told, 'at' | 'acknowledgedAt'> => ({
  at,
  ...(acknowledgedAt !== undefined && { acknowledgedAt }),
});

/** An incident's hearings once a message that waited for a log has been reworded: its readers get the new text. `now`: epoch milliseconds. */
export function afterRetelling(incident: Incident, { sequence, uids, view }: Retold, now: number): Incident {
  let next = incident;
  for (const uid of uids) {
    const hearing = hearingOf(incident, uid);
    const sending = hearing.sending?.map((message) =>
      message.sequence === sequence && message.act !== 'resolve'
        ? { ...message, told: { ...asTold(view, now, {}, message.told), ...whenTold(message.told) } }
        : message,
    );
    if (sending) next = withHearing(next, uid, { ...hearing, sending });
  }
  return view.confidence === 'unknown' || next === incident ? next : { ...next, blamed: view };
}
