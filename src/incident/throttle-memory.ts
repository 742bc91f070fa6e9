import { isListOf, isNumber, isText } from '../model/memory.ts';
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

function isOpening(value: unknown): value is Opening {
  if (typeof value !== 'object' || value === null) return false;
  return 'at' in value && isNumber(value.at) && 'namespace' in value && isText(value.namespace);
}

/** Whether something remembered is a throttle. */
export function isThrottleMemory(value: unknown): value is ThrottleMemory {
  if (typeof value !== 'object' || value === null) return false;
  const { recent, critical, unlisted, hasCritical, listedAt, storming }: Partial<Record<string, unknown>> = {
    ...value,
  };
  return (
    isListOf(recent, isOpening) &&
    isListOf(critical, isOpening) &&
    isListOf(unlisted, isText) &&
    typeof hasCritical === 'boolean' &&
    typeof storming === 'boolean' &&
    (listedAt === undefined || isNumber(listedAt))
  );
}
