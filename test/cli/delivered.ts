import { reportOf } from '../../src/delivery/report.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import type { Core } from '../../src/turn/core.ts';

/** A turn after which everything that it tells arrives at once. `now`: epoch milliseconds. */
export function turnDelivered(core: Core, inputs: readonly Input[], now: number): Effects {
  let effects = core.turn(inputs, now);
  while (effects.save.enqueue.length > 0) {
    const outcomes = effects.save.enqueue.map((delivery): Input => {
      const report = reportOf(delivery, { ended: 'delivered', attempts: 1, mayHaveArrived: true }, now);
      return { kind: 'outcome', report };
    });
    effects = core.turn(outcomes, now);
  }
  return effects;
}
