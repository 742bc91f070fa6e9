import type { Explanation } from './explanation.ts';
import type { Audience } from './incident.ts';
import { isInNamespace, namespaceOf, type Ref } from './ref.ts';

/** The audience of everything in the cluster: the operator's own namespace speaks for it. */
export const wholeCluster: Audience = '';

/** Whether an audience may read of an object more than its name: all of them, or those of its own namespace. */
export function mayRead(audience: Audience, ref: Ref): boolean {
  return audience === wholeCluster || isInNamespace(ref, audience);
}

/** What was cut already: an explanation never changes, and each is cut for the same audiences in every step that it holds. */
const cut = new WeakMap<Explanation, Map<Audience, Explanation>>();
/** The namespaces of what fails, and of these the ones in which it fails by more than what strangers say. */
type Places = { readonly all: ReadonlySet<string>; readonly concerned: ReadonlySet<string> };
const places = new WeakMap<Explanation, Places>();

function placesOf(explanation: Explanation): Places {
  const known = places.get(explanation);
  if (known) return known;
  const [all, concerned] = [new Set<string>(), new Set<string>()];
  let last: string | undefined;
  for (const { subject, ofStrangers } of explanation.members) {
    // Most are where the one before is.
    if (last !== undefined && isInNamespace(subject.ref, last)) continue;
    const namespace = namespaceOf(subject.ref);
    all.add(namespace);
    if (ofStrangers) continue;
    concerned.add(namespace);
    last = namespace;
  }
  const found = { all, concerned };
  places.set(explanation, found);
  return found;
}

/**
 * An explanation as an audience may read it: everything for the cluster's own providers; for a namespace's the identity of
 * the root and the objects of that namespace. A tenant learns that a Node is lost, not who else runs there; that another
 * namespace's Pod is the cause, not where that runs. `undefined`: it does not concern that audience, nor does what only
 * programs of one other namespace say of its objects. This is the one place that decides it: whatever is told, listed or
 * written for an audience is made of its view.
 */
export function viewFor(audience: Audience, explanation: Explanation): Explanation | undefined {
  if (audience === wholeCluster) return explanation;
  if (!placesOf(explanation).concerned.has(audience)) return undefined;
  const views = cut.get(explanation) ?? new Map<Audience, Explanation>();
  cut.set(explanation, views);
  const view = views.get(audience) ?? cutFor(audience, explanation);
  views.set(audience, view);
  return view;
}

function cutFor(audience: Audience, explanation: Explanation): Explanation {
  const own = (ref: Ref): boolean => mayRead(audience, ref);
  const { root, change, samplePod, sign, impact, unreachable, parts, proof, trace, affectedCount, ...rest } =
    explanation;
  const isAlone = placesOf(explanation).all.size === 1;
  const members = isAlone ? explanation.members : explanation.members.filter(({ subject }) => own(subject.ref));
  const hit = explanation.affected;
  const whole = own(root.ref) && members.length === explanation.members.length;
  return {
    ...rest,
    root: own(root.ref) ? root : { ref: root.ref, labels: {} },
    members,
    // As a rule all are its own: the list is copied only where some are not.
    affected: hit.every(({ ref }) => own(ref)) ? hit : hit.filter(({ ref }) => own(ref)),
    workloads: explanation.workloads.filter(own),
    ...(change && own(change.ref) && { change }),
    ...(samplePod && own(samplePod.ref) && { samplePod }),
    ...(sign && own(sign.pod) && { sign }),
    ...(impact && { impact: impact.filter(({ ref }) => own(ref)) }),
    ...(unreachable && { unreachable: unreachable.filter(({ service }) => own(service)) }),
    ...(parts && { parts: parts.filter((part) => own(part.root.ref)) }),
    // Proofs may tell of others, and of other namespaces.
    proof: whole ? proof.filter(({ code }) => code !== 'SameNameElsewhere') : [],
    trace: own(root.ref) ? trace : [],
  };
}
