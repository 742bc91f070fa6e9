import type { FailureCode } from '../model/delivery.ts';
import type { ProviderSettings } from '../model/settings.ts';

/** A provider and what became of its deliveries. Times are epoch milliseconds. */
export type ProviderRow = Pick<ProviderSettings, 'ref' | 'type' | 'active' | 'usable'> & {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
  /** A failure that no later delivery has repaired. */
  readonly failing: boolean;
  readonly lastDelivery?: { readonly time: number };
  readonly lastFailure?: { readonly time: number; readonly code: FailureCode; readonly message: string };
};
