import { at, node } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, unplaced } from '../proof.ts';

const says = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.";
const disks = { disks: 'nvme' };

/** A Node loses its label at 1, and a Pod that selects these labels fits nowhere three hours later. */
const story =
  (selected: Readonly<Record<string, string>>): Story['tell'] =>
  (k8s) => {
    k8s.put(long, node('n1', { since: long }), node('n2', { since: long, labels: disks }), ...app('api'));
    k8s.wait(at(0));
    k8s.put(at(1), node('n2', { since: long }));
    k8s.wait(at(180));
    k8s.put(at(180), podOf('api', 'a', { ...unplaced(at(180), says), spec: { nodeSelector: selected } }));
    k8s.wait(at(183));
  };

export const proof: Proof = {
  shows: {
    what: 'the Node with the label that a Pod selects has lost it',
    tell: story(disks),
    told: ['Node//n2 Unschedulable 1, labels edited'],
  },
  not: {
    what: 'the Pod selects a label that no Node had',
    tell: story({ disks: 'tape' }),
    told: ['Deployment/shop/api Unschedulable 1'],
  },
};
