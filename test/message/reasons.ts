import type { RawObject } from '../../src/model/raw-object.ts';
import type { Reason } from '../../src/model/reason.ts';
import {
  at,
  condition,
  configMap,
  cronJob,
  daemonSet,
  ended,
  eventOf,
  job,
  managed,
  type PodParts,
  pod,
  stamp,
  status,
  waiting,
  workload,
} from '../world/objects.ts';
import { alertStories } from './reasons/alerts.ts';
import { calledStories } from './reasons/called.ts';
import { certificateStories } from './reasons/certificate.ts';
import { controlReasonStories } from './reasons/control.ts';
import { customStories } from './reasons/custom.ts';
import { eventStories } from './reasons/events.ts';
import { gatewayStories } from './reasons/gateway.ts';
import { ingressStories } from './reasons/ingress.ts';
import { nodeReasonStories } from './reasons/nodes.ts';
import { scalingStories } from './reasons/scaling.ts';
import { serviceStories } from './reasons/service.ts';
import { signatureStories } from './reasons/signatures.ts';
import {
  type ClusterStory,
  crashed,
  failedPod,
  failing,
  gone,
  heldUp,
  image,
  leftBehind,
  long,
  member,
  missing,
  nodeInTrouble,
  nodes,
  pending,
  podsOf,
  probing,
  pullError,
  registry,
  release,
  replicaSet,
  resized,
  scaledUp,
  sized,
  spec,
  unplaced,
  waitsLong,
} from './shop.ts';
import { storageReasonStories } from './storage-reasons.ts';
import { usageReasonStories } from './usage-reasons.ts';

const jobOwner = (name: string) => ({ kind: 'Job', name, apiVersion: 'batch/v1' });
const neverRan = { lastScheduleTime: undefined, lastSuccessfulTime: undefined };

/** The Pod of a run of a CronJob that could not write what it had to. */
const dumped = (run: number, due: number): RawObject =>
  pod(`backup-${run}-x`, {
    owner: jobOwner(`backup-${run}`),
    createdAt: due,
    phase: 'Failed',
    statuses: [status('dump', { ready: false, state: ended(due + 5000, due + 80_000, 1) })],
  });

/** A Deployment that is scaled up and whose new Pods the API server refuses in these words. */
const refusedBy =
  (says: string): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const conditions = [condition('ReplicaFailure', 'True', at(10), 'FailedCreate', says)];
    k8s.put(at(10), sized('Deployment', 'api', 5, 3), replicaSet('api', 5, 1, { conditions }));
    k8s.wait(at(30));
  };

/** A quota of Pods with so many used. */
const quotaAt =
  (pods: string, hard: string): ClusterStory =>
  (k8s) => {
    const quota = (used: string) => ({
      apiVersion: 'v1',
      kind: 'ResourceQuota',
      metadata: { name: 'compute', namespace: 'shop', uid: 'compute' },
      status: { hard: { pods: hard }, used: { pods: used } },
    });
    k8s.put(long, ...nodes, quota('3'));
    k8s.start(at(0));
    k8s.put(at(10), quota(pods));
    k8s.wait(at(24 * 60));
  };

