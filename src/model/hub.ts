import type { PullCauseName } from './pull-cause.ts';
import type { Reason } from './reason.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from './ref.ts';
import type { Severity } from './severity.ts';

/** Kinds of roots that no cluster has to itself. */
const outsideKinds: ReadonlySet<string> = new Set(['ExternalEndpoint', 'Registry']);

/** IPv4 addresses that are another machine in each network (https://www.iana.org/assignments/iana-ipv4-special-registry). */
const privateAddress =
  /^(?:0|10|127)\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^192\.168\./;
/** Names that each cluster, or each machine, resolves for itself. */
const ownName = /(?:^|\.)(?:local|localhost|svc)$/;

/**
 * Whether a root lies outside of every cluster, so that its name is the same thing in each: a registry or an external address by a public
 * name or address.
 */
export function isOutside(ref: Ref): boolean {
  if (!outsideKinds.has(kindOf(ref)) || namespaceOf(ref) !== '') return false;
  const host = nameOf(ref).toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  return /^[a-z0-9._-]+\.[a-z0-9-]+$/.test(host) && !privateAddress.test(host) && !ownName.test(host);
}

/** A cause outside of a cluster, as this cluster has it. Times are epoch milliseconds. */
export type OutsideCause = {
  /** Of the cluster's own incident. */
  readonly id: string;
  readonly root: Ref;
  readonly reason: Reason;
  readonly severity: Severity;
  readonly since: number;
  /** Objects that are hit. */
  readonly affected: number;
  /** Why images cannot be pulled, where that is it. */
  readonly pullCause?: PullCauseName;
  /** It may still pass by itself, as far as its cluster can tell. */
  readonly isUnsettled?: true;
  /** It looks well again, and may still fail again. */
  readonly isClear?: true;
};

/** What a cluster says of the causes outside. The last report of a cluster is all that holds of it. */
export type MemberReport = {
  /** UID of its `kube-system` namespace. */
  readonly cluster: string;
  /** As its messages call it. */
  readonly name: string;
  readonly causes: readonly OutsideCause[];
  /** Until when it holds without being repeated (epoch milliseconds). */
  readonly until: number;
};

/** What the hub answers of one cause: it has told its people; it does not tell it; or it is still about to. */
export type HubVerdict = 'told' | 'declined' | 'pending';

/** What holds by the last answers of the hub. Times are epoch milliseconds. */
export type HubWord = {
  /** The hub, as its messages call it. */
  readonly name: string;
  /** Until when it is worth waiting for its answer: it has answered lately. */
  readonly awaitedUntil: number;
  /** ID of an incident → until when it counts as told by the hub. */
  readonly told: Readonly<Record<string, number>>;
  /** IDs of incidents that the hub does not tell. */
  readonly declined: readonly string[];
};

/** How one cluster is hit by a cause that is outside of several. `since`: epoch milliseconds. */
export type ClusterHit = Pick<OutsideCause, 'reason' | 'severity' | 'since' | 'affected'> &
  Pick<MemberReport, 'cluster' | 'name'>;

/** What a hub shows of a cluster. Times are epoch milliseconds. */
export type ClusterRow = Pick<MemberReport, 'cluster' | 'name'> & {
  readonly version: string;
  readonly heardAt: number;
  /** Its open incidents, by severity. */
  readonly open: Readonly<Record<Severity, number>>;
  /** Some of these, the worst first. */
  readonly worst: readonly ClusterIncident[];
};

/** An open incident of another cluster. `since`: epoch milliseconds. */
export type ClusterIncident = {
  readonly severity: Severity;
  readonly reason: Reason;
  readonly title: string;
  readonly since: number;
};

/** How a member stands with its hub. Times are epoch milliseconds. */
export type HubView =
  | { readonly is: 'off' }
  | { readonly is: 'pending' }
  | { readonly is: 'answering'; readonly name: string }
  | { readonly is: 'failing'; readonly why: string };
