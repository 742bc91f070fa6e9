import { addressless } from '../address-proof.ts';
import type { Proof } from '../proof.ts';

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'three Pods of one Node have no address',
    tell: addressless({ a: 'n1', b: 'n1', c: 'n1' }),
    told: ['Node//n1 PodIPExhausted 4'],
  },
  not: {
    what: 'the network of three Pods cannot be set up for another reason',
    tell: addressless({ a: 'n1', b: 'n1', c: 'n1' }, 'plugin type="calico" failed (add): connection is unauthorized'),
    told: ['a', 'b', 'c'].map((name) => `Pod/shop/${name} FailedCreatePodSandBox 1`),
  },
};
