import { at, node } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story, unplaced } from '../proof.ts';
import { began, mounting, shop, told } from '../storage-proof.ts';

const says =
  "0/2 nodes are available: 1 node(s) were unschedulable, 1 node(s) didn't match PersistentVolume's node affinity.";
const onHost = (host: string) => ({
  nodeAffinity: {
    required: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [host] }] }],
    },
  },
});

/** A Pod waits for a local volume of this Node; n2 is cordoned. */
const story =
  (host: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...shop, claim('api', { createdAt: long }));
    k8s.put(long, volume('pv-api', { createdAt: long, claim: 'api', spec: onHost(host) }));
    k8s.wait(at(0));
    k8s.put(began, node('n2', { since: long, spec: { unschedulable: true } }), mounting('api', unplaced(began, says)));
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'node-lacks',
  shows: {
    what: 'the only Node of a volume is there and takes no Pods',
    tell: story('n2'),
    told: ['Node//n2 VolumeNodeAffinityConflict 2'],
  },
  not: {
    what: 'the Node of the volume is gone for good',
    tell: story('n3'),
    told: ['PersistentVolumeClaim/shop/api VolumeNodeAffinityConflict 2'],
  },
};
