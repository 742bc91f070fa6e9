import { type BackoffRange, backoffMs, jittered } from '../model/backoff.ts';
import type { Delivery, Outcome } from '../model/delivery.ts';

/** A delivery older than this ends; a test is asked for by somebody who waits for the answer. Milliseconds. */
const maxAges = { test: 60_000, other: 24 * 3_600_000 } as const;

/** How old a delivery may become, in milliseconds and in words. */
export function maxAgeOf({ act }: Pick<Delivery, 'act'>): { readonly milliseconds: number; readonly words: string } {
  return act === 'test'
    ? { milliseconds: maxAges.test, words: 'a minute' }
    : { milliseconds: maxAges.other, words: '24 h' };
}

/** The first wait where the provider's `retry.delay` does not say otherwise, and the longest; milliseconds. */
const usualWaits: BackoffRange = { firstMs: 5_000, longestMs: 5 * 60_000 };
/** After so many failures a fallback is told: an alert must survive a product's bad hour. */
export const failuresUntilOverdue = 5;

/** Whether and when to try again after a failed attempt. */
export type RetryQuestion = {
  /** Failed attempts so far, this one included. */
  readonly failures: number;
  /** `maxAttempts`: retries after the first try. */
  readonly retry: { readonly maxAttempts?: number; readonly delayMs?: number };
  /** From 0 up to 1. */
  readonly random: number;
};

/**
 * Milliseconds until the next attempt, `undefined` when there is none. Waits double from the first to 5 minutes, each with
 * full jitter (any part of it), so that many deliveries do not come back at the same instant.
 */
export function nextWaitMs({ failures, retry, random }: RetryQuestion): number | undefined {
  if (failures > (retry.maxAttempts ?? Number.POSITIVE_INFINITY)) return undefined;
  const firstMs = retry.delayMs ?? usualWaits.firstMs;
  const wait = backoffMs({ firstMs, longestMs: Math.max(usualWaits.longestMs, firstMs) }, failures);
  return jittered(wait, 1, random);
}

/** The longest wait a product may ask for, and the shortest after "too many requests"; milliseconds. */
const longestQuietMs = 15 * 60_000;
const shortestQuietMs = 1_000;

/** Milliseconds that the product asked to be left alone, 0 when it did not. */
export function askedWaitMs(outcome: Outcome): number {
  if (outcome.is === 'rateLimited') return Math.min(Math.max(outcome.afterMs, shortestQuietMs), longestQuietMs);
  return outcome.is === 'retryable' ? Math.min(outcome.afterMs ?? 0, longestQuietMs) : 0;
}

/**
 * Milliseconds until the next attempt after one that ended like this, `undefined` when there is none. Waiting as the product asks
 * spends no attempt.
 */
export function waitAfter(outcome: Outcome, question: RetryQuestion): number | undefined {
  if (outcome.is === 'rateLimited') return askedWaitMs(outcome);
  if (outcome.is !== 'retryable') return undefined;
  const waitMs = nextWaitMs(question);
  return waitMs === undefined ? undefined : Math.max(waitMs, askedWaitMs(outcome));
}
