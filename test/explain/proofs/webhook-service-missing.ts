import { webhooks } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

/** Webhooks are made at 1 that call Services which do not exist. */
const story =
  (...called: readonly string[]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes);
    k8s.wait(at(0));
    const kinds = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;
    k8s.put(at(1), ...kinds.map((kind, index) => webhooks(kind, 'guard', { service: called[index] ?? 'shop/policy' })));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'several-name-what-is-missing',
  shows: {
    what: 'two webhooks call the same Service, which does not exist',
    tell: story('shop/policy', 'shop/policy'),
    told: ['Service/shop/policy WebhookBackendMissing 2'],
  },
  not: {
    what: 'each calls another that does not exist',
    tell: story('shop/policy', 'shop/guard'),
    told: [
      'MutatingWebhookConfiguration//guard WebhookBackendMissing 1',
      'ValidatingWebhookConfiguration//guard WebhookBackendMissing 1',
    ],
  },
};
