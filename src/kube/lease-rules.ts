/** What a Lease object says. */
export type LeaseSpec = {
  readonly holderIdentity?: string;
  readonly leaseDurationSeconds?: number;
  readonly acquireTime?: string;
  readonly renewTime?: string;
  readonly leaseTransitions?: number;
};

/** The Lease as the API has it. */
export type LeaseBody = {
  readonly metadata: { readonly uid?: string; readonly resourceVersion?: string; readonly [field: string]: unknown };
  readonly spec?: LeaseSpec;
};

/** Our last holding: if the Lease says anything else now, somebody else has held it since. */
export type Holding = { readonly uid: string | undefined; readonly transitions: number };

/** What to do about a Lease. */
export type LeaseDecision =
  | { readonly is: 'create' }
  /** It is ours: go on. */
  | { readonly is: 'renew' }
  /** Nobody holds it, or its holder has not renewed it for its whole duration. */
  | { readonly is: 'acquire' }
  | { readonly is: 'wait' }
  /** Another identity holds it or has held it since we did. */
  | { readonly is: 'lost'; readonly to: string };

/** client-go's leader election: a lease of 15 s. */
export const leaseSeconds = 15;

/**
 * The rules of client-go (tools/leaderelection). `unchangedMs`: for how long, by our own clock that never steps, we have seen the
 * Lease as it is. The times in the object are those of another machine, so they are never compared with ours.
 */
export function decideOn(
  lease: LeaseBody | undefined,
  own: { readonly identity: string; readonly holding: Holding | undefined },
  unchangedMs: number,
): LeaseDecision {
  if (lease === undefined) return { is: 'create' };
  const { holderIdentity: holder = '', leaseDurationSeconds = leaseSeconds, leaseTransitions = 0 } = lease.spec ?? {};
  const { identity, holding } = own;
  const others = holder !== '' && holder !== identity;
  if (holding !== undefined) {
    const changedHands = leaseTransitions > holding.transitions || lease.metadata.uid !== holding.uid;
    if (others || changedHands) return { is: 'lost', to: holder === '' ? 'someone, released since' : holder };
  }
  if (holder === identity) return { is: 'renew' };
  return { is: others && unchangedMs < leaseDurationSeconds * 1000 ? 'wait' : 'acquire' };
}
