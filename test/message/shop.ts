import type { RawObject } from '../../src/model/raw-object.ts';
import {
  at,
  condition,
  daemonSet,
  ended,
  eventOf,
  managed,
  type NodeParts,
  node,
  type PodParts,
  pod,
  status,
  waiting,
  workload,
} from '../world/objects.ts';
import type { watchedCluster } from './cluster.ts';

type Fields = Record<string, unknown>;
type Cluster = ReturnType<typeof watchedCluster>;

/** What happens in a cluster until its problem is told; the last thing told is the text to keep. */
export type ClusterStory = (k8s: Cluster) => void;

export const long = at(-60);
export const nodes = ['n1', 'n2', 'n3'].map((name) =>
  node(name, { since: long, labels: { 'topology.kubernetes.io/zone': 'eu-1a' } }),
);
export const image = (tag: string): string => `registry.example/shop/api:${tag}`;

/** A workload with the count that is ready. */
export function sized(
  kind: 'Deployment' | 'StatefulSet',
  name: string,
  replicas: number,
  ready: number,
  own: Fields = {},
) {
  const counts = { readyReplicas: ready, availableReplicas: ready };
  return workload(kind, name, { replicas, createdAt: long, image: image('1.4.2'), status: counts, ...own });
}

export function replicaSet(name: string, replicas: number, revision = 1, own: Fields = {}): RawObject {
  return workload('ReplicaSet', `${name}-r${revision}`, {
    ...{ replicas, createdAt: long, owner: { kind: 'Deployment', name }, image: image('1.4.2') },
    annotations: { 'deployment.kubernetes.io/revision': String(revision) },
    ...own,
  });
}

/** Pods `api-r1-a` and on, one on each node in turn. */
export function podsOf(name: string, count: number, parts: PodParts = {}, revision = 1): RawObject[] {
  return Array.from({ length: count }, (_, index) => {
    const owner = { kind: 'ReplicaSet', name: `${name}-r${revision}` };
    return pod(`${name}-r${revision}-${'abcdefgh'[index]}`, {
      owner,
      createdAt: long,
      node: `n${1 + (index % 3)}`,
      ...parts,
    });
  });
}

export const spec = (tag: string, own: Fields = {}): Fields => ({
  containers: [{ name: 'api', image: image(tag), ...own }],
});

/** A Deployment of five whose new image brings two Pods in this state; four old ones serve. */
export function release(
  statuses: (since: number) => readonly Fields[],
  own: Fields = {},
  init?: (since: number) => readonly Fields[],
  seenAt = at(10, 30),
): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 5, 5), replicaSet('api', 5), ...podsOf('api', 5));
    k8s.start(at(0));
    const managedFields = [managed('kubectl-set', at(10), { 'f:spec': { 'f:template': {} } })];
    const fresh = { image: image('1.5.0'), generation: 2, managedFields };
    k8s.put(
      at(10),
      sized('Deployment', 'api', 5, 4, fresh),
      replicaSet('api', 2, 2, { createdAt: at(10), image: image('1.5.0') }),
    );
    k8s.gone(at(10), ...podsOf('api', 5).slice(4));
    const broken = {
      createdAt: at(10),
      phase: 'Pending',
      statuses: statuses(at(10, 20)),
      spec: { ...spec('1.5.0'), ...own },
    };
    k8s.put(seenAt, ...podsOf('api', 2, { ...broken, ...(init && { initStatuses: init(at(10, 20)) }) }, 2));
    k8s.wait(at(45));
  };
}

/** A Deployment of three of which two Pods get into this state by themselves. */
export function failing(statuses: (since: number) => readonly Fields[], own: PodParts = {}): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const broken = podsOf('api', 2, { createdAt: at(10), ...own, statuses: statuses(at(10)) });
    k8s.put(at(10), ...broken, sized('Deployment', 'api', 3, 1));
    k8s.wait(at(30));
  };
}

export const pending = (reason: string, message: string) => (): Fields[] => [waiting('api', reason, message)];
export const crashed =
  (exitCode: number, reason = 'Error', message?: string, restartCount = 4) =>
  (since: number): Fields[] => [
    waiting('api', 'CrashLoopBackOff', 'back-off 1m20s restarting failed container=api', {
      restartCount,
      lastState: ended(since, since + 3000, exitCode, reason, message),
    }),
  ];

