import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes, unplaced } from '../proof.ts';

/** Pods of these workloads wait since 1, for what the scheduler says. */
const story =
  (says: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    const names = Object.keys(says);
    k8s.put(long, ...twoNodes, ...names.flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(1), ...names.map((name) => podOf(name, 'b', unplaced(at(1), says[name]))));
    k8s.wait(at(6));
  };

const noCpu = '0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available.';

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'Pods of two workloads find no CPU on any Node',
    tell: story({ api: noCpu, web: noCpu }),
    told: ['Cluster//nodes InsufficientCapacity 3'],
  },
  not: {
    what: 'one finds no CPU, and the other selects Nodes that do not exist',
    tell: story({
      api: noCpu,
      web: "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
    }),
    told: ['Deployment/shop/api Unschedulable 1', 'Deployment/shop/web Unschedulable 1'],
  },
};
