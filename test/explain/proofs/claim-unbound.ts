import { at } from '../../world/objects.ts';
import { unbound } from '../../world/storage-objects.ts';
import { long, type Proof, unplaced } from '../proof.ts';
import { began, mounting, shop, told } from '../storage-proof.ts';

const waits = '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.';

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'a Pod cannot be scheduled while its claim has no volume',
    tell(k8s) {
      k8s.put(long, ...shop);
      k8s.wait(at(0));
      k8s.put(began, unbound('api', { createdAt: began }), mounting('api', unplaced(began, waits)));
      k8s.wait(told);
    },
    told: ['PersistentVolumeClaim/shop/api PVCPending 2'],
  },
  not: {
    what: 'a Pod finds no room, and another one waits for a claim',
    tell(k8s) {
      k8s.put(long, ...shop);
      k8s.wait(at(0));
      k8s.put(began, unbound('web', { createdAt: began }), mounting('api', unplaced(began)));
      k8s.wait(told);
    },
    told: ['Deployment/shop/api Unschedulable 1', 'PersistentVolumeClaim/shop/web PVCPending 1'],
  },
};
