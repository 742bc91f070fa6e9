import type { Audience, Disposition, IncidentState } from './incident.ts';
import type { Reason } from './reason.ts';
import type { Ref } from './ref.ts';
import type { Confidence, Severity } from './severity.ts';

/** Whom an incident went to, and whom not, in one audience: each a sentence. */
export type WhyAudience = {
  readonly audience: Audience;
  /** Absent: nothing was decided yet. */
  readonly disposition?: Disposition;
  /** What became of it here, and by what. */
  readonly says: string;
  /** Each AlertProvider of the audience: whether it was told, and why not. */
  readonly providers: readonly { readonly provider: Ref; readonly told: boolean; readonly says: string }[];
};

/** One incident that an object is part of, explained for people. Times are epoch milliseconds. */
export type WhyIncident = {
  readonly id: string;
  readonly state: IncidentState;
  readonly root: Ref;
  readonly reason: Reason;
  readonly severity: Severity;
  readonly confidence: Confidence;
  readonly since: number;
  /** What broke, why, since when and whom it hits: the first sentence of its message. */
  readonly lead: string;
  /** What the object that was asked about has to do with it, where it is not its root. */
  readonly part?: string;
  /** Why this is taken for the cause: the proofs and the steps of the explanation. */
  readonly because: readonly string[];
  /** Where it is in its life, and what it waits for. */
  readonly life: string;
  readonly audiences: readonly WhyAudience[];
};

/** The answer to "why was I told, or not?" about one object. */
export type Why = {
  readonly about: Ref;
  /** What is known of the object itself, one sentence each. */
  readonly says: readonly string[];
  /** Open ones first, the newest first; of those that are over only what the cooldown still holds. */
  readonly incidents: readonly WhyIncident[];
  /** What would become of an incident of it, where none is open. */
  readonly otherwise: readonly WhyAudience[];
};

/** A question that does not say enough, with what to do. `candidates`: the objects that may be meant. */
export type Unclear = { readonly unclear: string; readonly candidates?: readonly Ref[] };

/** What somebody asks about as people write it: the ID of an incident, `deployment/shop/api`, `deploy/api` with a namespace, `api`. */
export type WhyQuestion = { readonly object: string; readonly namespace?: string };
