import type { Coverage } from '../model/coverage.ts';
import type { FailureCode } from '../model/delivery.ts';
import type { Incident } from '../model/incident.ts';
import type { Act } from '../model/notification.ts';
import type { Ref } from '../model/ref.ts';

/** What the status of a provider is made of. Times are epoch milliseconds. */
export type ProviderFacts = {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
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
    readonly class: 'permanent' | 'retryable' | 'rateLimited';
    readonly code: FailureCode;
    readonly message: string;
  };
  readonly lastTest?: {
    readonly time: number;
    readonly stream: string;
    readonly delivered: boolean;
    readonly message: string;
  };
  /** A failure that no later delivery has repaired. */
  readonly failing: boolean;
  readonly fallbackInUse?: Ref;
};

/** What the runtime lets the operator read for status. Read-only, synchronous, cheap. */
export type StatusViews = {
  provider(ref: Ref): ProviderFacts | undefined;
  silence(ref: Ref): { readonly suppressed: number; readonly lastMatchAt: number } | undefined;
  coverage(): readonly Coverage[];
  incidents(): Iterable<Incident>;
  failedDeliveries(): number;
};
