import { at, workload } from '../../world/objects.ts';
import { unbound } from '../../world/storage-objects.ts';
import { long, type Proof, type Story, unplaced } from '../proof.ts';
import { began, mounting, shop, told } from '../storage-proof.ts';

/** The Pod of a StatefulSet waits for its two claims. */
const story =
  (...claims: readonly ReturnType<typeof unbound>[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...shop);
    k8s.wait(at(0));
    const says = '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.';
    const volumes = claims.map(({ metadata }) => ({
      name: metadata.name,
      persistentVolumeClaim: { claimName: metadata.name },
    }));
    const owner = { kind: 'StatefulSet', name: 'db' };
    const { spec: _, ...pod } = mounting('db', { ...unplaced(began, says), owner });
    const own = { replicas: 1, createdAt: began, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(began, workload('StatefulSet', 'db', own), ...claims, { ...pod, spec: { containers: [], volumes } });
    k8s.wait(told);
  };
const claim = (name: string, className: string) => unbound(name, { createdAt: began, className });

export const proof: Proof = {
  rule: 'names-what-is-missing',
  shows: {
    what: 'the claims of one StatefulSet ask for a class that does not exist',
    tell: story(claim('data-db-0', 'fats'), claim('log-db-0', 'fats')),
    told: ['StorageClass//fats StorageClassMissing 4'],
  },
  not: {
    what: 'a claim of a class that exists gets no volume either: that is its own',
    tell: story(claim('data-db-0', 'fast')),
    told: ['PersistentVolumeClaim/shop/data-db-0 PVCPending 3'],
  },
};
