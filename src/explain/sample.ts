import type { Explanation } from '../model/explanation.ts';
import type { Finding } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { ContainerState, PodView } from '../world/kinds/pod.ts';
import type { World } from '../world/world.ts';
import { podsOf, podView } from './workload.ts';

/** Reasons whose story is in a log, most telling first; the others never started a container, or lost it. */
const logged: readonly Reason[] = [
  ...(['OOMKilled', 'CrashLoopBackOff', 'InitContainerError', 'StartError', 'PodFailed'] as const),
  ...(['InitContainerWaiting', 'PodNotReady'] as const),
];
/** Pods of a Job looked at for one that failed. */
const jobPods = 32;

/** The container that a finding is about, else the worst off: terminated badly, restarted most, not ready. */
function containerOf(pod: PodView, scope: string | undefined): ContainerState | undefined {
  const scoped = pod.containers.find(({ name }) => name === scope);
  if (scoped) return scoped;
  const badness = ({ terminated, last, restarts, ready }: ContainerState): number =>
    ((terminated ?? last)?.exitCode ? 1_000_000 : 0) + restarts * 10 + (ready ? 0 : 1);
  return [...pod.containers].sort((a, b) => badness(b) - badness(a) || (a.name < b.name ? -1 : 1))[0];
}

function sampleOf(pod: PodView, scope: string | undefined): Explanation['samplePod'] {
  const container = containerOf(pod, scope);
  if (container === undefined) return undefined;
  // Waiting between two crashes: the story is in the log of the container that ended.
  const previous = container.restarts > 0 && container.running === undefined && container.terminated === undefined;
  return { ref: pod.ref, container: container.name, previous };
}

/**
 * The Pod and container whose log explains best: by reason, then most restarts (it says the same every time), then name.
 * None when the failure is one that no log tells of, or the node that would serve it is the root.
 */
export function samplePod(world: World, root: Ref, members: readonly Finding[]): Explanation['samplePod'] {
  if (kindOf(root) === 'Node') return undefined;
  const choices = members.flatMap((finding) => {
    const pod = podView(world, finding.subject.ref);
    const rank = logged.indexOf(finding.reason);
    if (pod === undefined || rank < 0) return [];
    const restarts = containerOf(pod, finding.scope)?.restarts ?? 0;
    return [{ pod, rank, restarts, scope: finding.scope }];
  });
  choices.sort((a, b) => a.rank - b.rank || b.restarts - a.restarts || (a.pod.ref < b.pod.ref ? -1 : 1));
  const [best] = choices;
  if (best) return sampleOf(best.pod, best.scope);
  const job = members.find(({ reason }) => reason === 'JobFailed');
  if (job === undefined) return undefined;
  const failed = podsOf(world, job.subject.ref, jobPods).filter(({ phase }) => phase === 'Failed');
  const [newest] = failed.sort((a, b) => b.createdAt - a.createdAt || (a.ref < b.ref ? -1 : 1));
  return newest === undefined ? undefined : sampleOf(newest, undefined);
}
