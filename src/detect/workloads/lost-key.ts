import { describeRef, nameOf, type Ref } from '../../model/ref.ts';
import type { ConfigMapView } from '../../world/kinds/workloads/config-map.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { Change, ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';

const minute = 60_000;
/** Edits of ConfigMaps are remembered for so long (ms). */
const editMs = 24 * 60 * minute;
/** Pods that use one ConfigMap, of which those are looked for that need a key. */
const maxPods = 500;

/** The keys that an edit took from a ConfigMap and that it has not got again, each with the last such edit. */
function lostKeys({ ref, keys = [] }: ConfigMapView, world: ObservedWorld, now: number): ReadonlyMap<string, Change> {
  const lost = new Map<string, Change>();
  for (const edit of world.changes(ref, now - editMs))
    if (edit.field === 'data') for (const key of edit.parts ?? []) if (!keys.includes(key)) lost.set(key, edit);
  return lost;
}

/** The workloads with Pods that serve and cannot be started again without a key; none where one that came with the edit tells of it already. */
function needing(configMap: Ref, key: string, edit: Change, world: ObservedWorld): readonly Ref[] {
  const found = new Set<Ref>();
  const wanted = `${nameOf(configMap)}/${key}`;
  for (const ref of world.linked(configMap, 'uses', 'in', maxPods)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.deletionAt !== undefined) continue;
    if (!pod.template.configMapKeys?.includes(wanted)) continue;
    if (isReady(pod)) found.add(world.topOwner(ref));
    else if (pod.createdAt >= edit.at && pod.createdAt <= edit.at + minute) return [];
  }
  return [...found].sort();
}

const configMapKeyGone = detector({
  id: 'P40',
  judges: 'ConfigMap',
  reasons: [{ reason: 'ConfigMapKeyGone', family: 'config', sure: 'likely' }],
  reads: ['Pod'],
  edition: 'Community',
  severity: 'medium',
  forSeconds: 60,
  settle: 'conclusive',
  exemptions: ['terminating'],
  source:
    'managedFields of a ConfigMap before and after its edit: the keys of its data; env[].valueFrom.configMapKeyRef and volumes[].configMap.items of Pods, optional ones left out',
  predicate: 'an edit took a key from a ConfigMap which Pods that are ready were started with and name, for 60 s',
  clears: 'the ConfigMap has the key again, no such Pod names it any more, or the edit is a day old',
  symptom: 'start',
  patience: '60 s: some tools write an object in two steps',
  isNot:
    'a key that it never had, or that is optional; Pods that take all keys there are; Pods that are not ready; an edit after which Pods fail within the minute: these say so',
  judge: (configMap, world, now) => {
    for (const [key, edit] of lostKeys(configMap, world, now)) {
      const workloads = needing(configMap.ref, key, edit, world);
      const [first] = workloads;
      if (first === undefined) continue;
      const facts = { key, needs: describeRef(first), workloads: workloads.length };
      return { since: edit.at, scope: key, facts, lookAgainAt: now + minute };
    }
    return false;
  },
});

/** ConfigMaps that have lost what Pods need at their next start. */
export const lostKeyDetectors: readonly Detector[] = [configMapKeyGone];
