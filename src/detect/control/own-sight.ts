import type { UnseenView } from '../../world/kinds/cluster/own-sight.ts';
import { type Detector, detector } from '../kit/detector.ts';

/** So long may what is not seen come back by itself: a watch that is cut is listed anew within seconds. */
const usualSeconds = 60;
/** An API server that does not answer at all may be on its way up: one that stands alone takes minutes for an upgrade. */
const awaySeconds = 180;
/** So many are named. */
const maxNamed = 4;

const patienceOf = ({ reason }: UnseenView): number => (reason === 'ConnectionLost' ? awaySeconds : usualSeconds);
const dueAt = (one: UnseenView): number => one.since + patienceOf(one) * 1000;

/** `pods, nodes and 12 more`: what is required first. */
function named(unseen: readonly UnseenView[]): string {
  const names = [...unseen]
    .sort((a, b) => Number(b.required) - Number(a.required) || (a.source < b.source ? -1 : 1))
    .map(({ source }) => source);
  const more = names.length - maxNamed;
  const shown = more > 0 ? [...names.slice(0, maxNamed), `${more} more kinds`] : names;
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

const kindsUnseen = detector({
  id: 'G23',
  judges: 'Tocsin',
  reasons: [{ reason: 'KindsUnseen', family: 'named', sure: 'high' }],
  severity: 'high',
  forSeconds: usualSeconds,
  settle: 'conclusive',
  exemptions: [],
  source: 'how each watch fares: `coverage` in `/health` and in the status of the AlertConfig',
  predicate:
    'for 60 s a kind that was watched, or without which nothing is sure, is not: its watch is refused, silent or throttled, or the right to it was taken; for 3 min, where the API server does not answer at all. `medium` where no kind is required',
  clears: 'all of them are watched again, held for 1 min',
  symptom: 'controlPlane',
  patience:
    '60 s: a watch that is cut, expired or refused is listed anew within seconds; 3 min for an API server that restarts',
  isNot:
    'kinds that the cluster does not serve, that Tocsin may not see from its start, or that the edition leaves out',
  judge: ({ unseen }) => {
    const [first] = [...unseen].sort((a, b) => dueAt(a) - dueAt(b));
    if (first === undefined) return false;
    const isRequired = unseen.some(({ required }) => required);
    const reasons = new Set(unseen.map(({ reason }) => reason));
    return {
      since: first.since,
      forSeconds: patienceOf(first),
      severity: isRequired ? 'high' : 'medium',
      facts: {
        ...{ kinds: named(unseen), count: unseen.length },
        ...(reasons.size === 1 && first.reason !== undefined && { why: first.reason }),
      },
      clearHoldMs: 60_000,
    };
  },
});

/** What Tocsin finds of itself. */
export const ownSightDetectors: readonly Detector[] = [kindsUnseen];
