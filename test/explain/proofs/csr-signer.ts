import { csr } from '../../world/control-objects.ts';
import { at } from '../../world/objects.ts';
import type { Proof } from '../proof.ts';

/** So many requests of kubelets wait. */
const story =
  (count: number): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.wait(at(0));
    for (let number = 1; number <= count; number += 1) k8s.put(at(1), csr(`csr-${number}`, { createdAt: at(1) }));
    k8s.wait(at(15));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'three requests wait for the same signer',
    tell: story(3),
    told: ['Signer//kubernetes.io/kubelet-serving SignerNotSigning 4'],
  },
  not: {
    what: 'two do',
    tell: story(2),
    told: ['CertificateSigningRequest//csr-1 CSRPending 1', 'CertificateSigningRequest//csr-2 CSRPending 1'],
  },
};
