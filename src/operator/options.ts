import type { ApiClient } from '../kube/api-client.ts';
import type { EventRecord } from '../kube/events.ts';
import type { AuditView } from '../model/audit.ts';
import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';
import type { HeartbeatView } from '../model/heartbeat.ts';
import type { HubView } from '../model/hub.ts';
import type { Incident } from '../model/incident.ts';
import type { ProviderView } from '../model/provider-view.ts';
import type { Redelivery, RedeliveryRequest } from '../model/redelivery.ts';
import type { Ref } from '../model/ref.ts';
import type { RouteCount } from '../model/routes.ts';
import type { Secret } from '../model/secret.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ServingCertificateView } from '../model/serving-certificate.ts';
import type { ProviderSettings, Settings } from '../model/settings.ts';
import type { StateView } from '../model/state-view.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { LicenseOptions } from './licensing.ts';
import type { StartReflection } from './own-kinds.ts';

/** What the runtime lets the operator read for status. Read-only, synchronous, cheap. */
export type StatusViews = {
  provider(ref: Ref): ProviderView | undefined;
  /** What each route of a provider has taken, in their order; `undefined` while nobody has counted. */
  routes(ref: Ref): readonly (RouteCount | undefined)[] | undefined;
  /** What a Silence or MaintenanceWindow has muted since this process began. */
  muted(ref: Ref): { readonly suppressed: number; readonly lastMatchAt: number } | undefined;
  coverage(): readonly Coverage[];
  incidents(): Iterable<Incident>;
  failedDeliveries(): number;
  state(): StateView;
  /** What came of the last request to send again what failed, by the UID of the provider. */
  redelivery(uid: string): Redelivery | undefined;
  audit(): AuditView;
  heartbeat(): HeartbeatView;
  hub(): HubView;
  servingCertificate(): ServingCertificateView;
};

/** What the custom-resource side works with. */
export type CustomResourcesOptions = {
  readonly client: ApiClient;
  readonly reflect: StartReflection;
  readonly clock: Clock;
  readonly namespace: string;
  readonly log: Logger;
  readonly views: StatusViews;
  /** Made from this operator's own view of the providers. */
  readonly secrets: (lookup: {
    provider(ref: Ref): Pick<ProviderSettings, 'namespace' | 'secrets' | 'generation'> | undefined;
    inline(provider: Ref, field: string): Secret | undefined;
  }) => SecretSource;
  readonly licenses: LicenseOptions;
  readonly recordEvent: (event: EventRecord) => void;
  /**
   * What the custom resources say has changed. The first time once all four kinds have been listed and every object has been
   * looked at: half a configuration would choose the wrong provider and forget silences.
   */
  readonly onSettings: (settings: Settings) => void;
  readonly onTest: (provider: Ref, nonce: string) => void;
  /** What failed for good at a provider is to be sent again. */
  readonly onRedeliver: (request: Omit<RedeliveryRequest, 'lost'>) => void;
  /** A provider's spec or Secrets changed, after `onSettings`: what waits for it may be tried at once. */
  readonly onProviderChanged: (provider: Ref) => void;
  readonly onCoverage: (coverage: Coverage) => void;
};
