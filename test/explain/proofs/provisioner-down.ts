import { at } from '../../world/objects.ts';
import { storageClass, unbound } from '../../world/storage-objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, unplaced } from '../proof.ts';
import { began, mounting, shop, told } from '../storage-proof.ts';

const waits = '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.';
const controller = 'ebs-csi-controller';

/** One Pod of the controller of a driver crashes; a claim of its class waits, and a Pod for the claim. */
const story =
  (...others: readonly string[]): Story['tell'] =>
  (k8s) => {
    const ofDriver = storageClass('fast', { createdAt: long, provisioner: 'ebs.csi.aws.com' });
    k8s.put(long, ...shop, ofDriver, ...app(controller), ...others.map((which) => podOf(controller, which)));
    k8s.wait(at(0));
    k8s.put(began, podOf(controller, 'a', crashing(long, began)));
    k8s.put(began, unbound('api', { createdAt: began }), mounting('api', unplaced(began, waits)));
    k8s.wait(told);
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'a claim waits for a volume whose driver has no controller that runs',
    tell: story(),
    told: ['Deployment/shop/ebs-csi-controller CrashLoopBackOff 3'],
  },
  not: {
    what: 'another replica of it runs and makes volumes',
    tell: story('b'),
    told: ['Deployment/shop/ebs-csi-controller CrashLoopBackOff 1', 'PersistentVolumeClaim/shop/api PVCPending 2'],
  },
};
