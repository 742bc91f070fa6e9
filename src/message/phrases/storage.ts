import type { Facts, Finding } from '../../model/finding.ts';
import { describeRef, nameOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describePod, describeRoot, describeSubject } from '../next.ts';
import { after, fact, named, type Phrase, quote, quoted } from '../phrase.ts';

const storageSays = quoted('The storage system');
const driverSays = quoted('The storage driver');
const kubernetesSays = quoted('Kubernetes');

const classes = (): string => 'kubectl get storageclasses';

/** ` of class fast`, where a class is named. */
function ofClass({ storageClass }: Facts): string {
  return storageClass === undefined ? '' : ` of class ${storageClass}`;
}

/** `CSI driver ebs.csi.aws.com`. */
const driverOf = ({ driver }: Facts): string => (driver === undefined ? 'the CSI driver' : `CSI driver ${driver}`);

/** Where a volume is, and why that is of no use: `in zone eu-1a, where no node takes pods`. */
function place({ places, nodes }: Facts): string {
  if (places === undefined) return 'where the pod cannot be scheduled';
  const isNode = String(places).startsWith('node');
  const where = `${isNode ? 'on' : 'in'} ${places}`;
  if (nodes === undefined) return `${where}, where the pod cannot be scheduled`;
  if (nodes === 0) return isNode ? `${where}, which is gone or takes no pods` : `${where}, where no node takes pods`;
  if (isNode || nodes === 1) return `${where}, where the pod does not fit${isNode ? '' : ' on the only node'}`;
  return `${where}, where the pod fits on none of the ${nodes} nodes`;
}

/** `1Gi` of the `2Gi` asked for. */
function grown({ has, size }: Facts): string {
  return has === undefined || size === undefined ? '' : ` from ${has} to ${size}`;
}

function stuckClaim({ names: [pod] }: Finding): string {
  return `The claim was deleted but has not gone away${pod === undefined ? '' : `: ${describeRef(pod)} still mounts it`}.`;
}

function stuckVolume({ names: [claim] }: Finding): string {
  return `The volume was deleted but has not gone away${claim === undefined ? '' : `: ${describeRef(claim)} is still bound to it`}.`;
}

/** The finalizers that hold an object, where nobody else is named. */
function heldBy({ finding }: Case): string | undefined {
  const finalizers = String(finding?.facts.finalizers ?? '');
  return finalizers === '' ? undefined : `It waits for: ${finalizers}.`;
}

