import { service, slice, webhooks } from '../../world/control-objects.ts';
import { at, status } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const labels = { app: 'policy' };
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/policy' });

/** The Service of a webhook loses its endpoint at 1, and its Pod is, or is not, ready. */
const story =
  (isReady: boolean): Story['tell'] =>
  (k8s) => {
    k8s.put(
      long,
      ...twoNodes,
      ...app('policy', { template: {}, labels }),
      service('policy'),
      slice('policy', 1),
      guard,
    );
    k8s.put(long, podOf('policy', 'a', { labels }));
    k8s.wait(at(0));
    const down = { conditions: unready(at(1)), statuses: [status('api', { ready: false })] };
    k8s.put(at(1), podOf('policy', 'a', { labels, ...(isReady ? {} : down) }), slice('policy', 0));
    k8s.wait(at(1, 50));
  };

export const proof: Proof = {
  rule: 'nobody-serves',
  shows: {
    what: 'the only Pod behind a webhook has just become unready, and nothing is known of it yet',
    tell: story(false),
    told: ['Deployment/shop/policy WebhookNoEndpoints 1'],
  },
  not: {
    what: 'the Pod behind it is ready: the Service leads nowhere',
    tell: story(true),
    told: ['Service/shop/policy ServiceNoEndpoints 2'],
  },
};
