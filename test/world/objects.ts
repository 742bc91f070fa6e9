import type { RawObject } from '../../src/model/raw-object.ts';

/** The time at which the tests' stories begin. */
export const start = Date.UTC(2026, 5, 1, 12);
/** Minutes and seconds after the beginning, as epoch milliseconds. */
export const at = (minutes: number, seconds = 0): number => start + minutes * 60_000 + seconds * 1000;
/** An instant as the API writes it. */
export const stamp = (time: number): string => new Date(time).toISOString().replace('.000Z', 'Z');

type Fields = Record<string, unknown>;

/** What most stories vary of an object. */
export type Common = {
  readonly namespace?: string;
  readonly uid?: string;
  readonly createdAt?: number;
  readonly deletionAt?: number;
  readonly finalizers?: readonly string[];
  readonly labels?: Record<string, string>;
  readonly annotations?: Record<string, string>;
  /** `apiVersion`: `apps/v1` unless said otherwise. */
  readonly owner?: { readonly kind: string; readonly name: string; readonly apiVersion?: string };
  readonly generation?: number;
  readonly managedFields?: readonly Fields[];
};

/** The group and version of owners that are not in `apps/v1`. */
const groups: Readonly<Record<string, string>> = {
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Node: 'v1',
  Pod: 'v1',
  ReplicationController: 'v1',
};

/** The metadata of an object; `namespace` is absent for what has none. */
export function metadata(name: string, namespace: string | undefined, common: Common): RawObject['metadata'] {
  return {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    uid: common.uid ?? `uid-of-${name}`,
    creationTimestamp: stamp(common.createdAt ?? start),
    generation: common.generation ?? 1,
    labels: common.labels ?? {},
    annotations: common.annotations ?? {},
    managedFields: common.managedFields ?? [],
    ...(common.deletionAt === undefined ? {} : { deletionTimestamp: stamp(common.deletionAt) }),
    ...(common.finalizers && { finalizers: common.finalizers }),
    ...(common.owner
      ? {
          ownerReferences: [
            { apiVersion: groups[common.owner.kind] ?? 'apps/v1', ...common.owner, uid: 'owner', controller: true },
          ],
        }
      : {}),
  };
}

/** A condition; it began at the start unless said otherwise. */
export function condition(type: string, status: string, since = start, reason = '', message = ''): Fields {
  return { type, status, reason, message, lastTransitionTime: stamp(since) };
}

/** A container status that runs and is ready, or what is said instead. */
export function status(name: string, own: Fields = {}): Fields {
  return {
    name,
    ready: true,
    started: true,
    restartCount: 0,
    image: 'registry.example/shop/api:1.0',
    state: { running: { startedAt: stamp(start) } },
    lastState: {},
    ...own,
  };
}

/** A container status that waits. */
export function waiting(name: string, reason: string, message = '', own: Fields = {}): Fields {
  return status(name, { ready: false, started: false, state: { waiting: { reason, message } }, ...own });
}

/** How a run ended. */
export function ended(from: number, to: number, exitCode = 1, reason = 'Error', message?: string): Fields {
  return { terminated: { exitCode, reason, startedAt: stamp(from), finishedAt: stamp(to), message } };
}

export type PodParts = Common & {
  readonly node?: string | undefined;
  readonly phase?: string;
  /** `false`: its kubelet has not looked at it yet. */
  readonly takenUp?: boolean;
  readonly reason?: string;
  readonly spec?: Fields;
  readonly containers?: readonly Fields[];
  readonly initStatuses?: readonly Fields[];
  readonly statuses?: readonly Fields[];
  readonly conditions?: readonly Fields[];
};

/** A Pod `shop/<name>`, running and ready on n1 unless said otherwise. */
export function pod(name: string, parts: PodParts = {}): RawObject {
  const statuses = parts.statuses ?? [status('api')];
  const ready = statuses.every((entry) => entry.ready === true);
  const node = 'node' in parts ? parts.node : 'n1';
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: {
      containers: parts.containers ?? [{ name: 'api', image: 'registry.example/shop/api:1.0' }],
      restartPolicy: 'Always',
      ...(node === undefined ? {} : { nodeName: node }),
      ...parts.spec,
    },
    status: {
      phase: parts.phase ?? 'Running',
      ...(parts.reason === undefined ? {} : { reason: parts.reason }),
      ...((parts.takenUp ?? true) ? { startTime: stamp(parts.createdAt ?? start) } : {}),
      conditions: parts.conditions ?? [
        condition('Initialized', 'True', parts.createdAt ?? start),
        condition('Ready', ready ? 'True' : 'False', parts.createdAt ?? start, ready ? '' : 'ContainersNotReady'),
        condition('PodScheduled', node === undefined ? 'False' : 'True', parts.createdAt ?? start),
      ],
      initContainerStatuses: parts.initStatuses ?? [],
      containerStatuses: statuses,
    },
  };
}

