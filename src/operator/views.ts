import type { Coverage } from '../model/coverage.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Ref } from '../model/ref.ts';

/** What the runtime lets the operator read for status. Read-only, synchronous, cheap. */
export type StatusViews = {
  provider(ref: Ref): ProviderView | undefined;
  silence(ref: Ref): { readonly suppressed: number; readonly lastMatchAt: number } | undefined;
  coverage(): readonly Coverage[];
  incidents(): Iterable<Incident>;
  failedDeliveries(): number;
};
