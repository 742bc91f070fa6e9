import { isListOf, isNumber, isText } from '../model/memory.ts';

/** An opening as it counts: its namespace is that of its root. `at`: epoch milliseconds. */
export type Opening = { readonly at: number; readonly namespace: string };

/** A throttle as it is remembered. `listedAt`: absent when no overview has been sent. */
export type ThrottleMemory = {
  readonly recent: readonly Opening[];
  readonly critical: readonly number[];
  readonly unlisted: readonly string[];
  readonly hasCritical: boolean;
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
    isListOf(critical, isNumber) &&
    isListOf(unlisted, isText) &&
    typeof hasCritical === 'boolean' &&
    typeof storming === 'boolean' &&
    (listedAt === undefined || isNumber(listedAt))
  );
}
