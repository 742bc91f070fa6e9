import type { Edition } from '../../../src/model/edition.ts';
import type { Reason } from '../../../src/model/reason.ts';
import type { Hands, Manifest } from './hands.ts';

/**
 * A condition that is brought about on the real control plane, and the finding that it must become. Every case has a namespace
 * of its own; what it makes outside of it is named `<namespace>` or `<namespace>-…`, so that nobody else is judged by it.
 */
export type ProducedCase = {
  /** The row of the catalogue. */
  readonly id: string;
  readonly reason: Reason;
  /** What is special about this case, where a row has several: `a Secret that does not exist`. */
  readonly what?: string;
  /** The edition it is judged in; default Community. */
  readonly edition?: Edition;
  /** On what it is found: a ref in which `*` stands for a generated part, `Pod/<namespace>/api-*`. */
  readonly subject: (namespace: string) => string;
  /** An object that the finding must name, as what it is about: what stands in the way. */
  readonly names?: (namespace: string) => string;
  /** Applied before anybody watches: CRDs of others, StorageClasses. */
  readonly before?: (namespace: string) => readonly Manifest[];
  /** Brings the condition about, as people and controllers would. */
  readonly produce: (hands: Hands) => Promise<void>;
  /** Whether the condition is there as the API shows it. From then on nothing changes any more, and only time goes on. */
  readonly settled: (hands: Hands) => Promise<boolean>;
  /** How long (real seconds) that may take; default 60. */
  readonly settleSeconds?: number;
  /** How soon after it has settled it must be found, in the cluster's time; default 120. Days cost nothing: nobody waits for them. */
  readonly withinSeconds?: number;
  /** Not found before so many seconds after `since` of the finding. */
  readonly quietBeforeSeconds?: number;
  /** A workload that served and now serves nothing: it must be told sooner than others. */
  readonly outage?: true;
  /** The root of the one incident that is told of it, where that is another object than the subject. */
  readonly root?: (namespace: string) => string;
  /** Reasons that rightly are found as well in the same namespace, by then. */
  readonly also?: readonly Reason[];
};

/** Declares a case. */
export function produced(row: ProducedCase): ProducedCase {
  return row;
}

/** The title of its test. */
export function titleOf({ id, reason, what }: ProducedCase): string {
  return `${id} produced: ${reason}${what === undefined ? '' : ` (${what})`}`;
}