export const pullError = (end: string): string => `Failed to pull image "${image('1.5.0')}": ${end}`;

function unready(ready: boolean, since: number): PodParts {
  return { conditions: [condition('Ready', ready ? 'True' : 'False', since, ready ? '' : 'ContainersNotReady')] };
}

/** What runs on n1: a Pod of a Deployment with others elsewhere, the only one of a StatefulSet, one of a DaemonSet. */
export function onNode(ready: boolean, since = long): RawObject[] {
  const own = (kind: string, name: string): PodParts => ({
    owner: { kind, name },
    createdAt: long,
    ...unready(ready, since),
  });
  return [
    ...podsOf('web', 1, unready(ready, since)),
    pod('cache-0', own('StatefulSet', 'cache')),
    pod('agent-n1', own('DaemonSet', 'agent')),
  ];
}

/** Node n1 in trouble, with what runs on it or without. */
export function nodeInTrouble(broken: { readonly node: NodeParts; readonly podsFail: boolean }): ClusterStory {
  return (k8s) => {
    const agent = { owner: { kind: 'DaemonSet', name: 'agent' }, createdAt: long };
    const elsewhere = ['n2', 'n3'].map((name) => pod(`agent-${name}`, { ...agent, node: name }));
    k8s.put(long, ...nodes, ...podsOf('web', 3).slice(1), ...onNode(true), ...elsewhere);
    k8s.put(long, sized('Deployment', 'web', 3, 3), replicaSet('web', 3), sized('StatefulSet', 'cache', 1, 1));
    k8s.put(long, daemonSet('agent', { replicas: 3 }));
    k8s.start(at(0));
    k8s.put(at(10), node('n1', { since: long, labels: { 'topology.kubernetes.io/zone': 'eu-1a' }, ...broken.node }));
    if (broken.podsFail) k8s.put(at(10, 1), ...onNode(false, at(10, 1)));
    k8s.wait(at(30));
  };
}

/** Three workloads whose images come from one registry that answers with this. */
export function registry(message: string): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes);
    for (const name of ['web', 'cart', 'search'])
      k8s.put(long, sized('Deployment', name, 2, 2), replicaSet(name, 2), ...podsOf(name, 2));
    k8s.start(at(0));
    const broken = ['web', 'cart', 'search'].flatMap((name) => [
      ...podsOf(name, 2, {
        ...{ createdAt: at(10), phase: 'Pending' },
        spec: { containers: [{ name: 'api', image: `ghcr.io/shop/${name}:2` }] },
        statuses: [waiting('api', 'ImagePullBackOff', message.replaceAll('IMAGE', `ghcr.io/shop/${name}:2`))],
      }),
      sized('Deployment', name, 2, 0),
    ]);
    k8s.put(at(10), ...broken);
    k8s.wait(at(30));
  };
}

/** A Pod template's Secret or ConfigMap that the kubelet does not find. */
export const missing = (what: string): ClusterStory =>
  failing(pending('CreateContainerConfigError', `${what} not found`), { phase: 'Pending' });

export const unplaced = (reason: string, message: string): PodParts => ({
  node: undefined,
  phase: 'Pending',
  statuses: [],
  conditions: [condition('PodScheduled', 'False', at(10), reason, message)],
});

/** A Deployment that is scaled up by two Pods in this state. */
export function scaledUp(parts: PodParts): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 2, 2), replicaSet('api', 2), ...podsOf('api', 2));
    k8s.start(at(0));
    k8s.put(at(10), sized('Deployment', 'api', 4, 2), replicaSet('api', 4));
    k8s.put(at(10), ...podsOf('api', 4, { createdAt: at(10), ...parts }).slice(2));
    k8s.wait(at(40));
  };
}

/** A Pod of StatefulSet shop/cache. */
export function member(index: number, parts: PodParts = {}): RawObject {
  return pod(`cache-${index}`, { owner: { kind: 'StatefulSet', name: 'cache' }, createdAt: long, ...parts });
}

