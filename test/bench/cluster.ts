import type { RawObject } from '../../src/model/raw-object.ts';
import { withManagedFields } from './managed-fields.ts';
import { firstStart, type Layout, namesOf, pod, suffix, timeText } from './pod.ts';
import { claim, service, slice, storageClass, surroundingsOf, volume } from './surroundings.ts';

/** How large a cluster is. */
export type ClusterSize = {
  readonly pods: number;
  readonly nodes: number;
  /** As many Services, slices and claims as so many Pods have; default: as all have. */
  readonly around?: number;
};

/** Replicas of each Deployment. */
export const podsPerOwner = 10;
const namespaceCount = 40;
const created = timeText(firstStart);

/** Source (`pods`, `deployments.apps`) → its objects as a list of the API holds them: without kind and apiVersion. */
export type ClusterObjects = ReadonlyMap<string, () => Iterable<RawObject>>;

/**
 * A cluster in which all is well: Deployments with one present and one past ReplicaSet, ten Pods each, spread over the nodes;
 * a ConfigMap for each Deployment, and the Services, slices, claims and volumes around them. The same size gives the same bytes.
 */
export function clusterOf({ pods, nodes, around: surrounded = pods }: ClusterSize): ClusterObjects {
  const layout: Layout = { podsPerOwner, nodeCount: nodes };
  const owners = Math.ceil(pods / podsPerOwner);
  const around = surroundingsOf(surrounded);
  const each = (count: number, make: (index: number) => RawObject) => () =>
    Iterator.from({
      *[Symbol.iterator]() {
        for (let index = 0; index < count; index++) yield make(index);
      },
    });
  const { length: revisions } = ['past', 'present'];
  return new Map([
    ['namespaces', each(namespaceCount, namespace)],
    ['nodes', each(nodes, node)],
    ['deployments.apps', each(owners, (owner) => deployment(owner, layout))],
    [
      'replicasets.apps',
      each(owners * revisions, (index) => replicaSet(Math.floor(index / revisions), index % revisions === 1, layout)),
    ],
    ['pods', each(pods, (index) => podAsListed(index, layout))],
    [
      'configmaps',
      each(owners + namespaceCount, (index) => (index < owners ? configMap(index) : rootCA(index - owners))),
    ],
    ['services', each(around.services, (index) => service(index, owners))],
    [
      'endpointslices.discovery.k8s.io',
      each(around.slices, (index) => slice(index, { owners, services: around.services })),
    ],
    ['persistentvolumeclaims', each(around.claims, (index) => claim(index, owners))],
    ['persistentvolumes', each(around.claims, (index) => volume(index, owners))],
    ['storageclasses.storage.k8s.io', each(1, () => storageClass)],
  ]);
}

/** A Pod of the cluster without what list items leave out. */
function podAsListed(index: number, layout: Layout): RawObject {
  const { apiVersion: _, kind: __, ...listed } = pod(index, layout);
  return listed;
}

let versions = 0;
const meta = (name: string, seed: string, more: object = {}) => ({
  name,
  uid: uidOf(seed),
  resourceVersion: String(100_000 + versions++),
  generation: 1,
  creationTimestamp: created,
  ...more,
});

function uidOf(text: string): string {
  let seed = 0;
  for (const letter of text) seed = Math.imul(seed, 31) + letter.charCodeAt(0);
  return [8, 4, 4, 4, 12].map((length, part) => suffix(seed + part, length)).join('-');
}

function namespace(index: number): RawObject {
  const name = `team-${index}`;
  return {
    metadata: meta(name, `namespace ${name}`, { labels: { 'kubernetes.io/metadata.name': name } }),
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  };
}

const healthy: readonly (readonly [type: string, status: string, reason: string, message: string])[] = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
];

