import { alert } from '../../world/alert-objects.ts';
import { at, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const image = 'registry.example/shop/api:2';

/** A release at 1 that leaves an old Pod beside the new one; somebody alerts of one of them since 7. */
const story =
  (which: 'old' | 'new'): Story['tell'] =>
  (k8s) => {
    const edited = { replicas: 2, createdAt: long, image, generation: 2 };
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'old'), podOf('api', 'other'));
    k8s.wait(at(0));
    k8s.put(
      at(1),
      workload('Deployment', 'api', edited),
      replicaSet('api', 2, { replicas: 1, createdAt: at(1), image }),
    );
    k8s.put(at(2), podOf('api', 'new', { revision: 2, createdAt: at(1) }));
    k8s.gone(at(2), podOf('api', 'other'));
    k8s.put(at(7), alert('RequestsAreSlow', [`Pod/shop/api-${which}`], { since: at(7) }));
    k8s.wait(at(12));
  };

export const proof: Proof = {
  rule: 'release',
  shows: {
    what: 'a Pod of the new revision is slow',
    tell: story('new'),
    told: ['Deployment/shop/api ExternalAlert 1, image edited'],
  },
  not: {
    what: 'one of the old revision is',
    tell: story('old'),
    told: ['Deployment/shop/api ExternalAlert 1'],
  },
};
