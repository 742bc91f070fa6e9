import type { Ref } from '../model/ref.ts';
import type { Labels } from '../model/subject.ts';

/**
 * What is kept of an object: the few fields somebody reads. Times are epoch milliseconds, memory and CPU stay the
 * quantity strings people wrote. Absent optional fields mean the API did not say.
 */
export type Meta = {
  readonly ref: Ref;
  readonly uid: string;
  readonly labels: Labels;
  readonly annotations?: Labels;
  readonly createdAt: number;
  readonly generation: number;
  /** When deletion was asked for; the API's `deletionTimestamp` already includes the grace period. */
  readonly deletionAt?: number;
  /** The controlling owner. */
  readonly owner?: Ref;
};

/** A condition of `status.conditions`. */
export type Condition = {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
  readonly since: number;
};

/** One container of a Pod template. `sidecar`: an init container with `restartPolicy: Always`. */
export type ContainerTemplate = {
  readonly name: string;
  readonly role: 'main' | 'init' | 'sidecar';
  readonly image: string;
  readonly memoryLimit?: string;
  readonly memoryRequest?: string;
  readonly cpuRequest?: string;
  readonly startupProbe: boolean;
  readonly readinessProbe: boolean;
  readonly livenessProbe: boolean;
  /** How long the startup probe lets it take: `initialDelaySeconds` + `failureThreshold` x `periodSeconds`. */
  readonly startupBudgetSeconds?: number;
};

/** What siblings share: one value per distinct template, however many Pods there are. */
export type PodTemplate = {
  readonly containers: readonly ContainerTemplate[];
  readonly restartPolicy: 'Always' | 'OnFailure' | 'Never';
  /** Names of Secrets, ConfigMaps and claims the Pod cannot start without (optional references left out). */
  readonly secrets: readonly string[];
  readonly configMaps: readonly string[];
  readonly claims: readonly string[];
  readonly serviceAccount: string;
  readonly nodeSelector: Labels;
  readonly priorityClass?: string;
};

/** How a container ended. `reason` is the runtime's word: `Error`, `OOMKilled`, `Completed`, `ContainerCannotRun`. */
export type Termination = {
  readonly exitCode: number;
  readonly signal?: number;
  readonly reason: string;
  readonly message?: string;
  readonly startedAt?: number;
  readonly finishedAt?: number;
};

/** The status of one container, by name. Exactly one of `waiting`, `running` and `terminated` is there once it is known. */
export type ContainerState = {
  readonly name: string;
  readonly ready: boolean;
  readonly started?: boolean;
  readonly restarts: number;
  readonly image: string;
  readonly waiting?: { readonly reason: string; readonly message: string };
  readonly running?: { readonly startedAt: number };
  readonly terminated?: Termination;
  readonly last?: Termination;
};

/** core/v1 Pod. */
export type PodView = Meta & {
  readonly kind: 'Pod';
  readonly template: PodTemplate;
  readonly node?: string;
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
  readonly startedAt?: number;
  readonly conditions: readonly Condition[];
  /** All statuses: init containers first, as the API lists them. */
  readonly containers: readonly ContainerState[];
  /** `kubernetes.io/config.mirror`: a static Pod, owned by its Node. */
  readonly mirror: boolean;
};

/** core/v1 Node. */
export type NodeView = Meta & {
  readonly kind: 'Node';
  readonly unschedulable: boolean;
  readonly taints: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  readonly conditions: readonly Condition[];
  readonly zone?: string;
  readonly controlPlane: boolean;
  readonly kubeletVersion: string;
};

/** core/v1 Namespace. */
export type NamespaceView = Meta & { readonly kind: 'Namespace'; readonly phase: string };

/** What the four long-running workload kinds share. `replicas`: wanted; counts are as their controller reported them. */
export type WorkloadView = Meta & {
  readonly kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet';
  readonly observedGeneration: number;
  readonly replicas: number;
  readonly ready: number;
  readonly available: number;
  readonly updated: number;
  readonly conditions: readonly Condition[];
  readonly paused: boolean;
  readonly template: PodTemplate;
  /** ReplicaSet: the value of `deployment.kubernetes.io/revision`; StatefulSet and DaemonSet: the update revision's name. */
  readonly revision?: string;
  /** StatefulSet: `status.currentRevision`, differing from `revision` while it rolls out. */
  readonly currentRevision?: string;
};

/** batch/v1 Job. */
export type JobView = Meta & {
  readonly kind: 'Job';
  readonly suspended: boolean;
  readonly active: number;
  readonly failed: number;
  readonly succeeded: number;
  readonly startedAt?: number;
  readonly completedAt?: number;
  readonly conditions: readonly Condition[];
  readonly template: PodTemplate;
};

/** Known by its metadata only (ConfigMaps): `dataChangedAt` is the newest time of a managedFields entry that owns data. */
export type MetadataView = Meta & {
  readonly kind: 'ConfigMap';
  readonly dataChangedAt?: number;
  readonly dataChangedBy?: string;
};

/** A compact view of one object, told apart by `kind`. */
export type Projection = PodView | NodeView | NamespaceView | WorkloadView | JobView | MetadataView;

/** The view of one kind. */
export type ViewOf<K extends Projection['kind']> = Projection & { readonly kind: K };
