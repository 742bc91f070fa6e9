import type { Explanation } from '../../model/explanation.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, type Ref } from '../../model/ref.ts';

/** What the words for a reason are made of: one audience's part, seen through the finding that names it. */
export type Case = {
  readonly root: Ref;
  readonly reason: Reason;
  /** An edit of the root is to blame, which runs nothing: its users do what the reason says. */
  readonly edited: boolean;
  /** The finding that gives the title its reason; absent where the audience may not see it. */
  readonly finding?: Finding;
  /** That finding's; empty without one. */
  readonly facts: Facts;
  /** Pods that show the reason themselves. */
  readonly pods: readonly Finding[];
  /** The Pod that shows it best, and which of its logs tells of it. */
  readonly sample?: { readonly ref: Ref; readonly container?: string; readonly previous: boolean };
};

/** The findings of a reason: the root's own share, where others fail in the same way for want of it. */
function ofReason({ root, members, parts = [] }: Explanation, reason: Reason): readonly Finding[] {
  const own = parts.find((part) => part.root.ref === root.ref)?.members.filter((member) => member.reason === reason);
  return own && own.length > 0 ? own : members.filter((member) => member.reason === reason);
}

/** The finding to speak of: the root's own, else that of the Pod whose log is quoted, else the first. */
function namingFinding({ root, samplePod }: Explanation, same: readonly Finding[]): Finding | undefined {
  return (
    same.find(({ subject }) => subject.ref === root.ref) ??
    same.find(({ subject, scope }) => subject.ref === samplePod?.ref && scope === samplePod.container) ??
    same[0]
  );
}

function sampleOf({ root, members, samplePod }: Explanation, pods: readonly Finding[]): Case['sample'] {
  if (samplePod) return samplePod;
  const own = pods[0] ?? members.find(({ subject }) => kindOf(subject.ref) === 'Pod');
  const ref = own?.subject.ref ?? (kindOf(root.ref) === 'Pod' ? root.ref : undefined);
  const container = own?.facts.container;
  if (ref === undefined) return undefined;
  return { ref, ...(typeof container === 'string' && { container }), previous: false };
}

/** Whether an edit of what runs nothing is to blame: a ConfigMap that was edited does not crash, what uses it does. */
export function isEdited({ root, change, workloads }: Explanation): boolean {
  return change !== undefined && change.ref === root.ref && !workloads.includes(root.ref);
}

/** Looks at a part through its reason. */
export function caseOf(part: Explanation, reason: Reason): Case {
  const same = ofReason(part, reason);
  const finding = namingFinding(part, same);
  const found = same.filter(({ subject }) => kindOf(subject.ref) === 'Pod');
  // A Pod with two failing containers is one Pod.
  const pods = [...new Map(found.map((member) => [member.subject.ref, member])).values()];
  const sample = sampleOf(part, pods);
  return {
    ...{ root: part.root.ref, reason, edited: isEdited(part), facts: finding?.facts ?? {}, pods },
    ...(finding && { finding }),
    ...(sample && { sample }),
  };
}
