import type { Acknowledged, Acknowledgement } from './acknowledgement.ts';
import type { FailureCode } from './delivery.ts';
import type { Explanation } from './explanation.ts';
import type { IncidentAct } from './notification.ts';
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
  'ToldByHub',
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
  'acknowledge',
  'unacknowledge',
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
  /** What suppressed or absorbed it: the Silence's ref, the parent incident's id. Who acknowledged it. */
  readonly by?: string;
  readonly root: Ref;
  readonly reason: Reason;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly affected: number;
  readonly trace: Explanation['trace'];
};

/** An explanation as a reader was told of it, to see what a further message would add. `at`: epoch milliseconds. */
export type Told = {
  readonly severity: Severity;
  readonly reason: Reason;
  readonly root: Ref;
  readonly affected: number;
  readonly at: number;
  /** How sure the cause was said to be. */
  readonly confidence?: Confidence;
  /** What was blamed: the same text for the same cause. Absent: nothing that could be named. */
  readonly cause?: string;
  /** Workloads that were said to be down, or to be hit without a word of how hard. Absent: none. */
  readonly down?: readonly Ref[];
  /** The most severe that was said since it opened, where it was said to be milder since. */
  readonly worst?: Severity;
  /** All that was said to be hit was said to serve still. */
  readonly serves?: true;
  /** When the last update before it was told; absent: there was none. */
  readonly updatedAt?: number;
  /** It was said that it keeps coming back, with the summary of this instant. */
  readonly recurringAt?: number;
  /** It was said that the root is another one than was told first: that is told once. */
  readonly rootRevised?: true;
  /** Other clusters that it was said to hit, by their ids. Absent: none. */
  readonly clusters?: readonly string[];
  /** It was said to be acknowledged since then. */
  readonly acknowledgedAt?: number;
};

/** A disposition with its cause, as it stands now for one audience. */
export type Standing = {
  readonly disposition: Disposition;
  /** Ref of the Silence or window, field of the filter, id of the parent incident. */
  readonly by?: string;
  /** Epoch milliseconds when it was last decided. */
  readonly at: number;
};

/** UID of an AlertProvider: one made anew under the same name is another one, which knows nothing. */
export type ProviderUid = string;

/**
 * What a reader certainly or perhaps knows of an incident. `perhapsOpen`, `perhapsOver`: an attempt to say so may have arrived, and
 * nothing since has.
 */
export type Knowledge = 'nothing' | 'perhapsOpen' | 'open' | 'perhapsOver' | 'over';

/** A message on its way: accepted for delivery, and its end not reported. */
export type Sending = {
  /** `startup`: the summary of what was open is how it hears of it. */
  readonly act: IncidentAct | 'startup';
  /** The incident's revision; of a summary 1. */
  readonly sequence: number;
  /** What it says, of an end what it ends. */
  readonly told: Told;
  /** Id of the summary. */
  readonly summary?: string;
};

/** Why a reader could not be told, as far as is known. */
export type Trouble = {
  /** Epoch milliseconds of the last failed attempt. */
  readonly at: number;
  readonly code: FailureCode;
  /** For people, without secrets, bounded. */
  readonly message: string;
  /** It has lasted so long that a fallback is to be told, or nobody tries any more. */
  readonly overdue: boolean;
  /** Deliveries that ended in vain since something last arrived. 0: the first is still being tried. */
  readonly givenUp: number;
  /** The product refused it as it is: that it takes other messages says nothing. */
  readonly refused?: true;
};

/** What one provider really heard of an incident: the ledger that everything due follows from. */
export type Hearing = {
  readonly knows: Knowledge;
  /** What arrived last, or may have where nothing else has. */
  readonly told?: Told;
  /** What may have arrived since. */
  readonly perhaps?: Told;
  /** What is on its way, the oldest first. Absent: nothing. */
  readonly sending?: readonly Sending[];
  readonly trouble?: Trouble;
  /** The lists that named it, and as how severe: startup summaries of what was there at the start, overviews, digests. */
  readonly listed?: readonly {
    readonly act: 'startup' | 'overview' | 'digest';
    /** Id of the summary: its stream. */
    readonly id: string;
    readonly severity: Severity;
    /** Of a list that is told anew in its course: which of these named it first. Absent: the only one. */
    readonly sequence?: number;
    /** It was said that everything that the list named is over. */
    readonly over?: true;
    /** How often that was said, or tried. */
    readonly closings?: number;
    /** The incident has ended since it was named, and fails again: the list does not tell that. */
    readonly past?: true;
  }[];
  /** Its opening, as severe as this, waits for an overview: too much was told at once. */
  readonly collapsed?: Severity;
  /** Providers that could not be told, for which it was told, or was told that they were not. */
  readonly standsInFor?: readonly ProviderUid[];
};

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
  /** Since when the hub is asked whether it tells it, so that nobody is told yet. */
  readonly askedAt?: number;
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
  /** What each provider heard of it. Who is not in it knows nothing. */
  readonly hearings: Readonly<Record<ProviderUid, Hearing>>;
  /** It was there before Tocsin could see it: summarized, its end is not told. */
  readonly baseline?: true;
  /** How it stood then, with every reason that it had: what is worse or another failure is told. */
  readonly atStart?: Told & { readonly reasons: readonly Reason[] };
  /** It is worse now than the startup summary said, or fails in another way: that summary does not tell it any more. */
  readonly outgrown?: true;
  /** The incident it is part of now. */
  readonly foldedInto?: string;
  /** The root had a finding of its own: when that clears, what is left has outlived the cause. */
  readonly rootFailed?: true;
  /**
   * It keeps coming back, as was summed up at `toldAt`, and how often it has come back since then. `summary`: what was summed up then;
   * absent at the first time.
   */
  readonly recurring?: {
    readonly toldAt: number;
    readonly returns: number;
    readonly summary?: { readonly times: number; readonly since: number };
  };
  /** What namespaces last saw of it that it does not concern any more: they are told its end. */
  readonly left?: Readonly<Record<Audience, Explanation>>;
  /** The incident of the same problem before this one, and which time this week it is. */
  readonly previous?: { readonly id: string; readonly times: number };
  /** Since when reason and cause have been what they are (epoch milliseconds): what flickers is no news. */
  readonly faceSince?: number;
  /** When workloads of it were first seen to have no ready replica left (epoch milliseconds), bounded. Absent: none of them. */
  readonly downSince?: Readonly<Record<Ref, number>>;
  /** The explanation with the last cause that was told: a rollback takes the edit away, not what people know. */
  readonly blamed?: Explanation;
  /** Who has taken it on. Absent: nobody. */
  readonly acknowledged?: Acknowledged;
  /** What acknowledged it before it was over and failed again: it does not any more, as long as the annotation says no other thing. */
  readonly lapsed?: Acknowledgement;
  /** What acknowledged it before that was taken back, and when (epoch milliseconds): a product that still says so says nothing new. */
  readonly withdrawn?: Acknowledgement & { readonly at: number };
};
