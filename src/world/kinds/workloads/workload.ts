import type { Labels } from '../../../model/subject.ts';
import { type Fields, fieldsOf, given, labelsOf, numberOf, textOf } from '../../reading/fields.ts';
import type { WatchedKind } from '../../reading/kind.ts';
import { type LabelSelector, labelSelectorOf } from '../../reading/label-selector.ts';
import { type Condition, conditionsOf, type Meta, metaOf } from '../../reading/meta.ts';
import { type PodTemplate, podTemplate } from '../../reading/pod-template.ts';

/** What the long-running workload kinds share. `replicas`: wanted; counts are as their controller reported them. */
export type WorkloadView = Meta & {
  readonly kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet' | 'DaemonSet' | 'ReplicationController';
  readonly observedGeneration: number;
  readonly replicas: number;
  /** Pods that there are: those that run for nothing on Nodes that they should not be on are left out. */
  readonly created: number;
  readonly ready: number;
  readonly available: number;
  readonly updated: number;
  readonly conditions: readonly Condition[];
  readonly paused: boolean;
  readonly template: PodTemplate;
  /** Which Pods are its own; a ReplicaSet of a Deployment has the Deployment's. */
  readonly selector?: LabelSelector;
  /** Labels of the Pods it makes; those of a ReplicaSet of a Deployment are the Deployment's. */
  readonly podLabels?: Labels;
  /** ReplicaSet: the value of `deployment.kubernetes.io/revision`; StatefulSet and DaemonSet: the update revision's name. */
  readonly revision?: string;
  /** StatefulSet: `status.currentRevision`, differing from `revision` while it rolls out. */
  readonly currentRevision?: string;
  /** StatefulSet, DaemonSet: the controller replaces no Pods by itself (`updateStrategy.type` is `OnDelete`). */
  readonly updatesOnDelete?: true;
  /** StatefulSet: Pods with a lower ordinal keep their revision. */
  readonly partition?: number;
  /** StatefulSet: `Parallel`, where absent `OrderedReady`. */
  readonly isParallel?: true;
  /** DaemonSet: Pods on Nodes that its template does not fit. */
  readonly misscheduled?: number;
};

/** Where a kind keeps what the four kinds share: names of fields of `status`, which differ only for DaemonSets. */
type Counts = {
  readonly created: string;
  readonly ready: string;
  readonly available: string;
  readonly updated: string;
};

const replicaCounts: Counts = {
  created: 'replicas',
  ready: 'readyReplicas',
  available: 'availableReplicas',
  updated: 'updatedReplicas',
};

const revisionAnnotation = 'deployment.kubernetes.io/revision';

