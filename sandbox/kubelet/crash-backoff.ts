/** The restart back-off of client-go's flowcontrol.Backoff as the kubelet uses it: 10 s, doubling to 5 min. */
export type CrashBackoff = {
  /** Milliseconds that a container which ended at `endedAt` must still wait at `now`; 0: restart at once. */
  remaining(endedAt: number, now: number): number;
  /** The present length, as the message shows it. */
  readonly length: () => string;
  /** A restart: the next wait is twice as long, from 10 s again after 10 good minutes. */
  next(endedAt: number, now: number): void;
};

const initialMs = 10_000;
const maxMs = 300_000;

/** A Go duration in whole seconds: `10s`, `1m20s`, `5m0s`. */
export function goDuration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60}s`;
}

/** A back-off that has not happened yet: the first restart is immediate. */
export function createCrashBackoff(): CrashBackoff {
  let backoffMs = 0;
  let updatedAt = 0;
  const expired = (endedAt: number): boolean => endedAt - updatedAt > maxMs * 2;
  return {
    remaining: (endedAt, now) => (backoffMs === 0 || expired(endedAt) ? 0 : Math.max(0, endedAt + backoffMs - now)),
    length: () => goDuration(backoffMs),
    next(endedAt, now) {
      backoffMs = backoffMs === 0 || expired(endedAt) ? initialMs : Math.min(maxMs, backoffMs * 2);
      updatedAt = now;
    },
  };
}
