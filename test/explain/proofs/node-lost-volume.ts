import { at } from '../../world/objects.ts';
import { attachment, claim, volume } from '../../world/storage-objects.ts';
import { long, lostNode, type Proof, type Story } from '../proof.ts';
import { began, shop, told } from '../storage-proof.ts';

const detachError = {
  time: '2026-06-01T12:03:00Z',
  message: 'rpc error: code = Internal desc = node is not responding',
};

/** A volume that a Node does not let go of, one that is lost or another one. */
const story =
  (node: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...shop, claim('api'), volume('pv-api'));
    k8s.wait(at(0));
    k8s.put(began, lostNode(began));
    const going = { createdAt: long, deletionAt: at(3), status: { attached: true, detachError } };
    k8s.put(at(3), attachment('pv-api', node, going));
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'a lost Node does not let go of a volume',
    tell: story('n1'),
    told: ['Node//n1 NodeUnreachable 2'],
  },
  not: {
    what: 'another Node does not let go of it',
    tell: story('n2'),
    told: ['Node//n1 NodeUnreachable 1', 'PersistentVolumeClaim/shop/api VolumeDetachFailed 1'],
  },
};
