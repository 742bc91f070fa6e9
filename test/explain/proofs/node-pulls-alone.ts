import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const refused = stuck(
  at(1),
  'ImagePullBackOff',
  'Back-off pulling image "x": failed to resolve reference "registry.example/x:1": 401 unauthorized',
);

/** New Pods of two workloads on n1 are refused their images; those on n2 run since an instant. */
const story =
  (runSince: number): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const others = names.map((name) => podOf(name, 'b', { node: 'n2', createdAt: runSince }));
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => app(name)));
    k8s.put(runSince, ...others);
    k8s.wait(at(0, 55));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', refused)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'images of two workloads are refused on one Node, and given to another at the same time',
    tell: story(at(0, 50)),
    told: ['Node//n1 ImagePullDenied 2'],
  },
  not: {
    what: 'the other Node may have them from an hour ago',
    tell: story(long),
    told: ['Deployment/shop/api ImagePullDenied 1', 'Deployment/shop/web ImagePullDenied 1'],
  },
};
