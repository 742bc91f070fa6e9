import { BoundedMap } from '../model/bounded-map.ts';
import type { DeliveryReport } from '../model/delivery.ts';

/** Failed deliveries of which it is remembered that they were taken in: more than a store keeps dead letters. */
const rememberedFailures = 1_000;

/**
 * How deliveries ended, each taken in once: what is reported before anything can be decided waits (saved deliveries are sent as
 * soon as their providers are known), and a failure that a turn has heard of is not heard again after a restart.
 */
export class Reports {
  #waiting: DeliveryReport[] = [];
  /** Ids of failed deliveries. */
  readonly #failures = new BoundedMap<string, true>(rememberedFailures);

  /** The reports to decide from: none as long as nothing is decided. */
  take(reports: readonly DeliveryReport[], decides: boolean): readonly DeliveryReport[] {
    for (const report of reports) if (decides || report.ended !== 'pending') this.#waiting.push(report);
    if (!decides) return [];
    const taken = this.#waiting;
    this.#waiting = [];
    for (const { ended, delivery } of taken) if (ended === 'failed') this.#failures.set(delivery, true);
    return taken;
  }

  /** Failures that were taken in, by delivery. */
  memory(): ReadonlyMap<string, true> {
    return new Map(this.#failures.entries());
  }

  /** `reports`: failures that were saved; those that were taken in before the restart are not taken in again. */
  restore(reports: readonly DeliveryReport[], failures: ReadonlyMap<string, true>): void {
    for (const id of failures.keys()) this.#failures.set(id, true);
    for (const report of reports) if (!failures.has(report.delivery)) this.#waiting.push(report);
  }
}
