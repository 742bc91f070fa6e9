import type { Acknowledgement } from './acknowledgement.ts';
import type { Edition } from './edition.ts';
import type { AlertRule } from './outside-alert.ts';
import type { OwnWords } from './own-words.ts';
import { defaultOwnerKeys } from './owner.ts';
import type { Contact, Contacts } from './people.ts';
import type { Ref } from './ref.ts';
import type { Selector } from './selector.ts';
import { defaultRows, type RowValues } from './setting-rows.ts';
import type { Severity } from './severity.ts';
import type { Signature } from './signature.ts';

/** Where a secret field's value is. `value` was written in the object itself; it never leaves `SecretSource`. */
export type SecretLocation = { readonly secret: string; readonly key: string } | { readonly inline: true };

/** Whether a provider receives, and why not: the reasons of the condition `Active`. Only `Selected` receives. */
export const activeReasons = ['Selected', 'CommunityLimit', 'Suspended', 'Invalid', 'FallbackOnly'] as const;

/** One of the reasons above. */
export type ActiveReason = (typeof activeReasons)[number];

/** One configured destination as the runtime needs it. Holds references to Secrets, never values. */
export type ProviderSettings = {
  readonly ref: Ref;
  readonly uid: string;
  readonly namespace: string;
  readonly type: string;
  /** The block named by `type`, defaults applied, secret fields absent. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Field path (`url`, `basicAuth.password`, `headers.X-Key`) → where its value is. */
  readonly secrets: Readonly<Record<string, SecretLocation>>;
  readonly routes?: readonly Selector[];
  readonly retry: { readonly maxAttempts?: number; readonly delayMs?: number };
  /** Ref of another provider in the same namespace. */
  readonly fallback?: Ref;
  readonly suspended: boolean;
  /** `false`: that an incident is over is not told; a message that is kept up to date shows it. Absent: it is. */
  readonly sendResolved?: false;
  /** Updates that are no worse ring nobody: they are written into a message that is kept up to date, and not told elsewhere. */
  readonly silentUpdates?: true;
  readonly active: { readonly is: boolean; readonly reason: ActiveReason };
  /** Its configuration is valid and the Secrets it names were there when last read. */
  readonly usable: boolean;
  /** Changes with the generation of the object: an edited destination is usable again. */
  readonly generation: number;
  /**
   * Changes with the Secrets that it names (read again every 60 s): a provider that refused its credentials is worth trying
   * again. Absent until they have been read. Never derived from a secret value.
   */
  readonly credentialVersion?: string;
  /** How its messages are to read. */
  readonly words?: OwnWords;
  /** How owners are reached in its product. Absent: nobody is known there. */
  readonly contacts?: Contacts;
  /** From which severity on they are mentioned. */
  readonly mentionFrom?: Severity;
};

/** A Silence with its times worked out (epoch milliseconds). */
export type SilenceSettings = {
  readonly ref: Ref;
  readonly namespace: string;
  readonly selector: Selector;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly comment?: string;
  readonly createdBy?: string;
};

/** From when until when a window is open (epoch milliseconds): at `startsAt` it is, at `endsAt` it is not. */
export type Opening = { readonly startsAt: number; readonly endsAt: number };

/** A MaintenanceWindow with the opening that it is in, else its next one. */
export type WindowSettings = {
  readonly ref: Ref;
  readonly namespace: string;
  readonly selector: Selector;
  readonly comment?: string;
  /** Whoever makes the settings makes them anew when it is over. Absent: it is suspended, or never opens again. */
  readonly opening?: Opening;
};

/** A threshold or severity override: the first whose selector matches wins. */
export type Override = {
  readonly selector: Selector;
  readonly severity?: Severity;
  readonly maxSeverity?: Severity;
  readonly settleSeconds?: number;
};

/** Everything the custom resources say, as one immutable snapshot. Defaults are applied; times are in the unit named. */
export type Settings = Omit<
  RowValues,
  'heartbeat' | 'app' | 'detection' | 'incidents' | 'delivery' | 'statusEndpoint' | 'owners' | 'alertsIn' | 'hub'
