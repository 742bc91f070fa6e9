import { at } from '../../world/objects.ts';
import { long, type Proof } from '../proof.ts';
import { client, released } from '../release-of-cache.ts';
import { said, saying } from '../said.ts';

export const proof: Proof = {
  shows: {
    what: 'a release of the cache took its only Pod, the new one is not ready yet, and who depends on it crashes',
    tell: released('all', (k8s) => k8s.put(at(1, 30), client(saying(long, at(1, 30), said.refused('cache'))))),
    told: ['Deployment/shop/cache CrashLoopBackOff 1, image edited'],
  },
  not: {
    what: 'a release of the cache leaves a Pod that serves',
    tell: released('some', (k8s) => k8s.put(at(1, 30), client(saying(long, at(1, 30), said.refused('cache'))))),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
