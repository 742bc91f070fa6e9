import { webhooks } from '../../world/control-objects.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { long, type Proof, replicaSet, type Story, twoNodes } from '../proof.ts';

/** What the API server answers when the Pods of two workloads are to be made. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const refused = [condition('ReplicaFailure', 'True', at(1), 'FailedCreate', says)];
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    k8s.put(long, ...twoNodes, webhooks('ValidatingWebhookConfiguration', 'guard'));
    k8s.wait(at(0));
    for (const name of ['api', 'web'])
      k8s.put(at(1), workload('Deployment', name, none), replicaSet(name, 1, { ...none, conditions: refused }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'refused-by',
  shows: {
    what: 'a webhook that cannot be called refuses the Pods of two workloads',
    tell: story('Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: timeout'),
    told: ['ValidatingWebhookConfiguration//guard ReplicaFailure 2'],
  },
  not: {
    what: 'the API server refuses them and names no object',
    tell: story('Pod "x" is invalid: spec.containers[0].image: Required value'),
    told: ['Deployment/shop/api ReplicaFailure 1', 'Deployment/shop/web ReplicaFailure 1'],
  },
};
