import { type Fields, fieldsOf, given, numberOf, textOf } from '../fields.ts';
import type { WorkloadView } from '../projection.ts';
import { conditionsOf, metaOf } from './meta.ts';
import { podTemplate } from './pod-template.ts';

/** Where a kind keeps what the four kinds share: names of fields of `status`, which differ only for DaemonSets. */
type Counts = { readonly ready: string; readonly available: string; readonly updated: string };

const replicaCounts: Counts = { ready: 'readyReplicas', available: 'availableReplicas', updated: 'updatedReplicas' };

const revisionAnnotation = 'deployment.kubernetes.io/revision';

function workload<K extends WorkloadView['kind']>(kind: K, raw: Fields, counts: Counts, own: Partial<WorkloadView>) {
  const meta = metaOf(kind, raw);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  return {
    ...meta,
    kind,
    observedGeneration: numberOf(status.observedGeneration) ?? 0,
    // The API server's default for an absent `spec.replicas`.
    replicas: numberOf(spec.replicas) ?? 1,
    ready: numberOf(status[counts.ready]) ?? 0,
    available: numberOf(status[counts.available]) ?? 0,
    updated: numberOf(status[counts.updated]) ?? 0,
    conditions: conditionsOf(raw, meta.createdAt),
    paused: spec.paused === true,
    template: podTemplate(fieldsOf(fieldsOf(spec.template).spec)),
    ...own,
  };
}

/** apps/v1 Deployment. */
export function projectDeployment(raw: Fields): WorkloadView {
  return workload('Deployment', raw, replicaCounts, {});
}

/** apps/v1 ReplicaSet. */
export function projectReplicaSet(raw: Fields): WorkloadView {
  const annotations = fieldsOf(fieldsOf(raw.metadata).annotations);
  return workload('ReplicaSet', raw, replicaCounts, given({ revision: textOf(annotations[revisionAnnotation]) }));
}

/** apps/v1 StatefulSet. */
export function projectStatefulSet(raw: Fields): WorkloadView {
  const status = fieldsOf(raw.status);
  const revisions = given({
    revision: textOf(status.updateRevision),
    currentRevision: textOf(status.currentRevision),
  });
  return workload('StatefulSet', raw, replicaCounts, revisions);
}

const daemonCounts: Counts = { ready: 'numberReady', available: 'numberAvailable', updated: 'updatedNumberScheduled' };

/** apps/v1 DaemonSet. What it wants is a matter of its status: one Pod for each Node that its template fits. */
export function projectDaemonSet(raw: Fields): WorkloadView {
  const wanted = numberOf(fieldsOf(raw.status).desiredNumberScheduled) ?? 0;
  return workload('DaemonSet', raw, daemonCounts, { replicas: wanted });
}
