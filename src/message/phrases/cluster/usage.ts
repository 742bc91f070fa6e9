import { kubectl } from '../../../model/command.ts';
import type { Facts } from '../../../model/finding.ts';
import { nameOf, refOf } from '../../../model/ref.ts';
import { describePod, describeRoot } from '../../parts/next.ts';
import { fact, named, type Phrase, quoted, said } from '../../parts/phrase.ts';

const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];

/** `1.2 GiB`. */
function size(bytes: number): string {
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log2(Math.max(1, bytes)) / 10)));
  const value = bytes / 1024 ** power;
  return `${value >= 10 || power === 0 ? Math.round(value) : value.toFixed(1)} ${units[power]}`;
}

/** ` 87 %`, or nothing. */
const share = ({ percent }: Facts): string => (percent === undefined ? 'nearly' : `${percent} %`);

/** ` (1.2 GiB of 10 GiB)`. */
function amount({ used, capacity }: Facts): string {
  return used === undefined || capacity === undefined ? '' : ` (${size(Number(used))} of ${size(Number(capacity))})`;
}

/** When it is full as it grows, in words. */
function when({ fullInHours }: Facts): string {
  if (fullInHours === undefined) return '';
  const hours = Number(fullInHours);
  if (hours <= 1) return ', and will be full within the hour at this rate';
  if (hours < 48) return `, and will be full in about ${hours} hours at this rate`;
  return hours > 14 * 24 ? '' : `, and will be full in about ${Math.round(hours / 24)} days at this rate`;
}

/** What kubelets say is nearly used up. */
export const usagePhrases = {
  VolumeFillingUp: {
    says: ({ facts }) => `The volume is ${share(facts)} full${amount(facts)}${when(facts)}.`,
    happens: (about, it) => [`The volume of ${it}`, `is ${share(about.facts)} full`],
    why: ({ facts }) => when(facts).replace(/^, and /, 'it ') || undefined,
    evidence: ({ facts }) =>
      facts.fullInHours === undefined ? undefined : `It is ${share(facts)} full${amount(facts)}${when(facts)}.`,
    well: 'has enough space again',
    // Whether it may grow is what its class says.
    next: (about) =>
      fact(about, 'storageClass') === undefined
        ? describeRoot(about)
        : kubectl('get', refOf('StorageClass', '', fact(about, 'storageClass') ?? '')),
    facts: ['storageClass', 'size'],
  },
  VolumeInodesFillingUp: {
    says: ({ facts }) => `The volume has used up ${share(facts)} of its inodes: it can soon hold no more files.`,
    happens: (about, it) => [`The volume of ${it}`, `has used up ${share(about.facts)} of its inodes`],
    well: 'has enough inodes again',
    facts: ['storageClass', 'size'],
  },
  NodeFilesystemHigh: {
    says: ({ facts }) => `The node has ${facts.part ?? 'a file system'} ${share(facts)} full${amount(facts)}.`,
    happens: (about) => `has ${about.facts.part ?? 'a file system'} ${share(about.facts)} full`,
    well: 'has enough space again',
  },
  NodeInodesHigh: {
    says: ({ facts }) => `The node has used up ${share(facts)} of the inodes of ${facts.part ?? 'a file system'}.`,
    happens: (about) => `has used up ${share(about.facts)} of the inodes of ${about.facts.part ?? 'a file system'}`,
    well: 'has enough inodes again',
  },
  NodePressureStall: {
    says: ({ facts }) =>
      `For ${facts.percent ?? 'much'}${facts.percent === undefined ? '' : ' %'} of the time everything on the node waits for ${facts.part ?? 'memory'}.`,
    happens: () => 'stalls',
    why: (about) => `everything on it waits for ${about.facts.part ?? 'memory'}`,
    well: 'no longer stalls',
  },
  SwapPressure: {
    says: ({ facts }) => `The swap of the node is ${share(facts)} full${amount(facts)}.`,
    happens: (about, it) => [`The swap of ${it}`, `is ${share(about.facts)} full`],
    well: 'has enough swap again',
  },
  KubeletUnreachable: {
    says: () =>
      'The API server cannot reach the kubelet of the node, so logs, exec and port-forward fail there as well.',
    happens: (_, it) => [`The kubelet of ${it}`, 'cannot be reached'],
    why: said,
    evidence: quoted('The API server'),
    well: 'has a kubelet that answers again',
    next: ({ root }) => kubectl('get', undefined, '--raw', `/api/v1/nodes/${nameOf(root)}/proxy/healthz`),
    facts: ['zone'],
  },
  ContainerMemoryHigh: {
    says: ({ facts }) =>
      `Container ${facts.container ?? 'of the pod'} uses ${share(facts)} of its memory limit${amount(facts)}: at 100 % it is killed.`,
    happens: (about, it) => [
      `Container${named(about, 'container')} of ${it}`,
      `uses ${share(about.facts)} of its memory limit`,
    ],
    well: 'uses less of its memory limit again',
    next: ({ root, sample }) => kubectl('top', sample?.ref ?? root, '--containers'),
    facts: ['node'],
  },
  EphemeralStorageHigh: {
    says: ({ facts }) =>
      `The pod has written ${share(facts)} of what it may outside of volumes${amount(facts)}: at 100 % it is evicted.`,
    happens: (about) => `uses ${share(about.facts)} of its ephemeral storage`,
    well: 'uses less of its ephemeral storage again',
    next: describePod,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
