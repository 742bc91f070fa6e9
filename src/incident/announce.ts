import type { IncidentAnnouncement } from '../model/announcement.ts';
import type { Explanation } from '../model/explanation.ts';
import { expected, hearingOf } from '../model/hearing.ts';
import type { Hearing, Incident } from '../model/incident.ts';
import type { StepContext } from './context.ts';
import { afterSending } from './hearing.ts';
import type { Message, Notice } from './notices.ts';
import type { IncidentStore } from './store.ts';
import { asSureAsTold } from './sureness.ts';
import { asTold, saidBeside } from './told.ts';

/** What a reader has heard, with a message on its way to it. */
function afterMessage(
  incident: Incident,
  { provider, act, notice: { view, notes } }: Message,
  revision: number,
  { now, byRef }: StepContext,
): Hearing {
  const hearing = hearingOf(incident, provider.uid);
  const before = act === 'update' ? expected(hearing).told : undefined;
  const sent = afterSending(hearing, {
    act,
    sequence: revision,
    told: asTold(view, now, saidBeside(incident, notes), before),
  });
  const owners = notes.flatMap((note) => (note.is === 'standsIn' ? (byRef.get(note.provider)?.uid ?? []) : []));
  return owners.length === 0 ? sent : { ...sent, standsInFor: [...(sent.standsInFor ?? []), ...owners] };
}

/** Updates that take back what was told before as the cause. */
const takingBack: ReadonlySet<string> = new Set(['CauseWithdrawn', 'AnotherFailure', 'RootRevised']);

/** The cause that readers were told last, these messages included. */
function blamedAfter({ state, explanation, blamed }: Incident, own: readonly Message[]): Explanation | undefined {
  if (state === 'Resolved') return blamed;
  if (explanation.confidence !== 'unknown') return asSureAsTold(explanation, blamed);
  return own.some(({ act, notice }) => act !== 'update' || takingBack.has(notice.reasonCode)) ? undefined : blamed;
}

/** Who knows what after these messages. */
function afterTelling(incident: Incident, own: readonly Message[], context: StepContext): Incident {
  const revision = incident.revision + 1;
  const heard = own.map((message) => [message.provider.uid, afterMessage(incident, message, revision, context)]);
  const { blamed, ...rest } = incident;
  const last = blamedAfter(incident, own);
  return {
    ...{ ...rest, revision, hearings: { ...incident.hearings, ...Object.fromEntries(heard) } },
    ...(last && { blamed: last }),
  };
}

/**
 * Whether an attempt to tell a provider of the opening may have left something at its product, or one of the incident before it under the
 * same key: who looks for that goes on with it.
 */
function mayBeThere(before: Incident, { provider, act }: Message, store: IncidentStore): boolean {
  if (act !== 'open' && act !== 'reopen') return false;
  const { knows, trouble } = hearingOf(before, provider.uid);
  if (knows === 'perhapsOpen' || trouble !== undefined) return true;
  return earlierOf(before, store).some((one) => hearingOf(one, provider.uid).knows === 'perhapsOpen');
}

/** Incidents of one key that are looked back at. */
const mostEarlier = 10;

/** The incidents before one that their products knew by the same key, the last first. */
function earlierOf({ alertKey, previous }: Incident, store: IncidentStore): readonly Incident[] {
  const earlier: Incident[] = [];
  for (let last = previous && store.get(previous.id); last?.alertKey === alertKey; ) {
    earlier.push(last);
    last = earlier.length < mostEarlier && last.previous ? store.get(last.previous.id) : undefined;
  }
  return earlier;
}

/** What providers hear of one notice, as one announcement an act. `before`: the incident before it is told. */
function announcementsOf(
  incident: Incident,
  messages: readonly Message[],
  before: Incident,
  store: IncidentStore,
): IncidentAnnouncement[] {
  const kinds = Map.groupBy(
    messages,
    (message) => `${message.act}${mayBeThere(before, message, store) ? ' again' : ''}`,
  );
  return [...kinds.values()].flatMap((alike): IncidentAnnouncement[] => {
    const [first] = alike;
    if (first === undefined) return [];
    const { act } = first;
    const { reasonCode, audience, view, notes, before: told } = first.notice;
    return [
      {
        act,
        incident: view === incident.explanation ? incident : { ...incident, explanation: view },
        ...(told && act !== 'open' && { before: told }),
        ...{ reasonCode, audience, providers: alike.map(({ provider }) => provider.ref) },
        ...(notes.length > 0 && { notes }),
        ...(mayBeThere(before, first, store) && { again: true }),
      },
    ];
  });
}

/** Messages that are as sure of the cause as those before them; what shares a notice still does. */
function asSureAsBefore(messages: readonly Message[], { blamed }: Incident): readonly Message[] {
  const notices = new Map<Notice, Notice>();
  return messages.map((message) => {
    const { notice } = message;
    const known = notices.get(notice) ?? { ...notice, view: asSureAsTold(notice.view, blamed) };
    notices.set(notice, known);
    return { ...message, notice: known };
  });
}

/** The last stage: counts revisions, remembers who is told what, and makes the announcements of one step. */
export function announce(
  messages: readonly Message[],
  store: IncidentStore,
  context: StepContext,
): IncidentAnnouncement[] {
  return [...Map.groupBy(messages, ({ notice }) => notice.incident)].flatMap(([id, due]) => {
    const known = store.get(id);
    if (known === undefined) return [];
    const own = known.blamed === undefined ? due : asSureAsBefore(due, known);
    const incident = afterTelling(known, own, context);
    store.put(incident);
    return [...Map.groupBy(own, ({ notice }) => notice).values()].flatMap((alike) =>
      announcementsOf(incident, alike, known, store),
    );
  });
}
