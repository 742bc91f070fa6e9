import { at } from '../../world/objects.ts';
import { attachment, claim, csiNode, volume } from '../../world/storage-objects.ts';
import { long, type Proof } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const attachError = { time: '2026-06-01T12:01:00Z', message: 'rpc error: code = Internal' };
const before = [...shop, claim('api'), volume('pv-api')];

export const proof: Proof = {
  rule: 'node-lacks',
  shows: {
    what: 'the driver of a volume is not registered on the Node of its Pod',
    tell(k8s) {
      k8s.put(long, ...before, csiNode('n1', []));
      k8s.wait(at(0));
      k8s.put(began, mounting('api', starting(began)));
      k8s.wait(told);
    },
    told: ['Node//n1 CSIDriverMissingOnNode 2'],
  },
  not: {
    what: 'the driver is registered and fails',
    tell(k8s) {
      k8s.put(long, ...before, csiNode('n1', ['ebs.csi.aws.com']));
      k8s.wait(at(0));
      k8s.put(began, mounting('api', starting(began)), attachment('pv-api', 'n1', { status: { attachError } }));
      k8s.wait(told);
    },
    told: ['PersistentVolumeClaim/shop/api VolumeAttachFailed 2'],
  },
};
