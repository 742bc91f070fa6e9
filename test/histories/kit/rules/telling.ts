import { briefly, isOpening, isOwn, isRemark, lanesOf, picks, readersAt, Truth, wasDoubtful } from '../lanes.ts';
import type { Fault, Request, Transcript } from '../transcript.ts';

/** Whether a reader has perhaps read of an object in a list, by name or among those that it only counted. */
function wasNamed({ uid, at }: Request, root: string | undefined, { requests }: Transcript): boolean {
  const lists = requests.filter((one) => one.uid === uid && one.at <= at && (one.taken || wasDoubtful(one)));
  return lists.some(
    ({ list }) => list && (list.total > list.entries.length || list.entries.some((entry) => entry.root === root)),
  );
}

/**
 * O5: a reader gets what is told of an incident in the order in which it was decided: its opening, what is new, its end, and
 * nothing after that but its return. A remark on whom somebody stands in for may come at any time.
 */
export function* outOfOrder(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  for (const lane of lanesOf(transcript)) {
    const taken = lane.filter((request) => request.taken && isOwn(request) && !isRemark(request));
    const [first] = taken;
    const fact = first && truth.at(first.stream, transcript.clearedAt);
    if (!first || !fact) continue;
    const fault = (what: string): Fault => ({
      rule: 'O5 out of order',
      says: `${first.uid} ${what} of ${fact.root}: ${briefly(transcript, lane)}`,
    });
    const mayKnow =
      truth.of(first.stream).some(({ baseline }) => baseline) ||
      // Who stands in hears the end that the other could not be told.
      first.note.includes('via ') ||
      lane.some((one) => one.at < first.at && wasDoubtful(one)) ||
      wasNamed(first, fact.root, transcript);
    if (!isOpening(first) && !mayKnow) yield fault(`was told ${first.act} before the opening`);
    for (const [index, request] of taken.entries()) {
      const before = taken[index - 1];
      if (before && request.decidedAt < before.decidedAt)
        yield fault(`got ${request.act} after ${before.act}, which came later`);
      if (before?.act === 'resolve' && request.act === 'update') yield fault('was told more after the end');
    }
  }
}

/** What kind of thing a message does to its reader: two of one kind after each other are one too many. */
function kindOf(request: Request): string {
  if (isRemark(request)) return `remark ${request.note}`;
  if (isOpening(request)) return 'opening';
  return request.act === 'update' ? `update ${request.title} ${request.decidedAt}` : request.act;
}

/**
 * O6: nobody is told the same twice, unless an earlier attempt of it may or may not have arrived. An opening is the same as long as
 * no end came between; so is a list of what is open, for who was told of one of these by itself.
 */
export function* repeats(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  for (const lane of lanesOf(transcript)) {
    const told: Request[] = [];
    const doubted = new Set<string>();
    for (const request of lane.filter(isOwn)) {
      const kind = kindOf(request);
      const acts = told.filter((one) => !isRemark(one));
      // Each time that it fails has its own remarks.
      const sinceEnd = told.slice(told.findLastIndex(({ act }) => act === 'resolve') + 1);
      const sinceTurn = isRemark(request)
        ? sinceEnd.filter((one) => !isOfAnotherSilence(request, one, transcript))
        : request.act === 'update'
          ? told
          : acts.slice(acts.findLastIndex(isTurnFor(kind)) + 1);
      const isRepeat =
        request.taken &&
        sinceTurn.some(
          (one) => one.taken && kindOf(one) === kind && !wasListedBetween(one, request, truth, transcript),
        );
      if (isRepeat && !doubted.has(kind))
        yield {
          rule: 'O6 repeated',
          says: `${request.uid} was told ${request.act} again: ${briefly(transcript, lane)}`,
        };
      if (wasDoubtful(request)) doubted.add(kind);
      // Whose end perhaps arrived is told that it is open again.
      if (request.taken || (request.act === 'resolve' && wasDoubtful(request))) told.push(request);
    }
  }
}

/** Whether a list has named an incident as open between two ends of it: it began again there. */
function wasListedBetween(first: Request, second: Request, truth: Truth, { requests }: Transcript): boolean {
  if (first.act !== 'resolve' || second.act !== 'resolve') return false;
  const root = truth.of(second.stream)[0]?.root;
  const [from, to] = [requests.indexOf(first), requests.indexOf(second)];
  return requests
    .slice(from, to)
    .some(
      ({ uid, taken, list }) =>
        uid === second.uid &&
        taken &&
        list &&
        (list.total > list.entries.length || list.entries.some((entry) => entry.root === root && !entry.over)),
    );
}

