import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, unplaced } from '../proof.ts';

const taint = { key: 'maintenance', value: 'true', effect: 'NoSchedule' };
const says = '0/2 nodes are available: 2 node(s) had untolerated taint(s).';

/** Two Nodes, each with its own taints, and a Pod of each of two workloads that goes nowhere. */
const story =
  (...taints: readonly object[]): Story['tell'] =>
  (k8s) => {
    const nodes = taints.map((one, index) => node(`n${index + 1}`, { since: long, spec: { taints: [one] } }));
    k8s.put(long, ...nodes, ...app('api'), ...app('web'));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('api', 'a', unplaced(at(1), says)), podOf('web', 'a', unplaced(at(1), says)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'several-name',
  shows: {
    what: 'two workloads fit nowhere, and all Nodes have one taint',
    tell: story(taint, taint),
    told: ['Node//n1 Unschedulable 2'],
  },
  not: {
    what: 'each Node is kept for somebody else',
    tell: story({ ...taint, key: 'team', value: 'a' }, { ...taint, key: 'team', value: 'b' }),
    told: ['Deployment/shop/api Unschedulable 1', 'Deployment/shop/web Unschedulable 1'],
  },
};