export type NodeParts = Common & {
  readonly ready?: 'True' | 'False' | 'Unknown';
  readonly since?: number;
  /** The kubelet's message of `Ready`. */
  readonly says?: string;
  readonly spec?: Fields;
  readonly conditions?: readonly Fields[];
  readonly allocatable?: Fields;
};

/** A Node that is ready, and an hour old so that nothing takes it for young. */
export function node(name: string, parts: NodeParts = {}): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metadata(name, undefined, { createdAt: start - 3_600_000, ...parts }),
    spec: parts.spec ?? {},
    status: {
      conditions: [
        condition('Ready', parts.ready ?? 'True', parts.since ?? start, 'Kubelet', parts.says),
        ...(parts.conditions ?? []),
      ],
      nodeInfo: { kubeletVersion: 'v1.36.0' },
      ...(parts.allocatable && { allocatable: parts.allocatable }),
    },
  };
}

export type WorkloadParts = Common & {
  readonly replicas?: number;
  readonly image?: string;
  readonly spec?: Fields;
  readonly template?: Fields;
  readonly status?: Fields;
  readonly conditions?: readonly Fields[];
};

/** A Deployment, ReplicaSet or StatefulSet `shop/<name>` of three Pods that are all well, unless said otherwise. */
export function workload(
  kind: 'Deployment' | 'ReplicaSet' | 'StatefulSet',
  name: string,
  parts: WorkloadParts = {},
): RawObject {
  const replicas = parts.replicas ?? 3;
  const image = parts.image ?? 'registry.example/shop/api:1.0';
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: {}, spec: { containers: [{ name: 'api', image }], ...parts.template } },
      ...parts.spec,
    },
    status: {
      observedGeneration: parts.generation ?? 1,
      replicas,
      readyReplicas: replicas,
      availableReplicas: replicas,
      updatedReplicas: replicas,
      conditions: parts.conditions ?? [],
      ...parts.status,
    },
  };
}

/** A DaemonSet `shop/<name>` that wants a Pod on each of two Nodes. */
export function daemonSet(name: string, parts: WorkloadParts = {}): RawObject {
  const wanted = parts.replicas ?? 2;
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: metadata(name, parts.namespace ?? 'shop', { createdAt: start - 3_600_000, ...parts }),
    spec: {
      selector: { matchLabels: { app: name } },
      template: { spec: { containers: [{ name: 'api', image: 'registry.example/agent:1' }] } },
      ...parts.spec,
    },
    status: {
      observedGeneration: 1,
      desiredNumberScheduled: wanted,
      currentNumberScheduled: wanted,
      numberReady: wanted,
      numberAvailable: wanted,
      updatedNumberScheduled: wanted,
      ...parts.status,
    },
  };
}

/** A Job `shop/<name>`. */
export function job(name: string, parts: WorkloadParts = {}): RawObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { template: { spec: { containers: [{ name: 'job', image: 'registry.example/job:1' }] } }, ...parts.spec },
    status: { conditions: parts.conditions ?? [], ...parts.status },
  };
}

/** A CronJob `shop/<name>` that ran last an hour before the start, and succeeded; every hour unless said otherwise. */
export function cronJob(name: string, parts: WorkloadParts = {}): RawObject {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: metadata(name, parts.namespace ?? 'shop', { createdAt: start - 30 * 86_400_000, ...parts }),
    spec: { schedule: '0 * * * *', concurrencyPolicy: 'Allow', suspend: false, ...parts.spec },
    status: {
      lastScheduleTime: stamp(start - 3_600_000),
      lastSuccessfulTime: stamp(start - 3_590_000),
      ...parts.status,
    },
  };
}

/** An autoscaler of Deployment `shop/<name>` between 2 and 10 replicas, which has 3 and wants no other, unless said otherwise. */
export function autoscaler(name: string, parts: WorkloadParts = {}): RawObject {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
      ...{ minReplicas: 2, maxReplicas: 10 },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
      ],
      ...parts.spec,
    },
    status: { currentReplicas: 3, desiredReplicas: 3, conditions: parts.conditions ?? [], ...parts.status },
  };
}

