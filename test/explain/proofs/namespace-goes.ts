import { namespace } from '../../world/control-objects.ts';
import { kustomization } from '../../world/custom-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { long, type Proof, type Story, twoNodes } from '../proof.ts';

const healthy = condition('Ready', 'True', long, 'ReconciliationSucceeded');
const says =
  'Deployment/preview/api dry-run failed: deployments.apps "api" is forbidden: unable to create new content in namespace preview because it is being terminated';

/** Two Kustomizations cannot be applied, as Flux says, because the namespace `preview` is being deleted; one is, by that name or another. */
const story =
  (going: string): Story['tell'] =>
  (k8s) => {
    const failing = condition('Ready', 'False', at(1), 'ReconciliationFailed', says);
    const both = (is: typeof failing) =>
      ['api', 'web'].map((name) => kustomization(name, { createdAt: long, conditions: [is] }));
    k8s.put(long, ...twoNodes, namespace('preview', { createdAt: long }), namespace('old', { createdAt: long }));
    k8s.put(long, ...both(healthy));
    k8s.wait(at(0));
    k8s.put(at(1), namespace(going, { createdAt: long, deletionAt: at(1) }), ...both(failing));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'refused-by',
  shows: {
    what: 'Flux cannot apply two Kustomizations, since their namespace is being deleted',
    tell: story('preview'),
    told: ['Namespace//preview CustomResourceFailing 2'],
  },
  not: {
    what: 'it is another namespace that is being deleted',
    tell: story('old'),
    told: [
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/api CustomResourceFailing 1',
      'Kustomization.kustomize.toolkit.fluxcd.io/shop/web CustomResourceFailing 1',
    ],
  },
};
