import { briefly, isOpening, isOwn, picks, readersAt, Truth, wasDoubtful } from '../lanes.ts';
import {
  type Fact,
  type Fault,
  knowsByKey,
  type Reader,
  type Request,
  rankOf,
  type Transcript,
} from '../transcript.ts';

/** What a reader has heard of an incident since it began, or came back: the worst that was said, and what was said last. */
type Heard = { readonly is: 'told' | 'listed' | 'nothing'; readonly worst: number; readonly reason?: string };

function heardBy(reader: Reader, fact: Fact, truth: Truth, { requests, settledAt }: Transcript): Heard {
  const since = truth.beganAt(fact.incident, settledAt);
  const taken = requests.filter(({ uid, taken: has, at }) => has && uid === reader.uid && at <= settledAt);
  const own = taken.filter((request) => request.stream === fact.incident && isOwn(request));
  const lastEnd = own.findLastIndex(({ act }) => act === 'resolve');
  const told = own.slice(lastEnd + 1);
  // A list is one message for many: who makes a thing of each incident has nothing of it there. It says what is so when it is read. A
  // digest says nothing of ends: what it named is open for its reader until somebody says otherwise.
  const known = truth.of(fact.incident)[0]?.at ?? since;
  const endAt = own[lastEnd]?.at ?? known;
  const lists = taken.filter(
    ({ list, act, at, decidedAt }) => list && (at >= since || (act === 'digest' && decidedAt >= known && at > endAt)),
  );
  const named = lists.flatMap(({ list }) => list?.entries.filter(({ root }) => root === fact.root) ?? []);
  const counting = lists.filter(({ list }) => list && list.total > list.entries.length);
  // A list that only counts it says how bad it was when that was made, by numbers of each severity.
  const isAsBad = ({ severity }: Fact): boolean => rankOf(severity) >= rankOf(fact.severity);
  const facts = truth.of(fact.incident).filter(({ at }) => at <= settledAt);
  const roseAt = facts[facts.findLastIndex((one) => !isAsBad(one)) + 1]?.at ?? since;
  const isCounted = counting.some(({ decidedAt }) => named.length === 0 || decidedAt >= roseAt);
  const worst = Math.max(-1, ...[...told, ...named].map(({ severity }) => rankOf(severity)));
  const reason = told.at(-1)?.reason;
  if (told.length > 0) return { is: 'told', worst, ...(reason !== undefined && { reason }) };
  // A pager makes one alert of the flood of one namespace.
  const isAlert = reader.family === 'pager' && lists.some(({ act }) => act === 'startup');
  const isListed = (!knowsByKey(reader.family) || isAlert) && (named.length > 0 || isCounted);
  return isListed
    ? { is: 'listed', worst: isCounted ? Number.POSITIVE_INFINITY : worst }
    : { is: 'nothing', worst: -1 };
}

/**
 * Whom a rule about knowing leaves out, and why:
 * - pagers and trackers of `low`: it is for digests, and a digest is not for them;
 * - pagers and trackers of what was broken before Tocsin looked: it is summarized, and of a summary at most one alert is made.
 */
const isNotForThem = ({ family }: Reader, { severity, baseline }: Fact): boolean =>
  knowsByKey(family) && (severity === 'low' || baseline);

/**
 * An opening, or a list, at a product without a key may count as told if an attempt perhaps arrived and nobody would try again: a repeat
 * would be a second message.
 */
function mayCountAsTold(
  reader: Reader,
  { incident, root }: Fact,
  truth: Truth,
  { requests, settledAt }: Transcript,
): boolean {
  const since = truth.beganAt(incident, settledAt);
  const tells = ({ stream, list, at }: Request): boolean =>
    stream === incident || (at >= since && list?.entries.some((entry) => entry.root === root) === true);
  const tried = requests.filter((request) => request.uid === reader.uid && request.at <= settledAt && tells(request));
  return !knowsByKey(reader.family) && tried.some(wasDoubtful) && !tried.some(({ taken }) => taken);
}

/** Whether an opening as severe as this may have arrived where a repeat would be a second message. */
function perhapsOpened(reader: Reader, { incident, severity }: Fact, { requests, settledAt }: Transcript): boolean {
  if (knowsByKey(reader.family)) return false;
  const own = requests.filter(({ uid, stream, at }) => uid === reader.uid && stream === incident && at <= settledAt);
  const isAsBad = (request: Request): boolean => rankOf(request.severity) >= rankOf(severity);
  return !own.some(({ taken }) => taken) && own.some((one) => isOpening(one) && wasDoubtful(one) && isAsBad(one));
}

/** Everybody who is to know of something open, each with what there is to know. */
function* entitled(transcript: Transcript, truth: Truth): Generator<readonly [Reader, Fact]> {
  const { settledAt, mutings } = transcript;
  for (const fact of truth.openAt(settledAt)) {
    const name = fact.root.split('/').at(-1);
    if (mutings.some((muting) => muting.name === name && muting.to > settledAt - 3_600_000)) continue;
    for (const reader of readersAt(transcript, settledAt))
      if (reader.active && picks(reader, fact) && !isNotForThem(reader, fact)) yield [reader, fact];
  }
}

const laneOf = ({ requests }: Transcript, { uid }: Reader, { incident }: Fact): Request[] =>
  requests.filter((request) => request.uid === uid && request.stream === incident);

/** O1: who is to know of an incident that is open knows of it. */
export function* openingsLost(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  const open = new Set(truth.openAt(transcript.settledAt).map(({ root }) => root));
  for (const root of transcript.broken)
    if (!open.has(root)) yield { rule: 'O1 opening lost', says: `${root} is broken, and there is no incident of it` };
  for (const [reader, fact] of entitled(transcript, truth)) {
    if (heardBy(reader, fact, truth, transcript).is !== 'nothing') continue;
    if (mayCountAsTold(reader, fact, truth, transcript)) continue;
    const tried = briefly(transcript, laneOf(transcript, reader, fact));
    yield { rule: 'O1 opening lost', says: `${reader.uid} does not know of ${fact.root} (${fact.severity}): ${tried}` };
  }
}

/** O4: who knows of an incident has heard how bad it is. */
export function* risesSwallowed(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  for (const [reader, fact] of entitled(transcript, truth)) {
    const heard = heardBy(reader, fact, truth, transcript);
    if (heard.is === 'nothing' || heard.worst >= rankOf(fact.severity)) continue;
    if (perhapsOpened(reader, fact, transcript)) continue;
    const told = briefly(transcript, laneOf(transcript, reader, fact));
    yield { rule: 'O4 rise swallowed', says: `${fact.root} is ${fact.severity}, ${reader.uid} heard less: ${told}` };
  }
}

/** What says that the same is told once a day from then on, since it keeps coming back. */
const saysOnceADay = /one summary a day/;

/** O8: who was told of an incident by itself has heard what is wrong with it now. */
export function* reasonsSwallowed(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  for (const [reader, fact] of entitled(transcript, truth)) {
    const { is, reason } = heardBy(reader, fact, truth, transcript);
    if (is !== 'told' || reason === undefined || reason === fact.reason) continue;
    if (laneOf(transcript, reader, fact).some(({ taken, note }) => taken && saysOnceADay.test(note))) continue;
    yield {
      rule: 'O8 reason swallowed',
      says: `${fact.root} is ${fact.reason}, ${reader.uid} heard last of ${reason}`,
    };
  }
}
