import { at } from '../../world/objects.ts';
import { ailing, app, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

/** The network of n1 is not set up, and a Pod there does not get beyond its start; its sibling on n2 is well or not. */
const story =
  (sibling: Parameters<typeof podOf>[2]): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'));
    k8s.wait(at(0));
    k8s.put(at(1), ailing('NetworkUnavailable', at(1)));
    k8s.put(at(1), podOf('api', 'a', stuck(at(1), 'ContainerCreating')), podOf('api', 'b', { ...sibling, node: 'n2' }));
    k8s.wait(at(15));
  };

export const proof: Proof = {
  rule: 'node-down',
  shows: {
    what: 'a Pod gets no sandbox where the network is not set up',
    tell: story({}),
    told: ['Node//n1 NetworkUnavailable 2'],
  },
  not: {
    what: 'a Pod of the same workload hangs alike where the network is well',
    tell: story(stuck(at(1), 'ContainerCreating')),
    told: ['Deployment/shop/api ContainerCreating 2', 'Node//n1 NetworkUnavailable 1'],
  },
};
