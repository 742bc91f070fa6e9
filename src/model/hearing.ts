import type { Hearing, Incident, Knowledge, ProviderUid, Told } from './incident.ts';

/** Of a reader who was never sent anything. */
const unheard: Hearing = { knows: 'nothing' };
/** What a provider heard of an incident. */
export function hearingOf({ hearings }: Pick<Incident, 'hearings'>, uid: ProviderUid): Hearing {
  return hearings[uid] ?? unheard;
}

/** What a reader knows once all has arrived that is on its way. */
export type Expected = { readonly knows: Knowledge; readonly told?: Told };

/** What a reader will know, as far as nothing is given up. */
export function expected({ knows, told, sending = [] }: Hearing): Expected {
  const opening = sending.findLast(({ act }) => act !== 'resolve');
  const last = sending.at(-1);
  const latest = opening?.told ?? told;
  return {
    knows: last === undefined ? knows : last.act === 'resolve' ? 'over' : 'open',
    ...(latest && { told: latest }),
  };
}

/**
 * What a reader was told last: what arrived, and what may have since, for what differs from either is new to it. Nothing where it was told
 * nothing.
 */
export function lastHeard(hearing: Hearing): readonly Told[] {
  const { told } = expected(hearing);
  const isFollowed = hearing.sending?.some(({ act }) => act !== 'resolve') === true;
  return [...(told ? [told] : []), ...(hearing.perhaps && !isFollowed ? [hearing.perhaps] : [])];
}

/** Whether a reader takes an incident for open, or may: it must hear of the end. */
export function awaitsEnd(hearing: Hearing): boolean {
  const { knows } = expected(hearing);
  return knows === 'open' || knows === 'perhapsOpen' || knows === 'perhapsOver';
}

/** What was told last of an incident, to whomever; `undefined`: nobody was told by a message of its own. */
export function lastTold({ hearings }: Pick<Incident, 'hearings'>): Told | undefined {
  let last: Told | undefined;
  for (const hearing of Object.values(hearings)) {
    const { told } = expected(hearing);
    if (told && (last === undefined || told.at > last.at)) last = told;
  }
  return last;
}

/** What certainly arrived last of an incident, at whichever reader; `undefined`: no message of its own did. */
export function lastArrived({ hearings }: Pick<Incident, 'hearings'>): Told | undefined {
  let last: Told | undefined;
  for (const { knows, told } of Object.values(hearings))
    if (told && knows !== 'nothing' && knows !== 'perhapsOpen' && (last === undefined || told.at > last.at))
      last = told;
  return last;
}
