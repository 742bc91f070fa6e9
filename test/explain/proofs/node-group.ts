import { at, node } from '../../world/objects.ts';
import { app, long, lostNode, type Proof, podOf, unready } from '../proof.ts';

const names = ['n1', 'n2', 'n3', 'n4'];
const before = [...names.map((name) => node(name, { since: long })), ...app('api')];

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'three of four Nodes are lost at once, and a Pod with them',
    tell(k8s) {
      k8s.put(long, ...before, podOf('api', 'a'), podOf('api', 'b', { node: 'n4' }));
      k8s.wait(at(0));
      k8s.put(at(1), lostNode(at(1)), ...['n2', 'n3'].map((name) => node(name, { ready: 'Unknown', since: at(1) })));
      k8s.put(at(1, 1), podOf('api', 'a', { conditions: unready(at(1, 1)) }));
      k8s.wait(at(3));
    },
    told: ['Cluster//nodes ZoneOrPoolFailing 5'],
  },
  not: {
    what: 'one of four Nodes is lost',
    tell(k8s) {
      k8s.put(long, ...before, podOf('api', 'a'), podOf('api', 'b', { node: 'n4' }));
      k8s.wait(at(0));
      k8s.put(at(1), lostNode(at(1)));
      k8s.put(at(1, 1), podOf('api', 'a', { conditions: unready(at(1, 1)) }));
      k8s.wait(at(3));
    },
    told: ['Node//n1 NodeUnreachable 2'],
  },
};
