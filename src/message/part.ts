import type { BlamedChange, Explanation, WorkloadHealth } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Audience } from '../model/incident.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import type { Subject } from '../model/subject.ts';

/** What one audience may read of an explanation. */
export type Part = {
  readonly root: Subject;
  /** The findings it may see, the root's own first. */
  readonly members: readonly Finding[];
  readonly affected: readonly Subject[];
  readonly workloads: readonly Ref[];
  readonly impact?: readonly WorkloadHealth[];
  readonly proof: readonly string[];
  readonly change?: BlamedChange;
  readonly samplePod?: Explanation['samplePod'];
};

/**
 * The whole for the cluster's own providers; for a namespace's, the identity of the root and the objects of that namespace:
 * a tenant learns that a node is lost, not who else runs there.
 */
export function partFor(audience: Audience, explanation: Explanation): Part {
  const { root, change, samplePod, impact } = explanation;
  if (audience === '') return explanation;
  const own = (ref: Ref): boolean => namespaceOf(ref) === audience;
  const members = explanation.members.filter(({ subject }) => own(subject.ref));
  return {
    root: own(root.ref) ? root : { ref: root.ref, labels: {} },
    members,
    affected: explanation.affected.filter(({ ref }) => own(ref)),
    workloads: explanation.workloads.filter(own),
    ...(impact && { impact: impact.filter(({ ref }) => own(ref)) }),
    // Proofs may tell of others.
    proof: own(root.ref) && members.length === explanation.members.length ? explanation.proof : [],
    ...(change && own(change.ref) && { change }),
    ...(samplePod && own(samplePod.ref) && { samplePod }),
  };
}
