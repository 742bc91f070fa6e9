import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const says =
  'Back-off pulling image "registry.example/x:1": failed to do request: dial tcp 10.0.0.9:443: connect: connection refused';

/** Pods of these workloads cannot reach the registry. */
const story =
  (...names: string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', stuck(at(1), 'ImagePullBackOff', says))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'two workloads cannot reach their registry',
    tell: story('api', 'web'),
    told: ['Registry//registry.example RegistryUnreachable 3'],
  },
  not: {
    what: 'one workload alone cannot',
    tell: story('api'),
    told: ['Deployment/shop/api ImagePullBackOff 1'],
  },
};
