import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

const gpu = node('gpu-1', { since: long });

/** A Node is deleted with a Pod of each of two workloads; what takes their place goes nowhere. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const pods = ['api', 'web'].map((name) => podOf(name, 'a', { node: 'gpu-1' }));
    k8s.put(long, ...twoNodes, gpu, ...app('api'), ...app('web'), ...pods);
    k8s.wait(at(0));
    k8s.gone(at(1), gpu);
    k8s.gone(at(1, 5), ...pods);
    k8s.put(at(1, 6), ...['api', 'web'].map((name) => podOf(name, 'b', unplaced(at(1, 6), says))));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'no other Node is of the kind that two workloads ask for',
    tell: story("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."),
    told: ['Node//gpu-1 Unschedulable 2'],
  },
  not: {
    what: 'others are of the kind and have something against them',
    tell: story(
      "0/2 nodes are available: 1 node(s) didn't match Pod's node affinity/selector, 1 node(s) didn't match pod anti-affinity rules.",
    ),
    told: ['Deployment/shop/api Unschedulable 1', 'Deployment/shop/web Unschedulable 1'],
  },
};