/** A node with the images it holds, which are most of its bytes. */
function node(index: number): RawObject {
  const name = `node-${index}`;
  const room = { cpu: '16', 'ephemeral-storage': '203234260Ki', memory: '64Gi', pods: '110' };
  return {
    metadata: meta(name, `node ${name}`, {
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': 'general-16',
        'topology.kubernetes.io/region': 'eu-1',
        'topology.kubernetes.io/zone': `eu-1${'abc'.charAt(index % 3)}`,
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    }),
    spec: { podCIDR: `10.${index >> 8}.${index & 255}.0/24`, providerID: `cloud:///eu-1/${uidOf(name)}` },
    status: {
      capacity: room,
      allocatable: room,
      conditions: healthy.map(([type, status, reason, message]) => ({
        ...{ type, status, reason, message },
        lastHeartbeatTime: timeText(firstStart + 60_000 + index),
        lastTransitionTime: created,
      })),
      addresses: [
        { type: 'InternalIP', address: `10.0.${index >> 8}.${index & 255}` },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: {
        architecture: 'amd64',
        containerRuntimeVersion: 'containerd://2.1.0',
        kernelVersion: '6.12.0',
        kubeletVersion: 'v1.36.3',
        machineID: suffix(index, 32),
        operatingSystem: 'linux',
        osImage: 'Linux',
      },
      images: Array.from({ length: 30 }, (_, at) => ({
        names: [`registry.example.com/shop/service-${(index + at) % 500}/main@sha256:${suffix(index + at, 64)}`],
        sizeBytes: 50_000_000 + at,
      })),
    },
  };
}

/** The template of a revision. The one before had other images. */
function templateOf(owner: number, present: boolean, layout: Layout) {
  const { app, hash } = namesOf(owner);
  const spec = pod(owner * layout.podsPerOwner, layout).spec as { containers: { image: string }[] };
  const containers = spec.containers.map((container) => ({
    ...container,
    image: present ? container.image : `${container.image}-rc.1`,
  }));
  const labels = { app, 'app.kubernetes.io/part-of': 'shop', 'pod-template-hash': present ? hash : suffix(-owner, 10) };
  return { metadata: { labels }, spec: { ...spec, containers, nodeName: undefined } };
}

function deployment(owner: number, layout: Layout): RawObject {
  const { namespace: own, app } = namesOf(owner);
  const template = templateOf(owner, true, layout);
  const replicas = layout.podsPerOwner;
  const condition = (type: string, reason: string, message: string) => ({
    ...{ type, status: 'True', reason, message, lastUpdateTime: created, lastTransitionTime: created },
  });
  const object = {
    metadata: meta(app, `deployment ${app}`, {
      namespace: own,
      labels: { app, 'app.kubernetes.io/part-of': 'shop' },
      annotations: { 'deployment.kubernetes.io/revision': '2' },
    }),
    spec: { replicas, selector: { matchLabels: { app } }, template, revisionHistoryLimit: 10 },
    status: {
      observedGeneration: 1,
      ...{ replicas, updatedReplicas: replicas, readyReplicas: replicas, availableReplicas: replicas },
      conditions: [
        condition('Available', 'MinimumReplicasAvailable', 'Deployment has minimum availability.'),
        condition('Progressing', 'NewReplicaSetAvailable', `ReplicaSet "${app}" has successfully progressed.`),
      ],
    },
  };
  return written(object, 'argocd-controller');
}

const controller = 'kube-controller-manager';
const written = (object: RawObject, main: string): RawObject =>
  withManagedFields(object, { apiVersion: 'apps/v1', time: created, main, status: controller });

function replicaSet(owner: number, present: boolean, layout: Layout): RawObject {
  const { namespace: own, app } = namesOf(owner);
  const template = templateOf(owner, present, layout);
  const { labels } = template.metadata;
  const name = `${app}-${labels['pod-template-hash']}`;
  const replicas = present ? layout.podsPerOwner : 0;
  const object = {
    metadata: meta(name, `replicaset ${name}`, {
      ...{ namespace: own, labels },
      annotations: { 'deployment.kubernetes.io/revision': present ? '2' : '1' },
      ownerReferences: [
        {
          ...{ apiVersion: 'apps/v1', kind: 'Deployment', name: app, uid: uidOf(`deployment ${app}`) },
          ...{ controller: true, blockOwnerDeletion: true },
        },
      ],
    }),
    spec: { replicas, selector: { matchLabels: labels }, template },
    status: { observedGeneration: 1, replicas, readyReplicas: replicas, availableReplicas: replicas },
  };
  return written(object, controller);
}

/** As PartialObjectMetadata. */
/** What the controller manager puts into every namespace, and every Pod mounts. */
function rootCA(index: number): RawObject {
  const [name, namespace] = ['kube-root-ca.crt', `team-${index}`];
  return { metadata: meta(name, `configmap ${namespace}/${name}`, { namespace }) };
}

function configMap(owner: number): RawObject {
  const { namespace: own, app } = namesOf(owner);
  const entry = { manager: 'kubectl-client-side-apply', operation: 'Update', apiVersion: 'v1', time: created };
  const fieldsV1 = { 'f:data': { '.': {}, 'f:settings.yaml': {} } };
  return {
    metadata: meta(`${app}-config`, `configmap ${app}`, {
      namespace: own,
      labels: { app },
      managedFields: [{ ...entry, fieldsType: 'FieldsV1', fieldsV1 }],
    }),
  };
}
