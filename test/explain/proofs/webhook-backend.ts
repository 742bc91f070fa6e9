import { service, slice, webhooks } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, twoNodes, unplaced } from '../proof.ts';

const labels = { app: 'policy' };
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/policy' });
const before = [...twoNodes, ...app('policy', { template: {}, labels }), service('policy'), slice('policy', 1), guard];

export const proof: Proof = {
  shows: {
    what: 'the Pods behind a webhook fit on no Node, and it has no endpoint left',
    tell(k8s) {
      k8s.put(long, ...before, podOf('policy', 'a', { labels }));
      k8s.wait(at(0));
      k8s.put(at(1), podOf('policy', 'b', { labels, ...unplaced(at(1)) }), slice('policy', 0));
      k8s.gone(at(1), podOf('policy', 'a', { labels }));
      k8s.put(at(1), ...app('policy', { labels, ...outage(at(1)) }));
      k8s.wait(at(8));
    },
    told: ['Deployment/shop/policy Unschedulable 4'],
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
