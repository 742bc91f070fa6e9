import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts, Finding } from '../../../model/finding.ts';
import { describeRef, nameOf, refOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeRoot, describeSubject, type Next } from '../../parts/next.ts';
import { after, named, type Phrase, quoted, said } from '../../parts/phrase.ts';

/** Quotes the storage system. */
export const storageSays = quoted('The storage system');
/** Quotes the volume's driver. */
export const driverSays = quoted('The storage driver');

/** How to see which classes there are. */
export const classes: Next = () => kubectl('get', listOf('storageclasses'));

/** ` of class fast`, where a class is named. */
function ofClass({ storageClass }: Facts): string {
  return storageClass === undefined ? '' : ` of class ${storageClass}`;
}

function stuckClaim({ names: [pod] }: Finding): string {
  return `The claim was deleted but has not gone away${pod === undefined ? '' : `: ${describeRef(pod)} still mounts it`}.`;
}

/** The finalizers that hold an object, where nobody else is named. */
export function heldBy({ finding }: Case): string | undefined {
  const finalizers = String(finding?.facts.finalizers ?? '');
  return finalizers === '' ? undefined : `It waits for: ${finalizers}.`;
}

/** What a claim without a volume has in common, whyever it has none. */
const withoutVolume = {
  why: said,
  hits: 'cannot start without the volume',
  evidence: storageSays,
  well: 'has its volume',
  next: describeSubject,
  facts: ['storageClass', 'size'],
} as const;

/** Claims, the classes they name, and snapshots. */
export const storagePhrases = {
  StorageClassMissing: {
    says: ({ facts }) => `The claim asks for storage class ${facts.storageClass ?? 'of a name'}, which does not exist.`,
    happens: () => 'gets no volume',
    why: (about) => `storage class${named(about, 'storageClass')} does not exist`,
    hits: 'cannot start without the volume',
    well: 'has its volume, or its storage class exists',
    next: classes,
    facts: ['size'],
  },
  NoDefaultStorageClass: {
    says: () => 'The claim names no storage class, and the cluster has no default one.',
    happens: () => 'gets no volume',
    why: () => 'it names no storage class, and none is the default',
    hits: 'cannot start without the volume',
    well: 'has its volume, or a storage class',
    next: classes,
    facts: ['size'],
  },
  ProvisioningFailed: {
    says: (finding) => `No volume${ofClass(finding.facts)} can be made for the claim${after(': ', finding)}.`,
    happens: (about) => `gets no volume${ofClass(about.facts)}`,
    ...withoutVolume,
  },
  PVCPending: {
    says: (finding) => `The claim has no volume${after(': ', finding, 'nobody says why')}.`,
    saysWhy: ({ finding }) => (finding?.detail ?? '').trim() !== '',
    happens: () => 'waits for a volume',
    ...withoutVolume,
  },
  PVCLost: {
    says: ({ facts }) =>
      `The volume of the claim${facts.volume === undefined ? '' : `, ${facts.volume},`} no longer exists: the data on it may be lost.`,
    happens: (about) => `lost its volume${about.facts.volume === undefined ? '' : ` ${about.facts.volume}`}`,
    hits: 'cannot start without the volume',
    well: 'has a volume again',
    next: (about) =>
      typeof about.facts.volume === 'string'
        ? kubectl('get', refOf('PersistentVolume', '', String(about.facts.volume)))
        : describeRoot(about),
    facts: ['storageClass', 'size'],
  },
  PVCStuckTerminating: {
    says: stuckClaim,
    happens: () => 'is stuck terminating',
    why: ({ finding, facts: { finalizers } }) => {
      const [pod] = finding?.names ?? [];
      if (pod !== undefined) return `${describeRef(pod)} still mounts it`;
      return finalizers === undefined ? undefined : `it waits for ${finalizers}`;
    },
    evidence: (about) => (about.finding?.names.length ? stuckClaim(about.finding) : heldBy(about)),
    well: 'is no longer stuck terminating',
  },
  ManyDefaultStorageClasses: {
    says: ({ subject, facts }) =>
      `Claims that name no class get ${nameOf(subject.ref)}, the newest of ${facts.defaults ?? 'several'} default storage classes, and not ${facts.others ?? 'another'}.`,
    happens: (about) =>
      `is one of several default storage classes${about.facts.others === undefined ? '' : `, beside ${about.facts.others}`}`,
    well: 'is the only default storage class, or none any more',
    next: classes,
  },
  SnapshotFailed: {
    says: (finding) => `The snapshot is not ready to use${after(': ', finding, 'nobody says why')}.`,
    happens: () => 'is not ready to use',
    why: said,
    evidence: driverSays,
    well: 'is ready to use',
  },
} as const satisfies Readonly<Record<string, Phrase>>;
