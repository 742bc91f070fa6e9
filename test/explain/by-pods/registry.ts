import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, stuck, twoNodes } from '../proof.ts';

const says =
  'Back-off pulling image "registry.example/x:1": failed to do request: dial tcp 10.0.0.9:443: connect: connection refused';

/** Two workloads cannot reach the registry, and of a third, unavailable since then, the only Pod is still being prepared. */
const story =
  (image: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...['api', 'web', 'late'].flatMap((name) => app(name)));
    k8s.wait(at(0));
    k8s.put(at(1), ...['api', 'web'].map((name) => podOf(name, 'a', stuck(at(1), 'ImagePullBackOff', says))));
    const none = { createdAt: long, image, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', at(1, 5), 'MinimumReplicasUnavailable')];
    k8s.put(at(1, 5), workload('Deployment', 'late', { ...none, conditions }), replicaSet('late', 1, none));
    k8s.put(
      at(1, 6),
      podOf('late', 'a', { ...stuck(at(1, 6), 'ContainerCreating'), containers: [{ name: 'api', image }] }),
    );
    k8s.wait(at(3));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload whose images come from a registry that does not answer has no Pod that has begun',
    tell: story('registry.example/shop/late:1'),
    told: ['Registry//registry.example RegistryUnreachable 4'],
  },
  not: {
    what: 'its images come from another registry',
    tell: story('elsewhere.example/shop/late:1'),
    told: ['Deployment/shop/late DeploymentUnavailable 1', 'Registry//registry.example RegistryUnreachable 3'],
  },
};
