import { briefly, isOpening, isOwn, isRemark, readersAt, Truth } from '../lanes.ts';
import { type Fault, knowsByKey, type Request, type Transcript } from '../transcript.ts';

/**
 * Whom the end of an incident need not reach:
 * - an AlertProvider that was deleted: it is nobody's any more;
 * - what was told before a restart on Community: that process forgot it, as its page says.
 */
function isExempt({ uid, at }: Request, transcript: Transcript): boolean {
  const exists = readersAt(transcript, transcript.clearedAt).some((reader) => reader.uid === uid);
  return !exists || transcript.kills.some((kill) => kill.forgets && kill.at >= at);
}

/** Whether a message opens, changes or closes something that stays open at its product until it is closed. */
const leavesSomething = (request: Request): boolean =>
  (!isRemark(request) || knowsByKey(request.family)) &&
  (isOwn(request) || (request.family === 'pager' && request.act === 'startup'));

/**
 * O2: who has taken an opening has its end once nothing is broken any more; so has who made an alert of a list. A chat reads of each
 * incident by itself; what a pager knows by a key, or is an issue, is one thing whoever closed it.
 */
export function* alertsLeftOpen(transcript: Transcript): Generator<Fault> {
  const taken = transcript.requests.filter((request) => request.taken && leavesSomething(request));
  const things = Map.groupBy(
    taken,
    ({ uid, family, thing, stream }) => `${uid} ${knowsByKey(family) ? thing : stream}`,
  );
  for (const acts of things.values()) {
    const last = acts.at(-1);
    if (!last || last.act === 'resolve' || isExempt(last, transcript)) continue;
    const lane = transcript.requests.filter(({ uid, stream }) => uid === last.uid && stream === last.stream);
    yield { rule: 'O2 left open', says: `${last.uid} still has ${last.title}: ${briefly(transcript, lane)}` };
  }
}

/** O3: what is broken is never closed, not for an instant, by the end of something else under its key. */
export function* closedByAnother(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  /** By thing: the incident that opened it last and has not ended. */
  const openedBy = new Map<string, string>();
  for (const request of transcript.requests) {
    if (!request.taken || !isOwn(request) || request.family === 'chat' || request.family === 'mail') continue;
    const { uid, thing, stream, act, at, title } = request;
    const known = openedBy.get(`${uid} ${thing}`);
    if (isOpening(request)) openedBy.set(`${uid} ${thing}`, stream);
    if (act !== 'resolve') continue;
    if (known !== undefined && known !== stream && truth.isBroken(known, at)) {
      const under = transcript.requests.filter((one) => one.uid === uid && one.thing === thing);
      yield {
        rule: "O3 closed by another's end",
        says: `${uid}: ${title} is open, and what it is known by was closed: ${briefly(transcript, under)}`,
      };
    }
    openedBy.delete(`${uid} ${thing}`);
  }
}
