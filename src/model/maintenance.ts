import type { Ref } from './ref.ts';

/** Which objects an annotation has put into maintenance, at one instant. */
export type MaintenanceMarks = {
  /** Who carries the annotation: the object itself, an owner of it, its Namespace or its Node; `undefined`: nobody. */
  coverOf(ref: Ref): Ref | undefined;
  /** When that changes by time alone (epoch milliseconds); `Infinity`: never. */
  readonly changesAt: number;
  /** Differs from what it was when an annotation has come, changed or gone. */
  readonly revision: number;
};

/** Nothing is in maintenance. */
export const noMarks: MaintenanceMarks = { coverOf: () => undefined, changesAt: Number.POSITIVE_INFINITY, revision: 0 };
