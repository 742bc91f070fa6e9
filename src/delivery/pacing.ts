import type { Pacing } from '../providers/provider.ts';

/** Tokens for requests to one destination. */
export type TokenBucket = {
  /** Takes a token, if there is one. */
  take(now: number): boolean;
  /** Milliseconds until there is one, 0 when there is. */
  waitMs(now: number): number;
};

/** A full bucket: `burst` tokens at once, `perSecond` after that. `now` of its calls: epoch milliseconds. */
export function createTokenBucket({ perSecond, burst }: Pacing, now: number): TokenBucket {
  let tokens = burst;
  let filledAt = now;
  function fill(at: number): void {
    tokens = Math.min(burst, tokens + (Math.max(0, at - filledAt) * perSecond) / 1000);
    filledAt = at;
  }
  return {
    take(at) {
      fill(at);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
    waitMs(at) {
      fill(at);
      return tokens >= 1 ? 0 : Math.ceil(((1 - tokens) * 1000) / perSecond);
    },
  };
}
