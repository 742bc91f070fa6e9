import { kindOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { readySince } from '../../world/pods/readiness.ts';
import { clocksMs, podsOfWorkload, recentMs } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import type { Requirements, Suspect } from '../evidence/requirement.ts';
import { servedMs } from '../evidence/served.ts';
import { lacksWhatWasTaken } from '../evidence/taken.ts';
import { isNewRevision, podsOf, podView, unreadyOf, workloadOf, workloadView } from '../evidence/workload.ts';

/** What is called, and has no Pods of its own. */
const places: ReadonlySet<string> = new Set(['Service', 'ExternalEndpoint']);

/** Whether a workload has Pods of before a time (epoch milliseconds), and others that were made then. */
function hasGrownSince(workload: Ref, world: World, since: number): boolean {
  const made = podsOf(world, workload, podsOfWorkload).map(({ createdAt }) => createdAt >= since - clocksMs);
  return made.includes(true) && made.includes(false);
}

/** Since when (epoch milliseconds) a suspect is one: of a workload that is only named, since none of its Pods is ready. */
function suspectSince({ ref, since, change, finding }: Suspect, world: World): number {
  if (change !== undefined || finding !== undefined) return since;
  return Math.min(since, ...podsOf(world, ref, podsOfWorkload).map(readySince));
}

/** Of edits, and of what had held until then. */
export const ofEdits: Requirements<'scaled' | 'tookAway' | 'pods' | 'untouched' | 'newest'> = {
  scaled: (_, world, { ref, since, change }, how) => {
    if (how === 'to zero') return change?.to === '0' && workloadView(world, ref)?.replicas === 0;
    return change?.from === undefined ? hasGrownSince(ref, world, since) : Number(change.to) > Number(change.from);
  },
  tookAway: (effect, world, { change }) => change !== undefined && lacksWhatWasTaken(effect, world)(change),
  pods: (effect, world, suspect, age) => {
    const unready = unreadyOf(effect, world);
    const since = suspectSince(suspect, world);
    if (age === 'newer') return unready.length > 0 && unready.every(({ createdAt }) => createdAt >= since);
    // What has no Pods only names those who say it.
    const isPlace = places.has(kindOf(effect.subject.ref));
    return isPlace || (effect.since >= since && unready.some(({ createdAt }) => createdAt < since));
  },
  untouched: (effect, world, suspect, fields) => {
    const workload = world.get(workloadOf(world, effect.subject.ref));
    if (typeof workload !== 'object') return false;
    // What is only named is as it was before the Pods were made.
    const isNamed = suspect.change === undefined && suspect.finding === undefined;
    const made = unreadyOf(effect, world).map(({ createdAt }) => createdAt - recentMs);
    const since = isNamed ? Math.min(suspect.since, ...made) : suspect.since;
    return workload.createdAt <= since && !world.changes(workload.ref, since).some(({ field }) => fields.has(field));
  },
  newest: (effect, world) => {
    const own = podView(world, effect.subject.ref);
    if (own) return isNewRevision(world, own);
    const pods = podsOf(world, effect.subject.ref, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
    const isNew = (pod: PodView): boolean =>
      pod.phase === 'Running' && isNewRevision(world, pod) && servedMs(pod, effect) === 0;
    return pods.length > 0 && pods.every(isNew);
  },
};
