import { at, eventOf, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck } from '../proof.ts';

const says =
  'Failed to create pod sandbox: error during container init: error mounting "/run/containerd/sandboxes/13b9/shm" to rootfs at "/dev/shm": no space left on device: unknown';

/** A workload gets a Pod on n1 that has no sandbox, and one on n2 that starts, or has long been there. */
const story =
  (elsewhere: 'begins' | 'has long been there'): Story['tell'] =>
  (k8s) => {
    k8s.put(long, node('n1', { since: long }), node('n2', { since: long }), ...app('api'), ...app('docs'));
    const sibling = (createdAt: number) => podOf('api', 'b', { node: 'n2', createdAt });
    if (elsewhere === 'has long been there') k8s.put(long, sibling(long));
    k8s.wait(at(0));
    // Something else begins there: it is not a machine on which nothing does.
    k8s.put(at(1, 10), podOf('docs', 'a', { node: 'n1', createdAt: at(1, 10) }));
    const waits = podOf('api', 'a', { ...stuck(at(1), 'ContainerCreating'), node: 'n1' });
    k8s.put(at(1), waits, ...(elsewhere === 'begins' ? [sibling(at(1))] : []));
    k8s.put(at(1, 5), eventOf(waits, 'FailedCreatePodSandBox', says, at(1, 5)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'node-fails-one',
  shows: {
    what: 'a machine has no mount left for one Pod, whose sibling starts elsewhere at the same time',
    tell: story('begins'),
    told: ['Node//n1 FailedCreatePodSandBox 1'],
  },
  not: {
    what: 'nothing tells whether it would start elsewhere',
    tell: story('has long been there'),
    told: ['Deployment/shop/api FailedCreatePodSandBox 1'],
  },
};
