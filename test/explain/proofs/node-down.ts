import { at } from '../../world/objects.ts';
import { app, long, lostNode, type Proof, podOf, twoNodes, unready } from '../proof.ts';

const before = [...twoNodes, ...app('api'), podOf('api', 'b', { node: 'n2' })];

export const proof: Proof = {
  shows: {
    what: 'a Pod stops being ready when nothing is heard of its Node',
    tell(k8s) {
      k8s.put(long, ...before, podOf('api', 'a'));
      k8s.wait(at(0));
      k8s.put(at(1), lostNode(at(1)));
      k8s.put(at(1, 1), podOf('api', 'a', { conditions: unready(at(1, 1)) }));
      k8s.wait(at(3));
    },
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'the Pod had not been ready for ten minutes when its Node was lost',
    tell(k8s) {
      k8s.put(long, ...before, podOf('api', 'a', { conditions: unready(at(-10)) }));
      k8s.wait(at(0));
      k8s.put(at(1), lostNode(at(1)));
      k8s.wait(at(3));
    },
    told: ['Deployment/shop/api PodNotReady 1', 'Node//n1 NodeUnreachable 1'],
  },
};
