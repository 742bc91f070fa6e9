import { describeRoot } from '../next.ts';
import { type Phrase, quote } from '../phrase.ts';

const kubeletSays: Phrase['detail'] = (about) => quote('The kubelet', about, 'conditionMessage');

/** Nodes. */
export const nodePhrases = {
  NodeNotReady: {
    doing: () => 'has not been ready',
    detail: kubeletSays,
    well: 'is ready again',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeUnreachable: {
    doing: () => 'has not been heard from',
    well: 'is back',
    next: describeRoot,
    facts: ['zone'],
  },
  MemoryPressure: {
    doing: () => 'has been short of memory and evicting pods',
    well: 'has enough memory again',
    next: describeRoot,
    facts: ['zone'],
  },
  DiskPressure: {
    doing: () => 'has been short of disk space, evicting pods and removing images',
    well: 'has enough disk space again',
    next: describeRoot,
    facts: ['zone'],
  },
  PIDPressure: {
    doing: () => 'has been short of process ids and evicting pods',
    well: 'has enough process ids again',
    next: describeRoot,
    facts: ['zone'],
  },
  NetworkUnavailable: {
    doing: () => 'has had no network',
    detail: (about) => quote('Its condition', about, 'conditionMessage'),
    well: 'has its network again',
    next: describeRoot,
    facts: ['zone'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
