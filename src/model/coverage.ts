/** What is known of one watched resource. `source` is its plural with the group: `pods`, `deployments.apps`. */
export type CoverageState = 'Watching' | 'Syncing' | 'Denied' | 'NotServed' | 'Failing' | 'Disabled';

/** One row of coverage. Times are epoch milliseconds. */
export type Coverage = {
  readonly source: string;
  readonly kind: string;
  readonly state: CoverageState;
  /** Bounded CamelCase reason code; `Synced` when all is well. */
  readonly reason: CoverageReason;
  readonly since: number;
  readonly required: boolean;
};

/** The documented, bounded list of reason codes. */
export type CoverageReason =
  | 'Synced'
  | 'InitialList'
  | 'Relisting'
  | 'Forbidden'
  | 'NotServed'
  | 'ConnectionLost'
  | 'Throttled'
  | 'Unauthorized'
  | 'ServerError'
  | 'OptIn'
  | 'NotLicensed'
  | 'TooLarge';
