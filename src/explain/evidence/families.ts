import type { Finding } from '../../model/finding.ts';
import { type Reason, reasons, reasonTraits } from '../../model/reason.ts';
import type { Family } from '../../model/reason-traits.ts';
import type { Confidence } from '../../model/severity.ts';

const order = new Map<string, number>(reasons.map((reason, index) => [reason, index]));

/** The family of a reason. */
export function familyOf(reason: Reason): Family {
  return reasonTraits[reason].family;
}

/** How far the reason alone tells the cause. */
export function selfEvident(reason: Reason): Confidence {
  return reasonTraits[reason].sure;
}

/** Those that Tocsin sees itself; where there are none, what somebody outside alerts of: that only stands beside what is seen. */
export function seenOf<F extends { readonly reason: Reason }>(found: readonly F[]): readonly F[] {
  const seen = found.filter(({ reason }) => reason !== 'ExternalAlert');
  return seen.length > 0 ? seen : found;
}

/** Negative when `a` tells more than `b`. */
export function compareReason(a: Reason, b: Reason): number {
  return a === b ? 0 : (order.get(a) ?? 0) - (order.get(b) ?? 0);
}

/**
 * The reason that names a group of findings: of each object the one that tells most, then the most frequent over objects.
 * A mere consequence (not ready, short of replicas) names the group only when there is nothing else.
 */
export function namingReason(findings: readonly Finding[]): Reason | undefined {
  const best = new Map<string, Reason>();
  for (const { subject, reason } of seenOf(findings)) {
    const known = best.get(subject.ref);
    if (known === undefined || compareReason(reason, known) < 0) best.set(subject.ref, reason);
  }
  const count = new Map<Reason, number>();
  for (const reason of best.values()) count.set(reason, (count.get(reason) ?? 0) + 1);
  const announcement = [...count].filter(([reason]) => familyOf(reason) !== 'consequence');
  const [first] = (announcement.length > 0 ? announcement : [...count]).sort(
    (a, b) => b[1] - a[1] || compareReason(a[0], b[0]),
  );
  return first?.[0];
}
