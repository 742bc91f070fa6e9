import { addressless } from '../address-proof.ts';
import type { Proof } from '../proof.ts';

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'three Pods of a Node have no address, and one of another Node of its zone',
    tell: addressless({ a: 'n1', b: 'n1', c: 'n1', d: 'n2' }),
    told: ['Zone//eu-1a PodIPExhausted 6'],
  },
  not: {
    what: 'only Pods of one Node have none',
    tell: addressless({ a: 'n1', b: 'n1', c: 'n1' }),
    told: ['Node//n1 PodIPExhausted 4'],
  },
};