/** A budget of the Pods labelled `app: <name>` that asks for one, of which three are healthy, unless said otherwise. */
export function budget(name: string, parts: WorkloadParts = {}): RawObject {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { minAvailable: 1, selector: { matchLabels: { app: name } }, ...parts.spec },
    status: {
      observedGeneration: parts.generation ?? 1,
      ...{ currentHealthy: 3, desiredHealthy: 1, expectedPods: 3, disruptionsAllowed: 2 },
      conditions: parts.conditions ?? [],
      ...parts.status,
    },
  };
}

/** A ConfigMap `shop/<name>` by its metadata. */
export function configMap(name: string, parts: Common = {}): RawObject {
  return {
    apiVersion: 'meta.k8s.io/v1',
    kind: 'PartialObjectMetadata',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
  };
}

/** A Warning of an object in `shop`, told at an instant. */
export function warning(kind: string, name: string, reason: string, note: string, time: number): RawObject {
  const regarding = { kind, namespace: 'shop', name, uid: `uid-of-${name}`, apiVersion: apiVersions[kind] ?? 'v1' };
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: metadata(`${name}.${reason}`, 'shop', { createdAt: time }),
    ...{ regarding, reason, note, type: 'Warning', eventTime: null },
    deprecatedFirstTimestamp: stamp(time),
    deprecatedLastTimestamp: stamp(time),
    deprecatedCount: 1,
  };
}

const apiVersions: Readonly<Record<string, string>> = {
  ...{ Deployment: 'apps/v1', ReplicaSet: 'apps/v1', StatefulSet: 'apps/v1', DaemonSet: 'apps/v1' },
  ...{ Job: 'batch/v1', CronJob: 'batch/v1' },
};

/** A managedFields entry: who owned which fields when. */
export function managed(manager: string, time: number, fieldsV1: Fields, subresource?: string): Fields {
  return {
    manager,
    operation: 'Update',
    apiVersion: 'v1',
    time: stamp(time),
    fieldsType: 'FieldsV1',
    fieldsV1,
    ...(subresource === undefined ? {} : { subresource }),
  };
}

export type EventParts = {
  readonly namespace?: string;
  readonly uid?: string;
  readonly type?: 'Warning' | 'Normal';
  readonly count?: number;
  /** When it came first and last. */
  readonly first?: number;
  readonly last?: number;
  readonly reporter?: string;
};

/** An Event of an object, a Warning unless said otherwise, that came once. */
export function event(kind: string, name: string, reason: string, note: string, parts: EventParts = {}): RawObject {
  const last = parts.last ?? start;
  const namespace = parts.namespace;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { ...metadata(`${name}.${reason}`, namespace ?? 'default', { createdAt: parts.first ?? last }) },
    regarding: { kind, name, uid: parts.uid ?? `uid-of-${name}`, ...(namespace !== undefined && { namespace }) },
    type: parts.type ?? 'Warning',
    ...{ reason, note, reportingController: parts.reporter ?? 'kubelet' },
    deprecatedFirstTimestamp: stamp(parts.first ?? last),
    deprecatedLastTimestamp: stamp(last),
    deprecatedCount: parts.count ?? 1,
  };
}

/** An Event as events.k8s.io/v1 shows one of a kubelet: of the container in `container`, or of the object itself. */
export function eventOf(
  about: RawObject,
  reason: string,
  note: string,
  time: number,
  own: Fields & { readonly container?: string; readonly count?: number; readonly firstAt?: number } = {},
): RawObject {
  const { container, count = 1, firstAt = time, ...fields } = own;
  const { namespace, name, uid } = about.metadata;
  const path = container === undefined ? {} : { fieldPath: `spec.containers{${container}}` };
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: {
      name: `${name}.${reason}.${firstAt}${container ?? ''}`,
      namespace: namespace ?? 'default',
      uid: `uid-of-${name}.${reason}.${firstAt}`,
      creationTimestamp: stamp(firstAt),
    },
    regarding: { kind: about.kind, apiVersion: 'v1', name, uid, ...(namespace && { namespace }), ...path },
    type: 'Warning',
    reason,
    note,
    deprecatedSource: { component: 'kubelet', host: 'n1' },
    deprecatedFirstTimestamp: stamp(firstAt),
    deprecatedLastTimestamp: stamp(time),
    deprecatedCount: count,
    reportingController: 'kubelet',
    ...fields,
  };
}
