import { at } from '../../world/objects.ts';
import { storageClass, unbound } from '../../world/storage-objects.ts';
import { app, long, type Proof, type Story, twoNodes, unplaced } from '../proof.ts';
import { began, mounting, told } from '../storage-proof.ts';

const says = '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.';

/** Claims of two workloads name no class; these classes there are, none the default. */
const story =
  (...classes: readonly string[]): Story['tell'] =>
  (k8s) => {
    const there = classes.map((name) => storageClass(name, { createdAt: long }));
    k8s.put(long, ...twoNodes, ...there, ...app('api'), ...app('web'));
    k8s.wait(at(0));
    for (const name of ['api', 'web'])
      k8s.put(began, unbound(name, { createdAt: began, className: undefined }), mounting(name, unplaced(began, says)));
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'two workloads want a volume of the default class, and the only class is not marked as that',
    tell: story('fast'),
    told: ['StorageClass//fast NoDefaultStorageClass 4'],
  },
  not: {
    what: 'which of two classes it was nobody can tell',
    tell: story('fast', 'slow'),
    told: [
      'PersistentVolumeClaim/shop/api NoDefaultStorageClass 2',
      'PersistentVolumeClaim/shop/web NoDefaultStorageClass 2',
    ],
  },
};
