import { webhooks } from '../../world/control-objects.ts';
import { kustomization } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const healthy = condition('Ready', 'True', long, 'ReconciliationSucceeded');

/** Two Kustomizations cannot be applied, and Flux says this of it. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const failing = condition('Ready', 'False', at(1), 'ReconciliationFailed', says);
    const both = (conditions: readonly object[]) =>
      ['shop', 'infra'].map((name) =>
        kustomization(name, { createdAt: long, conditions: conditions.map((each) => ({ ...each })) }),
      );
    k8s.put(long, ...twoNodes, webhooks('ValidatingWebhookConfiguration', 'guard'), ...both([healthy]));
    k8s.wait(at(0));
    k8s.put(at(1), ...both([failing]));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'refused-by',
  shows: {
    what: 'Flux cannot apply two Kustomizations, since a webhook cannot be called',
    tell: story(
      'Certificate/shop/api dry-run failed: Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook: Post "https://guard.guard.svc:443/validate": context deadline exceeded',
    ),
    told: ['ValidatingWebhookConfiguration//guard CustomResourceFailing 2'],
  },
  not: {
    what: 'Flux cannot build them',
    tell: story('kustomize build failed: missing metadata.name'),
    told: [
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/infra CustomResourceFailing 1',
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/shop CustomResourceFailing 1',
    ],
  },
};
