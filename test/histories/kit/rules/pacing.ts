import { Truth } from '../lanes.ts';
import { type Fault, isRefusal, type Request, type Transcript } from '../transcript.ts';

const hourMs = 3_600_000;
/** A digest comes every half hour; one more where somebody has edited the AlertProvider, or Tocsin began anew. */
const digestsAnHour = 2;
/**
 * What fails may be tried this often in an hour, for each incident that was open in it: a delivery that is retried with pauses that
 * double to 5 minutes takes about 20. Who says when to come back may be asked then, however often.
 */
const failuresAnHour = { always: 60, forEachIncident: 30 };

/** O7: who refuses or fails is left in peace. */
export function* tooOften(transcript: Transcript): Generator<Fault> {
  const truth = new Truth(transcript);
  const failed = Map.groupBy(
    transcript.requests.filter(({ answer }) => answer !== 'taken' && answer !== 'limited'),
    ({ uid }) => uid,
  );
  for (const [uid, requests] of failed) {
    const digests = requests.filter((request) => request.act === 'digest' && isRefusal(request.answer));
    for (const [from, inHour] of hours(digests)) {
      const edits = [...transcript.rosters, ...transcript.kills].filter(
        ({ at }) => from <= at && at < from + hourMs,
      ).length;
      if (inHour <= digestsAnHour + edits + 1) continue;
      yield { rule: 'O7 too often', says: `${uid} refused ${inHour} digests within an hour` };
      break;
    }
    for (const [from, inHour] of hours(requests)) {
      const open = new Set(transcript.facts.filter(({ at }) => at < from + hourMs).map(({ incident }) => incident));
      const touched = [...open].filter(
        (incident) => truth.isBroken(incident, from) || truth.of(incident).some(({ at }) => at >= from - hourMs * 24),
      ).length;
      if (inHour <= failuresAnHour.always + failuresAnHour.forEachIncident * touched) continue;
      yield { rule: 'O7 too often', says: `${uid} failed ${inHour} requests within an hour, of ${touched} incidents` };
      break;
    }
  }
}

/** For each request the hour that begins with it, and how many there are in it. */
function* hours(requests: readonly Request[]): Generator<readonly [from: number, inHour: number]> {
  let end = 0;
  for (const [index, { at }] of requests.entries()) {
    while (end < requests.length && (requests[end]?.at ?? 0) < at + hourMs) end += 1;
    yield [at, end - index];
  }
}
