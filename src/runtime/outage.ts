import { type Edition, includes } from '../model/edition.ts';

/**
 * How long deliveries go on while the API server does not answer and the Lease cannot be renewed (ms). Shorter than what a Pod on
 * a Node that is cut off gets before the control plane puts another in its place (the Node is unreachable after 40 s, and its Pods
 * are tolerated there for 300 s).
 */
export const outageGraceMs = 300_000;

/** What is known when the Lease is not held. */
export type Outage = {
  readonly edition: Edition;
  /** The lock of a state directory that outlives this Pod is held. */
  readonly holdsDirectory: boolean;
  /** The Lease was ours, and the API server has not answered since. */
  readonly isUnanswered: boolean;
};

/**
 * Whether deliveries go on without the Lease. Whoever else may have taken it meanwhile waits for the lock of the same state directory
 * before it tells anybody anything; without saved state on a volume nothing but the Lease keeps two from telling the same.
 */
export function outlastsOutage({ edition, holdsDirectory, isUnanswered }: Outage): boolean {
  return isUnanswered && holdsDirectory && includes(edition, 'savedState');
}