/** One story for every reason that has no file in `test/detect/cases`. */
export const toldReasons: Readonly<Partial<Record<Reason, ClusterStory>>> = {
  ...storageReasonStories,
  ...usageReasonStories,
  ...eventStories,
  ...alertStories,
  ...signatureStories,
  ...certificateStories,
  CrashLoopBackOff: (k8s) => {
    k8s.logs(
      'INFO  starting, 12 workers',
      'DEBUG db postgres://app:hunter2@db:5432/shop',
      'FATAL no such column: price',
    );
    release(crashed(1))(k8s);
  },
  OOMKilled: failing(crashed(137, 'OOMKilled'), {
    spec: spec('1.4.2', { resources: { limits: { memory: '512Mi' } } }),
  }),
  StartError: release(
    crashed(
      127,
      'StartError',
      'failed to create task for container: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: error during container init: exec: "serve": executable file not found in $PATH: unknown',
    ),
  ),
  ImagePullBackOff: release(
    pending('ImagePullBackOff', pullError('dial tcp: lookup registry.example on 10.0.0.10:53: no such host')),
  ),
  ImageNotFound: release(pending('ImagePullBackOff', pullError(`${image('1.5.0')}: not found`))),
  ImagePullDenied: release(pending('ErrImagePull', pullError('unexpected status from HEAD request: 401 Unauthorized'))),
  InvalidImageName: release(
    pending('InvalidImageName', `couldn't parse image name "${image('1.5.0')}": invalid reference format`),
  ),
  ErrImageNeverPull: failing(
    pending('ErrImageNeverPull', `Container image "${image('1.4.2')}" is not present with pull policy of Never`),
    { phase: 'Pending', spec: spec('1.4.2') },
  ),
  ImageInspectError: failing(
    pending('ImageInspectError', 'Failed to inspect image: rpc error: code = Unknown desc = layer not known'),
    { phase: 'Pending', spec: spec('1.4.2') },
  ),
  SignatureValidationFailed: release(
    pending('SignatureValidationFailed', 'image policy: no signature found for registry.example/shop/api:1.5.0'),
  ),
  ContainerError: (k8s) => {
    k8s.logs('INFO  tick', 'panic: index out of range [7]');
    k8s.put(long, ...nodes, sized('Deployment', 'api', 1, 1), replicaSet('api', 1), ...podsOf('api', 1));
    k8s.start(at(0));
    for (const [count, minute] of [10, 25, 40].entries())
      k8s.put(
        at(minute),
        ...podsOf('api', 1, {
          spec: spec('1.4.2'),
          statuses: [
            status('api', {
              restartCount: count + 1,
              state: { running: { startedAt: stamp(at(minute)) } },
              lastState: ended(at(minute - 12), at(minute), 2),
            }),
          ],
        }),
      );
    k8s.wait(at(121));
  },
  CreateContainerConfigError: release(
    pending('CreateContainerConfigError', `couldn't find key password in Secret shop/db`),
  ),
  CreateContainerError: failing(pending('CreateContainerError', 'context deadline exceeded'), {
    phase: 'Pending',
    spec: spec('1.4.2'),
  }),
  ContainerCreating: scaledUp({
    phase: 'Pending',
    spec: spec('1.4.2'),
    statuses: [waiting('api', 'ContainerCreating')],
  }),
  FailedMount: heldUp(
    'FailedMount',
    'MountVolume.MountDevice failed for volume "pvc-8d21" : rpc error: code = Internal desc = mount failed: exit status 32',
  ),
  FailedAttachVolume: heldUp(
    'FailedAttachVolume',
    'Multi-Attach error for volume "pvc-8d21" Volume is already exclusively attached to one node and can\'t be attached to another',
  ),
  FailedMapVolume: heldUp(
    'FailedMapVolume',
    'MapVolume.SetUpDevice failed for volume "pvc-8d21" : rpc error: code = Internal desc = device not found',
  ),
  FailedCreatePodSandBox: heldUp(
    'FailedCreatePodSandBox',
    'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "c1f0": plugin type="aws-cni" name="aws-cni" failed (add): add cmd: failed to assign an IP address to container',
  ),
  ProbeMisconfigured: probing(
    "Readiness probe errored and resulted in unknown state: couldn't find port: http in container api",
    { readinessProbe: { httpGet: { path: '/ready', port: 'http' } }, ports: [{ name: 'web', containerPort: 8080 }] },
  ),
  ReadinessProbeFailed: probing('Readiness probe failed: HTTP probe failed with statuscode: 503', {
    readinessProbe: { httpGet: { path: '/ready', port: 8080 } },
  }),
  LivenessProbeFailed: (k8s) => {
    k8s.logs('INFO  GC pause 41 s');
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    for (const [count, minute] of [5, 10].entries()) {
      const [first] = podsOf('api', 1, {
        spec: spec('1.4.2', { livenessProbe: { httpGet: { path: '/live', port: 8080 } } }),
        statuses: [
          status('api', {
            restartCount: count + 1,
            state: { running: { startedAt: stamp(at(minute, 32)) } },
            lastState: ended(at(minute - 4), at(minute, 30), 137),
          }),
        ],
      });
      if (!first) return;
      const own = { container: 'api', firstAt: at(5), count: count + 1 };
      const unhealthy = 'Liveness probe failed: Get "http://10.0.3.9:8080/live": context deadline exceeded';
      const killing = 'Container api failed liveness probe, will be restarted';
      k8s.put(at(minute), eventOf(first, 'Unhealthy', unhealthy, at(minute), own));
      k8s.put(at(minute), eventOf(first, 'Killing', killing, at(minute), { ...own, type: 'Normal' }));
      k8s.put(at(minute, 32), first);
    }
    k8s.wait(at(12));
  },
  PostStartHookError: failing(
    pending('PostStartHookError', 'Exec lifecycle hook ([/warm-up]) for Container "api" failed: exit status 1'),
    {
      phase: 'Pending',
      spec: spec('1.4.2'),
    },
  ),
  FailedPreStopHook: (k8s) => {
    const [first] = podsOf('api', 1);
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    if (first)
      k8s.put(
        at(10),
        eventOf(first, 'FailedPreStopHook', 'PreStopHook failed', at(10), {
          container: 'api',
          firstAt: at(5),
          count: 2,
        }),
      );
    k8s.wait(at(121));
  },
  InitContainerError: (k8s) => {
    k8s.logs('migrating to 42', 'ERROR relation "orders" is locked');
    release(
      () => [waiting('api', 'PodInitializing')],
      { initContainers: [{ name: 'migrate', image: image('1.5.0') }] },
      (since) => [
        waiting('migrate', 'CrashLoopBackOff', 'back-off 40s restarting failed container=migrate', {
          restartCount: 3,
          lastState: ended(since, since + 9000, 3),
        }),
      ],
    )(k8s);
  },
  InitContainerWaiting: (k8s) => {
    k8s.logs('waiting for db:5432 ...', 'waiting for db:5432 ...');
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const initContainers = [{ name: 'wait-for-db', image: 'busybox:1' }];
    const state = { running: { startedAt: stamp(at(10)) } };
    const waits = { createdAt: at(10), phase: 'Pending', spec: { ...spec('1.4.2'), initContainers } };
    const initStatuses = [status('wait-for-db', { ready: false, state })];
    k8s.put(at(10), pod('report', { ...waits, initStatuses, statuses: [waiting('api', 'PodInitializing')] }));
    k8s.wait(at(40));
  },
  StartupProbeFailed: release(
    (since) => [
      status('api', {
        ready: false,
        started: false,
        restartCount: 1,
        state: { running: { startedAt: stamp(since + 70_000) } },
        lastState: ended(since, since + 62_000, 143),
      }),
    ],
    spec('1.5.0', { startupProbe: { periodSeconds: 10, failureThreshold: 6 } }),
    undefined,
    at(11, 30),
  ),
  Unschedulable: scaledUp(
    unplaced(
      'Unschedulable',
      '0/3 nodes are available: 3 Insufficient nvidia.com/gpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    ),
  ),
  SchedulerError: scaledUp(
    unplaced('SchedulerError', 'running PreFilter plugin "VolumeBinding": could not find CSIStorageCapacity'),
  ),
  SchedulingGated: waitsLong(unplaced('SchedulingGated', 'Scheduling is blocked due to non-empty scheduling gates'), {
    schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }],
  }),
  DeviceUnhealthy: failing(() => [
    status('api', {
      allocatedResourcesStatus: [{ name: 'nvidia.com/gpu', resources: [{ resourceID: 'GPU-7', health: 'Unhealthy' }] }],
    }),
  ]),
  PodResizeInfeasible: resized(
    'PodResizePending',
    'Infeasible',
    "Node didn't have enough capacity: cpu, requested: 16000, capacity: 8000",
  ),
  PodResizeError: resized(
    'PodResizeInProgress',
    'Error',
    'cannot decrease memory limits: pod memory usage exceeds the new limit',
  ),
  PodResizeDeferred: resized(
    'PodResizePending',
    'Deferred',
    "Node didn't have enough resource: memory, requested: 8589934592, used: 15032385536, capacity: 16106127360",
  ),
  ConfigMapKeyGone: (k8s) => {
    const app = (...keys: readonly string[]) =>
      configMap('app', {
        createdAt: long,
        managedFields: [managed('helm', long, { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) })],
      });
    const volumes = [{ name: 'config', configMap: { name: 'app', items: [{ key: 'app.yaml', path: 'app.yaml' }] } }];
    const reading = podsOf('api', 3, { spec: { ...spec('1.4.2'), volumes } });
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...reading, app('app.yaml', 'env'));
    k8s.start(at(0));
    k8s.put(at(10), app('env'));
    k8s.wait(at(61));
  },
  ProjectedReferenceMissing: (k8s) => {
    const volumes = [{ name: 'config', configMap: { name: 'app' } }];
    const reading = podsOf('api', 3, { spec: { ...spec('1.4.2'), volumes } });
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...reading, configMap('app'));
    k8s.start(at(0));
    k8s.gone(at(10), configMap('app'));
    k8s.wait(at(61));
  },
  Evicted: leftBehind(
    'Evicted',
    'The node was low on resource: memory. Threshold quantity: 100Mi, available: 88740Ki. Container api was using 812Mi, request is 256Mi, has larger consumption of memory. ',
    3,
    at(61),
    ['n1', 'n2'],
  ),
  PodAdmissionRejected: leftBehind(
    'OutOfcpu',
    "Pod was rejected: Node didn't have enough resource: cpu, requested: 4000, used: 7900, capacity: 8000",
    3,
    at(20),
  ),
  DeadlineExceeded: (k8s) => {
    k8s.put(long, ...nodes, pod('import', { createdAt: long }));
    k8s.start(at(0));
    k8s.put(
      at(10),
      failedPod('import', 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline', at(10)),
    );
    k8s.wait(at(12));
  },
  ReadinessFlapping: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    for (const minute of [5, 8, 11]) {
      const turned = (is: boolean, time: number) =>
        podsOf('api', 1, {
          statuses: [status('api', { ready: is })],
          conditions: [condition('Ready', is ? 'True' : 'False', time, is ? '' : 'ContainersNotReady')],
        });
      k8s.put(at(minute), ...turned(false, at(minute)));
      k8s.put(at(minute, 40), ...turned(true, at(minute, 40)));
    }
    k8s.wait(at(61));
  },
  Preempted: gone(2, (index) => ({
    conditions: [condition('DisruptionTarget', 'True', at(10, index), 'PreemptionByScheduler')],
  })),
  ExceededGracePeriod: gone(3, (index) => ({
    statuses: [status('api', { ready: false, state: ended(long, at(10, index), 137) })],
  })),
  PodNotReady: (k8s) => {
    k8s.logs('WARN  pool exhausted', 'WARN  pool exhausted');
    failing(() => [status('api', { ready: false })], {
      conditions: [condition('Ready', 'False', at(10), 'ContainersNotReady')],
    })(k8s);
  },
  PodFailed: (k8s) => {
    k8s.put(long, ...nodes, pod('import', { createdAt: long }));
    k8s.start(at(0));
    k8s.logs('reading 40,000 rows', 'Killed');
    const statuses = [status('api', { ready: false, state: ended(at(1), at(10), 137) })];
    k8s.put(
      at(10),
      pod('import', { createdAt: long, phase: 'Failed', statuses, spec: { ...spec('1.4.2'), restartPolicy: 'Never' } }),
    );
    k8s.wait(at(20));
  },
  PodStuckTerminating: (k8s) => {
    k8s.put(long, ...nodes, sized('StatefulSet', 'cache', 3, 3), ...[0, 1, 2].map((index) => member(index)));
    k8s.start(at(0));
    k8s.put(at(10), member(1, { deletionAt: at(10) }), sized('StatefulSet', 'cache', 3, 2));
    k8s.wait(at(18));
  },
  PodStatusUnknown: failing((since) => [
    status('api', { ready: false, state: ended(since, since, 137, 'ContainerStatusUnknown') }),
  ]),
  ProgressDeadlineExceeded: (k8s) => {
    const stuck = [condition('Progressing', 'False', at(20), 'ProgressDeadlineExceeded')];
    k8s.put(long, ...nodes, sized('Deployment', 'api', 5, 5), replicaSet('api', 5), ...podsOf('api', 5));
    k8s.start(at(0));
    const counts = { readyReplicas: 4, availableReplicas: 4, updatedReplicas: 2 };
    k8s.put(
      at(20),
      workload('Deployment', 'api', {
        replicas: 5,
        createdAt: long,
        image: image('1.4.2'),
        status: counts,
        conditions: stuck,
      }),
    );
    k8s.wait(at(40));
  },
  DeploymentUnavailable: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const conditions = [condition('Available', 'False', at(10), 'MinimumReplicasUnavailable')];
    k8s.put(at(10), sized('Deployment', 'api', 3, 0, { conditions }));
    k8s.wait(at(30));
  },
  ReplicaFailure: refusedBy('Internal error occurred: resource quota evaluation timed out'),
  ReleaseRegression: (k8s) => {
    const old = podsOf('api', 2);
    k8s.put(at(-90), ...nodes, sized('Deployment', 'api', 2, 2), replicaSet('api', 2), ...old);
    k8s.start(at(0));
    k8s.put(at(10), sized('Deployment', 'api', 2, 2, { generation: 2, image: image('1.5.0') }));
    k8s.put(at(10), replicaSet('api', 2, 2, { createdAt: at(10), image: image('1.5.0') }), replicaSet('api', 0));
    const fresh = (restartCount: number, ready = true): readonly RawObject[] =>
      podsOf('api', 2, { createdAt: at(10), statuses: [status('api', { restartCount, ready })] }, 2);
    k8s.put(at(10), ...fresh(0));
    k8s.gone(at(11), ...old);
    for (const restarts of [1, 2]) {
      k8s.put(at(13 + 4 * restarts), ...fresh(restarts, false));
      k8s.put(at(14 + 4 * restarts), ...fresh(restarts));
    }
    k8s.wait(at(30));
  },
  ReplicaSetCreateError: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const says =
      'Failed to create new replica set "api-5d9": Internal error occurred: resource quota evaluation timed out';
    const conditions = [condition('Progressing', 'False', at(10), 'ReplicaSetCreateError', says)];
    const status = { observedGeneration: 1, readyReplicas: 3, availableReplicas: 3 };
    k8s.put(at(10), sized('Deployment', 'api', 3, 3, { generation: 2, image: image('1.5.0'), conditions, status }));
    k8s.wait(at(30));
  },
  QuotaExceeded: refusedBy(
    'pods "api-r1-d" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=10, limited: pods=10',
  ),
  QuotaOverused: quotaAt('12', '10'),
  QuotaFullyUsed: quotaAt('10', '10'),
  QuotaAlmostFull: quotaAt('19', '20'),
  ServiceAccountMissing: refusedBy(
    'pods "api-r1-d" is forbidden: error looking up service account shop/api: serviceaccount "api" not found',
  ),
  PriorityClassMissing: refusedBy('pods "api-r1-d" is forbidden: no PriorityClass with name urgent was found'),
  RuntimeClassMissing: refusedBy('pods "api-r1-d" is forbidden: pod rejected: RuntimeClass "gvisor" not found'),
  PodSecurityRejects: refusedBy(
    'pods "api-r1-d" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false (container "api" must set securityContext.allowPrivilegeEscalation=false)',
  ),
  LimitRangeRejects: (k8s) => {
    k8s.put(long, {
      apiVersion: 'v1',
      kind: 'LimitRange',
      metadata: { name: 'sizes', namespace: 'shop', uid: 'sizes' },
    });
    refusedBy('pods "api-r1-d" is forbidden: maximum cpu usage per Container is 1, but limit is 2')(k8s);
  },
  AdmissionDenied: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const refusal =
      'admission webhook "validation.gatekeeper.sh" denied the request: [team-label] you must provide labels: {"team"}';
    const conditions = [condition('ReplicaFailure', 'True', at(10), 'FailedCreate', refusal)];
    k8s.put(at(10), sized('Deployment', 'api', 5, 3), replicaSet('api', 5, 1, { conditions }));
    k8s.wait(at(30));
  },
  StatefulSetUnavailable: (k8s) => {
    k8s.put(long, ...nodes, sized('StatefulSet', 'cache', 3, 3), ...[0, 1, 2].map((index) => member(index)));
    k8s.start(at(0));
    k8s.gone(at(10), member(2));
    const starts = { phase: 'Pending', conditions: [condition('Ready', 'False', at(10))], statuses: [] };
    k8s.put(at(10), member(1, starts), sized('StatefulSet', 'cache', 3, 1));
    k8s.wait(at(40));
  },
  DaemonSetUnavailable: (k8s) => {
    const agent = (name: string, parts: PodParts = {}): RawObject =>
      pod(`agent-${name}`, { owner: { kind: 'DaemonSet', name: 'agent' }, createdAt: long, node: name, ...parts });
    k8s.put(long, ...nodes, daemonSet('agent', { replicas: 3 }), agent('n1'), agent('n2'), agent('n3'));
    k8s.start(at(0));
    const stale = { phase: 'Pending', statuses: [], conditions: [condition('Ready', 'False', at(10))] };
    k8s.put(
      at(10),
      agent('n2', stale),
      daemonSet('agent', {
        replicas: 3,
        status: { numberReady: 2, numberAvailable: 2, desiredNumberScheduled: 3, updatedNumberScheduled: 3 },
      }),
    );
    k8s.wait(at(40));
  },
  StatefulSetRolloutStuck: (k8s) => {
    const revisions = (updated: number, ready: number) =>
      sized('StatefulSet', 'cache', 3, ready, {
        status: {
          currentRevision: 'cache-1',
          updateRevision: 'cache-3',
          updatedReplicas: updated,
          readyReplicas: ready,
        },
      });
    const bad = {
      labels: { 'controller-revision-hash': 'cache-2' },
      conditions: [condition('Ready', 'False', at(10))],
    };
    k8s.put(long, ...nodes, sized('StatefulSet', 'cache', 3, 3), ...[0, 1, 2].map((index) => member(index)));
    k8s.start(at(0));
    k8s.put(at(10), member(2, bad), revisions(0, 2));
    k8s.wait(at(30));
  },
  DaemonSetRolloutStuck: (k8s) => {
    k8s.put(long, ...nodes, daemonSet('agent', { replicas: 3 }));
    const agents = ['n1', 'n2', 'n3'].map((name) =>
      pod(`agent-${name}`, { owner: { kind: 'DaemonSet', name: 'agent' }, createdAt: long, node: name }),
    );
    k8s.put(long, ...agents);
    k8s.start(at(0));
    k8s.put(
      at(10),
      daemonSet('agent', { replicas: 3, status: { updatedNumberScheduled: 1, desiredNumberScheduled: 3 } }),
    );
    k8s.wait(at(40));
  },
  HighRestartCount: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    for (const restartCount of [1, 2, 3, 4, 5]) {
      const when = at(restartCount * 60);
      const ran = {
        lastState: ended(at(restartCount * 60 - 50), when),
        state: { running: { startedAt: stamp(when) } },
      };
      k8s.put(when, ...podsOf('api', 1, { statuses: [status('api', { restartCount, ...ran })] }));
    }
    k8s.wait(at(6 * 60));
  },
  GenerationMismatch: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const unseen = { generation: 2, status: { observedGeneration: 1, readyReplicas: 3, availableReplicas: 3 } };
    k8s.put(at(10), sized('Deployment', 'api', 3, 3, unseen));
    k8s.wait(at(60));
  },
  DeploymentPaused: (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3, { spec: { paused: true } }));
    k8s.start(at(0));
    k8s.wait(at(26 * 60));
  },
  DaemonSetNotScheduled: (k8s) => {
    k8s.put(long, ...nodes, daemonSet('agent', { replicas: 3, status: { currentNumberScheduled: 3 } }));
    k8s.start(at(0));
    const lacking = { currentNumberScheduled: 2, numberReady: 2, numberAvailable: 2 };
    k8s.put(at(10), daemonSet('agent', { replicas: 3, status: lacking }));
    k8s.wait(at(60));
  },
  DaemonSetMisScheduled: (k8s) => {
    k8s.put(long, ...nodes, daemonSet('agent', { replicas: 3 }));
    k8s.start(at(0));
    k8s.put(at(10), daemonSet('agent', { replicas: 3, status: { numberMisscheduled: 1 } }));
    k8s.wait(at(24 * 60));
  },
  WorkloadNeverReady: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const none = { createdAt: at(10), spec: { paused: false }, status: { readyReplicas: 0, availableReplicas: 0 } };
    const starts = [condition('Progressing', 'True', at(10), 'ReplicaSetUpdated')];
    const conditions = [...starts, condition('Available', 'False', at(10), 'MinimumReplicasUnavailable')];
    k8s.put(at(10), workload('Deployment', 'api', { replicas: 2, ...none, conditions }));
    k8s.wait(at(35));
  },
  JobFailed: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    k8s.logs('migrating to 42', 'ERROR relation "orders" is locked');
    const conditions = [
      condition('Failed', 'True', at(10), 'BackoffLimitExceeded', 'Job has reached the specified backoff limit'),
    ];
    k8s.put(
      at(10),
      pod('migrate-x', {
        owner: { kind: 'Job', name: 'migrate' },
        phase: 'Failed',
        statuses: [status('job', { ready: false, state: ended(at(9), at(10), 3) })],
      }),
    );
    k8s.put(at(10), job('migrate', { conditions, status: { failed: 7 } }));
    k8s.wait(at(20));
  },
  JobRetrying: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    k8s.logs('Upgrading edge', 'Error: UPGRADE FAILED: another value is expected');
    const tries = { active: 1, startTime: stamp(at(1)) };
    const failing = status('job', {
      ...{
        ready: false,
        restartCount: 7,
        state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 5m0s' } },
      },
      lastState: ended(at(19), at(20), 1),
    });
    k8s.put(
      at(20),
      job('upgrade', { createdAt: at(1), spec: { backoffLimit: 1000 }, status: tries }),
      pod('upgrade-x', { owner: jobOwner('upgrade'), spec: { restartPolicy: 'OnFailure' }, statuses: [failing] }),
    );
    k8s.wait(at(22));
  },
  JobRunningLong: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const status = { active: 1, startTime: stamp(at(1)) };
    k8s.put(at(1), job('import', { createdAt: at(1), status }), pod('import-x', { owner: jobOwner('import') }));
    k8s.wait(at(13 * 60));
  },
  JobSuspended: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    const conditions = [condition('Suspended', 'True', at(1), 'JobSuspended', 'Job suspended')];
    k8s.put(at(1), job('import', { createdAt: at(1), spec: { suspend: true }, conditions }));
    k8s.wait(at(25 * 60));
  },
  CronJobFailing: (k8s) => {
    k8s.put(long, ...nodes, cronJob('backup'));
    k8s.start(at(0));
    k8s.logs('dumping orders', 'pg_dump: error: no space left on device');
    for (const run of [1, 2, 3]) {
      const due = at((run - 1) * 60, 1);
      const conditions = [
        condition(
          'Failed',
          'True',
          due + 90_000,
          'BackoffLimitExceeded',
          'Job has reached the specified backoff limit',
        ),
      ];
      const made = { owner: { kind: 'CronJob', name: 'backup', apiVersion: 'batch/v1' }, createdAt: due };
      const status = { failed: 2, startTime: stamp(due) };
      const begun = { lastScheduleTime: stamp(due), active: [{ kind: 'Job', name: `backup-${run}` }] };
      k8s.put(
        due + 1000,
        job(`backup-${run}`, { ...made, status: { active: 1 } }),
        cronJob('backup', { status: begun }),
      );
      k8s.put(due + 90_000, dumped(run, due), job(`backup-${run}`, { ...made, conditions, status }));
      if (run > 1) k8s.gone(due + 91_000, job(`backup-${run - 1}`, made), dumped(run - 1, due));
    }
    k8s.wait(at(125));
  },
  CronJobMissedSchedule: (k8s) => {
    k8s.put(long, ...nodes, cronJob('backup'));
    k8s.start(at(0));
    k8s.wait(at(30));
  },
  CronJobInvalidSchedule: (k8s) => {
    k8s.put(long, ...nodes);
    k8s.start(at(0));
    k8s.put(at(10), cronJob('backup', { createdAt: at(10), spec: { schedule: '0 0 30 2 *' }, status: neverRan }));
    k8s.wait(at(20));
  },
  CronJobBlocked: (k8s) => {
    k8s.put(long, ...nodes, cronJob('backup'));
    k8s.start(at(0));
    const owner = { kind: 'CronJob', name: 'backup', apiVersion: 'batch/v1' };
    const status = { active: 1, startTime: stamp(at(0)) };
    const active = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'backup-1', namespace: 'shop' }];
    k8s.put(at(0, 1), job('backup-1', { owner, createdAt: at(0), status }));
    const spec = { concurrencyPolicy: 'Forbid', schedule: '*/10 * * * *' };
    k8s.put(at(0, 2), cronJob('backup', { spec, status: { lastScheduleTime: stamp(at(0)), active } }));
    k8s.wait(at(40));
  },
  CronJobSuspended: (k8s) => {
    k8s.put(long, ...nodes, cronJob('backup', { createdAt: long, spec: { suspend: true } }));
    k8s.start(at(0));
    k8s.wait(at(8 * 24 * 60));
  },
  NodeNotReady: nodeInTrouble({
    node: { ready: 'False', since: at(10), says: 'container runtime network not ready: NetworkReady=false' },
    podsFail: true,
  }),
  NodeUnreachable: nodeInTrouble({ node: { ready: 'Unknown', since: at(10) }, podsFail: true }),
  MemoryPressure: nodeInTrouble({
    node: { conditions: [condition('MemoryPressure', 'True', at(10), 'KubeletHasInsufficientMemory')] },
    podsFail: false,
  }),
  DiskPressure: nodeInTrouble({
    node: {
      conditions: [
        condition('DiskPressure', 'True', at(10), 'KubeletHasDiskPressure'),
        condition('MemoryPressure', 'True', at(10), 'KubeletHasInsufficientMemory'),
      ],
    },
    podsFail: false,
  }),
  PIDPressure: nodeInTrouble({
    node: { conditions: [condition('PIDPressure', 'True', at(10), 'KubeletHasInsufficientPID')] },
    podsFail: false,
  }),
  NetworkUnavailable: nodeInTrouble({
    node: {
      conditions: [
        condition('NetworkUnavailable', 'True', at(10), 'NoRouteCreated', 'RouteController failed to create a route'),
      ],
    },
    podsFail: false,
  }),
  RegistryUnreachable: registry('Failed to pull image "IMAGE": dial tcp 140.82.121.33:443: i/o timeout'),
  RegistryDenied: registry('Failed to pull image "IMAGE": 429 Too Many Requests - Server message: toomanyrequests'),
  SecretMissing: missing('secret "db"'),
  ConfigMapMissing: missing('configmap "app"'),
  ...scalingStories,
  ...nodeReasonStories,
  ...serviceStories,
  ...ingressStories,
  ...gatewayStories,
  ...controlReasonStories,
  ...customStories,
  ...calledStories,
};
