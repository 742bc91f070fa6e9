import { kindOf, nameOf, type Ref } from '../model/ref.ts';
import { type Projection, watchedKind } from './kinds.ts';
import type { Objects } from './objects.ts';
import { isSame } from './same.ts';

/**
 * The objects to judge again when one became another (`undefined`: it was or is not there): itself, and whoever is judged by
 * what of it differs.
 */
export function* concerned(
  objects: Objects,
  before: Projection | undefined,
  after: Projection | undefined,
): Iterable<Ref> {
  const view = after ?? before;
  if (!view) return;
  yield view.ref;
  // A controller may release a Pod and another adopt it.
  const owners = [...new Set([before?.owner, after?.owner])].filter((owner) => owner !== undefined);
  // At its first and last sight there is nothing to compare.
  const both = before !== undefined && after !== undefined;
  const row = watchedKind(kindOf(view.ref));
  if (view.kind === 'Pod') {
    if (both && owners.length < 2 && isSame(row?.fingerprintForOwners?.(before), row?.fingerprintForOwners?.(after)))
      return;
    for (const owner of owners) yield* [owner, ...objects.ownersOf(owner)];
    return;
  }
  if (view.kind === 'ReplicaSet') yield* owners;
  if (both && isSame(row?.fingerprintForDependents?.(before), row?.fingerprintForDependents?.(after))) return;
  if (view.kind === 'Node') {
    for (const pod of objects.pods.onNode(nameOf(view.ref))) yield* [pod, ...objects.ownersOf(pod)];
    return;
  }
  // Whether it is there at all is what Pods that need it are judged by.
  if (view.kind === 'ConfigMap' && !both) yield* objects.pods.referring(view.ref, 'uses');
  yield* objects.descendantsOf(view.ref);
  // Which of its ReplicaSets is the newest matters to the Pods of all.
  if (view.kind === 'ReplicaSet') for (const owner of owners) yield* objects.descendantsOf(owner);
}
