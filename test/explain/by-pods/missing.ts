import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, stuck, twoNodes } from '../proof.ts';

/** A program waits for a Secret that is not there; a third workload, with this Secret, is unavailable, and its Pod is just being prepared. */
const story =
  (secret: string): Story['tell'] =>
  (k8s) => {
    const using = (name: string, from: string, parts: object) => {
      const valueFrom = { secretKeyRef: { name: from, key: 'password' } };
      const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'PASSWORD', valueFrom }] }] };
      return podOf(name, 'a', { spec, ...parts });
    };
    k8s.put(long, ...twoNodes, ...['api', 'late'].flatMap((name) => app(name)));
    k8s.wait(at(0));
    k8s.put(at(1), using('api', 'db', stuck(at(1), 'CreateContainerConfigError', 'secret "db" not found')));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', at(1, 5), 'MinimumReplicasUnavailable')];
    k8s.put(at(1, 5), workload('Deployment', 'late', { ...none, conditions }), replicaSet('late', 1, none));
    k8s.put(at(1, 6), using('late', secret, stuck(at(1, 6), 'ContainerCreating')));
    k8s.wait(at(3));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload that uses a Secret which is missing has no Pod that has begun',
    tell: story('db'),
    told: ['Secret/shop/db SecretMissing 3'],
  },
  not: {
    what: 'it uses another Secret',
    tell: story('mail'),
    told: ['Deployment/shop/late DeploymentUnavailable 1', 'Secret/shop/db SecretMissing 2'],
  },
};
