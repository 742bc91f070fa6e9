import { service, slice, webhooks } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, twoNodes } from '../proof.ts';

const labels = { app: 'policy' };
const guards = (['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const).map((kind) =>
  webhooks(kind, 'guard', { service: 'shop/policy' }),
);
const before = [
  ...twoNodes,
  ...app('policy', { template: {}, labels }),
  service('policy'),
  slice('policy', 1),
  ...guards,
];

export const proof: Proof = {
  shows: {
    what: 'two webhooks call a Service that has no endpoints any more, and all its Pods are healthy',
    tell(k8s) {
      k8s.put(long, ...before, podOf('policy', 'a', { labels }));
      k8s.wait(at(0));
      k8s.put(at(1), slice('policy', 0));
      k8s.wait(at(4));
    },
    told: ['Service/shop/policy ServiceNoEndpoints 3'],
  },
  not: {
    what: 'the Pods behind it crash: the workload is to blame',
    tell(k8s) {
      k8s.put(long, ...before, podOf('policy', 'a', { labels }));
      k8s.wait(at(0));
      k8s.put(at(1), podOf('policy', 'a', { labels, ...crashing(long, at(1)) }), slice('policy', 0));
      k8s.put(at(1), ...app('policy', { labels, ...outage(at(1)) }));
      k8s.wait(at(4));
    },
    told: ['Deployment/shop/policy CrashLoopBackOff 5'],
  },
};
