import { app, crashing, podOf } from '../../explain/proof.ts';
import { at } from '../../world/objects.ts';
import { type ClusterStory, long, nodes } from '../shop.ts';

const signatures = [
  { name: 'LedgerJammed', says: 'has a ledger that jams', lastLine: 'E7731 * rotor', severity: 'high' },
] as const;

/** What people have told Tocsin to know. */
export const signatureStories = {
  OwnSignature: (k8s) => {
    k8s.put(long, ...nodes, ...app('api', { replicas: 2 }), ...['a', 'b'].map((which) => podOf('api', which)));
    k8s.logs('rotating the ledger', 'E7731 in rotor 4: giving up');
    k8s.start(at(0), { signatures });
    k8s.put(at(10), podOf('api', 'a', crashing(long, at(10))));
    k8s.wait(at(30));
  },
} as const satisfies Readonly<Record<string, ClusterStory>>;
