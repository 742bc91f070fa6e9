import { BoundedMap } from '../model/bounded-map.ts';
import type { DeliveryReport } from '../model/delivery.ts';
import { afterReport, emptyLedger, type ProviderLedger } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';
import { fits, flag, number, record, ref, type Shape, text, word } from '../model/shape.ts';

/** Providers whose ledger is kept; the one that was sent to longest ago is forgotten first. */
const remembered = 10_000;

const ledgerShape: Shape<ProviderLedger> = record(
  { delivered: number, failed: number, failing: flag },
  {
    lastDelivery: record(
      { time: number, stream: text, act: word(), attempts: number, durationMs: number },
      { remark: text },
    ),
    lastFailure: record({ time: number, stream: text, act: word(), class: word(), code: word(), message: text }),
    lastTest: record({ time: number, stream: text, delivered: flag, message: text }),
    fallbackInUse: ref,
  },
);

/** Whether a saved value is a ledger. */
export const isLedger = fits(ledgerShape);

/** What became of the deliveries of each provider, by its UID, across restarts. Part of the pure core. */
export class Ledgers {
  readonly #byUid = new BoundedMap<string, ProviderLedger>(remembered);

  /** An attempt or a delivery has ended. */
  learn(report: DeliveryReport): void {
    this.#byUid.set(report.providerUid, afterReport(this.get(report.providerUid), report));
  }

  /** A fallback hears what this provider cannot be told. */
  standsIn(uid: string, fallback: Ref): void {
    const ledger = this.get(uid);
    if (ledger.failing && ledger.fallbackInUse !== fallback)
      this.#byUid.set(uid, { ...ledger, fallbackInUse: fallback });
  }

  get(uid: string): ProviderLedger {
    return this.#byUid.get(uid) ?? emptyLedger;
  }

  /** By the UID of the provider. */
  memory(): ReadonlyMap<string, unknown> {
    return new Map(this.#byUid.entries());
  }

  /** Goes on from what an earlier process counted. */
  restore(memory: ReadonlyMap<string, ProviderLedger>): void {
    for (const [uid, ledger] of memory) this.#byUid.set(uid, ledger);
  }
}
