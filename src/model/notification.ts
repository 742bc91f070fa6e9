import type { Command } from './command.ts';
import type { Reason } from './reason.ts';
import type { Ref } from './ref.ts';
import type { Confidence, Severity } from './severity.ts';

/** What a message can be about. The first four belong to an incident, the others stand alone. */
export const acts = ['open', 'update', 'resolve', 'reopen', 'digest', 'startup', 'overview', 'test'] as const;

/** What a message is about. */
export type Act = (typeof acts)[number];

/** Acts that belong to one incident. */
export type IncidentAct = Extract<Act, 'open' | 'update' | 'resolve' | 'reopen'>;

/** A link for people: runbook, dashboard, status page. */
export type Link = { readonly title: string; readonly url: string };

/** One line of a digest, a startup summary or an overview. */
export type ListedIncident = {
  readonly severity: Severity;
  readonly reason: Reason;
  readonly root: Ref;
  /** One plain sentence. */
  readonly says: string;
  readonly affected: number;
  /** When the problem began. Epoch milliseconds. */
  readonly startedAt?: number;
  /** It is over already: a digest tells it all the same. */
  readonly over?: true;
};

/** What a notification says of its incident, for products that take structured data. Times are epoch milliseconds. */
export type IncidentFace = {
  readonly id: string;
  readonly alertKey: string;
  readonly revision: number;
  readonly status: 'open' | 'resolved';
  readonly reason: Reason;
  readonly root: Ref;
  readonly previousSeverity?: Severity;
  /** An update that everybody must see though it is no more severe: it has spread, or a reminder was asked for. */
  readonly ring?: true;
  readonly confidence: Confidence;
  /** One sentence, absent when the cause is unknown. */
  readonly cause?: string;
  readonly affected: { readonly count: number; readonly sample: readonly Ref[] };
  readonly pods: readonly {
    readonly name: string;
    readonly namespace: string;
    readonly node?: string;
    readonly container?: string;
  }[];
  readonly podCount: number;
  readonly labels: Readonly<Record<string, string>>;
  /** Who answers for the root; where nobody is known to, for what it hits. Absent: nobody is known. */
  readonly owners?: readonly string[];
  readonly startedAt: number;
  readonly updatedAt: number;
  readonly resolvedAt?: number;
  /** Somebody has taken it on. */
  readonly acknowledged?: true;
};

/**
 * A decision worth telling, as structured content without any markup. Every string is redacted and free of control
 * characters; renderers escape for their product.
 */
export type Notification = {
  readonly act: Act;
  readonly severity: Severity;
  /** `shop/api crashes: image 1.4.2 → 1.5.0 · nothing serves`: with the cluster behind it, at most 100 characters. */
  readonly title: string;
  /** A sentence or two below the title, which they do not repeat: since when, by whose edit, what the program says. */
  readonly lead: string;
  /** Two or three facts that prove the cause. */
  readonly evidence: readonly string[];
  /** What it means for whoever uses what is hit. */
  readonly impact?: string;
  /**
   * What the title says already: texts for people leave it out, data keep it. `evidence`: how many of its sentences, from the first on.
   */
  readonly inTitle?: { readonly evidence?: number; readonly impact?: true };
  /** A read-only kubectl line; `changesCluster` marks one that is not. It is shown as it is or not at all. */
  readonly nextStep?: { readonly command: Command; readonly changesCluster: boolean };
  /** Last log lines of the container, or its termination message. */
  readonly excerpt?: { readonly source: string; readonly lines: readonly string[] };
  readonly facts: readonly { readonly name: string; readonly value: string }[];
  readonly links: readonly Link[];
  /** `muted until …` or `via … because …`. */
  readonly note?: string;
  readonly cluster: string;
  /** Epoch milliseconds of the decision, not of an attempt. */
  readonly at: number;
  readonly incident?: IncidentFace;
  /** What an overview told of is over. */
  readonly over?: true;
  /** Entries of a digest, startup summary or overview (at most 20; none at the end of a long one) and how many there are in all. */
  readonly list?: {
    readonly entries: readonly ListedIncident[];
    readonly total: number;
    readonly bySeverity: Readonly<Record<Severity, number>>;
  };
};
