import { at } from '../../world/objects.ts';
import { claim, snapshot, unbound } from '../../world/storage-objects.ts';
import { long, type Proof } from '../proof.ts';
import { began, shop, told } from '../storage-proof.ts';

const error = {
  message: 'Failed to create snapshot: the PVC api is not yet bound to a PV',
  time: '2026-06-01T12:01:00Z',
};
const failing = snapshot('nightly', 'api', { createdAt: began, status: { error } });

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'no snapshot can be taken of a claim without a volume',
    tell(k8s) {
      k8s.put(long, ...shop);
      k8s.wait(at(0));
      k8s.put(began, unbound('api', { createdAt: began }), failing);
      k8s.wait(told);
    },
    told: ['PersistentVolumeClaim/shop/api PVCPending 2'],
  },
  not: {
    what: 'the claim is bound, and another is not',
    tell(k8s) {
      k8s.put(long, ...shop, claim('api'));
      k8s.wait(at(0));
      k8s.put(began, unbound('web', { createdAt: began }), failing);
      k8s.wait(told);
    },
    told: ['PersistentVolumeClaim/shop/web PVCPending 1', 'VolumeSnapshot/shop/nightly SnapshotFailed 1'],
  },
};
