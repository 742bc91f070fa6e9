/** The status of a Pod from the status of its containers, as pkg/kubelet computes it. */
import type { Condition, ContainerStatus, Pod, PodStatus } from '../shapes.ts';

const names = (statuses: readonly ContainerStatus[]): string => `[${statuses.map((status) => status.name).join(' ')}]`;

/** pkg/kubelet getPhase. A container that waits after it has run counts as stopped. */
export function phaseOf(
  pod: Pod,
  init: readonly ContainerStatus[],
  main: readonly ContainerStatus[],
): PodStatus['phase'] {
  const { restartPolicy = 'Always' } = pod.spec;
  const broken = init.find((status) => status.state.terminated && status.state.terminated.exitCode !== 0);
  if (broken && restartPolicy === 'Never') return 'Failed';
  const waiting = main.filter((status) => status.state.waiting && !status.lastState.terminated).length;
  if (!initialized(pod, init) || waiting > 0) return 'Pending';
  if (main.some((status) => status.state.running)) return 'Running';
  const ends = main.map((status) => status.state.terminated ?? status.lastState.terminated);
  if (restartPolicy === 'Always') return 'Running';
  if (main.every((status) => status.state.terminated) && ends.every((end) => end?.exitCode === 0)) return 'Succeeded';
  return restartPolicy === 'Never' ? 'Failed' : 'Running';
}

const isSidecar = (pod: Pod, name: string): boolean =>
  pod.spec.initContainers?.find((container) => container.name === name)?.restartPolicy === 'Always';

const done = (pod: Pod, status: ContainerStatus): boolean =>
  isSidecar(pod, status.name) ? status.started === true : status.state.terminated?.exitCode === 0;

/** Whether every init container has succeeded and every sidecar has started. */
function initialized(pod: Pod, init: readonly ContainerStatus[]): boolean {
  return (pod.spec.initContainers ?? []).length === 0 || init.every((status) => done(pod, status));
}

type Draft = Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;

/** The conditions a kubelet owns. `sandbox`: the Pod has its network and volumes. */
function drafts(
  pod: Pod,
  init: readonly ContainerStatus[],
  main: readonly ContainerStatus[],
  sandbox: boolean,
): Draft[] {
  const phase = phaseOf(pod, init, main);
  const sidecars = init.filter((status) => isSidecar(pod, status.name));
  const unready = [...sidecars, ...main].filter((status) => !status.ready);
  const incomplete = init.filter((status) => !done(pod, status));
  const ended: Partial<Record<string, Draft['reason']>> = { Succeeded: 'PodCompleted', Failed: 'PodFailed' };
  const unreadyReason = ended[phase] ?? 'ContainersNotReady';
  const readiness = (type: string): Draft =>
    unready.length === 0 && !ended[phase]
      ? { type, status: 'True' }
      : {
          type,
          status: 'False',
          reason: unreadyReason,
          ...(ended[phase] ? {} : { message: `containers with unready status: ${names(unready)}` }),
        };
  const initialization: Draft =
    incomplete.length === 0
      ? { type: 'Initialized', status: 'True', ...(phase === 'Succeeded' ? { reason: 'PodCompleted' } : {}) }
      : {
          type: 'Initialized',
          status: 'False',
          reason: 'ContainersNotInitialized',
          message: `containers with incomplete status: ${names(incomplete)}`,
        };
  return [
    { type: 'PodReadyToStartContainers', status: sandbox ? 'True' : 'False' },
    initialization,
    readiness('Ready'),
    readiness('ContainersReady'),
    { type: 'PodScheduled', status: 'True' },
  ];
}

/** What the status says besides containers. */
export type PodFacts = {
  readonly startTime: string;
  readonly hostIP: string;
  readonly podIP: string | undefined;
  /** How its kubelet ended it for good, whatever its containers did. */
  readonly ended: { readonly reason: string; readonly message: string } | undefined;
};

/**
 * The status to send as a strategic merge patch. Fields a condition no longer has are null, so that the merge takes them
 * away; `before` keeps the transition times.
 */
export function statusPatch(
  pod: Pod,
  containers: { readonly init: readonly ContainerStatus[]; readonly main: readonly ContainerStatus[] },
  facts: PodFacts,
  before: Transitions,
  time: string,
): {
  readonly patch: object;
  readonly transitions: Transitions;
} {
  const { init, main } = containers;
  const transitions = new Map<string, { status: string; since: string }>();
  const { ended } = facts;
  const evicted: Draft[] =
    ended?.reason === 'Evicted'
      ? [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet', message: ended.message }]
      : [];
  const all = [...drafts(pod, init, main, facts.podIP !== undefined), ...evicted];
  const conditions = all.map((draft) => {
    const old = before.get(draft.type);
    const since = old?.status === draft.status ? old.since : time;
    transitions.set(draft.type, { status: draft.status, since });
    return {
      type: draft.type,
      status: draft.status,
      observedGeneration: pod.metadata.generation ?? 1,
      lastProbeTime: null,
      lastTransitionTime: since,
      reason: draft.reason ?? null,
      message: draft.message ?? null,
    };
  });
  const { hostIP, podIP, startTime } = facts;
  const status = {
    ...(ended ? { phase: 'Failed' as const, ...ended } : { phase: phaseOf(pod, init, main) }),
    observedGeneration: pod.metadata.generation ?? 1,
    conditions,
    hostIP,
    hostIPs: [{ ip: hostIP }],
    startTime,
    // Addresses merge by themselves: a Pod that is started again would keep the old one too.
    ...(podIP ? { podIP, podIPs: [{ ip: podIP }, { $patch: 'replace' }] } : {}),
    ...(init.length > 0 ? { initContainerStatuses: init } : {}),
    containerStatuses: main,
  };
  return { patch: { metadata: { uid: pod.metadata.uid }, status }, transitions };
}

/** Condition → what it is and since when. */
export type Transitions = ReadonlyMap<string, { readonly status: string; readonly since: string }>;

/** The conditions that a Pod has. */
export function transitionsOf({ status }: Pod, startTime: string): Transitions {
  return new Map(
    (status.conditions ?? []).map(({ type, status: is, lastTransitionTime: since = startTime }) => [
      type,
      { status: is, since },
    ]),
  );
}
