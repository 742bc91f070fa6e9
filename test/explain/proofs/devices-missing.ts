import { at } from '../../world/objects.ts';
import { resourceClaim } from '../../world/storage-objects.ts';
import { long, type Proof, podOf, unplaced } from '../proof.ts';
import { began, shop, told } from '../storage-proof.ts';

const says = '0/2 nodes are available: 2 cannot allocate all claims.';
const asks = { spec: { resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }] } };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'a Pod cannot be scheduled without the devices that it asks for',
    tell(k8s) {
      k8s.put(long, ...shop);
      k8s.wait(at(0));
      k8s.put(
        began,
        resourceClaim('gpu', { createdAt: began }),
        podOf('api', 'a', { ...unplaced(began, says), ...asks }),
      );
      k8s.wait(told);
    },
    told: ['ResourceClaim/shop/gpu ResourceClaimUnallocated 2'],
  },
  not: {
    what: 'another Pod asks for no device and finds no room',
    tell(k8s) {
      k8s.put(long, ...shop);
      k8s.wait(at(0));
      k8s.put(began, resourceClaim('gpu', { createdAt: began }), podOf('api', 'a', unplaced(began)));
      k8s.wait(told);
    },
    told: ['Deployment/shop/api Unschedulable 1'],
  },
};
