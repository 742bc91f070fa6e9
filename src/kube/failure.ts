import type { CoverageReason, CoverageState } from '../model/coverage.ts';
import { ApiError } from './api-client.ts';

/** How a list or a watch can fail, as far as the reflector reacts differently. */
export type FailureKind =
  | 'connection'
  | 'silent'
  | 'throttled'
  | 'expired'
  | 'versionTooNew'
  | 'answerTooLarge'
  | 'shortWatch'
  | 'malformedLine'
  | 'errorEvent'
  | 'countDiffers'
  | 'badRequest'
  | 'forbidden'
  | 'unauthorized'
  | 'notServed'
  | 'other';

/** What to do about a failure. */
export type Reaction = {
  /** `forget`: the version is of no use any more, the next list asks for the newest state. */
  readonly version: 'keep' | 'forget';
  /**
   * With how many failures in a row, none of them with a sign of life in between, the objects are listed again rather than only
   * watched on from the last version. The second list in a row asks for the newest state, in pages, whatever was known.
   */
  readonly relistAfter: number;
  /**
   * What to wait for when the server gave no `Retry-After`: the shared prober, the back-off of requests (reset when an
   * answer arrives), the back-off of watches (reset when one has lived a while), or a permission.
   */
  readonly wait: 'prober' | 'requestBackoff' | 'watchBackoff' | 'permission';
  /** What coverage says if it lasts. */
  readonly state: CoverageState;
  readonly reason: CoverageReason;
};

/** So many times the same may be a server that restarts: the watch goes on where it was, and nobody need list anything. */
const few = 3;
/** The same for what looks like a server that is away, although it answers whoever asks whether it is. */
const several = 6;

/**
 * The rules of client-go's reflector (tools/cache/reflector.go), one row per kind of failure, and one of our own: whatever a watch
 * is refused with, it is listed anew before long. Versions are opaque, and a server that has forgotten one need not say so with 410.
 */
export const reactions: Readonly<Record<FailureKind, Reaction>> = {
  connection: { version: 'keep', relistAfter: several, wait: 'prober', state: 'Failing', reason: 'ConnectionLost' },
  // Only the newest state shows whether there was nothing to tell: a server that has stopped feeding its watches may also
  // answer lists at a version from the same stale memory.
  silent: { version: 'forget', relistAfter: 1, wait: 'prober', state: 'Failing', reason: 'WatchSilent' },
  // A list would be throttled too.
  throttled: {
    version: 'keep',
    relistAfter: Number.POSITIVE_INFINITY,
    wait: 'requestBackoff',
    state: 'Failing',
    reason: 'Throttled',
  },
  expired: { version: 'forget', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  versionTooNew: { version: 'forget', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  // Listed again in pages, whatever the kind's size was.
  answerTooLarge: { version: 'keep', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'TooLarge' },
  shortWatch: { version: 'keep', relistAfter: several, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  // The reflector lists all the same when the watch from there cannot be read again.
  malformedLine: { version: 'keep', relistAfter: few, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  // The server cannot go on from this version (an undecodable object, say): the same watch would meet the same error.
  errorEvent: { version: 'keep', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  // The server has other objects than its watch told: as for a silent one, only the newest state shows which.
  countDiffers: { version: 'forget', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'WatchSilent' },
  // Of what is asked only the version changes: it is no version of this server.
  badRequest: { version: 'forget', relistAfter: 1, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
  forbidden: { version: 'keep', relistAfter: few, wait: 'permission', state: 'Failing', reason: 'Forbidden' },
  unauthorized: { version: 'keep', relistAfter: few, wait: 'watchBackoff', state: 'Failing', reason: 'Unauthorized' },
  notServed: { version: 'keep', relistAfter: few, wait: 'watchBackoff', state: 'NotServed', reason: 'NotServed' },
  other: { version: 'keep', relistAfter: few, wait: 'watchBackoff', state: 'Failing', reason: 'ServerError' },
};

/** A watch that failed although the request did not. */
export class WatchFailure extends Error {
  readonly kind: FailureKind;
  constructor(kind: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'WatchFailure';
    this.kind = kind;
  }
}

/** HTTP status (also in the `code` of an ERROR event) → kind. */
const byStatus: Readonly<Record<number, FailureKind>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'notServed',
  410: 'expired',
  429: 'throttled',
};

/** Sorts what was thrown. Anything unknown is `other`: back off, try again. */
export function kindOfFailure(error: unknown): FailureKind {
  if (error instanceof WatchFailure) return error.kind;
  if (!(error instanceof ApiError)) return 'other';
  if (error.reason === 'ResponseTooLarge') return 'answerTooLarge';
  if (error.reason === 'MalformedBody') return 'other';
  if (error.status === 0) return 'connection';
  // 504 Timeout with this text: the server's cache is behind the version we have seen (another server, or a restored etcd).
  if (error.status === 504 && /too large resource version/i.test(error.message)) return 'versionTooNew';
  return byStatus[error.status] ?? 'other';
}

/** An ERROR event in a watch. Only a gone version and throttling mean the same as the status would. */
export function failureOfErrorEvent(event: {
  readonly code: number;
  readonly reason: string;
  readonly message: string;
}): WatchFailure {
  const kind = event.code === 410 || event.code === 429 ? byStatus[event.code] : undefined;
  return new WatchFailure(kind ?? 'errorEvent', `the watch ended with ${event.code} ${event.reason}: ${event.message}`);
}

/** The server does not know streaming lists: it says so, or does not answer as one that does. */
export function isStreamingRefusal(error: unknown): boolean {
  // A short watch with a cause was cut: that says nothing about what the server knows.
  if (error instanceof WatchFailure)
    return error.kind === 'silent' || (error.kind === 'shortWatch' && error.cause === undefined);
  return error instanceof ApiError && [400, 405, 406, 422, 501].includes(error.status);
}
