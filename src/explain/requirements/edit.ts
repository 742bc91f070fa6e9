import { type ChangeField, releaseFields } from '../../model/change-field.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import type { World } from '../../world/view/world.ts';
import { podsOfWorkload, recentMs, settledMs } from '../evidence/bounds.ts';
import { isDownByItself } from '../evidence/needs.ts';
import { type Requirement, unreadyOf } from '../evidence/requirement.ts';
import { servedMs } from '../evidence/served.ts';
import { lacksWhatWasTaken } from '../evidence/taken.ts';
import { isNewRevision, ownersOf, podsOf, podView, workloadOf, workloadView } from '../evidence/workload.ts';

/** What standards of Pod security are about, and edits that may be of that. */
const asking: ReadonlySet<ChangeField> = new Set<ChangeField>([
  ...(['securityContext', 'hostNetwork', 'volumes', 'ports', 'containers', 'initContainers', 'template'] as const),
]);

/** Whether a workload has Pods of before a time (epoch milliseconds), and others that were made then. */
function hasGrownSince(workload: Ref, world: World, since: number): boolean {
  const pods = podsOf(world, workload, podsOfWorkload);
  return (
    pods.some(({ createdAt }) => createdAt < since - 1000) && pods.some(({ createdAt }) => createdAt >= since - 1000)
  );
}

/** What is called, and has no Pods of its own. */
const places: ReadonlySet<string> = new Set(['Service', 'ExternalEndpoint']);

/** Of edits, and of what had held until then. */
export const ofEdits = {
  /** The workload serves nobody: the edit scaled it to zero, or it is to serve and none of its Pods does, by what these say themselves. */
  servesNobody: (_, world, { ref, change }) =>
    change?.field === 'replicas'
      ? change.to === '0' && workloadView(world, ref)?.replicas === 0
      : isDownByItself(ref, world),
  /** The program lacks what the edit took away: only such edits are asked. */
  tookAway: (effect, world, { change }) => change !== undefined && lacksWhatWasTaken(effect, world)(change),
  /** What makes the Pods has not been edited since, but for what no standard is about: it asks for what it asked for before. */
  untouchedSince: ({ subject }, world, { since }) =>
    [subject.ref, ...ownersOf(world, subject.ref)].every((ref) => {
      const view = world.get(ref);
      return (
        typeof view === 'object' &&
        view.createdAt <= since &&
        !world.changes(ref, since).some(({ field }) => asking.has(field))
      );
    }),
  /** Its Pods that do not serve were made since, from the template that there was. */
  onlyMadeAnew: (effect, world, { since }) => {
    const unready = unreadyOf(effect, world);
    return (
      unready.length > 0 &&
      unready.every(({ createdAt }) => createdAt >= since) &&
      !world.changes(workloadOf(world, effect.subject.ref), since).some(({ field }) => releaseFields.has(field))
    );
  },
  /** The Pod is made from a template with which others ran before: its workload is older, and was not edited lately. */
  ranWithIt: (effect, world) => {
    const pod = podView(world, effect.subject.ref);
    const workload = pod && workloadView(world, workloadOf(world, pod.ref));
    if (pod === undefined || workload === undefined || workload.createdAt > pod.createdAt - settledMs) return false;
    return !world.changes(workload.ref, pod.createdAt - recentMs).some(({ field }) => releaseFields.has(field));
  },
  /** It has more replicas since it was edited, and whoever refuses has no connections left. */
  tookConnections: ({ facts }, world, { ref, since, change }) =>
    facts.sign === 'TooManyConnections' &&
    (change?.from === undefined ? hasGrownSince(ref, world, since) : Number(change.to) > Number(change.from)),
  /** What fails began to after the edit, and its Pods are older than that; what has no Pods only names those who say it. */
  heldUntilThen: (effect, world, { since }) =>
    places.has(kindOf(effect.subject.ref)) ||
    (effect.since >= since && unreadyOf(effect, world).some((pod) => pod.createdAt < since)),
  /** All Pods of the workload run, are of its newest template, and none has ever been ready. */
  newAlone: (effect, world, { ref }) => {
    const pods = podsOf(world, ref, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
    const isNew = (pod: PodView): boolean =>
      pod.phase === 'Running' && isNewRevision(world, pod) && servedMs(pod, effect) === 0;
    return pods.length > 0 && pods.every(isNew);
  },
  /** The Pod was made from the newest template of its workload. */
  newRevision: (effect, world) => {
    const pod = podView(world, effect.subject.ref);
    return pod !== undefined && isNewRevision(world, pod);
  },
} as const satisfies Readonly<Record<string, Requirement>>;
