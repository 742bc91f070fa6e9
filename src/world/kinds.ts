import type { Fields } from './fields.ts';
import { projectConfigMap } from './project/config-map.ts';
import { projectJob } from './project/job.ts';
import { projectNamespace } from './project/namespace.ts';
import { projectNode } from './project/node.ts';
import { projectPod } from './project/pod.ts';
import { projectDaemonSet, projectDeployment, projectReplicaSet, projectStatefulSet } from './project/workload.ts';
import type { Projection } from './projection.ts';

/** One kind the world holds: its source's name in coverage, its version, and how it is read. */
export type KindRow = {
  readonly kind: Projection['kind'];
  readonly source: string;
  readonly apiVersion: string;
  readonly project: (raw: Fields) => Projection;
};

/** Every kind that is held. */
export const kinds: readonly KindRow[] = [
  { kind: 'Namespace', source: 'namespaces', apiVersion: 'v1', project: projectNamespace },
  { kind: 'Node', source: 'nodes', apiVersion: 'v1', project: projectNode },
  { kind: 'Deployment', source: 'deployments.apps', apiVersion: 'apps/v1', project: projectDeployment },
  { kind: 'ReplicaSet', source: 'replicasets.apps', apiVersion: 'apps/v1', project: projectReplicaSet },
  { kind: 'StatefulSet', source: 'statefulsets.apps', apiVersion: 'apps/v1', project: projectStatefulSet },
  { kind: 'DaemonSet', source: 'daemonsets.apps', apiVersion: 'apps/v1', project: projectDaemonSet },
  { kind: 'Job', source: 'jobs.batch', apiVersion: 'batch/v1', project: projectJob },
  { kind: 'Pod', source: 'pods', apiVersion: 'v1', project: projectPod },
  { kind: 'ConfigMap', source: 'configmaps', apiVersion: 'v1', project: projectConfigMap },
];
