import { exitInWords } from '../model/exit-code.ts';
import type { Facts } from '../model/finding.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, namespaceOf, type Ref } from '../model/ref.ts';
import { kubectl } from './words.ts';

/** What a next step may name: the root, and the Pod that shows the problem best. */
export type Scene = {
  readonly root: Ref;
  readonly pod?: { readonly ref: Ref; readonly container?: string; readonly previous: boolean };
};

/** The words for one reason. */
export type Phrase = {
  /** After the object's name, before "since …". */
  readonly doing: (facts: Facts) => string;
  /** It happened at an instant rather than since one: "failed at …". */
  readonly once?: true;
  /** After the object's name when it is over. */
  readonly well: string;
  /** A read-only line that shows more. */
  readonly next: (scene: Scene) => string;
};

const text = (facts: Facts, key: string): string | undefined =>
  facts[key] === undefined ? undefined : String(facts[key]);
/** ` with exit code 137 (SIGKILL)`: the evidence has the longer words. */
function exit({ exitCode, exitReason }: Facts): string {
  if (typeof exitCode !== 'number') return '';
  const [, signal] = /\((SIG[A-Z]+|OOMKilled)/.exec(exitInWords(exitCode, String(exitReason ?? ''))) ?? [];
  return ` with exit code ${exitCode}${signal === undefined ? '' : ` (${signal})`}`;
}
const image = (facts: Facts): string => text(facts, 'image') ?? 'its image';
const named = (facts: Facts, key: string): string => (facts[key] === undefined ? '' : ` ${facts[key]}`);

const failedPulls = (): string => 'kubectl get events -A --field-selector reason=Failed';
const describeRoot = ({ root }: Scene): string =>
  kindOf(root) === 'Registry' ? failedPulls() : kubectl(`describe ${kindOf(root).toLowerCase()}`, root);
const describePod = (scene: Scene): string =>
  scene.pod ? kubectl('describe pod', scene.pod.ref) : describeRoot(scene);
const logs = (scene: Scene): string => {
  if (!scene.pod) return describeRoot(scene);
  const container = scene.pod.container === undefined ? [] : ['-c', scene.pod.container];
  return kubectl('logs', scene.pod.ref, ...container, ...(scene.pod.previous ? ['--previous'] : []));
};
const currentLogs = ({ root, pod }: Scene): string => logs(pod ? { root, pod: { ...pod, previous: false } } : { root });
/** What there is of that kind beside the one that is missing: often a misspelt name. */
const siblings =
  (kind: string) =>
  ({ root }: Scene): string =>
    `kubectl get ${kind} -n ${namespaceOf(root)}`;

/**
 * The words for every reason; one row each. "Deployment shop/api" + doing + "since 08:59 UTC". A reason without a row does
 * not compile.
 */
export const phrases: Readonly<Record<Reason, Phrase>> = {
  CrashLoopBackOff: {
    doing: (facts) => `has been crashing${exit(facts)}`,
    well: 'is running again',
    next: logs,
  },
  OOMKilled: {
    doing: ({ memoryLimit }) =>
      `has been running out of memory${memoryLimit === undefined ? '' : ` (its limit is ${memoryLimit})`}`,
    well: 'stays within its memory again',
    next: describePod,
  },
  StartError: {
    doing: (facts) => `has not been able to start its container${named(facts, 'container')}`,
    well: 'starts again',
    next: describePod,
  },
  ImagePullBackOff: {
    doing: (facts) => `has not been able to pull ${image(facts)}`,
    well: 'has its image now',
    next: describePod,
  },
  ImageNotFound: {
    doing: (facts) => `has been asking for an image that does not exist (${image(facts)})`,
    well: 'has its image now',
    next: describePod,
  },
  ImagePullDenied: {
    doing: (facts) => `has been refused ${image(facts)} by the registry`,
    well: 'has its image now',
    next: describePod,
  },
  InvalidImageName: {
    doing: (facts) => `has had an image name that is not valid (${image(facts)})`,
    well: 'has a valid image now',
    next: describePod,
  },
  ErrImageNeverPull: {
    doing: (facts) => `has needed ${image(facts)}, which is not on the node and may not be pulled`,
    well: 'has its image now',
    next: describePod,
  },
  ImageInspectError: {
    doing: (facts) => `has had an image that the node cannot read (${image(facts)})`,
    well: 'has its image now',
    next: describePod,
  },
  SignatureValidationFailed: {
    doing: (facts) => `has been refused ${image(facts)} because its signature does not check out`,
    well: 'has its image now',
    next: describePod,
  },
  StartupProbeFailed: {
    doing: (facts) => `has not got past the startup probe of its container${named(facts, 'container')}`,
    well: 'starts again',
    next: logs,
  },
  CreateContainerConfigError: {
    doing: (facts) => `has been waiting for configuration that does not exist${missing(facts)}`,
    well: 'has its configuration now',
    next: describePod,
  },
  CreateContainerError: {
    doing: (facts) => `has not been able to create its container${named(facts, 'container')}`,
    well: 'has its containers now',
    next: describePod,
  },
  ContainerCreating: {
    doing: () => 'has been stuck creating containers',
    well: 'has its containers now',
    next: describePod,
  },
  InitContainerError: {
    doing: (facts) => `has been failing in its init container${named(facts, 'container')}${exit(facts)}`,
    well: 'gets through its init containers again',
    next: logs,
  },
  InitContainerWaiting: {
    doing: (facts) => `has been waiting for its init container${named(facts, 'container')}`,
    well: 'gets through its init containers again',
    next: currentLogs,
  },
  Unschedulable: { doing: () => 'has had pods that fit on no node', well: 'has its pods placed', next: describePod },
  SchedulerError: {
    doing: () => 'has had pods that the scheduler fails on',
    well: 'has its pods placed',
    next: describePod,
  },
  PodNotReady: { doing: () => 'has been running without getting ready', well: 'is ready again', next: currentLogs },
  PodFailed: { doing: (facts) => `failed${exit(facts)}`, once: true, well: 'has no failed pod any more', next: logs },
  PodStuckTerminating: { doing: () => 'has been stuck terminating', well: 'is gone', next: describePod },
  PodStatusUnknown: {
    doing: () => 'has been in an unknown state',
    well: 'is known to be well again',
    next: describePod,
  },
  ProgressDeadlineExceeded: {
    doing: () => 'has been stuck in its rollout',
    well: 'has finished its rollout',
    next: ({ root }) =>
      root.startsWith('Deployment/') ? kubectl('rollout history deployment', root) : describeRoot({ root }),
  },
  DeploymentUnavailable: shortOfReplicas(),
  ReplicaFailure: {
    doing: () => 'has not been able to create pods',
    well: 'creates pods again',
    next: describeRoot,
  },
  StatefulSetUnavailable: shortOfReplicas(),
  DaemonSetUnavailable: {
    doing: () => 'has been missing on nodes it should run on',
    well: 'runs on all its nodes again',
    next: describeRoot,
  },
  JobFailed: { doing: (facts) => `failed${exit(facts)}`, once: true, well: 'is no longer failed', next: logs },
  NodeNotReady: { doing: () => 'has not been ready', well: 'is ready again', next: describeRoot },
  NodeUnreachable: { doing: () => 'has not been heard from', well: 'is back', next: describeRoot },
  MemoryPressure: { doing: () => 'has been short of memory', well: 'has enough memory again', next: describeRoot },
  DiskPressure: {
    doing: () => 'has been short of disk space',
    well: 'has enough disk space again',
    next: describeRoot,
  },
  PIDPressure: {
    doing: () => 'has been short of process ids',
    well: 'has enough process ids again',
    next: describeRoot,
  },
  NetworkUnavailable: { doing: () => 'has had no network', well: 'has its network again', next: describeRoot },
  RegistryUnreachable: { doing: () => 'has been unreachable', well: 'answers again', next: failedPulls },
  RegistryDenied: {
    doing: () => 'has been refusing pulls',
    well: 'accepts pulls again',
    next: failedPulls,
  },
  SecretMissing: { doing: missingSince, well: 'exists again', next: siblings('secrets') },
  ConfigMapMissing: { doing: missingSince, well: 'exists again', next: siblings('configmaps') },
};

function shortOfReplicas(): Phrase {
  return { doing: () => 'has been short of replicas', well: 'has all its replicas again', next: describeRoot };
}

/** ` (key password of Secret db)`, as far as it is known. */
function missing(facts: Facts): string {
  const object = text(facts, 'missing');
  const key = text(facts, 'missingKey');
  if (object === undefined) return '';
  return key === undefined ? ` (${object})` : ` (key ${key} of ${object})`;
}

function missingSince(facts: Facts): string {
  const key = text(facts, 'missingKey');
  return key === undefined ? 'has been missing' : `has been without the key ${key}`;
}
