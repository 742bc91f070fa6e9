import { broken, ofFiles } from '../evidence/volumes.ts';
import { longRunning, programs } from './reasons.ts';
import { named, type Rule } from './rule.ts';

/** The causal rules of programs that run, and whose volumes fail under them. */
export const volumeRules: readonly Rule[] = [
  {
    id: 'volumes-fail',
    cause: named(['CSIDriver']),
    via: 'volume-servers',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    requires: ['failsForMost'],
    isSaid: true,
    signs: ofFiles,
    source:
      'one store is behind all volumes of a driver: several workloads that cannot write, on several Nodes and as many as can, have it in common, and not their own volume',
  },
  {
    id: 'file-server-anew',
    cause: named(longRunning),
    via: 'volume-servers',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['startedAnew'],
    signs: broken,
    source:
      'nfs(5), RFC 8881 NFS4ERR_STALE: a server that was started anew may not know the handles that it gave before; who mounts it anew gets new ones',
  },
];
