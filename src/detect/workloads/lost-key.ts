import { describeRef, nameOf } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { ConfigMapView } from '../../world/kinds/workloads/settings.ts';
import type { Change, ObservedWorld } from '../../world/view/world.ts';
import { type Detector, detector } from '../kit/detector.ts';
import { editMs, lookAgainMs, servingWithout } from '../kit/lost-part.ts';

/** The keys that an edit took from a ConfigMap and that it has not got again, each with the last such edit. */
function lostKeys({ ref, keys = [] }: ConfigMapView, world: ObservedWorld, now: number): ReadonlyMap<string, Change> {
  const lost = new Map<string, Change>();
  for (const edit of world.changes(ref, now - editMs))
    if (edit.field === 'data') for (const key of edit.parts ?? []) if (!keys.includes(key)) lost.set(key, edit);
  return lost;
}

const configMapKeyGone = detector({
  id: 'P40',
  judges: 'ConfigMap',
  reasons: [{ reason: 'ConfigMapKeyGone', family: 'config', sure: 'likely' }],
  reads: ['Pod'],
  severity: 'medium',
  forSeconds: 60,
  settle: 'conclusive',
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
      const wanted = `${nameOf(configMap.ref)}/${key}`;
      const needs = ({ template }: PodView): boolean => template.configMapKeys?.includes(wanted) === true;
      const workloads = servingWithout({ of: configMap.ref, by: 'uses', edit, needs }, world);
      const [first] = workloads;
      if (first === undefined) continue;
      const facts = { key, needs: describeRef(first), workloads: workloads.length };
      return { since: edit.at, scope: key, facts, lookAgainAt: now + lookAgainMs };
    }
    return false;
  },
});

/** ConfigMaps that have lost what Pods need at their next start. */
export const lostKeyDetectors: readonly Detector[] = [configMapKeyGone];