> & {
  readonly edition: Edition;
  /** False while the licence cannot be read: `edition` is what was known last, and saved state is not thrown away. */
  readonly editionIsKnown: boolean;
  /** Namespace of the operator: its objects speak for the whole cluster. */
  readonly operatorNamespace: string;
  /** `timeZone`: of the times in messages, by its IANA name; absent: UTC. One that does not exist is as good as none. */
  readonly app: RowValues['app'] & {
    readonly clusterName: string;
    readonly timeZone?: string;
    readonly proxyURL?: string;
  };
  readonly filters: { readonly namespaces: readonly string[]; readonly reasons: readonly string[] };
  readonly detection: RowValues['detection'] & { readonly overrides: readonly Override[] };
  readonly incidents: RowValues['incidents'] & {
    readonly renotifySeconds: Readonly<Partial<Record<Severity, number>>>;
  };
  readonly messages: {
    readonly runbooks: Readonly<Record<string, string>>;
    readonly dashboardURL?: string;
    readonly statusPageURL?: string;
  };
  /** `keys`: the labels and annotations that name owners. `contacts`: owner → type of provider → how they are reached there. */
  readonly owners: RowValues['owners'] & {
    readonly keys: readonly string[];
    readonly contacts: Readonly<Record<string, Readonly<Partial<Record<string, Contact>>>>>;
  };
  readonly delivery: RowValues['delivery'] & { readonly allowedPrivateDestinations: readonly string[] };
  /** `tls`: over the network the endpoints are served with what this Secret of the operator's namespace holds, besides. */
  readonly statusEndpoint: RowValues['statusEndpoint'] & { readonly tls?: { readonly secretName: string } };
  /** What people know failures of their own by; the first that fits an object counts. */
  readonly signatures: readonly Signature[];
  /**
   * Alerts of Prometheus. `token`: whoever sends it is let in. `names`: globs of the alerts that are taken. `rules`: asked before the usual ones.
   * `severities`: by the value of the label `severity`, besides the usual ones.
   */
  readonly alertsIn: RowValues['alertsIn'] & {
    readonly token?: SecretLocation;
    readonly names: readonly string[];
    readonly rules: readonly AlertRule[];
    readonly severities: Readonly<Record<string, Severity>>;
  };
  /** One message for several clusters. `url`: of the hub that this cluster is a member of. `key`: what both sign with. */
  readonly hub: RowValues['hub'] & { readonly url?: string; readonly key?: SecretLocation };
  /** The request that tells somebody outside that Tocsin works; absent: none. */
  readonly heartbeat?: RowValues['heartbeat'] & { readonly url: SecretLocation };
  readonly providers: readonly ProviderSettings[];
  readonly silences: readonly SilenceSettings[];
  /** ID of an incident → who has acknowledged it, by annotations of the AlertConfig. Absent: nobody. */
  readonly acknowledgements?: Readonly<Record<string, Acknowledgement>>;
  /** On Community they hold nothing back. */
  readonly windows: readonly WindowSettings[];
};

const { heartbeat: _noAddress, ...presetRows } = defaultRows;

/** What applies without an AlertConfig. */
export const defaultSettings: Settings = {
  ...presetRows,
  edition: 'Community',
  editionIsKnown: true,
  operatorNamespace: 'tocsin',
  app: { ...defaultRows.app, clusterName: '' },
  filters: { namespaces: [], reasons: [] },
  detection: { ...defaultRows.detection, overrides: [] },
  incidents: { ...defaultRows.incidents, renotifySeconds: {} },
  messages: { runbooks: {} },
  owners: { ...defaultRows.owners, keys: defaultOwnerKeys, contacts: {} },
  signatures: [],
  alertsIn: { ...defaultRows.alertsIn, names: [], rules: [], severities: {} },
  delivery: { ...defaultRows.delivery, allowedPrivateDestinations: [] },
  providers: [],
  silences: [],
  windows: [],
};
