import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts, Finding } from '../../../model/finding.ts';
import { describeRef, refOf } from '../../../model/ref.ts';
import { describeRoot, describeSubject, type Next } from '../../parts/next.ts';
import { after, fact, named, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { driverSays, heldBy, storageSays } from './storage.ts';

const kubernetesSays = quoted('Kubernetes');

/** `CSI driver ebs.csi.aws.com`. */
export const driverOf = ({ driver }: Facts): string =>
  driver === undefined ? 'the CSI driver' : `CSI driver ${driver}`;

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

/** A field of the volume of a claim. */
const volumeField =
  (path: string): Next =>
  (about) => {
    const volume = fact(about, 'volume');
    return volume === undefined
      ? describeSubject(about)
      : kubectl('get', refOf('PersistentVolume', '', volume), '-o', `jsonpath=${path}`);
  };

/** `1Gi` of the `2Gi` asked for. */
function grown({ has, size }: Facts): string {
  return has === undefined || size === undefined ? '' : ` from ${has} to ${size}`;
}

function stuckVolume({ names: [claim] }: Finding): string {
  return `The volume was deleted but has not gone away${claim === undefined ? '' : `: ${describeRef(claim)} is still bound to it`}.`;
}

/** Volumes: where they are, whether they are attached, and what becomes of them. */
export const volumePhrases = {
  VolumeNodeAffinityConflict: {
    says: ({ facts }) => `The volume of the claim is ${place(facts)}.`,
    happens: (about, it) => [`The volume of ${it}`, `is ${place(about.facts)}`],
    hits: 'cannot be scheduled because of it',
    evidence: ({ finding }) => quote('The scheduler', finding?.detail),
    well: 'no longer keeps pods from being scheduled',
    next: volumeField('{.spec.nodeAffinity}'),
    facts: ['volume', 'size'],
  },
  VolumeAttachFailed: {
    says: (finding) =>
      `The volume cannot be attached to node ${finding.facts.node ?? 'of its pod'}${after(': ', finding)}.`,
    happens: (about, it) => [`The volume of ${it}`, `cannot be attached to node${named(about, 'node')}`],
    why: said,
    hits: 'cannot start without the volume',
    evidence: driverSays,
    well: 'has its volume attached',
    next: () => kubectl('get', listOf('volumeattachments')),
    facts: ['node', 'volume', 'driver'],
  },
  VolumeDetachFailed: {
    says: (finding) =>
      `The volume is not detached from node ${finding.facts.node ?? 'it is on'}${after(': ', finding)}.`,
    happens: (about, it) => [`The volume of ${it}`, `is stuck on node${named(about, 'node')}`],
    why: said,
    hits: 'cannot use the volume elsewhere',
    evidence: driverSays,
    well: 'has its volume free again',
    next: () => kubectl('get', listOf('volumeattachments')),
    facts: ['node', 'volume', 'driver'],
  },
  CSIDriverMissingOnNode: {
    says: ({ facts }) =>
      `${driverOf(facts).replace(/^the/, 'The')} is not registered on node ${facts.node ?? 'of the pod'}, so the volume cannot be mounted there.`,
    happens: (about) => `cannot be mounted on node${named(about, 'node')}`,
    why: (about) => `${driverOf(about.facts)} is not registered there`,
    hits: 'cannot work there',
    well: 'can be mounted again',
    next: (about) => {
      const node = fact(about, 'node');
      return kubectl('describe', node === undefined ? listOf('csinodes') : refOf('CSINode', '', node));
    },
    facts: ['node', 'driver'],
  },
  VolumeResizeFailed: {
    says: (finding) => `The volume cannot be grown${grown(finding.facts)}${after(': ', finding)}.`,
    happens: (about, it) => [`The volume of ${it}`, `cannot grow${grown(about.facts)}`],
    why: said,
    evidence: driverSays,
    well: 'is no longer refused the size that is asked for',
    facts: ['storageClass'],
  },
  FileSystemResizePending: {
    says: () => 'The volume has grown but its file system has not: its pod probably has to be restarted.',
    happens: (_, it) => [`The file system of ${it}`, 'has not grown with its volume'],
    why: () => 'its pod needs a restart',
    evidence: kubernetesSays,
    well: 'has its file system grown',
    facts: ['size'],
  },
  VolumeModifyFailed: {
    says: (finding) =>
      `The volume cannot be changed to attributes class ${finding.facts.attributesClass ?? 'asked for'}${after(': ', finding)}.`,
    happens: (about, it) => {
      const name = fact(about, 'attributesClass');
      return [`The volume of ${it}`, `cannot be changed${name === undefined ? '' : ` to attributes class ${name}`}`];
    },
    why: said,
    evidence: driverSays,
    well: 'has the attributes that are asked for',
    next: (about) => {
      const name = fact(about, 'attributesClass');
      return name === undefined
        ? describeRoot(about)
        : kubectl('get', refOf('VolumeAttributesClass', '', name), '-o', 'yaml');
    },
    facts: ['storageClass'],
  },
  VolumeUnhealthy: {
    says: (finding) => `The volume is not healthy${after(': ', finding)}.`,
    happens: (_, it) => [`The volume of ${it}`, 'is not healthy'],
    why: said,
    evidence: driverSays,
    well: 'is reported to be healthy again',
    facts: ['volume', 'storageClass'],
  },
  PVFailed: {
    says: (finding) =>
      finding.facts.phase === 'Pending'
        ? `The volume has not become available${after(': ', finding)}.`
        : `The volume cannot be deleted or reused${after(': ', finding)}.`,
    happens: (about) => (about.facts.phase === 'Pending' ? 'is not available' : 'can be neither deleted nor reused'),
    why: said,
    evidence: storageSays,
    well: 'is no longer stuck',
    facts: ['claim', 'storageClass', 'size'],
  },
  PVReleased: {
    says: ({ facts }) =>
      `The volume is kept and has belonged to nobody since its claim was deleted${facts.claim === undefined ? '' : ` (${facts.claim})`}.`,
    happens: () => 'belongs to no claim any more',
    well: 'is used again or gone',
    facts: ['claim', 'storageClass', 'size'],
  },
  PVStuckTerminating: {
    says: stuckVolume,
    happens: () => 'is stuck terminating',
    why: ({ finding, facts: { finalizers } }) => {
      const [claim] = finding?.names ?? [];
      if (claim !== undefined) return `${describeRef(claim)} is still bound to it`;
      return finalizers === undefined ? undefined : `it waits for ${finalizers}`;
    },
    evidence: (about) => (about.finding?.names.length ? stuckVolume(about.finding) : heldBy(about)),
    well: 'is no longer stuck terminating',
  },
} as const satisfies Readonly<Record<string, Phrase>>;
