import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const says =
  'Back-off pulling image "registry.example/x:1": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "registry.example/x:1": failed to resolve reference "registry.example/x:1": registry.example/x:1: not found';

/** New Pods of two workloads that were made then do not find their images. */
const story =
  (madeAt: number): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    k8s.put(long, ...twoNodes);
    k8s.put(madeAt, ...names.flatMap((name) => app(name, { createdAt: madeAt })));
    k8s.wait(at(0, 30));
    const waiting = { ...stuck(at(1), 'ImagePullBackOff', says), createdAt: at(1) };
    k8s.put(at(1), ...names.map((name) => podOf(name, 'a', waiting)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'two workloads ran for an hour with images that their new Pods do not find',
    tell: story(long),
    told: ['Registry//registry.example ImageNotFound 2'],
  },
  not: {
    what: 'both are installed just now',
    tell: story(at(0)),
    told: ['Deployment/shop/api ImageNotFound 1', 'Deployment/shop/web ImageNotFound 1'],
  },
};