/** Two new Pods of a Deployment that is scaled up, of which their kubelet tells this while nothing of them can be made. */
export function heldUp(reason: string, note: string): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 2, 2), replicaSet('api', 2), ...podsOf('api', 2));
    k8s.start(at(0));
    k8s.put(at(10), sized('Deployment', 'api', 4, 2), replicaSet('api', 4));
    const creating = { phase: 'Pending', spec: spec('1.4.2'), statuses: [waiting('api', 'ContainerCreating')] };
    const conditions = ['PodReadyToStartContainers', 'Ready'].map((type) => condition(type, 'False', at(10)));
    const fresh = podsOf('api', 4, { createdAt: at(10), ...creating, conditions }).slice(2);
    k8s.put(at(10), ...fresh);
    for (const each of fresh) k8s.put(at(10, 5), eventOf(each, reason, note, at(10, 5)));
    for (const each of fresh) k8s.put(at(12), eventOf(each, reason, note, at(12), { firstAt: at(10, 5), count: 6 }));
    k8s.wait(at(20));
  };
}

/** A Deployment of three of which a Pod runs on and loses its readiness, with what its kubelet tells of the probe. */
export function probing(note: string, container: Fields): ClusterStory {
  return (k8s) => {
    const own = { spec: spec('1.4.2', container) };
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3, own));
    k8s.start(at(0));
    const conditions = [condition('Ready', 'False', at(10), 'ContainersNotReady')];
    const unready = podsOf('api', 1, { ...own, conditions, statuses: [status('api', { ready: false })] });
    k8s.put(at(10), ...unready, sized('Deployment', 'api', 3, 2));
    for (const each of unready) k8s.put(at(10, 1), eventOf(each, 'Unhealthy', note, at(10, 1), { container: 'api' }));
    k8s.wait(at(15));
  };
}

/** Another Pod beside two that run waits like this for more than an hour. */
export function waitsLong(parts: PodParts, own: Fields): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 2, 2), replicaSet('api', 2), ...podsOf('api', 2));
    k8s.start(at(0));
    k8s.put(at(10), pod('train', { createdAt: at(10), ...parts, spec: { ...spec('1.4.2'), ...own } }));
    k8s.wait(at(121));
  };
}

/** A Pod of a Deployment whose kubelet says this of a resize in place. */
export function resized(type: string, reason: string, message: string): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const conditions = [condition('Ready', 'True', long), condition(type, 'True', at(10), reason, message)];
    k8s.put(at(10), ...podsOf('api', 1, { conditions }));
    k8s.wait(at(121));
  };
}

/** A Pod that ended for good and none of whose containers says why. */
export function failedPod(name: string, reason: string, message: string, time: number, own: PodParts = {}): RawObject {
  const raw = pod(name, {
    ...{ createdAt: long, phase: 'Failed', reason, statuses: [] },
    conditions: [condition('Ready', 'False', time, 'PodFailed')],
    ...own,
  });
  return { ...raw, status: { ...Object(raw.status), message } };
}

/** Pods of a Deployment that their kubelets ended or did not take, with what they say of it; others took their place. */
export function leftBehind(
  reason: string,
  message: string,
  count: number,
  until = at(61),
  on: readonly string[] = ['n1'],
): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const owner = { kind: 'ReplicaSet', name: 'api-r1' };
    for (let index = 0; index < count; index++)
      k8s.put(
        at(10, index),
        failedPod(`api-r1-x${index}`, reason, message, at(10, index), { owner, node: on[index % on.length] ?? 'n1' }),
      );
    k8s.wait(until);
  };
}

/** Pods of a Deployment that are deleted and go like this; others took their place. */
export function gone(count: number, parts: (index: number) => PodParts): ClusterStory {
  return (k8s) => {
    k8s.put(long, ...nodes, sized('Deployment', 'api', 3, 3), replicaSet('api', 3), ...podsOf('api', 3));
    k8s.start(at(0));
    const leaving = podsOf('api', count).map((each, index) => {
      const owner = { kind: 'ReplicaSet', name: 'api-r1' };
      return pod(`${each.metadata.name}-old`, { owner, createdAt: long, deletionAt: at(10, index), ...parts(index) });
    });
    k8s.put(
      long,
      ...leaving.map((each) =>
        pod(each.metadata.name, { owner: { kind: 'ReplicaSet', name: 'api-r1' }, createdAt: long }),
      ),
    );
    for (const each of leaving) k8s.put(at(10, 5), each);
    k8s.gone(at(10, 10), ...leaving);
    k8s.wait(at(61));
  };
}
