import { webhooks } from '../../world/control-objects.ts';
import { kustomization } from '../../world/custom-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'guard' };
const healthy = condition('Ready', 'True', long, 'ReconciliationSucceeded');
const denied =
  'Ingress/shop/web dry-run failed: admission webhook "guard.example.com" denied the request: snippets are disabled';

/** What answers for a webhook gets another image at 0; at 2 a Kustomization fails with these words. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const shop = (one: object) => kustomization('shop', { createdAt: long, conditions: [{ ...one }] });
    k8s.put(
      long,
      ...twoNodes,
      webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/guard' }),
      shop(healthy),
    );
    k8s.put(long, ...app('guard', { labels }), podOf('guard', 'a', { labels }));
    k8s.put(long, service('guard', { createdAt: long, selector: labels }), endpointSlice('guard'));
    k8s.wait(at(-1));
    const [guard] = app('guard', { labels, image: 'registry.example/shop/guard:2', generation: 2 });
    k8s.put(at(0), ...(guard ? [guard] : []), replicaSet('guard', 2, { labels, createdAt: at(0) }));
    k8s.put(at(0), podOf('guard', 'b', { labels, revision: 2, createdAt: at(0) }));
    k8s.put(at(2), shop(condition('Ready', 'False', at(2), 'ReconciliationFailed', says)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'it is refused what was taken before by a webhook whose server was released since',
    tell: story(denied),
    told: ['Deployment/shop/guard CustomResourceFailing 1, image edited'],
  },
  not: {
    what: 'nobody refuses it',
    tell: story('kustomize build failed: missing metadata.name'),
    told: ['Kustomization.kustomize.toolkit.fluxcd.io/shop/shop CustomResourceFailing 1'],
  },
};
