import { at, status, workload } from '../../world/objects.ts';
import { app, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const which = ['a', 'b'] as const;
const older = { createdAt: at(-120) };

/** A second revision at 1 whose Pods restart from 7 on; `image`: of its template. */
const story =
  (image: string): Story['tell'] =>
  (k8s) => {
    const made = { replicas: 2, ...older };
    const old = which.map((name) => podOf('api', `old-${name}`, older));
    k8s.put(at(-60), ...twoNodes, ...app('api', { ...older, image: 'registry.example/shop/api:1' }), ...old);
    k8s.wait(at(0));
    k8s.put(at(1), workload('Deployment', 'api', { ...made, image, generation: 2 }));
    k8s.put(
      at(1),
      replicaSet('api', 2, { replicas: 2, createdAt: at(1), image }),
      replicaSet('api', 1, { ...older, replicas: 0 }),
    );
    const fresh = (name: string, restartCount: number, ready = true) =>
      podOf('api', `new-${name}`, {
        revision: 2,
        createdAt: at(1),
        statuses: [status('api', { restartCount, ready })],
      });
    k8s.put(at(1), ...which.map((name) => fresh(name, 0)));
    k8s.gone(at(2), ...old);
    for (const [minute, name, count] of [
      [7, 'a', 1],
      [9, 'b', 1],
      [12, 'a', 2],
      [14, 'b', 2],
    ] as const) {
      k8s.put(at(minute), fresh(name, count, false));
      k8s.put(at(minute, 10), fresh(name, count));
    }
    k8s.wait(at(20));
  };

export const proof: Proof = {
  rule: 'release-stuck',
  shows: {
    what: 'the new image is less steady than the one before',
    tell: story('registry.example/shop/api:2'),
    told: ['Deployment/shop/api ReleaseRegression 1, image edited'],
  },
  not: {
    what: 'nothing is known to have been edited',
    tell: story('registry.example/shop/api:1'),
    told: ['Deployment/shop/api ReleaseRegression 1'],
  },
};
