import { endedFromOutside } from '../../model/exit-code.ts';
import type { Facts } from '../../model/finding.ts';
import type { ContainerState, PodView, Termination } from '../../world/kinds/workloads/pod.ts';
import { given } from '../../world/reading/fields.ts';
import type { ContainerTemplate } from '../../world/reading/pod-template.ts';
import type { Judgement } from './detector.ts';

/** A container's state with its template. */
export type Container = { readonly state: ContainerState; readonly template: ContainerTemplate | undefined };

/** Whether a container belongs to the start of a Pod rather than to its life. */
export function isInit({ template }: Container): boolean {
  return template?.role === 'init';
}

/**
 * Judges each container of a Pod that lives. A sidecar whose main containers have ended is left out: how it ends does not
 * matter any more (X9).
 */
export function eachContainer(pod: PodView, judge: (container: Container) => Judgement): Judgement {
  if (pod.phase === 'Failed' || pod.phase === 'Succeeded') return false;
  const containers = containersOf(pod);
  const mains = containers.filter(({ template }) => template?.role === 'main');
  const mainsEnded = mains.length > 0 && mains.every(({ state }) => hasEndedForGood(pod, state));
  return containers
    .filter(({ template }) => !(template?.role === 'sidecar' && mainsEnded))
    .flatMap((container) => judge(container) || []);
}

/** Whether the kubelet will not start it again. */
function hasEndedForGood(pod: PodView, { terminated }: ContainerState): boolean {
  const { restartPolicy } = pod.template;
  if (!terminated || restartPolicy === 'Always') return false;
  return restartPolicy === 'Never' || terminated.exitCode === 0;
}

/** The containers of a Pod whose state is known, init containers first. */
export function containersOf(pod: PodView): Container[] {
  return pod.containers.map((state) => ({
    state,
    template: pod.template.containers.find(({ name }) => name === state.name),
  }));
}

/** How the last run of a container that ended did end. */
export function lastEnd({ terminated, last }: ContainerState): Termination | undefined {
  return terminated ?? last;
}

/** Facts of a container that messages show. */
export function containerFacts(pod: PodView, { state, template }: Container): Facts {
  const end = lastEnd(state);
  return {
    container: state.name,
    image: template?.image ?? state.image,
    restarts: state.restarts,
    ...given({ role: template?.role, node: pod.node, memoryLimit: template?.memoryLimit }),
    ...(end ? { ...endFacts(end), ...given({ killingProbe: killingProbe(end, template) }) } : {}),
  };
}

/**
 * The probe for which the kubelet may have ended a container: it ended from outside and has one for which kubelets do that.
 * Only an Event says for sure.
 */
function killingProbe({ exitCode, reason }: Termination, template: Container['template']): string | undefined {
  if (!endedFromOutside(exitCode, reason)) return undefined;
  if (template?.livenessProbe) return 'liveness';
  return template?.startupProbe ? 'startup' : undefined;
}

/** Facts of how a container ended. */
export function endFacts(end: Termination): Facts {
  const ranMs = runLengthMs(end);
  return {
    exitCode: end.exitCode,
    ...given({
      signal: end.signal,
      exitReason: end.reason || undefined,
      ranSeconds: ranMs === undefined ? undefined : Math.round(ranMs / 1000),
      terminationMessage: end.message?.split('\n').at(-1),
    }),
  };
}

/** How long the run lasted that ended so. */
export function runLengthMs({ startedAt, finishedAt }: Termination): number | undefined {
  return startedAt === undefined || finishedAt === undefined ? undefined : Math.max(0, finishedAt - startedAt);
}

/** The facet under which the world keeps since when a container has been in trouble. */
export function facet(container: Container, trouble: string): string {
  return `container/${container.state.name}/${trouble}`;
}

/** What holds every row of containers back. */
export const podExemptions = ['terminating', 'completed', 'disrupted', 'staleNode'] as const;

/** What the rows of containers have in common. */
export const judgesPods = { judges: 'Pod', reads: ['Node'], exemptions: podExemptions } as const;
