import type { DeliveryReport, FailureClass, FailureCode } from './delivery.ts';
import type { Act } from './notification.ts';
import type { Ref } from './ref.ts';

/** What became of a provider's deliveries so far. Times are epoch milliseconds. */
export type ProviderLedger = {
  readonly delivered: number;
  readonly failed: number;
  readonly lastDelivery?: {
    readonly time: number;
    readonly stream: string;
    readonly act: Act;
    readonly attempts: number;
    readonly durationMs: number;
    /** What people should know of it. */
    readonly remark?: string;
  };
  readonly lastFailure?: {
    readonly time: number;
    readonly stream: string;
    readonly act: Act;
    readonly class: FailureClass;
    readonly code: FailureCode;
    readonly message: string;
  };
  readonly lastTest?: {
    readonly time: number;
    readonly stream: string;
    readonly delivered: boolean;
    readonly message: string;
  };
  /** True after a failure that no later delivery has repaired. */
  readonly failing: boolean;
  /** The fallback that hears what cannot be told here, while `failing`. */
  readonly fallbackInUse?: Ref;
};

/** What is under way for a provider. */
export type ProviderQueue = {
  readonly pending: number;
  /** Creation of the oldest delivery in the outbox (epoch milliseconds). */
  readonly oldestPendingTime?: number;
  /** Probed by one delivery at a time after too many failures. */
  readonly probing: boolean;
};

/** What is known of a provider's deliveries. `readBackFailure`: why nobody can be asked who acknowledges there. */
export type ProviderView = ProviderLedger & ProviderQueue & { readonly readBackFailure?: string };

/** The ledger of a provider that has delivered nothing. */
export const emptyLedger: ProviderLedger = { delivered: 0, failed: 0, failing: false };

/** A ledger after an attempt or a delivery has ended. */
export function afterReport(ledger: ProviderLedger, report: DeliveryReport): ProviderLedger {
  const { at: time, stream, act, attempts, durationMs, ended, failure, remark } = report;
  if (ended === 'dropped') return ledger;
  const lastTest = { time, stream, delivered: ended === 'delivered', message: failure?.message ?? '' };
  const tested = act === 'test' ? { lastTest } : {};
  if (ended === 'delivered') {
    const { fallbackInUse: _, ...before } = ledger;
    const lastDelivery = { time, stream, act, attempts, durationMs, ...(remark && { remark }) };
    return { ...before, delivered: ledger.delivered + 1, failing: false, lastDelivery, ...tested };
  }
  return {
    ...ledger,
    ...{ failed: ledger.failed + (ended === 'failed' ? 1 : 0), failing: true },
    ...(failure && { lastFailure: { time, stream, act, ...failure } }),
    ...tested,
  };
}
