import { at } from '../../world/objects.ts';
import { storageClass, unbound } from '../../world/storage-objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const controller = 'ebs-csi-controller';

/** The controller of a driver gets another image at 1, or of its labels only; a claim that is made at 3 gets no volume. */
const story =
  (edited: string, image: string): Story['tell'] =>
  (k8s) => {
    const first = 'registry.example/shop/driver:1';
    k8s.put(long, ...twoNodes, storageClass('fast', { createdAt: long }));
    k8s.put(long, ...[controller, 'web'].flatMap((name) => [...app(name, { image: first }), podOf(name, 'a')]));
    k8s.wait(at(0));
    const [deployment] = app(edited, { image, generation: 2 });
    if (deployment) k8s.put(at(1), deployment);
    k8s.put(at(1), replicaSet(edited, 2, { createdAt: at(1), image }));
    k8s.put(at(3), unbound('data', { createdAt: at(3) }));
    k8s.wait(at(9));
  };

export const proof: Proof = {
  shows: {
    what: 'who makes its volumes has been released since the last one was made',
    tell: story(controller, 'registry.example/shop/driver:2'),
    told: [`Deployment/shop/${controller} PVCPending 1, image edited`],
  },
  not: {
    what: 'another one was released',
    tell: story('web', 'registry.example/shop/driver:2'),
    told: ['PersistentVolumeClaim/shop/data PVCPending 1'],
  },
};
