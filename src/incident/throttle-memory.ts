import { fits, flag, listOf, number, record, text } from '../model/shape.ts';
import type { Opening } from './openings.ts';

/** A throttle as it is remembered. `listedAt`: absent when no overview has been sent. */
export type ThrottleMemory = {
  readonly recent: readonly Opening[];
  /** Critical openings that went out by themselves within the last hour. */
  readonly critical: readonly Opening[];
  readonly unlisted: readonly string[];
  /** Something critical waits for the next overview, which comes within seconds. */
  readonly hasCritical: boolean;
  /** It is a pager's. Absent: it is not. */
  readonly isPager?: boolean;
  /** What rings too long waits for one. Absent: nothing. */
  readonly hasExhausted?: boolean;
  readonly listedAt?: number;
  readonly storming: boolean;
};

const openings = listOf(record<Opening>({ at: number, namespace: text }));

/** Whether something remembered is a throttle. */
export const isThrottleMemory = fits(
  record<ThrottleMemory>(
    { recent: openings, critical: openings, unlisted: listOf(text), hasCritical: flag, storming: flag },
    { isPager: flag, hasExhausted: flag, listedAt: number },
  ),
);
