/** How a resource can be watched. */
export const coverageStates = ['Watching', 'Syncing', 'Denied', 'NotServed', 'Failing', 'Disabled'] as const;

/** How a resource is watched. */
export type CoverageState = (typeof coverageStates)[number];

/** What is known of one watched resource. `source` is its plural with the group: `pods`, `deployments.apps`. Times are epoch milliseconds. */
export type Coverage = {
  readonly source: string;
  readonly kind: string;
  readonly state: CoverageState;
  /** Bounded CamelCase reason code; `Synced` when all is well. */
  readonly reason: CoverageReason;
  readonly since: number;
  readonly required: boolean;
  /** Only in these namespaces everything of it is seen (`''`: what is in none); elsewhere what is not held is unknown. Absent: everywhere. */
  readonly within?: readonly string[];
};

/** The documented, bounded list of reason codes. */
export type CoverageReason =
  | 'Synced'
  | 'InitialList'
  | 'Relisting'
  | 'Forbidden'
  | 'NotServed'
  /** Its API group does not answer when asked what it serves, or access reviews cannot be made. */
  | 'DiscoveryFailed'
  | 'ConnectionLost'
  /** The watch is accepted and says nothing, although things happen. */
  | 'WatchSilent'
  | 'Throttled'
  | 'Unauthorized'
  | 'ServerError'
  | 'OptIn'
  | 'NotLicensed'
  | 'TooLarge';
