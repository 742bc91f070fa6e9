import { describeRoot } from '../next.ts';
import { after, type Phrase, quoted } from '../phrase.ts';

const kubeletSays = quoted('The kubelet');

/** Nodes. */
export const nodePhrases = {
  NodeNotReady: {
    says: (finding) => `The node is not ready${after(': ', finding)}.`,
    doing: () => 'has not been ready',
    evidence: kubeletSays,
    well: 'is ready again',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeUnreachable: {
    says: () => 'The node has stopped reporting.',
    doing: () => 'has not been heard from',
    well: 'is back',
    next: describeRoot,
    facts: ['zone'],
  },
  MemoryPressure: {
    says: () => 'The node is short of memory and is evicting pods.',
    doing: () => 'has been short of memory and evicting pods',
    well: 'has enough memory again',
    next: describeRoot,
    facts: ['zone'],
  },
  DiskPressure: {
    says: () => 'The node is short of disk space, and is evicting pods and removing images.',
    doing: () => 'has been short of disk space, evicting pods and removing images',
    well: 'has enough disk space again',
    next: describeRoot,
    facts: ['zone'],
  },
  PIDPressure: {
    says: () => 'The node is short of process IDs and is evicting pods.',
    doing: () => 'has been short of process IDs and evicting pods',
    well: 'has enough process IDs again',
    next: describeRoot,
    facts: ['zone'],
  },
  NetworkUnavailable: {
    says: (finding) => `The network of the node is not configured${after(': ', finding)}.`,
    doing: () => 'has had no network',
    evidence: quoted('Its condition'),
    well: 'has its network again',
    next: describeRoot,
    facts: ['zone'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