/** Claims, volumes, their classes and snapshots, and devices. */
export const storagePhrases = {
  StorageClassMissing: {
    says: ({ facts }) => `The claim asks for storage class ${facts.storageClass ?? 'of a name'}, which does not exist.`,
    doing: (about) => `has asked for storage class${named(about, 'storageClass')}, which does not exist,`,
    hits: 'cannot start without the volume',
    well: 'has its volume, or its storage class exists',
    next: classes,
    facts: ['size'],
  },
  NoDefaultStorageClass: {
    says: () => 'The claim names no storage class, and the cluster has no default one.',
    doing: () => 'has had no storage class, as it names none and the cluster has no default one,',
    hits: 'cannot start without the volume',
    well: 'has its volume, or a storage class',
    next: classes,
    facts: ['size'],
  },
  ProvisioningFailed: {
    says: (finding) => `No volume${ofClass(finding.facts)} can be made for the claim${after(': ', finding)}.`,
    doing: (about) => `has not received a volume${ofClass(about.facts)}`,
    hits: 'cannot start without the volume',
    evidence: storageSays,
    well: 'has its volume',
    next: describeSubject,
    facts: ['storageClass', 'size'],
  },
  PVCPending: {
    says: (finding) => `The claim has no volume${after(': ', finding, 'nobody says why')}.`,
    doing: () => 'has been waiting for a volume',
    hits: 'cannot start without the volume',
    evidence: storageSays,
    well: 'has its volume',
    next: describeSubject,
    facts: ['storageClass', 'size'],
  },
  PVCLost: {
    says: ({ facts }) =>
      `The volume of the claim${facts.volume === undefined ? '' : `, ${facts.volume},`} no longer exists: the data on it may be lost.`,
    doing: (about) => `has lost its volume${about.facts.volume === undefined ? '' : ` ${about.facts.volume}`}`,
    hits: 'cannot start without the volume',
    well: 'has a volume again',
    next: describeRoot,
    facts: ['storageClass', 'size'],
  },
  PVCStuckTerminating: {
    says: stuckClaim,
    doing: () => 'has been stuck terminating',
    evidence: (about) => (about.finding?.names.length ? stuckClaim(about.finding) : heldBy(about)),
    well: 'is no longer stuck terminating',
    next: describeRoot,
    facts: [],
  },
  VolumeNodeAffinityConflict: {
    says: ({ facts }) => `The volume of the claim is ${place(facts)}.`,
    doing: (about) => `has had its volume ${place(about.facts)},`,
    hits: 'cannot be scheduled because of it',
    evidence: ({ finding }) => quote('The scheduler', finding?.detail),
    well: 'no longer keeps pods from being scheduled',
    next: describePod,
    facts: ['volume', 'size'],
  },
  VolumeAttachFailed: {
    says: (finding) =>
      `The volume cannot be attached to node ${finding.facts.node ?? 'of its pod'}${after(': ', finding)}.`,
    doing: (about) => `has not had its volume attached to node${named(about, 'node')}`,
    hits: 'cannot start without the volume',
    evidence: driverSays,
    well: 'has its volume attached',
    next: describeSubject,
    facts: ['node', 'volume', 'driver'],
  },
  VolumeDetachFailed: {
    says: (finding) =>
      `The volume is not detached from node ${finding.facts.node ?? 'it is on'}${after(': ', finding)}.`,
    doing: (about) => `has had its volume stuck on node${named(about, 'node')}`,
    hits: 'cannot use the volume elsewhere',
    evidence: driverSays,
    well: 'has its volume free again',
    next: () => 'kubectl get volumeattachments',
    facts: ['node', 'volume', 'driver'],
  },
  CSIDriverMissingOnNode: {
    says: ({ facts }) =>
      `${driverOf(facts).replace(/^the/, 'The')} is not registered on node ${facts.node ?? 'of the pod'}, so the volume cannot be mounted there.`,
    doing: (about) =>
      `has not been mounted on node${named(about, 'node')}, where ${driverOf(about.facts)} is not registered,`,
    hits: 'cannot work there',
    well: 'can be mounted again',
    next: (about) => `kubectl describe csinode${named(about, 'node')}`,
    facts: ['node', 'driver'],
  },
  VolumeResizeFailed: {
    says: (finding) => `The volume cannot be grown${grown(finding.facts)}${after(': ', finding)}.`,
    doing: (about) => `has not been able to grow its volume${grown(about.facts)}`,
    evidence: driverSays,
    well: 'has the size that is asked for',
    next: describeRoot,
    facts: ['storageClass'],
  },
  FileSystemResizePending: {
    says: () => 'The volume has grown but its file system has not: its pod probably has to be restarted.',
    doing: () => 'has been waiting for its file system to grow, most often for a restart of its pod',
    evidence: kubernetesSays,
    well: 'has its file system grown',
    next: describeRoot,
    facts: ['size'],
  },
  VolumeModifyFailed: {
    says: (finding) =>
      `The volume cannot be changed to attributes class ${finding.facts.attributesClass ?? 'asked for'}${after(': ', finding)}.`,
    doing: (about) => {
      const name = fact(about, 'attributesClass');
      return `has not been able to change its volume${name === undefined ? '' : ` to attributes class ${name}`}`;
    },
    evidence: driverSays,
    well: 'has the attributes that are asked for',
    next: describeRoot,
    facts: ['storageClass'],
  },
  VolumeUnhealthy: {
    says: (finding) => `The volume is not healthy${after(': ', finding)}.`,
    doing: () => 'has had an unhealthy volume',
    evidence: driverSays,
    well: 'is reported to be healthy again',
    next: describeRoot,
    facts: ['volume', 'storageClass'],
  },
  PVFailed: {
    says: (finding) =>
      finding.facts.phase === 'Pending'
        ? `The volume has not become available${after(': ', finding)}.`
        : `The volume cannot be deleted or reused${after(': ', finding)}.`,
    doing: (about) =>
      about.facts.phase === 'Pending' ? 'has not become available' : 'could not be deleted or made available again',
    evidence: storageSays,
    well: 'is no longer stuck',
    next: describeRoot,
    facts: ['claim', 'storageClass', 'size'],
  },
  PVReleased: {
    says: ({ facts }) =>
      `The volume is kept and has belonged to nobody since its claim was deleted${facts.claim === undefined ? '' : ` (${facts.claim})`}.`,
    doing: () => 'has been kept without belonging to a claim',
    well: 'is used again or gone',
    next: describeRoot,
    facts: ['claim', 'storageClass', 'size'],
  },
  PVStuckTerminating: {
    says: stuckVolume,
    doing: () => 'has been stuck terminating',
    evidence: (about) => (about.finding?.names.length ? stuckVolume(about.finding) : heldBy(about)),
    well: 'is no longer stuck terminating',
    next: describeRoot,
    facts: [],
  },
  ManyDefaultStorageClasses: {
    says: ({ subject, facts }) =>
      `Claims that name no class get ${nameOf(subject.ref)}, the newest of ${facts.defaults ?? 'several'} default storage classes, and not ${facts.others ?? 'another'}.`,
    doing: (about) =>
      `has been one of several default storage classes${about.facts.others === undefined ? '' : `, beside ${about.facts.others}`}`,
    well: 'is the only default storage class, or none any more',
    next: classes,
    facts: [],
  },
  SnapshotFailed: {
    says: (finding) => `The snapshot is not ready to use${after(': ', finding, 'nobody says why')}.`,
    doing: () => 'has not become ready to use',
    evidence: driverSays,
    well: 'is ready to use',
    next: describeRoot,
    facts: [],
  },
  ResourceClaimUnallocated: {
    says: ({ facts }) =>
      facts.offered === 'nothing'
        ? `The claim asks for devices${facts.deviceClasses ? ` of class ${facts.deviceClasses}` : ''}, and no driver offers any.`
        : `No devices${facts.deviceClasses ? ` of class ${facts.deviceClasses}` : ''} can be found for the claim.`,
    doing: (about) =>
      about.facts.offered === 'nothing'
        ? 'has asked for devices that no driver offers'
        : 'has not received the devices that it asks for',
    hits: 'cannot be scheduled without them',
    evidence: ({ finding }) => quote('The scheduler', finding?.detail),
    well: 'has its devices',
    next: describeSubject,
    facts: ['deviceClasses'],
  },
  DevicesNotPrepared: {
    says: (finding) => `The devices that the pod asks for are not prepared${after(': ', finding)}.`,
    doing: (about) =>
      about.root.startsWith('Pod/')
        ? 'has not started, as its devices are not prepared,'
        : 'has had pods whose devices are not prepared,',
    evidence: quoted('Kubernetes'),
    well: 'has its devices',
    next: describePod,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;

const noHold = 'no longer blocks anything';

/**
 * Words in place of those of the claims' own reason, where what they share is the root: the kind of the root and the reason.
 */
export const sharedStoragePhrases: ReadonlyMap<
  string,
  Pick<Phrase, 'doing' | 'evidence' | 'hits' | 'well' | 'next'>
> = new Map(
  Object.entries({
    'StorageClass StorageClassMissing': {
      doing: () => 'has been missing',
      hits: 'cannot get a volume without it',
      well: noHold,
      next: classes,
    },
    'StorageClass ProvisioningFailed': {
      doing: () => 'has not provided volumes',
      hits: 'cannot get a volume from it',
      evidence: storageSays,
      well: 'is providing volumes again',
      next: describeRoot,
    },
    'CSIDriver VolumeAttachFailed': {
      doing: () => 'has been failing to attach volumes',
      hits: 'cannot use their volumes',
      evidence: driverSays,
      well: 'is attaching volumes again',
      next: () => 'kubectl get volumeattachments',
    },
    'CSIDriver VolumeDetachFailed': {
      doing: () => 'has been failing to detach volumes',
      hits: 'cannot use their volumes elsewhere',
      evidence: driverSays,
      well: 'is detaching volumes again',
      next: () => 'kubectl get volumeattachments',
    },
    'Node CSIDriverMissingOnNode': {
      doing: (about: Case) => `has not had ${driverOf(about.facts)} registered`,
      hits: 'cannot work there',
      well: 'has the driver again, or nobody needs it there',
      next: (about: Case) => `kubectl describe csinode ${nameOf(about.root)}`,
    },
  }),
);
