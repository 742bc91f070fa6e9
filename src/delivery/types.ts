import type { Clock } from '../model/clock.ts';
import type { DeliveryReport } from '../model/delivery.ts';
import type { Ref } from '../model/ref.ts';
import type { Secret } from '../model/secret.ts';
import type { SecretSource } from '../model/secret-source.ts';
import type { ProviderSettings } from '../model/settings.ts';
import type { Store } from '../model/store.ts';
import type { TypeTraits } from '../model/traits.ts';
import type { ProviderTls } from '../providers/kit/tls.ts';
import type { AwsIdentity, Mail, ProviderType, Send } from '../providers/provider.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';

/** A provider type as the dispatcher runs it, whatever its `config` is. */
export type DispatchedType = Pick<
  ProviderType<unknown>,
  'type' | 'product' | 'plain' | 'pacing' | 'reaches' | 'minTimeoutMs' | 'settlesAfterMs' | 'deliver' | 'find'
> &
  Pick<TypeTraits, 'edits'> & {
    /** Puts opened secrets into the settings' `config`: what `deliver` gets. */
    join(config: Readonly<Record<string, unknown>>, secrets: ReadonlyMap<string, Secret>): unknown;
  };

/** What of a type decides how long is waited for its answers. */
export type WaitsFor = Pick<DispatchedType, 'minTimeoutMs'>;

/** Everything the dispatcher works with. */
export type DispatcherOptions = {
  readonly store: Store;
  /** The operator's: AlertProviders of other namespaces share what one namespace may use. */
  readonly namespace: string;
  /** The providers as the settings have them now: the same map until they change, and never that map changed. */
  readonly providers: () => ReadonlyMap<Ref, ProviderSettings>;
  readonly types: (type: string) => DispatchedType | undefined;
  readonly secrets: SecretSource;
  /** Never goes back. */
  readonly clock: Clock;
  /** Epoch milliseconds as the host has them, for signatures: a product judges them by a clock of its own. */
  readonly hostNow: () => number;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** The sender for one provider: its time-out, the addresses it may reach, and what its connections are made with. */
  readonly send: (provider: ProviderSettings, type: WaitsFor, tls: ProviderTls | undefined) => Send;
  /** The mailer for one provider, under the same rules. */
  readonly mail: (provider: ProviderSettings, type: WaitsFor, tls: ProviderTls | undefined) => Mail;
  /** Who the process is to AWS, for a provider that may come as Tocsin. */
  readonly aws?: (provider: ProviderSettings) => AwsIdentity | undefined;
  /** Told of every end of an attempt or of a delivery. It may commit and `kick` again. */
  readonly report: (report: DeliveryReport) => void;
  /** Whether it begins paused: until the state lock is held. */
  readonly paused: boolean;
  /**
   * Whether the state lock is held at this very moment. A process that was suspended learns that it lost the lock only when its timers run
   * again; `pause` or `resume` follows.
   */
  readonly holdsLock: () => boolean;
  readonly log: Logger;
  readonly metrics: Metrics;
};
