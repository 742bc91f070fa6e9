import { webhooks } from '../../world/control-objects.ts';
import { service } from '../../world/network-objects.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'guard' };

/** A policy engine crashes at 1, and at 2 no Pod can be made as a webhook at this Service cannot be called. */
const story =
  (called: string): Story['tell'] =>
  (k8s) => {
    const says = `Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://${called}.shop.svc:443/validate?timeout=10s": dial tcp 10.96.0.7:443: connect: connection refused`;
    const refused = [condition('ReplicaFailure', 'True', at(2), 'FailedCreate', says)];
    const whole = { createdAt: long };
    k8s.put(long, webhooks('ValidatingWebhookConfiguration', 'guard'));
    k8s.put(long, ...twoNodes, ...app('guard', { labels }), podOf('guard', 'a', { labels }));
    k8s.put(long, service('guard', { createdAt: long, selector: labels }));
    k8s.put(long, workload('Deployment', 'api', whole), replicaSet('api', 1, whole));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('guard', 'a', { labels, ...crashing(long, at(1)) }));
    k8s.put(at(2), replicaSet('api', 1, { ...whole, conditions: refused }));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'it is the engine that is called',
    tell: story('guard'),
    told: ['Deployment/shop/guard CrashLoopBackOff 2'],
  },
  not: {
    what: 'another Service is called',
    tell: story('other'),
    told: ['Deployment/shop/guard CrashLoopBackOff 1', 'ValidatingWebhookConfiguration//guard ReplicaFailure 1'],
  },
};
