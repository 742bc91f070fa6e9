import { at } from '../../world/objects.ts';
import { app, outage, type Proof, unready } from '../proof.ts';
import { client, released, type Tell } from '../release-of-cache.ts';

const isUnready: Tell = (k8s) =>
  k8s.put(at(1, 30), client({ conditions: unready(at(1, 30)) }), ...app('api', outage(at(1, 30))));

export const proof: Proof = {
  shows: {
    what: 'a release of the cache took its only Pod, and who depends on it says no more than that it is not ready',
    tell: released('all', isUnready),
    told: ['Deployment/shop/cache DeploymentUnavailable 1, image edited'],
  },
  not: {
    what: 'a release of the cache leaves a Pod that serves',
    tell: released('some', isUnready),
    told: ['Deployment/shop/api DeploymentUnavailable 1'],
  },
};
