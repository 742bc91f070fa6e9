import type { FailureClass, FailureCode } from './delivery.ts';
import type { Act } from './notification.ts';
import type { Ref } from './ref.ts';

/** What is known of a provider's deliveries since the start. Times are epoch milliseconds. */
export type ProviderView = {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** Creation of the oldest delivery in the outbox. */
  readonly oldestPendingTime?: number;
  readonly lastDelivery?: {
    readonly time: number;
    readonly stream: string;
    readonly act: Act;
    readonly attempts: number;
    readonly durationMs: number;
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
  /** The fallback that got the last delivery that failed here, while `failing`. */
  readonly fallbackInUse?: Ref;
  /** Probed by one delivery at a time after too many failures. */
  readonly probing: boolean;
};
