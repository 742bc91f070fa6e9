import type { RawObject } from '../../src/model/raw-object.ts';
import { firstStart, type Layout, namesOf, pod, suffix, timeText } from './pod.ts';

const created = timeText(firstStart);

/** What stands around the Pods of a cluster: as many as its Pods need. */
export type Surroundings = {
  readonly services: number;
  readonly slices: number;
  /** Claims, each with its volume. */
  readonly claims: number;
};

/** Two Services for five Pods, a slice a Pod, two claims for five: more of each than most clusters have. */
export function surroundingsOf(pods: number): Surroundings {
  return { services: Math.round(pods * 0.4), slices: pods, claims: Math.round(pods * 0.4) };
}

/** `team-1/service-1`: what a thing of an owner is called. */
function meta(name: string, namespace: string | undefined, seed: number, more: object = {}): RawObject['metadata'] {
  return {
    ...{ name, ...(namespace !== undefined && { namespace }), uid: suffix(seed, 36) },
    ...{ resourceVersion: String(200_000 + seed), generation: 1, creationTimestamp: created },
    ...more,
  };
}

/** One of the Services of an owner's Pods. */
export function service(index: number, owners: number): RawObject {
  const { namespace, app } = namesOf(index % owners);
  const name = index < owners ? app : `${app}-${Math.floor(index / owners)}`;
  const clusterIP = `10.96.${(index >> 8) & 255}.${index & 255}`;
  return {
    metadata: meta(name, namespace, index, { labels: { app } }),
    spec: {
      ...{ type: 'ClusterIP', clusterIP, clusterIPs: [clusterIP], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
      ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
      ...{ selector: { app }, sessionAffinity: 'None', internalTrafficPolicy: 'Cluster' },
    },
    status: { loadBalancer: {} },
  };
}

/** A slice of ten endpoints. `ready`: how many of them get traffic. */
export function slice(
  index: number,
  { owners, services }: { owners: number; services: number },
  ready = 10,
): RawObject {
  const serviceIndex = index % services;
  const { namespace, app } = namesOf(serviceIndex % owners);
  const of = serviceIndex < owners ? app : `${app}-${Math.floor(serviceIndex / owners)}`;
  return {
    metadata: meta(`${of}-${suffix(index, 5)}`, namespace, index, {
      labels: {
        'kubernetes.io/service-name': of,
        'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller',
      },
      ownerReferences: [
        { apiVersion: 'v1', kind: 'Service', name: of, uid: suffix(serviceIndex, 36), controller: true },
      ],
    }),
    addressType: 'IPv4',
    endpoints: Array.from({ length: 10 }, (_, at) => ({
      addresses: [`10.${(index >> 8) & 255}.${index & 255}.${at}`],
      conditions: { ready: at < ready, serving: at < ready, terminating: false },
      targetRef: { kind: 'Pod', namespace, name: `${app}-${suffix(index * 10 + at, 5)}`, uid: suffix(at, 36) },
      ...{ nodeName: `node-${at}`, zone: 'eu-1a' },
    })),
    ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
  };
}

/** A bound claim. */
export function claim(index: number, owners: number): RawObject {
  const { namespace, app } = namesOf(index % owners);
  return {
    metadata: meta(`data-${app}-${index}`, namespace, index, {
      labels: { app },
      finalizers: ['kubernetes.io/pvc-protection'],
    }),
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], storageClassName: 'fast', volumeMode: 'Filesystem' },
      ...{ resources: { requests: { storage: '20Gi' } }, volumeName: `pvc-${suffix(index, 32)}` },
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '20Gi' } },
  };
}

/** The volume of a claim. */
export function volume(index: number, owners: number): RawObject {
  const { namespace, app } = namesOf(index % owners);
  return {
    metadata: meta(`pvc-${suffix(index, 32)}`, undefined, index, { finalizers: ['kubernetes.io/pv-protection'] }),
    spec: {
      ...{ accessModes: ['ReadWriteOnce'], capacity: { storage: '20Gi' }, storageClassName: 'fast' },
      claimRef: { kind: 'PersistentVolumeClaim', namespace, name: `data-${app}-${index}`, uid: suffix(index, 36) },
      csi: { driver: 'disk.csi.example.com', volumeHandle: suffix(index, 20), fsType: 'ext4' },
      persistentVolumeReclaimPolicy: 'Delete',
      nodeAffinity: {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-1a'] }] },
          ],
        },
      },
    },
    status: { phase: 'Bound' },
  };
}

/** The one class of all volumes. */
export const storageClass: RawObject = {
  metadata: meta('fast', undefined, 1, { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }),
  ...{ provisioner: 'disk.csi.example.com', reclaimPolicy: 'Delete', volumeBindingMode: 'WaitForFirstConsumer' },
};

/** A Warning about a Pod, as its kubelet tells it. Of ten Pods each is told of in turn. */
export function warning(index: number, layout: Layout, time: string): RawObject {
  const { metadata } = pod(index, layout);
  return {
    metadata: {
      name: `${metadata.name}.${suffix(index, 16)}`,
      namespace: metadata.namespace ?? '',
      uid: suffix(index, 36),
    },
    eventTime: null,
    ...{ type: 'Warning', reason: 'Unhealthy', reportingController: 'kubelet', deprecatedCount: 1 + (index % 7) },
    note: `Readiness probe failed: Get "http://10.0.${index & 255}.7:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`,
    regarding: {
      ...{ kind: 'Pod', apiVersion: 'v1', fieldPath: 'spec.containers{main}' },
      ...{ namespace: metadata.namespace, name: metadata.name, uid: metadata.uid },
    },
    ...{ deprecatedFirstTimestamp: time, deprecatedLastTimestamp: time },
  };
}
