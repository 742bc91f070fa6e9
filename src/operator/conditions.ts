import type { ConditionReason, ConditionType } from '../api/conditions.ts';
import type { Kind } from '../api/group.ts';
import { unknownReasons } from '../api/rules/reasons.ts';
import { cleanText } from '../model/redact.ts';
import type { Selector } from '../model/selector.ts';

/** A condition by the API conventions, as it stands in a status. */
export type StatusCondition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  /** RFC 3339, whole seconds. */
  readonly lastTransitionTime: string;
  readonly observedGeneration?: number;
};

/** A condition as a builder states it: type, status, a reason from the documented list, and a sentence for people. */
export type Stated<K extends Kind> = {
  readonly [C in ConditionType<K>]: {
    readonly type: C;
    readonly status: StatusCondition['status'];
    readonly reason: ConditionReason<K, C>;
    readonly message: string;
  };
}[ConditionType<K>];

/** What is said of a selector that names reasons which do not exist; `undefined`: all of them do. */
export function selectsByUnknown({ reasons = [] }: Pick<Selector, 'reasons'>) {
  const message = unknownReasons(reasons, 'spec.selector.reasons')
    .map((unknown) => unknown.message)
    .join('; ');
  if (message === '') return undefined;
  return [
    { type: 'Ready', status: 'False', reason: 'Invalid', message },
    { type: 'Stalled', status: 'True', reason: 'UnknownReason', message },
  ] as const;
}

/** The last delivery arrived. */
export const delivered = {
  type: 'Delivering',
  status: 'True',
  reason: 'Delivered',
  message: 'The last delivery succeeded.',
} as const;
/** Nothing was to be delivered. */
export const nothingDelivered = {
  type: 'Delivering',
  status: 'Unknown',
  reason: 'NothingDelivered',
  message: 'Nothing has been delivered yet.',
} as const;

/** Longest message the schema takes. */
const longestMessage = 1024;

/** An instant as statuses show it: RFC 3339, UTC, whole seconds. */
export function instantOf(milliseconds: number): string {
  return new Date(Math.floor(milliseconds / 1000) * 1000).toISOString().replace('.000Z', 'Z');
}

/** A sentence for a status: without control characters, no longer than the schema takes. */
export function shortened(message: string): string {
  return cleanText(message, longestMessage);
}

/** The conditions of a status: `lastTransitionTime` moves only when `status` does. */
export function conditionsOf<K extends Kind>(
  stated: readonly (Stated<K> & { readonly reason: string })[],
  previous: readonly StatusCondition[] | undefined,
  generation: number,
  now: number,
): readonly StatusCondition[] {
  return stated.map(({ type, status, reason, message }): StatusCondition => {
    const before = previous?.find((condition) => condition.type === type);
    return {
      type,
      status,
      reason,
      message: shortened(message),
      lastTransitionTime: before?.status === status ? before.lastTransitionTime : instantOf(now),
      observedGeneration: generation,
    };
  });
}

/** What makes a status urgent: what its conditions say, without their times. */
export function urgencyOf(conditions: readonly StatusCondition[] | undefined, more?: unknown): unknown {
  return {
    conditions: (conditions ?? []).map(({ type, status, reason, message, observedGeneration }) => {
      return { type, status, reason, message, observedGeneration };
    }),
    more: more ?? null,
  };
}
