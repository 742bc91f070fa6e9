import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes, unready } from '../proof.ts';
import { saying } from '../said.ts';

const words = 'FATAL: password authentication failed for user "app"';

/** Two programs are turned away with the password of a Secret; a third workload, which logs in with this Secret, is unavailable since then. */
const story =
  (secret: string): Story['tell'] =>
  (k8s) => {
    const pod = (name: string, from: string, parts: object) => {
      const valueFrom = { secretKeyRef: { name: from, key: 'password' } };
      const spec = { containers: [{ name: 'api', image: 'x', env: [{ name: 'PASSWORD', valueFrom }] }] };
      return podOf(name, 'a', { spec, ...parts });
    };
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes, ...[...names, 'late'].flatMap((name) => app(name)));
    k8s.put(long, ...names.map((name) => pod(name, 'db', {})), pod('late', secret, {}));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => pod(name, 'db', saying(long, at(1), words))));
    k8s.wait(at(3));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', at(3), 'MinimumReplicasUnavailable')];
    k8s.put(at(3), workload('Deployment', 'late', { ...none, conditions }), replicaSet('late', 1, none));
    k8s.put(at(3), pod('late', secret, { conditions: unready(at(3)) }));
    k8s.wait(at(3, 45));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload that logs in with a Secret which is rejected is unavailable and has said nothing yet',
    tell: story('db'),
    told: ['Secret/shop/db SecretRejected 4'],
  },
  not: {
    what: 'it logs in with another Secret',
    tell: story('mail'),
    told: ['Deployment/shop/late DeploymentUnavailable 1', 'Secret/shop/db SecretRejected 3'],
  },
};
