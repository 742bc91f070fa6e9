import type { PullCauseName } from '../../model/pull-cause.ts';
import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { evidenceMs, lastTold } from '../kit/told.ts';

/** The kubelet's own words (`kubelet_pods.go`, getPullSecretsForPod); it says so of public images as well. */
const absent = /^Unable to retrieve some image pull secrets \(([^)]+)\)/;

/** What a registry says to somebody who comes without credentials; no other trouble comes of a pull secret that is not there. */
const refused: ReadonlySet<PullCauseName> = new Set(['denied', 'maybeDenied']);

/** Pull secrets that the kubelet could not get, and until when that is known of (epoch milliseconds). */
export type AbsentPullSecrets = { readonly refs: readonly [Ref, ...Ref[]]; readonly until: number };

/** The pull secrets without which the kubelet went to a registry that refuses; one that is seen to be there is none. */
export function absentPullSecrets(
  pod: PodView,
  cause: PullCauseName,
  world: ObservedWorld,
  now: number,
): AbsentPullSecrets | undefined {
  if (!refused.has(cause)) return undefined;
  const asked = { reasons: ['FailedToRetrieveImagePullSecret'], says: absent };
  const told = lastTold(pod.ref, asked, world, now);
  const [, names = ''] = absent.exec(told?.message ?? '') ?? [];
  const [first, ...others] = names
    .split(', ')
    .filter((name) => name !== '')
    .map((name) => refOf('Secret', namespaceOf(pod.ref), name))
    .filter((ref) => typeof world.get(ref) !== 'object');
  if (told === undefined || first === undefined) return undefined;
  return { refs: [first, ...others], until: told.lastAt + evidenceMs };
}

/** The pull secret that a Pod brings to a registry that refuses, where it brings one alone. */
export function onlyPullSecret({ ref, template }: PodView, cause: PullCauseName): readonly Ref[] {
  const [name, ...others] = refused.has(cause) ? (template.pullSecrets ?? []) : [];
  return name === undefined || others.length > 0 ? [] : [refOf('Secret', namespaceOf(ref), name)];
}
