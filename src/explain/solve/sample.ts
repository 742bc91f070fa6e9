import type { ExplanationPart, SamplePod } from '../../model/explanation.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, type Ref } from '../../model/ref.ts';
import type { ContainerState, PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { fanOut } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { podsOf, podView } from '../evidence/workload.ts';
import type { Slice } from './shares.ts';

/**
 * Reasons whose story is in a log, most telling first, and whether the run that tells it is the one that ended. The others never
 * started a container, or lost it with its Node: no log explains them.
 */
const logged: readonly (readonly [Reason, 'ended' | 'present'])[] = [
  ['OOMKilled', 'ended'],
  ['CrashLoopBackOff', 'ended'],
  ['InitContainerError', 'ended'],
  ['StartError', 'ended'],
  ['LivenessProbeFailed', 'ended'],
  ['ContainerError', 'ended'],
  ['PodFailed', 'ended'],
  ['JobRetrying', 'ended'],
  ['InitContainerWaiting', 'present'],
  ['ReadinessProbeFailed', 'present'],
  ['ReadinessFlapping', 'present'],
  ['PodNotReady', 'present'],
  ['DeploymentUnavailable', 'present'],
  ['StatefulSetUnavailable', 'present'],
  ['DaemonSetUnavailable', 'present'],
  ['ProgressDeadlineExceeded', 'present'],
  ['StatefulSetRolloutStuck', 'present'],
  ['DaemonSetRolloutStuck', 'present'],
];
/** What a kubelet that works has seen: it ended, or answered its probe. */
const seenThere = logged.filter(
  ([reason, run]) => run === 'ended' || reason === 'ReadinessProbeFailed' || reason === 'ReadinessFlapping',
);

/** The container that a finding is about, else the worst off: terminated badly, restarted most, not ready. */
function containerOf(pod: PodView, scope: string | undefined): ContainerState | undefined {
  const scoped = pod.containers.find(({ name }) => name === scope);
  if (scoped) return scoped;
  const badness = ({ terminated, last, restarts, ready }: ContainerState): number =>
    ((terminated ?? last)?.exitCode ? 1_000_000 : 0) + restarts * 10 + (ready ? 0 : 1);
  return [...pod.containers].sort((a, b) => badness(b) - badness(a) || (a.name < b.name ? -1 : 1))[0];
}

/** The run of a container to read: the last that ended, or the present one. */
function sampleOf(pod: PodView, scope: string | undefined, run: 'ended' | 'present'): SamplePod | undefined {
  const container = containerOf(pod, scope);
  if (container === undefined) return undefined;
  const { name, restarts, running, terminated, last } = container;
  const at = { ref: pod.ref, container: name };
  if (terminated !== undefined) return { ...at, previous: false, attempt: restarts, ended: true };
  // It waits between two crashes: the run that ended is the newest, and there is none after it.
  if (running === undefined)
    return last || restarts > 0 ? { ...at, previous: restarts > 0, attempt: restarts, ended: true } : undefined;
  const isOver = run === 'ended' && last !== undefined && restarts > 0;
  return { ...at, previous: isOver, attempt: isOver ? restarts - 1 : restarts, ended: isOver };
}

/** Whether any container of a Pod has run: an init container may have failed while everything after it waits. */
const hasRun = ({ phase, containers }: PodView): boolean =>
  phase === 'Running' ||
  (phase === 'Pending' && containers.some(({ running, terminated, last }) => running ?? terminated ?? last));

/** Of a workload the first of its Pods, by name, that has run and is not ready: what it says is why nothing is served. */
function unreadyPod(world: World, workload: Ref): PodView | undefined {
  return podsOf(world, workload, fanOut)
    .filter((pod) => hasRun(pod) && pod.deletionAt === undefined && !isReady(pod))
    .sort((a, b) => (a.ref < b.ref ? -1 : 1))[0];
}

/** Of findings with one reason the Pod that restarted most, then the first by name: it says the same every time. */
function telling(world: World, slices: readonly Slice[]): { pod: PodView; scope: string | undefined } | undefined {
  let best: { pod: PodView; scope: string | undefined; restarts: number } | undefined;
  for (const { members } of slices)
    for (const { subject, scope, facts } of members) {
      const restarts = Number(facts.restarts ?? 0);
      const isWorse = best === undefined || restarts > best.restarts;
      if (!isWorse && !(restarts === best?.restarts && subject.ref < best.pod.ref)) continue;
      const pod = podView(world, subject.ref) ?? unreadyPod(world, subject.ref);
      if (pod) best = { pod, scope, restarts };
    }
  return best;
}

/**
 * The Pod and container whose log explains best: the root's own, by reason, then most restarts, then name. None when the failure is one
 * that no log tells of, or the node that would serve it is the root.
 */
export function samplePod(world: World, root: Ref, slices: readonly Slice[]): SamplePod | undefined {
  // What fails on a Node alone may say what it misses there; what is lost with a Node says nothing.
  if (kindOf(root) === 'Node') return ofReasons(world, slices, seenThere);
  // Of who fails for want of the root, no log tells what is wrong with it.
  const own = slices.filter(({ workload }) => workload === root);
  return ofReasons(world, own) ?? ofReasons(world, slices);
}

/** The Pod and container whose log tells best why one workload fails that is held in the explanation of another root. */
export function sampleOfPart(world: World, { root, members }: ExplanationPart): SamplePod | undefined {
  const byReason = Map.groupBy(members, ({ reason }) => reason).values();
  const slices = byReason.map((alike): Slice => ({ workload: root.ref, members: alike.slice(0, fanOut) }));
  return ofReasons(world, slices.toArray());
}

function ofReasons(world: World, slices: readonly Slice[], reasons = logged): SamplePod | undefined {
  const byReason = Map.groupBy(slices, ({ members }) => members[0]?.reason);
  for (const [reason, run] of reasons) {
    const best = telling(world, byReason.get(reason) ?? []);
    // What still starts has not served yet: why it does not get on is said by the run that failed.
    if (best) return sampleOf(best.pod, best.scope, best.pod.phase === 'Pending' ? 'ended' : run);
  }
  const job = (byReason.get('JobFailed') ?? byReason.get('CronJobFailing'))?.[0]?.members[0];
  if (job === undefined) return undefined;
  const failed = podsOf(world, job.subject.ref, fanOut).filter(({ phase }) => phase === 'Failed');
  const [newest] = failed.sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
  return newest === undefined ? undefined : sampleOf(newest, undefined, 'ended');
}
