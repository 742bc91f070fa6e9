import type { RawObject } from '../../src/model/raw-object.ts';
import type { ContainerLog } from '../../src/runtime/recording/container-logs.ts';
import type { Holding } from './formats.ts';

/** What a tool takes of a cluster when nobody tells it otherwise. */
export type Gathered = {
  /** Absent: of all kinds. */
  readonly kinds?: ReadonlySet<string>;
  /** Whether it takes an object of such a kind; absent: all. */
  readonly takes?: (raw: RawObject) => boolean;
  /** Of which Pods it takes logs (absent: of none), and whether of runs that ended as well. */
  readonly logs?: { readonly of: (pod: RawObject) => boolean; readonly previous: boolean };
};

type Status = {
  readonly phase?: string;
  readonly initContainerStatuses?: readonly ContainerStatus[];
  readonly containerStatuses?: readonly ContainerStatus[];
};
type ContainerStatus = {
  readonly ready?: boolean;
  readonly restartCount?: number;
  readonly state?: { readonly terminated?: { readonly exitCode?: number }; readonly waiting?: object };
  readonly lastState?: { readonly terminated?: { readonly exitCode?: number } };
};

/** insights-operator, `check.IsHealthyPod`: it waits, or a container was started again or ended with an error. */
function isUnhealthy({ status }: RawObject): boolean {
  const { phase, initContainerStatuses = [], containerStatuses = [] } = (status ?? {}) as Status;
  const failed = ({ restartCount = 0, state, lastState }: ContainerStatus): boolean =>
    restartCount > 0 || [state, lastState].some((one) => (one?.terminated?.exitCode ?? 0) !== 0);
  return phase === 'Pending' || [...initContainerStatuses, ...containerStatuses].some(failed);
}

/** Troubleshoot, `k8sutil.IsPodUnhealthy`: it waits or has failed, or a container is not ready. */
function isNotReady({ status }: RawObject): boolean {
  const { phase, containerStatuses = [] } = (status ?? {}) as Status;
  if (phase === 'Succeeded') return false;
  return phase !== 'Running' || containerStatuses.some(({ ready }) => ready !== true);
}

const all = (): boolean => true;

/** Format → what the tool takes: kubectl 1.36, `oc adm inspect` 4.17 and the scripts of must-gather, Troubleshoot 0.120, insights-operator 4.17. */
export const gathered: Readonly<Record<string, Gathered>> = {
  'kubectl cluster-info dump': {
    kinds: new Set(['Node', 'Event', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'Pod']),
    logs: { of: all, previous: false },
  },
  'must-gather': {
    kinds: new Set([
      ...['Namespace', 'Pod', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet', 'CronJob', 'Job'],
      ...['HorizontalPodAutoscaler', 'ConfigMap', 'Event', 'EndpointSlice', 'PersistentVolumeClaim'],
      ...[
        'PodDisruptionBudget',
        'Node',
        'StorageClass',
        'PersistentVolume',
        'VolumeAttachment',
        'CSIDriver',
        'CSINode',
      ],
      ...['VolumeSnapshotContent', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService'],
      ...['CertificateSigningRequest', 'CustomResourceDefinition'],
    ]),
    logs: { of: all, previous: true },
  },
  'Troubleshoot support bundle': {
    kinds: new Set([
      ...['Namespace', 'Pod', 'Service', 'DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet', 'CronJob', 'Job'],
      ...['PodDisruptionBudget', 'Ingress', 'IngressClass', 'NetworkPolicy', 'ResourceQuota', 'LimitRange', 'Event'],
      ...['PersistentVolumeClaim', 'PersistentVolume', 'StorageClass', 'Node', 'PriorityClass', 'ConfigMap'],
      ...['EndpointSlice', 'ServiceAccount', 'Lease', 'VolumeAttachment', 'CertificateSigningRequest'],
      ...['CustomResourceDefinition'],
    ]),
    logs: { of: isNotReady, previous: true },
  },
  // As if every namespace were one of an operator of OpenShift that is degraded: of all others it takes no Pod. Its Events are without objects.
  'OpenShift Insights archive': {
    kinds: new Set([
      ...['Node', 'Pod', 'StorageClass', 'PodDisruptionBudget', 'CertificateSigningRequest'],
      ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
    ]),
    takes: (raw) => raw.kind !== 'Pod' || isUnhealthy(raw),
    logs: { of: all, previous: true },
  },
  'objects as kubectl prints them': {},
};

/** What of a cluster a tool takes. */
export function takenOf({ objects, logs }: Holding, { kinds, takes = all, logs: wanted }: Gathered): Holding {
  const pods = new Map(objects.filter(({ kind }) => kind === 'Pod').map((raw) => [podOf(raw), raw]));
  const isLogged = ({ pod, previous }: ContainerLog): boolean => {
    const raw = pods.get(pod);
    return wanted !== undefined && raw !== undefined && wanted.of(raw) && (wanted.previous || !previous);
  };
  return {
    objects: objects.filter((raw) => kinds?.has(raw.kind ?? '') !== false && takes(raw)),
    logs: logs.filter(isLogged),
  };
}

const podOf = ({ metadata }: RawObject): string => `Pod/${metadata.namespace}/${metadata.name}`;
