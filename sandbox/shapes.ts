/** The few fields of built-in kinds that the controllers and the simulated kubelet read and write. */
import type { KubeObject, ObjectMeta } from './object.ts';

/** status.conditions[] of Pods, Nodes and workloads. */
export type Condition = {
  type: string;
  status: 'True' | 'False' | 'Unknown';
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
  lastUpdateTime?: string;
  lastHeartbeatTime?: string | null;
  lastProbeTime?: string | null;
  observedGeneration?: number;
};

/** A reference to one key of a Secret or ConfigMap. */
export type KeyReference = { name: string; key: string; optional?: boolean };

/** spec.containers[] of a Pod. */
export type Container = {
  name: string;
  image: string;
  restartPolicy?: string;
  imagePullPolicy?: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: KeyReference; configMapKeyRef?: KeyReference } }[];
  envFrom?: { secretRef?: { name: string; optional?: boolean }; configMapRef?: { name: string; optional?: boolean } }[];
  startupProbe?: object;
  readinessProbe?: object;
  livenessProbe?: object;
  [field: string]: unknown;
};

/** A Pod volume; only the two kinds that can be missing are looked at. */
export type Volume = {
  name: string;
  secret?: { secretName: string; optional?: boolean };
  configMap?: { name: string; optional?: boolean };
  [field: string]: unknown;
};

/** A toleration as on Pods. */
export type Toleration = {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
};

/** A taint as on Nodes. */
export type Taint = { key: string; value?: string; effect: string; timeAdded?: string };

/** spec of a Pod. */
export type PodSpec = {
  nodeName?: string;
  containers: Container[];
  initContainers?: Container[];
  volumes?: Volume[];
  restartPolicy?: 'Always' | 'OnFailure' | 'Never';
  terminationGracePeriodSeconds?: number;
  nodeSelector?: { [key: string]: string };
  tolerations?: Toleration[];
  serviceAccountName?: string;
  [field: string]: unknown;
};

/** How a container ended. */
export type Terminated = {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  startedAt?: string | null;
  finishedAt?: string | null;
  containerID?: string;
};

/** One of the three states of a container. */
export type ContainerState = {
  waiting?: { reason?: string; message?: string };
  running?: { startedAt: string };
  terminated?: Terminated;
};

/** status.containerStatuses[]. */
export type ContainerStatus = {
  name: string;
  state: ContainerState;
  lastState: ContainerState;
  ready: boolean;
  started?: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
};

/** status of a Pod. */
export type PodStatus = {
  phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  observedGeneration?: number;
  conditions?: Condition[];
  reason?: string;
  message?: string;
  hostIP?: string;
  hostIPs?: { ip: string }[];
  podIP?: string;
  podIPs?: { ip: string }[];
  startTime?: string;
  qosClass?: string;
  containerStatuses?: ContainerStatus[];
  initContainerStatuses?: ContainerStatus[];
};

/** core/v1 Pod. */
export type Pod = KubeObject & { spec: PodSpec; status: PodStatus };

/** A Pod template as workloads hold it. */
export type PodTemplate = { metadata?: Partial<ObjectMeta>; spec: PodSpec };

/** core/v1 Node. */
export type Node = KubeObject & {
  spec: { taints?: Taint[]; unschedulable?: boolean };
  status: {
    conditions?: Condition[];
    addresses?: { type: string; address: string }[];
    allocatable?: { [resource: string]: string };
    daemonEndpoints?: { kubeletEndpoint?: { Port: number } };
    [field: string]: unknown;
  };
};

/** coordination.k8s.io/v1 Lease. */
export type Lease = KubeObject & {
  spec: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    renewTime?: string;
    acquireTime?: string;
    leaseTransitions?: number;
  };
};

/** apps/v1 Deployment. Defaults are applied by the API, so what is defaulted is there. */
export type Deployment = KubeObject & {
  spec: {
    replicas: number;
    paused?: boolean;
    selector: LabelSelector;
    template: PodTemplate;
    minReadySeconds?: number;
    progressDeadlineSeconds: number;
    revisionHistoryLimit: number;
    strategy: { type: string; rollingUpdate?: { maxSurge: number | string; maxUnavailable: number | string } };
  };
  status?: { conditions?: Condition[]; [field: string]: unknown };
};

/** A selector of Pods by labels. */
export type LabelSelector = {
  matchLabels?: { [key: string]: string };
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
};

/** apps/v1 ReplicaSet, StatefulSet or DaemonSet. */
export type Workload = KubeObject & {
  spec: {
    replicas: number;
    selector: LabelSelector;
    template: PodTemplate;
    minReadySeconds?: number;
    serviceName?: string;
    podManagementPolicy?: string;
    volumeClaimTemplates?: { metadata: { name: string }; spec: { [field: string]: unknown } }[];
    revisionHistoryLimit?: number;
    updateStrategy?: { type: string; rollingUpdate?: { maxUnavailable?: number | string; partition?: number } };
  };
  status?: { [field: string]: unknown };
};

/** batch/v1 Job. */
export type Job = KubeObject & {
  spec: {
    parallelism: number;
    completions?: number;
    backoffLimit: number;
    activeDeadlineSeconds?: number;
    suspend?: boolean;
    selector?: LabelSelector;
    template: PodTemplate;
  };
  status?: { conditions?: Condition[]; startTime?: string; completionTime?: string; [field: string]: unknown };
};
