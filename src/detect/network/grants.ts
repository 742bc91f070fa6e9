import type { Facts } from '../../model/finding.ts';
import { describeRef, kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { ReferenceGrantView } from '../../world/kinds/network/reference-grant.ts';
import type { ObservedWorld } from '../../world/view/world.ts';

const group = 'gateway.networking.k8s.io';
/** Grants looked at. */
const maxGrants = 1000;

/** The grants of a namespace; `undefined`: they are not seen. */
function grantsIn(namespace: string, world: ObservedWorld): readonly ReferenceGrantView[] | undefined {
  if (world.get(refOf('ReferenceGrant', namespace, '')) === 'unknown') return undefined;
  const grants: ReferenceGrantView[] = [];
  for (const grant of Iterator.from(world.all('ReferenceGrant')).take(maxGrants))
    if (grant.kind === 'ReferenceGrant' && namespaceOf(grant.ref) === namespace) grants.push(grant);
  return grants;
}

const allowsFrom = ({ from }: ReferenceGrantView, ref: Ref): boolean =>
  from.some((each) => each.group === group && each.kind === kindOf(ref) && each.namespace === namespaceOf(ref));

const allowsTo = ({ to }: ReferenceGrantView, ref: Ref): boolean =>
  to.some((each) => each.group === '' && each.kind === kindOf(ref) && (each.name ?? nameOf(ref)) === nameOf(ref));

/** What a grant just misses: it is for others, or allows them something else. */
function nearMiss(grants: readonly ReferenceGrantView[], from: Ref, to: Ref): string | undefined {
  const forOthers = grants.find((grant) => allowsTo(grant, to));
  if (forOthers) {
    const others = forOthers.from.map(({ kind, namespace }) => `${kind}s of ${namespace}`).slice(0, 3);
    return `${describeRef(forOthers.ref)} allows it only from ${others.join(', ')}`;
  }
  const toOther = grants.find((grant) => allowsFrom(grant, from));
  if (!toOther) return undefined;
  const others = toOther.to.map(({ kind, name }) => (name === undefined ? `${kind}s` : `${kind} ${name}`)).slice(0, 3);
  return `${describeRef(toOther.ref)} allows only ${others.join(', ')}`;
}

/**
 * Which reference to another namespace no ReferenceGrant of that namespace allows, and which one just misses it; nothing where all
 * are allowed or grants are not seen.
 */
export function lackingGrant(from: Ref, references: readonly Ref[], world: ObservedWorld): Facts {
  for (const to of references) {
    if (namespaceOf(to) === namespaceOf(from)) continue;
    const grants = grantsIn(namespaceOf(to), world);
    if (grants === undefined || grants.some((grant) => allowsFrom(grant, from) && allowsTo(grant, to))) continue;
    const near = nearMiss(grants, from, to);
    return { refersTo: describeRef(to), grantIn: namespaceOf(to), ...(near !== undefined && { nearGrant: near }) };
  }
  return {};
}
