import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const pull = stuck(
  at(2),
  'ImagePullBackOff',
  'Back-off pulling image "x": write /var/lib/containerd/ingest: no space left on device',
);

/** A Pod on n1 cannot unpack its image; its sibling on n2 is healthy or fails alike. */
const story =
  (sibling: Parameters<typeof podOf>[2]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'));
    k8s.wait(at(0));
    k8s.put(at(2), podOf('api', 'a', pull), podOf('api', 'b', { ...sibling, node: 'n2' }));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  rule: 'node-lacks',
  shows: {
    what: 'an image finds no room on one Node, and does on the other',
    tell: story({}),
    told: ['Node//n1 ImagePullBackOff 1'],
  },
  not: {
    what: 'an image finds no room on either of two Nodes: it is too large',
    tell: story(pull),
    told: ['Deployment/shop/api ImagePullBackOff 2'],
  },
};
