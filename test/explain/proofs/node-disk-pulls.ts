import { at } from '../../world/objects.ts';
import { ailing, app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const pull = stuck(
  at(2),
  'ImagePullBackOff',
  'Back-off pulling image "x": failed to extract layer: write /var/lib/containerd/ingest: disk quota exceeded',
);

/** The disk of n1 fills up, and a Pod there cannot pull; its sibling on n2 is well or fails alike. */
const story =
  (sibling: Parameters<typeof podOf>[2]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('DiskPressure', at(1)));
    k8s.put(at(2), podOf('api', 'a', pull), podOf('api', 'b', { ...sibling, node: 'n2' }));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'an image cannot be pulled where the disk is full, and can elsewhere',
    tell: story({}),
    told: ['Node//n1 DiskPressure 2'],
  },
  not: {
    what: 'the same pull fails on a Node whose disk is not full',
    tell: story(pull),
    told: ['Deployment/shop/api ImagePullBackOff 2', 'Node//n1 DiskPressure 1'],
  },
};
