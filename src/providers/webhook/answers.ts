import type { Answer, Reading } from '../provider.ts';

/** RFC 9110: a server that does not implement the method or the version will not do so on the next try either. */
export const reading: Reading = {
  errors: { 501: 'permanent', 505: 'permanent' },
  retryAfterMs: rateLimitResetMs,
};

/** `RateLimit-Reset` (seconds) where it is the only hint of how long to wait. */
function rateLimitResetMs({ headers: given }: Answer): number | undefined {
  const seconds = given['ratelimit-reset'];
  return given['retry-after'] === undefined && seconds && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : undefined;
}
