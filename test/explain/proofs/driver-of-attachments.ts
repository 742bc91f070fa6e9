import { at, daemonSet, eventOf, pod } from '../../world/objects.ts';
import { claim, volume } from '../../world/storage-objects.ts';
import { long, type Proof, type Story } from '../proof.ts';
import { began, mounting, shop, starting, told } from '../storage-proof.ts';

const driver = 'ebs.csi.aws.com';
const namespace = 'kube-system';

/** New Pods of two workloads wait for volumes of a driver, which are not attached for this. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const names = ['api', 'web'];
    const plugin = pod('ebs-csi-node-1', {
      namespace,
      createdAt: long,
      owner: { kind: 'DaemonSet', name: 'ebs-csi-node' },
    });
    k8s.put(long, ...shop, ...names.flatMap((name) => [claim(name), volume(`pv-${name}`, { driver })]));
    k8s.put(long, daemonSet('ebs-csi-node', { namespace, createdAt: long }), plugin);
    k8s.wait(at(0));
    const waiting = names.map((name) => mounting(name, starting(began)));
    k8s.put(began, ...waiting);
    k8s.put(began + 5000, ...waiting.map((each) => eventOf(each, 'FailedAttachVolume', says, began + 5000)));
    k8s.wait(told);
  };

export const proof: Proof = {
  shows: {
    what: 'the driver may not attach',
    tell: story(
      'AttachVolume.Attach failed: rpc error: code = Internal desc = api error UnauthorizedOperation: You are not authorized to perform this operation.',
    ),
    told: ['DaemonSet/kube-system/ebs-csi-node FailedAttachVolume 2'],
  },
  not: {
    what: 'the volumes are in another zone',
    tell: story('AttachVolume.Attach failed: rpc error: code = Internal desc = api error InvalidVolume.ZoneMismatch'),
    told: ['Deployment/shop/api FailedAttachVolume 1', 'Deployment/shop/web FailedAttachVolume 1'],
  },
};
