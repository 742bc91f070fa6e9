import type { ChangeField } from './change-field.ts';
import type { Finding } from './finding.ts';
import type { TellingSign } from './heard-sign.ts';
import type { ClusterHit } from './hub.ts';
import type { Reason } from './reason.ts';
import type { Ref } from './ref.ts';
import type { Confidence, Severity } from './severity.ts';
import type { Subject } from './subject.ts';

/** One line of an explanation's trace: which row or scorer said what about which object. For people and the audit log. */
export type Step = { readonly rule: string; readonly about: Ref; readonly says: string; readonly score?: number };

/** A change that an explanation blames: a field of an object, when, by whom (`kubectl-set`, `Argo CD application shop`), from and to where known. */
export type BlamedChange = {
  readonly ref: Ref;
  readonly field: ChangeField;
  /** The container, for a field of one. */
  readonly container?: string;
  /**
   * Which parts of the field: variables of `env` by name, `limits.memory` of `resources`, the keys that the `data` of a ConfigMap lost.
   * Absent: it has none.
   */
  readonly parts?: readonly string[];
  /** Other fields of the same edit that could have done it as well. Absent: none. */
  readonly also?: readonly ChangeField[];
  /** Epoch milliseconds. */
  readonly at: number;
  readonly by?: string;
  readonly from?: string;
  readonly to?: string;
  /** False when the API only shows that it may have changed (ConfigMap data). Absent: it did. */
  readonly certain?: false;
};

/** What speaks for a cause or against it: a code with its facts. `message` has the words. */
export type Proof =
  /** How many of the Pods on a Node fail with it. */
  | { readonly code: 'ShareOfNode'; readonly failing: number; readonly all: number }
  /** All siblings that run elsewhere are healthy, or most. */
  | { readonly code: 'HealthyElsewhere'; readonly all: boolean }
  /** All that fails is of the new revision while Pods of the old one are healthy, or most. */
  | { readonly code: 'OnlyNewRevision'; readonly all: boolean }
  /** A key that is not there, and the one that is: of its own, or (`isInUse`) one that Pods which run were started with. */
  | {
      readonly code: 'AlikeKey';
      readonly of: Ref;
      readonly key: string;
      readonly alike: string;
      readonly isInUse: boolean;
    }
  /** An object does not exist; one of its kind that is called nearly so does. */
  | { readonly code: 'AlikeName'; readonly missing: Ref; readonly alike: string }
  /** An object does not exist; it does in one other namespace. */
  | { readonly code: 'SameNameElsewhere'; readonly missing: Ref; readonly namespace: string }
  /** A Pod asks for more than the largest Node offers: cores or bytes. */
  | {
      readonly code: 'LargerThanNodes';
      readonly resource: 'CPU' | 'memory';
      readonly asks: number;
      readonly largest: number;
    }
  /** No Node has the label that a Pod selects; some have nearly the same. */
  | { readonly code: 'AlikeLabel'; readonly wants: string; readonly has: string }
  /** A workload got more replicas shortly before the room was used up. */
  | { readonly code: 'GrewBefore'; readonly change: BlamedChange }
  /** A program names a port that the Service does not have; `offers`: the ports that it has. */
  | { readonly code: 'WrongPort'; readonly service: Ref; readonly port: number; readonly offers: readonly number[] }
  /** An edit was made, but its Pods were ready for so long (milliseconds) that it is not blamed. */
  | { readonly code: 'ServedAfterEdit'; readonly change: BlamedChange; readonly servedMs: number }
  /** Settings that what fails reads were edited shortly before, and it does not say that this is why. */
  | { readonly code: 'EditedBeside'; readonly change: BlamedChange }
  /** What fails names a workload that fails as well, since an instant (epoch milliseconds), and does not say that this is why. */
  | { readonly code: 'DownBeside'; readonly of: Ref; readonly since: number };

/** What one workload's share of an explanation would be as an incident of its own, were the common root not known. */
export type ExplanationPart = {
  readonly root: Subject;
  readonly reason: Reason;
  readonly severity: Severity;
  readonly members: readonly Finding[];
};

/** How much of a workload still serves: what it wants and what is ready, without what a lost node took with it. */
export type WorkloadHealth = { readonly ref: Ref; readonly wanted: number; readonly ready: number };

/** A run of a container that is worth reading: of which Pod, which run it is from 0, and whether it is over. */
export type SamplePod = {
  readonly ref: Ref;
  readonly container: string;
  /** It is the run before the present one. */
  readonly previous: boolean;
  readonly attempt: number;
  readonly ended: boolean;
};

/** A Service behind which nothing serves, and where people reach it from outside: `shop.example.com/cart`. */
export type Unreachable = { readonly service: Ref; readonly at: readonly string[] };

/** Findings with one common cause. The output of `explain`, the input of `incident`, which never reads the world. */
export type Explanation = {
  readonly root: Subject;
  /** The root's reason as the title shows it. */
  readonly reason: Reason;
  readonly severity: Severity;
  readonly confidence: Confidence;
  /** Every finding this explanation covers, the root's own first. Never empty. */
  readonly members: readonly Finding[];
  /** Every distinct object with a member finding, and owners of those objects that are hit, without the root. */
  readonly affected: readonly Subject[];
  /** How many those are, where the list is only a sample of them: of what is over not everything is kept. */
  readonly affectedCount?: number;
  /** What changed shortly before and is blamed for it. */
  readonly change?: BlamedChange;
  /** Top owners hit (workloads), for the narrative and for impact. */
  readonly workloads: readonly Ref[];
  /** Of those the ones that keep replicas, in the same order: what is left of each. */
  readonly impact?: readonly WorkloadHealth[];
  /** Other clusters that report the same cause, by name. Absent: this is no hub, or none does. */
  readonly clusters?: readonly ClusterHit[];
  /** Services that nobody answers at because of it. Absent: none that is known. */
  readonly unreachable?: readonly Unreachable[];
  /** Shares by workload, when the root is not itself the workload of every member: a muted root must not hide them. */
  readonly parts?: readonly ExplanationPart[];
  /** The run of a container whose log explains the problem best. */
  readonly samplePod?: SamplePod;
  /** What the programs that fail say themselves: of the Pod whose log explains best, or of the first that names the root. */
  readonly sign?: TellingSign;
  /** Until when (epoch milliseconds) a cause is likely to be found yet, so that nobody is told before. Absent: nothing is waited for. */
  readonly awaits?: number;
  /** What speaks for the cause, or against one that suggests itself, beyond the findings' own messages; best first. */
  readonly proof: readonly Proof[];
  readonly trace: readonly Step[];
};

/** What an explanation blames, as a text that is the same for the same cause; `undefined`: nothing that can be named. */
export function causeKey({ change, confidence }: Explanation): string | undefined {
  return change === undefined || confidence === 'unknown' ? undefined : `${change.ref} ${change.field} ${change.at}`;
}

/** The workloads of an explanation that have no ready replica left. */
export function downIn({ impact = [] }: Explanation): readonly Ref[] {
  return impact.filter(({ wanted, ready }) => wanted > 0 && ready === 0).map(({ ref }) => ref);
}
