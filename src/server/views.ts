import type { AccountContext } from '../message/sentences/account.ts';
import type { Coverage } from '../model/coverage.ts';
import type { Edition } from '../model/edition.ts';
import type { ClusterRow, HubView } from '../model/hub.ts';
import type { Audience, Incident } from '../model/incident.ts';
import type { Notification } from '../model/notification.ts';
import type { DeadLetter } from '../model/store.ts';
import type { Unclear, Why, WhyQuestion } from '../model/why.ts';
import type { PostedAlert } from './alerts.ts';
import type { HubReply } from './hub.ts';
import type { HistoryQuestion, InWords } from './past.ts';
import type { ProviderRow } from './provider-row.ts';
import type { ReportQuestion, ReportView } from './report-view.ts';

/** Why `/health` says `degraded`: the documented, bounded list of reason codes. */
export const degradations = [
  'SourceDenied',
  'SourceFailing',
  'SourceNotSynced',
  'LockNotHeld',
  'StateNotLoaded',
  'StateLocked',
  'StateNotDurable',
  'StateDamaged',
  'StateIncomplete',
  'StorageFailing',
  'DeliveryFailing',
  'NoActiveProvider',
  'ConfigInvalid',
  'LicenseExpired',
  'LicenseInvalid',
  'LicenseUnread',
  'ClusterUnreachable',
  'ClockDiffers',
  'SetAside',
] as const;
/** One of the reason codes above. */
export type Degradation = (typeof degradations)[number];

/** One watched resource as `/health` shows it: codes, counts and times, no names of objects. */
export type CoverageRow = Pick<Coverage, 'source' | 'kind' | 'state' | 'reason' | 'since' | 'required'> & {
  /** Objects seen. */
  readonly objects: number;
  /** Of those, the ones that a detector could not judge or that could not be read as they are: what is wrong with them is not known. */
  readonly notJudged: number;
  /** Epoch milliseconds when something was last heard of it; absent when never. */
  readonly heardAt?: number;
};

/** What `/health` is made of. Safe by construction: codes and numbers, nothing that names a secret, URL or message. */
export type HealthView = {
  readonly reasons: readonly Degradation[];
  readonly edition: Edition;
  readonly version: string;
  readonly coverage: readonly CoverageRow[];
};

/** One condition of readiness. */
export type ReadyCheck = {
  /** Bounded CamelCase name: `StateLock`, `StateLoaded`, `Sources`. */
  readonly name: string;
  readonly ok: boolean;
  /** Why not, for people; holds no secret. */
  readonly message?: string;
};

/** Ready when every check is. */
export type ReadyView = { readonly checks: readonly ReadyCheck[] };

/** What `/status` is made of. */
export type StatusView = {
  readonly clusterName: string;
  /** All that are known; the page shows those that are open. */
  readonly incidents: readonly Incident[];
  /** What the message of an incident says. */
  words(incident: Incident): Notification;
  readonly history: PastView;
  /** When the process began to watch (epoch milliseconds): before that it knows only what was saved. */
  readonly watchingSince: number;
  /** Deliveries that ended as failed and are kept, oldest first. */
  readonly deadLetters: readonly DeadLetter[];
  readonly providers: readonly ProviderRow[];
  /** The members, where this is a hub and whoever asks may read of the whole cluster. */
  readonly clusters?: readonly ClusterRow[];
  /** How it stands with the hub, where it has one. */
  readonly hub?: HubView;
  /** Who is told what, and what holds it back. */
  readonly settings: AccountContext['settings'];
};

/** What is remembered of incidents that are over. */
export type PastView = {
  /** Those that fit, what ended last first: as much of each as lists and counts need. */
  find(asked: HistoryQuestion): readonly Incident[];
  /** `undefined`: it is not over, or nobody remembers it. */
  get(id: string): InWords | undefined;
  /** Since when (epoch milliseconds) everything that ended is remembered; absent: nothing is. */
  readonly oldest?: number;
};

/** What an agent posted. */
export type AgentCall = { readonly headers: Readonly<Record<string, string>>; readonly body: string };
/** What it is answered. */
export type AgentAnswer = { readonly status: number; readonly type: string; readonly text: string };

/** What guards a page that not everybody may read. */
export type Guard = {
  /** Whoever asks shows a token, also over loopback. */
  readonly always?: true;
  /** What is granted on its path; default `get`. */
  readonly verb?: 'get' | 'post';
  /** The group of settings that it belongs to; default `statusEndpoint`. */
  readonly setting?: 'statusEndpoint' | 'alertsIn' | 'hub';
  /** Serve it over the network without TLS. */
  readonly allowPlainHTTP: boolean;
  /** Whether the bearer of a token may read it. Rejects when the cluster cannot be asked. */
  authorize(token: string): Promise<'allowed' | 'forbidden' | 'unauthenticated'>;
};

/** `/status` while AlertConfig has it enabled. */
export type StatusPage = Guard & {
  /** Whether the bearer of a token may read what concerns one namespace. Rejects when the cluster cannot be asked. */
  authorizeIn(token: string, namespace: string): ReturnType<Guard['authorize']>;
  /** `audience`: a namespace that may read only what concerns it. */
  view(audience?: Audience): StatusView;
  /** Answers agents, each request by itself. `audience`: as above. Absent: nobody does. */
  agents?(call: AgentCall, audience?: Audience): Promise<AgentAnswer>;
  /** What became of an incident, or of those of an object, or what would at a time (epoch milliseconds). */
  why(asked: WhyQuestion, at: number): Why | Unclear;
  /** What a report is made of. Unclear where what it is asked for is no object's name. */
  report(asked: ReportQuestion): ReportView | Unclear;
};

/** What became of the alerts of one request: how many of them. */
export type AlertsTaken = Readonly<Record<'taken' | 'ended' | 'ignored' | 'unnamed' | 'displaced', number>>;

/** Where alerts are taken while AlertConfig has that enabled. */
export type AlertsDoor = Guard & { take(alerts: readonly PostedAlert[]): AlertsTaken };

/** Where a hub takes the summaries of its members, which their signature lets in. */
export type HubDoor = Pick<Guard, 'allowPlainHTTP'> & { take(body: string): Promise<HubReply> };

/** Read-only views of the process, handed in by whoever composes it. Each is called once per request. */
export type ServerViews = {
  health(): HealthView;
  ready(): ReadyView;
  /** False when a turn has been due for 60 s. */
  alive(): boolean;
  /** `undefined`: it is not enabled. */
  status(): StatusPage | undefined;
  /** `undefined`: everybody may read `/metrics`. */
  metricsGuard(): Guard | undefined;
  /** `undefined`: it is not enabled. `later`: that is not known yet. Absent: nobody takes any. */
  alerts?(): AlertsDoor | 'later' | undefined;
  /** `undefined`: this is no hub. `later`: that is not known yet. Absent: nobody is. */
  hub?(): HubDoor | 'later' | undefined;
  /** Epoch milliseconds. */
  now(): number;
};
