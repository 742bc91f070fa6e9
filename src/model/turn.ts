import type { Coverage } from './coverage.ts';
import type { Delivery, DeliveryReport } from './delivery.ts';
import type { HubWord, MemberReport, OutsideCause } from './hub.ts';
import type { Decision, Incident } from './incident.ts';
import type { Memo } from './memo.ts';
import type { HeardPresses, PressedRequest } from './press.ts';
import type { ObjectEvent } from './raw-object.ts';
import type { RedeliveryRequest } from './redelivery.ts';
import type { Ref } from './ref.ts';
import type { Settings } from './settings.ts';

/** One run of one container. */
export type ContainerRun = {
  readonly pod: Ref;
  /** UID of the Pod: its namesake has other runs. */
  readonly uid: string;
  readonly container: string;
  /** Which run it is, from 0: how often the container had been restarted before it. */
  readonly attempt: number;
  /** Its log does not grow any more. */
  readonly ended: boolean;
};

/** The end of the log of a run, already redacted. */
export type Evidence = ContainerRun & {
  /** Where the lines are from, in words; '' where there are none. */
  readonly source: string;
  readonly lines: readonly string[];
};

/** What an earlier process left, for this one to go on from. */
export type Restored = {
  readonly incidents: readonly Incident[];
  readonly memos: readonly Memo[];
  /** Epoch milliseconds: when it was last written. */
  readonly savedAt: number;
  /** How far the clock has been set back since then (milliseconds). Absent: it was not. */
  readonly setBackMs?: number;
  /** How deliveries ended that are not delivered; a turn of the earlier process may not have heard of the last. */
  readonly reports: readonly DeliveryReport[];
  /** Ids of deliveries that wait or have failed. Absent: that is not known. */
  readonly undelivered?: readonly string[];
  /** Ids of deliveries that ended lately: what did and has not failed has arrived, and what was dropped is not among them. */
  readonly ended?: readonly string[];
};

/** Everything that can reach the core. A recorder that writes exactly (inputs, now) can replay any run byte for byte. */
export type Input =
  | { readonly kind: 'objects'; readonly source: string; readonly events: readonly ObjectEvent[] }
  | { readonly kind: 'source'; readonly coverage: Coverage }
  /** State was saved: there is no fresh baseline. Comes first, in a turn before the one that takes the baseline. */
  | { readonly kind: 'restored'; readonly saved: Restored }
  /** All sources have synced or failed once (or waited long enough): the baseline is taken in this turn. */
  | { readonly kind: 'baseline' }
  | { readonly kind: 'settings'; readonly settings: Settings }
  /** `evidence` without lines: none could be had, nobody waits for them any longer. */
  | { readonly kind: 'evidence'; readonly evidence: Evidence }
  | { readonly kind: 'outcome'; readonly report: DeliveryReport }
  | { readonly kind: 'test'; readonly provider: Ref; readonly nonce: string }
  | { readonly kind: 'redeliver'; readonly request: RedeliveryRequest }
  /** Buttons of messages were pressed, as a product says. */
  | { readonly kind: 'pressed'; readonly heard: HeardPresses }
  /** A hub's: what another cluster says of the causes outside. */
  | { readonly kind: 'member'; readonly report: MemberReport }
  /** A member's: what the hub has answered. Absent: it has none any more. */
  | { readonly kind: 'hub'; readonly word?: HubWord }
  | { readonly kind: 'lease'; readonly held: boolean }
  | { readonly kind: 'wake' };

/** What one turn changed, to be committed in one transaction. */
export type Batch = {
  readonly incidents: readonly Incident[];
  /** Ids of incidents past their retention. */
  readonly forget: readonly string[];
  readonly enqueue: readonly Delivery[];
  /** Replaces an unsent delivery by id: newer content, or an earlier `notBefore`. */
  readonly replace: readonly Delivery[];
  /** Ids of deliveries that are not to be sent any more. */
  readonly drop: readonly string[];
  /** Dead letters, by the id of their delivery, that leave the list: told again, or not worth it any more. */
  readonly forgetFailed: readonly string[];
  /** What else is to be remembered, or forgotten. */
  readonly memos: readonly Memo[];
  readonly audit: readonly Decision[];
};

/** Changes nothing. */
export const emptyBatch: Batch = {
  ...{ incidents: [], forget: [], enqueue: [], replace: [], drop: [], forgetFailed: [], memos: [], audit: [] },
};

/** What to fetch before an incident is judged for good: the end of the log of one run. */
export type EvidenceRequest = ContainerRun & {
  /** Ask for the run before the present one. */
  readonly previous: boolean;
  readonly lines: number;
};

/** A Kubernetes Event to write on an object. */
export type EventRequest = {
  readonly about: Ref;
  readonly uid: string;
  readonly type: 'Normal' | 'Warning';
  readonly reason:
    | 'IncidentOpened'
    | 'IncidentResolved'
    | 'MaintenanceStarted'
    | 'MaintenanceEnded'
    | 'MaintenanceInvalid'
    | 'MaintenanceNotLicensed';
  readonly message: string;
};

/** Counter increments by metric and label values, since the pure core has no metrics of its own. */
export type Counters = readonly {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly by: number;
}[];

/** What a turn asks the edges to do. */
export type Effects = {
  readonly save: Batch;
  readonly fetch: readonly EvidenceRequest[];
  readonly events: readonly EventRequest[];
  /** What to do about buttons that were pressed. Absent: nothing. */
  readonly pressed?: readonly PressedRequest[];
  /** What the hub is to know of the causes outside of this cluster. Absent: it has no hub. */
  readonly outside?: readonly OutsideCause[];
  /** Custom resources whose status may have changed. */
  readonly statuses: readonly Ref[];
  readonly counters: Counters;
  /** Epoch milliseconds: run a turn then even if nothing arrives. */
  readonly wakeAt?: number;
};

/** Synchronous, awaits nothing, does no I/O: the same inputs and times give the same effects. */
export type Turn = (inputs: readonly Input[], now: number) => Effects;
