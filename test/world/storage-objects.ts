import type { RawObject } from '../../src/model/raw-object.ts';
import { type Common, metadata, stamp, start } from './objects.ts';

type Fields = Record<string, unknown>;

export type ClaimParts = Common & {
  readonly phase?: string;
  /** `undefined`: it names none. */
  readonly className?: string | undefined;
  readonly volume?: string;
  readonly spec?: Fields;
  readonly status?: Fields;
  readonly finalizers?: readonly string[];
};

/** A claim `shop/<name>` of class `fast`, bound to the volume `pv-<name>` unless said otherwise. */
export function claim(name: string, parts: ClaimParts = {}): RawObject {
  const phase = parts.phase ?? 'Bound';
  const className = 'className' in parts ? parts.className : 'fast';
  const volume = parts.volume ?? (phase === 'Pending' ? undefined : `pv-${name}`);
  const meta = metadata(name, parts.namespace ?? 'shop', parts);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { ...meta, finalizers: parts.finalizers ?? ['kubernetes.io/pvc-protection'] },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      ...(className !== undefined && { storageClassName: className }),
      ...(volume !== undefined && { volumeName: volume }),
      ...parts.spec,
    },
    status: { phase, ...(phase === 'Bound' && { capacity: { storage: '10Gi' } }), ...parts.status },
  };
}

/** A claim that waits for a volume. */
export const unbound = (name: string, parts: ClaimParts = {}): RawObject => claim(name, { phase: 'Pending', ...parts });

export type VolumeParts = Common & {
  readonly phase?: string;
  readonly since?: number;
  readonly message?: string;
  /** Name of its claim in shop. */
  readonly claim?: string;
  readonly zone?: string;
  readonly driver?: string;
  readonly spec?: Fields;
};

/** A volume of class `fast` and CSI driver ebs.csi.aws.com, bound unless said otherwise. */
export function volume(name: string, parts: VolumeParts = {}): RawObject {
  const { zone, driver = 'ebs.csi.aws.com', phase = 'Bound' } = parts;
  const inZone = { key: 'topology.kubernetes.io/zone', operator: 'In', values: [zone] };
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { ...metadata(name, undefined, parts), finalizers: ['kubernetes.io/pv-protection'] },
    spec: {
      capacity: { storage: '10Gi' },
      accessModes: ['ReadWriteOnce'],
      persistentVolumeReclaimPolicy: 'Delete',
      storageClassName: 'fast',
      csi: { driver, volumeHandle: name },
      ...(parts.claim !== undefined && { claimRef: { namespace: 'shop', name: parts.claim } }),
      ...(zone !== undefined && {
        nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [inZone] }] } },
      }),
      ...parts.spec,
    },
    status: {
      phase,
      lastPhaseTransitionTime: stamp(parts.since ?? start),
      ...(parts.message && { message: parts.message }),
    },
  };
}

/** A class of ebs.csi.aws.com that makes volumes at once, unless said otherwise. */
export function storageClass(
  name: string,
  parts: Common & { readonly isDefault?: boolean; readonly waits?: boolean; readonly provisioner?: string } = {},
): RawObject {
  const annotations = { ...(parts.isDefault && { 'storageclass.kubernetes.io/is-default-class': 'true' }) };
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: metadata(name, undefined, { annotations, ...parts }),
    provisioner: parts.provisioner ?? 'ebs.csi.aws.com',
    volumeBindingMode: parts.waits ? 'WaitForFirstConsumer' : 'Immediate',
  };
}

/** A VolumeAttachment of a volume to a Node. */
export function attachment(of: string, node: string, parts: Common & { readonly status?: Fields } = {}): RawObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: metadata(`csi-${of}-${node}`, undefined, parts),
    spec: { attacher: 'ebs.csi.aws.com', nodeName: node, source: { persistentVolumeName: of } },
    status: { attached: false, ...parts.status },
  };
}

/** The drivers that have registered on a Node. */
export function csiNode(name: string, drivers: readonly string[]): RawObject {
  return {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: metadata(name, undefined, {}),
    spec: { drivers: drivers.map((driver) => ({ name: driver, nodeID: name })) },
  };
}

/** A VolumeSnapshot `shop/<name>` of a claim. */
export function snapshot(name: string, of: string, parts: Common & { readonly status?: Fields } = {}): RawObject {
  return {
    apiVersion: 'snapshot.storage.k8s.io/v1',
    kind: 'VolumeSnapshot',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { volumeSnapshotClassName: 'nightly', source: { persistentVolumeClaimName: of } },
    status: { readyToUse: false, ...parts.status },
  };
}

/** A claim `shop/<name>` for a device of class gpu.example.com. */
export function resourceClaim(name: string, parts: Common & { readonly status?: Fields } = {}): RawObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceClaim',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } },
    status: parts.status ?? {},
  };
}

/** Devices that a driver offers on a Node. */
export function resourceSlice(node: string): RawObject {
  return {
    apiVersion: 'resource.k8s.io/v1',
    kind: 'ResourceSlice',
    metadata: metadata(`${node}-gpu`, undefined, {}),
    spec: { driver: 'gpu.example.com', nodeName: node, pool: { name: node } },
  };
}

/** What a component tells of an object, a Warning unless said otherwise. */
export function event(
  about: RawObject,
  reason: string,
  note: string,
  when: number,
  own: { readonly type?: string; readonly from?: number; readonly count?: number } = {},
): RawObject {
  const { name, namespace, uid } = about.metadata;
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: metadata(`${name}.${reason}`, namespace ?? 'default', { createdAt: own.from ?? when }),
    regarding: { apiVersion: String(about.apiVersion ?? 'v1'), kind: String(about.kind), namespace, name, uid },
    ...{ reason, note, type: own.type ?? 'Warning' },
    deprecatedFirstTimestamp: stamp(own.from ?? when),
    deprecatedLastTimestamp: stamp(when),
    deprecatedCount: own.count ?? 1,
  };
}

/** What the kubelet of a Node said last of what is nearly used up. */
export function nodeStats(
  name: string,
  usages: readonly Fields[],
  unreachable?: { readonly failures: number; readonly message: string },
): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'NodeStats',
    metadata: { name, uid: `uid-of-${name}` },
    usages,
    ...(unreachable && { unreachable }),
  };
}
