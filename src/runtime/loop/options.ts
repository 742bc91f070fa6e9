import type { LicenseKeys } from '../../edition/keys.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import type { ClockDifference } from '../../kube/clock-difference.ts';
import type { Clock } from '../../model/clock.ts';
import type { Hindrance } from '../../model/heartbeat.ts';
import type { Effects } from '../../model/turn.ts';
import type { ListenOptions } from '../../server/server.ts';
import type { ServingPair } from '../../server/serving-pair.ts';
import type { Output } from '../../state/audit/audit-output.ts';
import type { Found } from '../../state/first-reading.ts';
import type { Logger } from '../../telemetry/logger.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { StateVolume } from '../saving/state-volume.ts';
import type { AgentDoor } from './agents.ts';

/** What the operator runs with. */
export type RuntimeOptions = {
  readonly client: ApiClient;
  /** Namespace of the operator: its objects speak for the whole cluster, the Lease lives there. */
  readonly namespace: string;
  /** Unique to this process: the Pod's name and a random part. */
  readonly identity: string;
  readonly version: string;
  /** Variables of the process, which tell what its Pod was given. Absent: nothing. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly listen: ListenOptions;
  /** The host's: it may be set in both directions. */
  readonly clock: Clock;
  /** How far that is from the API server's, as its answers show. */
  readonly clockDifference?: ClockDifference;
  readonly random: () => number;
  /** The public keys of whoever issues licences; none: there is Community only. */
  readonly licenseKeys: LicenseKeys;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Where the audit log goes that is asked for on standard output; by default there. */
  readonly output?: Output;
  /**
   * What to do while another process holds the state lock and renews it: wait for it (the default; a Pod behind an old Pod), or
   * end with an error that names it (somebody who started a second one by hand).
   */
  readonly secondHolder?: 'wait' | 'refuse';
  /** Where state is saved, if the edition has that: a directory of its own. Without it state is held in memory. */
  readonly stateDirectory?: string;
  /** How often what is served and allowed is looked at again, if not every ten minutes; for the tests, which cannot wait. */
  readonly rediscoverMs?: number;
  /** Records every turn's inputs, redacted, as JSON lines in this file. */
  readonly record?: string;
  /** Answers agents that ask the status page. Absent: nobody does. */
  readonly agents?: AgentDoor;
  /** Told of every turn's effects, after the commit; for the tests that compare a run with its replay. */
  readonly observe?: (effects: Effects, now: number) => void;
};

/** What the operator works with once the lock has been held. */
export type ActiveOperatorOptions = Omit<RuntimeOptions, 'clock' | 'listen' | 'stateDirectory'> & {
  /** Never goes back. */
  readonly clock: Clock;
  /** The host's own clock, which may be set in both directions: for what is compared with other machines' clocks. */
  readonly hostClock: Clock;
  /** Whether the state lock is held at this very moment. */
  readonly holdsLock: () => boolean;
  /** Whether deliveries may go out at this very moment. */
  readonly mayTell: () => boolean;
  /** Serves the endpoints over TLS with this from now on; `undefined`: no longer. Rejects when that cannot be done. */
  readonly serveTls: (pair: ServingPair | undefined) => Promise<void>;
  /** What keeps the heartbeat from being sent at this very moment. */
  readonly hindrances: () => readonly Hindrance[];
  /** The state directory, which is ours, and what was found there. */
  readonly state?: { readonly volume: StateVolume; readonly found: Found };
  /** Told of the bug that ended a turn: nothing goes on from there. */
  readonly crashed: (error: Error) => void;
};
