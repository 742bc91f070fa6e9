import { service, slice, webhooks } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, twoNodes, unready } from '../proof.ts';

const labels = { app: 'policy' };
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/policy' });
const before = [...twoNodes, ...app('policy', { template: {}, labels }), service('policy'), slice('policy', 1), guard];

export const proof: Proof = {
  rule: 'behind-it',
  shows: {
    what: 'a Pod behind a webhook crashes, the other waits for its readiness gate, and no endpoint is left',
    tell(k8s) {
      k8s.put(long, ...before, podOf('policy', 'a', { labels }));
      k8s.wait(at(0));
      k8s.put(at(1), podOf('policy', 'a', { labels, ...crashing(long, at(1)) }), slice('policy', 0));
      k8s.put(at(1), podOf('policy', 'b', { labels, conditions: unready(at(1)) }));
      k8s.put(at(1), ...app('policy', { labels, ...outage(at(1)) }));
      // Its Service waits longer before it says so.
      k8s.wait(at(2, 15));
    },
    told: ['Deployment/shop/policy CrashLoopBackOff 2'],
  },
  not: {
    what: 'the Pods of another workload crash',
    tell(k8s) {
      k8s.put(long, ...before, ...app('api'), podOf('policy', 'a', { labels }), podOf('api', 'a'));
      k8s.wait(at(0));
      k8s.put(at(1), podOf('api', 'a', crashing(long, at(1))), slice('policy', 0));
      k8s.wait(at(4));
    },
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Service/shop/policy ServiceNoEndpoints 2'],
  },
};