function workload<K extends WorkloadView['kind']>(kind: K, raw: Fields, counts: Counts, own: Partial<WorkloadView>) {
  const meta = metaOf(kind, raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const template = fieldsOf(spec.template);
  return {
    ...meta,
    kind,
    observedGeneration: numberOf(status.observedGeneration) ?? 0,
    // The API server's default for an absent `spec.replicas`.
    replicas: numberOf(spec.replicas) ?? 1,
    created: numberOf(status[counts.created]) ?? 0,
    ready: numberOf(status[counts.ready]) ?? 0,
    available: numberOf(status[counts.available]) ?? 0,
    updated: numberOf(status[counts.updated]) ?? 0,
    conditions: conditionsOf(raw, meta.createdAt),
    paused: spec.paused === true,
    template: podTemplate(fieldsOf(template.spec)),
    ...(kind === 'ReplicaSet' && meta.owner ? {} : ownPods(spec, fieldsOf(template.metadata))),
    ...own,
  };
}

/** Which Pods are a workload's own, and with which labels it makes them. */
function ownPods(spec: Fields, made: Fields): Pick<WorkloadView, 'selector' | 'podLabels'> {
  const selector = labelSelectorOf(spec.selector);
  return { podLabels: labelsOf(made.labels), ...given({ selector }) };
}

const daemonCounts: Counts = {
  created: 'currentNumberScheduled',
  ready: 'numberReady',
  available: 'numberAvailable',
  updated: 'updatedNumberScheduled',
};

function updatesOf(raw: Fields): Pick<WorkloadView, 'updatesOnDelete'> {
  const { type } = fieldsOf(fieldsOf(raw.spec).updateStrategy);
  return type === 'OnDelete' ? { updatesOnDelete: true } : {};
}

/** What holds of it and has no time in the API: it is short, or has nothing that serves; a rollout is where it is. */
function facets(view: WorkloadView): readonly string[] {
  const { kind, ready, replicas, created, updated, revision, currentRevision, generation, misscheduled } = view;
  const isUpdating = kind === 'StatefulSet' ? revision !== currentRevision : kind === 'DaemonSet' && updated < replicas;
  // Most are whole.
  if (ready >= replicas && !isUpdating && !misscheduled && replicas > 0) return none;
  const held: string[] = [];
  if (ready < replicas) held.push('short');
  if (ready === 0 && replicas > 0) held.push('unserved');
  if (created < replicas) held.push('unmade');
  if (isUpdating) held.push(`updating/${revision ?? generation}/${updated}/${ready}`);
  if (misscheduled) held.push('misscheduled');
  return held;
}
const none: readonly string[] = [];

const podLabels = (view: WorkloadView): Labels | undefined => view.podLabels;

const apps = { group: 'apps', versions: ['v1'], namespaced: true, facets, podLabels } as const;

/** Nobody has edited its spec since it was made: its Pods are those of its first start. */
export const isUnedited = ({ generation }: Pick<WorkloadView, 'generation'>): boolean => generation <= 1;

/** apps/v1 Deployment. */
export const deployments: WatchedKind<WorkloadView> = {
  ...apps,
  plural: 'deployments',
  kind: 'Deployment',
  project: (raw) => workload('Deployment', raw, replicaCounts, {}),
  judgedBy: ['Pod', 'Service', 'HorizontalPodAutoscaler'],
  fingerprintForDependents({
    uid,
    paused,
    replicas,
    ready,
    generation,
    observedGeneration,
    deletionAt,
    conditions,
    podLabels,
  }) {
    const { status, reason, since } = conditions.find(({ type }) => type === 'Progressing') ?? {};
    const available = conditions.find(({ type }) => type === 'Available');
    const serving = [ready > 0, available?.status, available?.since];
    const rollout = [isUnedited({ generation }), generation === observedGeneration, status, reason, since];
    return [uid, paused, replicas, deletionAt, podLabels, ...rollout, ...serving];
  },
};

/** apps/v1 ReplicaSet. */
export const replicaSets: WatchedKind<WorkloadView> = {
  ...apps,
  plural: 'replicasets',
  kind: 'ReplicaSet',
  withoutManagedFields: true,
  project(raw) {
    const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
    return workload('ReplicaSet', raw, replicaCounts, given({ revision: textOf(annotations[revisionAnnotation]) }));
  },
  judgedBy: ['Pod', 'Deployment', 'Service', 'HorizontalPodAutoscaler'],
  fingerprintForDependents: ({ uid, revision, createdAt, replicas, deletionAt, podLabels }) => [
    uid,
    revision,
    createdAt,
    deletionAt,
    podLabels,
    replicas === 0,
  ],
};

/** apps/v1 StatefulSet. */
export const statefulSets: WatchedKind<WorkloadView> = {
  ...apps,
  plural: 'statefulsets',
  kind: 'StatefulSet',
  project(raw) {
    const { updateRevision, currentRevision } = fieldsOf(raw.status);
    const { updateStrategy, podManagementPolicy } = fieldsOf(raw.spec);
    const { partition } = fieldsOf(fieldsOf(updateStrategy).rollingUpdate);
    return workload('StatefulSet', raw, replicaCounts, {
      ...given({ revision: textOf(updateRevision), currentRevision: textOf(currentRevision) }),
      ...given({ partition: numberOf(partition) || undefined }),
      ...updatesOf(raw),
      ...(podManagementPolicy === 'Parallel' && { isParallel: true }),
    });
  },
  judgedBy: ['Pod', 'Service', 'HorizontalPodAutoscaler'],
  fingerprintForDependents: ({ uid, generation, revision, currentRevision, updated, replicas, ready, podLabels }) => [
    uid,
    isUnedited({ generation }),
    revision,
    currentRevision,
    replicas,
    podLabels,
    updated < replicas,
    ready > 0,
  ],
};

/** apps/v1 DaemonSet. What it wants is a matter of its status: one Pod for each Node that its template fits. */
export const daemonSets: WatchedKind<WorkloadView> = {
  ...apps,
  plural: 'daemonsets',
  kind: 'DaemonSet',
  project(raw) {
    const { desiredNumberScheduled, numberMisscheduled } = fieldsOf(raw.status);
    const misscheduled = numberOf(numberMisscheduled) || undefined;
    const replicas = numberOf(desiredNumberScheduled) ?? 0;
    return workload('DaemonSet', raw, daemonCounts, { replicas, ...updatesOf(raw), ...given({ misscheduled }) });
  },
  judgedBy: ['Pod', 'Service'],
  fingerprintForDependents: ({ uid, generation, observedGeneration, updated, replicas, ready, podLabels }) => [
    uid,
    isUnedited({ generation }),
    replicas,
    podLabels,
    generation === observedGeneration,
    updated < replicas,
    ready > 0,
  ],
};

/** core/v1 ReplicationController, the forerunner of the ReplicaSet. */
export const replicationControllers: WatchedKind<WorkloadView> = {
  group: '',
  versions: ['v1'],
  namespaced: true,
  facets,
  podLabels,
  plural: 'replicationcontrollers',
  kind: 'ReplicationController',
  withoutManagedFields: true,
  project: (raw) => workload('ReplicationController', raw, replicaCounts, {}),
};
