import type { Coverage } from '../model/coverage.ts';

/** Why `/health` says `degraded`: the documented, bounded list of reason codes. */
export const degradations = [
  'SourceDenied',
  'SourceFailing',
  'SourceNotSynced',
  'LockNotHeld',
  'StateNotLoaded',
  'StateNotDurable',
  'StorageFailing',
  'DeliveryFailing',
  'NoActiveProvider',
  'ConfigInvalid',
  'LicenseExpired',
  'ClusterUnreachable',
] as const;
/** One of the reason codes above. */
export type Degradation = (typeof degradations)[number];

/** One watched resource as `/health` shows it: codes, counts and times, no names of objects. */
export type CoverageRow = Pick<Coverage, 'source' | 'kind' | 'state' | 'reason' | 'since' | 'required'> & {
  /** Objects seen. */
  readonly objects: number;
  /** Epoch milliseconds when something was last heard of it; absent when never. */
  readonly heardAt?: number;
};

/** What `/health` is made of. Safe by construction: codes and numbers, nothing that names a secret, URL or message. */
export type HealthView = {
  readonly reasons: readonly Degradation[];
  readonly edition: 'Community' | 'Pro';
  readonly version: string;
  readonly coverage: readonly CoverageRow[];
};

/** One condition of readiness. */
export type ReadyCheck = {
  /** Bounded CamelCase name: `StateLock`, `StateLoaded`, `Sources`. */
  readonly name: string;
  readonly ok: boolean;
  /** Why not, for people; holds no secret. */
  readonly message?: string;
};

/** Ready when every check is. */
export type ReadyView = { readonly checks: readonly ReadyCheck[] };

/** Read-only views of the process, handed in by whoever composes it. Each is called once per request. */
export type ServerViews = {
  health(): HealthView;
  ready(): ReadyView;
  /** False when a turn has been due for 60 s. */
  alive(): boolean;
  /** Epoch milliseconds. */
  now(): number;
};
