import type { Delivery, DeliveryReport } from '../model/delivery.ts';
import type { HeardPresses } from '../model/press.ts';
import type { Ref } from '../model/ref.ts';
import type { Evidence } from '../model/turn.ts';

/** What the inputs of one turn come to, before anything is judged. */
export type Taken = {
  /** Objects to judge again. */
  readonly dirty: Set<Ref>;
  readonly reports: DeliveryReport[];
  readonly evidence: Evidence[];
  readonly tests: Delivery[];
  readonly pressed: HeardPresses[];
  /** Ids of tests that newer ones take the place of. */
  readonly droppedTests: string[];
  /** Custom resources whose status may have changed. */
  readonly statuses: Set<Ref>;
  /** The baseline is taken in this turn. */
  baseline: boolean;
};

/** A turn without inputs, for them to be put in. */
export function nothingTaken(): Taken {
  return {
    ...{ dirty: new Set(), reports: [], evidence: [], tests: [], droppedTests: [], statuses: new Set() },
    ...{ pressed: [], baseline: false },
  };
}
