import { describeRef, namespaceOf, type Ref } from '../../model/ref.ts';
import type { IngressView } from '../../world/kinds/network/ingress.ts';
import { perRevision } from '../../world/view/per-revision.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';

const minute = 60_000;
/** Ingresses whose hosts and paths are compared. */
const maxIngresses = 20_000;

/** One Ingress of those that want a host and path, and where it leads. */
type Claim = { readonly ref: Ref; readonly service: Ref; readonly createdAt: number };

/** What two Ingresses must have in common to be in each other's way. */
const keyOf = ({ ingressClass, legacyClass }: IngressView, at: string, isExact: boolean): string =>
  `${ingressClass ?? legacyClass ?? ''} ${at} ${isExact}`;

/** Who wants which host and path: those that share them on purpose left out, and those that take any host. */
const claimsByPlace = perRevision((world) => {
  const claims = new Map<string, Claim[]>();
  for (const view of Iterator.from(world.all('Ingress')).take(maxIngresses)) {
    if (view.kind !== 'Ingress' || view.isShared || view.deletionAt !== undefined) continue;
    for (const { at, service, isExact = false } of view.entrances) {
      if (at.startsWith('/')) continue;
      const key = keyOf(view, at, isExact);
      const known = claims.get(key) ?? [];
      claims.set(key, known);
      known.push({ ref: view.ref, service, createdAt: view.createdAt });
    }
  }
  return claims;
});

/** Who is first: controllers serve the older of two rules. */
const isBefore = (a: Claim, b: Claim): boolean =>
  a.createdAt < b.createdAt || (a.createdAt === b.createdAt && a.ref < b.ref);

/** The Ingress that had a host and path before another one and leads elsewhere. */
function earlier(ingress: IngressView, world: ObservedWorld): { readonly at: string; readonly by: Ref } | undefined {
  const { ref, createdAt } = ingress;
  const claims = claimsByPlace(world);
  for (const { at, service, isExact = false } of ingress.entrances) {
    const own = { ref, service, createdAt };
    const others = claims.get(keyOf(ingress, at, isExact)) ?? [];
    const by = others.find((other) => other.ref !== ref && other.service !== service && isBefore(other, own));
    if (by) return { at, by: by.ref };
  }
  return undefined;
}

const ingressConflict = detector({
  id: 'T50',
  judges: 'Ingress',
  reasons: [{ reason: 'IngressHostConflict', family: 'config', sure: 'likely' }],
  reads: ['Ingress'],
  severity: 'medium',
  forSeconds: 600,
  source: 'networking.k8s.io/v1 Ingress spec.rules[].host, paths[].path and pathType of all Ingresses of one class',
  predicate:
    'another Ingress of the same class had the same host and path before, and leads to another Service, for 10 min',
  clears: 'only one of them has the host and path, or both lead to the same Service',
  symptom: 'route',
  patience: '10 min: an Ingress that moves to another namespace or name is there twice for a while',
  isNot:
    'canaries and other Ingresses that share a host by annotation; an exact path next to a prefix; rules without a host; HTTPRoutes, which may match by header',
  judge: (ingress, world, now) => {
    const found = ingress.isShared ? undefined : earlier(ingress, world);
    if (!found) return false;
    const { at, by } = found;
    // Who is told of one namespace need not know the names in another.
    const isOwn = namespaceOf(by) === namespaceOf(ingress.ref);
    const facts = { at, other: isOwn ? describeRef(by) : 'an Ingress of another namespace' };
    return { since: 'observed', scope: at, facts, lookAgainAt: now + minute };
  },
});

/** Ingresses that are in each other's way. */
export const ingressConflictDetectors: readonly Detector[] = [ingressConflict];