/** Whom a remark says that its reader stands in for, if it says so. */
const ownerIn = ({ note }: Request): string | undefined => /(\S+) could not be told/.exec(note)?.[1];

/** Whether a remark is about another silence than an earlier one: whom it is about has taken something of the incident since, or is another one of that name. */
function isOfAnotherSilence(remark: Request, earlier: Request, transcript: Transcript): boolean {
  const name = ownerIn(remark);
  if (name === undefined) return false;
  const uidAt = (at: number): string | undefined => readersAt(transcript, at).find((one) => one.provider === name)?.uid;
  if (uidAt(remark.decidedAt) !== uidAt(earlier.decidedAt)) return true;
  return transcript.requests.some(
    ({ provider, stream, taken, at }) =>
      taken && provider === name && stream === remark.stream && earlier.decidedAt < at && at < remark.decidedAt,
  );
}

/** What makes a further opening or end new: the other one of the two. */
function isTurnFor(kind: string): (request: Request) => boolean {
  return (request) => (kind === 'opening' ? request.act === 'resolve' : isOpening(request) || request.act === 'update');
}

/**
 * O9: nobody is told that something is broken of which people asked not to hear when it was decided. What was told before may be
 * said to be silenced.
 */
export function* toldThoughMuted(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  const start = transcript.rosters[0]?.at ?? 0;
  for (const request of transcript.requests) {
    const { uid, act, decidedAt, list, note, stream } = request;
    const own = act === 'resolve' || /silenced|muted/.test(note) ? undefined : truth.at(stream, decidedAt)?.root;
    const named = list?.entries.filter(({ over }) => !over).map(({ root }) => root) ?? [];
    for (const root of [...named, ...(own === undefined ? [] : [own])]) {
      const name = root.split('/').at(-1);
      const muting = transcript.mutings.find((one) => one.name === name && one.from < decidedAt && decidedAt < one.to);
      const when = Math.round((decidedAt - start) / 1000);
      if (muting)
        yield { rule: 'O9 told though muted', says: `${uid} was told ${act} of ${root}, decided at ${when}s` };
    }
  }
}

/** What was decided in the instant of the end may be under way. */
const momentMs = 1_000;

/** O11: nobody is woken for what is over: no opening is sent of what has ended, however long its product was away. */
export function* wokenForWhatIsOver(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  for (const request of transcript.requests) {
    const { uid, stream, act, at } = request;
    if (!isOpening(request) || truth.at(stream, at - momentMs)?.state !== 'Resolved') continue;
    if (truth.at(stream, at)?.state !== 'Resolved') continue;
    const lane = transcript.requests.filter((one) => one.uid === uid && one.stream === stream);
    yield {
      rule: 'O11 woken for what is over',
      says: `${uid} was sent ${act} after the end: ${briefly(transcript, lane)}`,
    };
  }
}

/** What was on its way when somebody edited an AlertProvider goes out. */
const underWayMs = 1_000;

/** O10: nothing is sent to an AlertProvider that is suspended or deleted, nor to one that nobody's routes ever led to. */
export function* strangersTold(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  const fallbacks = new Set(transcript.rosters.flatMap(({ readers }) => readers.map(({ fallback }) => fallback)));
  for (const request of transcript.requests) {
    const { uid, provider, act, stream, at } = request;
    const lately = transcript.rosters.filter((roster) => at - underWayMs <= roster.at && roster.at <= at);
    const possible = [readersAt(transcript, at - underWayMs), ...lately.map(({ readers }) => readers)];
    const reader = readersAt(transcript, at).find((one) => one.uid === uid);
    const mayReceive = possible.some((readers) => readers.some((one) => one.uid === uid && !one.suspended));
    if (!mayReceive) {
      yield {
        rule: 'O10 stranger told',
        says: `${uid} was sent ${act} though it is ${reader ? 'suspended' : 'deleted'}`,
      };
      continue;
    }
    if (!isOwn(request) || fallbacks.has(provider)) continue;
    const facts = truth.of(stream);
    const [fact] = facts;
    const everPicked = transcript.rosters.some(({ readers }) =>
      readers.some((one) => one.uid === uid && facts.some((was) => picks(one, was))),
    );
    if (fact && !everPicked)
      yield { rule: 'O10 stranger told', says: `${uid} was sent ${act} of ${fact.root}, which no route of it picks` };
  }
}
