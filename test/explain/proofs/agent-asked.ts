import { at, daemonSet, pod } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** A mirror of registries with a port of its Node crashes at 1, and an image cannot be pulled there at 2, as this address was dialled in vain. */
const story =
  (dialled: string): Story['tell'] =>
  (k8s) => {
    const containers = [{ name: 'api', image: 'ghcr.io/spegel:1', ports: [{ containerPort: 5000, hostPort: 30_020 }] }];
    const mirror = (parts: object) =>
      pod('spegel-1', {
        ...{ owner: { kind: 'DaemonSet', name: 'spegel' }, createdAt: long, spec: { containers } },
        ...parts,
      });
    const says = `Back-off pulling image "ghcr.io/shop/api:2": failed to do request: Head "http://${dialled}/v2/shop/api/manifests/2?ns=ghcr.io": dial tcp ${dialled}: connect: connection refused`;
    k8s.put(long, ...twoNodes, ...app('api'), daemonSet('spegel', { createdAt: long }), mirror({}));
    k8s.wait(at(0));
    k8s.put(at(1), mirror(crashing(long, at(1))));
    k8s.put(at(2), podOf('api', 'a', stuck(at(2), 'ImagePullBackOff', says)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'agent-asked-for',
  shows: {
    what: 'the image was asked for at the port of the mirror',
    tell: story('127.0.0.1:30020'),
    told: ['DaemonSet/shop/spegel CrashLoopBackOff 2'],
  },
  not: {
    what: 'it was asked for at another',
    tell: story('127.0.0.1:5001'),
    told: ['DaemonSet/shop/spegel CrashLoopBackOff 1', 'Deployment/shop/api ImagePullBackOff 1'],
  },
};
