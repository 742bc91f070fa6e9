import type { Clock } from '../model/clock.ts';
import type { ApiClient } from './api-client.ts';

/** Another identity that a Lease names. */
export type LeaseHolder = {
  readonly identity: string;
  /** Since when, as it says itself (RFC 3339). */
  readonly since: string | undefined;
  /** It was seen to renew: it is alive, and not what a killed process left behind. */
  readonly renews: boolean;
};

/** What a lease needs. */
export type LeaseOptions = {
  readonly client: ApiClient;
  readonly namespace: string;
  readonly name: string;
  /** Unique to this process: the Pod's name and a random part. */
  readonly identity: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Taken, or taken back with nobody else having held it meanwhile. */
  onHeld(): void;
  /** It could not be renewed in time; trying goes on. */
  onExpired(): void;
  /** Another identity holds or has held it; trying has ended, and what we know may be stale: the process should end. */
  onTaken(by: string): void;
  /** Another identity holds it. Told once per holder, and once more when that holder was seen to renew. */
  onWaiting?(holder: LeaseHolder): void;
  readonly log?: (level: 'info' | 'warn' | 'error', message: string, fields: Readonly<Record<string, unknown>>) => void;
};
