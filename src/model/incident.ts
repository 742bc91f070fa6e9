import type { Explanation } from './explanation.ts';
import type { Reason } from './reason.ts';
import type { Ref } from './ref.ts';
import type { Confidence, Severity } from './severity.ts';

/** Where an incident is in its life. `Settling` has told nobody; `Resolved` may reopen within the cooldown. */
export const incidentStates = ['Settling', 'Open', 'Recovering', 'Resolved'] as const;
/** One of the states above. */
export type IncidentState = (typeof incidentStates)[number];

/** Whom a disposition is for: the whole cluster (`''`) or one namespace that has providers. */
export type Audience = string;

/** What became of an opening, an update or a resolution, for one audience. One enum for metrics, status, audit and `why`. */
export const dispositions = [
  'Baseline',
  'Folded',
  'Filtered',
  'Maintenance',
  'Silenced',
  'Digested',
  'Delivered',
] as const;
/** One of the dispositions above. */
export type Disposition = (typeof dispositions)[number];

/** What can be done about an incident. */
export const decisionActions = [
  'open',
  'update',
  'resolve',
  'reopen',
  'suppress',
  'fold',
  'forget',
  'recover',
  'unmute',
] as const;
/** One of the actions above. */
export type DecisionAction = (typeof decisionActions)[number];

/** What was done about an incident at one instant, and why. One JSON line in the audit log and in a replay. */
export type Decision = {
  /** RFC 3339. */
  readonly time: string;
  readonly incident: string;
  readonly action: DecisionAction;
  readonly from: IncidentState | null;
  readonly to: IncidentState | null;
  readonly audience: Audience;
  readonly disposition: Disposition;
  /** CamelCase code of why: `Settled`, `SeverityRaised`, `RootRevised`, `HeldGood`, `Silence`, `NamespaceFilter`, … */
  readonly reasonCode: string;
  /** What suppressed or absorbed it: the Silence's ref, the parent incident's id. */
  readonly by?: string;
  readonly root: Ref;
  readonly reason: Reason;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly affected: number;
  readonly trace: Explanation['trace'];
};

/** An explanation as people were told of it, to see what a further message would add. `at`: epoch milliseconds. */
export type Told = {
  readonly severity: Severity;
  readonly reason: Reason;
  readonly root: Ref;
  readonly affected: number;
  readonly at: number;
};

/** A disposition with its cause, as it stands now for one audience. */
export type Standing = {
  readonly disposition: Disposition;
  /** Ref of the Silence or window, field of the filter, id of the parent incident. */
  readonly by?: string;
  /** Epoch milliseconds when it was last decided. */
  readonly at: number;
  /** What this audience was told last. Absent: nothing yet. */
  readonly told?: Told;
};

/** UID of an AlertProvider: one made anew under the same name is another one, which knows nothing. */
export type ProviderUid = string;

/**
 * A problem people should know about: one explanation followed through time. Times are epoch milliseconds. A plain value:
 * the store saves it as it is.
 */
export type Incident = {
  /** Opaque: hash(alertKey, when the problem was first seen). Survives a revised root. */
  readonly id: string;
  /** hash(cluster, root and reason at the first delivery): what products know it by, the same across restarts. */
  readonly alertKey: string;
  readonly state: IncidentState;
  /** What it is about. Of a resolved one only what its end, a list of it and its return need. */
  readonly explanation: Explanation;
  /** When the problem began, by the objects' own times. */
  readonly startedAt: number;
  /** When it was first seen; of one that is failing again since its end, when that was seen. */
  readonly seenAt?: number;
  /** It was a symptom of another incident: it does not settle before this instant. */
  readonly settlesFrom?: number;
  readonly openedAt?: number;
  /** Since when everything has been clear, while `Recovering`. */
  readonly clearSince?: number;
  readonly resolvedAt?: number;
  /** It ended after this instant while Tocsin was not running, so that nobody saw when; `clearSince` is when that was found out. */
  readonly unseenSince?: number;
  /** Counts notifications of this incident, from 1: the order receivers can rely on. */
  readonly revision: number;
  /** Recoveries that follow each other closely enough to be one story, newest last; those of incidents before it included. */
  readonly recoveries: readonly number[];
  readonly standings: Readonly<Record<Audience, Standing>>;
  /**
   * Active providers that it goes to, since their routes picked it once: the set only grows, whatever becomes of labels and
   * routes. Absent: none yet.
   */
  readonly takenBy?: readonly ProviderUid[];
  /** Providers that got (or will get) the opening: they get every later act. */
  readonly toldTo: readonly ProviderUid[];
  /** Of those the ones that were told its end last: the next thing they hear of it is that it is open again. */
  readonly endToldTo?: readonly ProviderUid[];
  /** Of those the ones that could not be told its end: they are told when they can be. */
  readonly endOwedTo?: readonly ProviderUid[];
  /** Providers that saw it only in a list (startup summary, overview, digest), and in which message. */
  readonly listedIn?: readonly {
    readonly provider: ProviderUid;
    readonly act: 'startup' | 'overview' | 'digest';
    /** Id of the summary: its stream. */
    readonly id: string;
  }[];
  /** It was there before Tocsin could see it: summarized, its end is not told. */
  readonly baseline?: true;
  /** How it stood then, with every reason that it had: what is worse or another failure is told. */
  readonly atStart?: Told & { readonly reasons: readonly Reason[] };
  /** The incident it is part of now. */
  readonly foldedInto?: string;
  /** The root had a finding of its own: when that clears, what is left has outlived the cause. */
  readonly rootFailed?: true;
  /** The root was revised and that was told: it is told once. */
  readonly rootRevised?: true;
  /** That it keeps coming back was told, at `toldAt`; how often it has come back since then. */
  readonly recurring?: { readonly toldAt: number; readonly returns: number };
  /** What namespaces last saw of it that it does not concern any more: they are told its end. */
  readonly left?: Readonly<Record<Audience, Explanation>>;
  /** The incident of the same problem before this one, and which time this week it is. */
  readonly previous?: { readonly id: string; readonly times: number };
  /** The explanation as it was when an opening or update was last considered, told or muted. Absent: nobody was told yet. */
  readonly considered?: Told;
};
