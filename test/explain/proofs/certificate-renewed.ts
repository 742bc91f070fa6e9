import { certificate, certManagerCertificate, tlsSecret } from '../../world/certificate-objects.ts';
import { at, condition } from '../../world/objects.ts';
import type { Proof, Story } from '../proof.ts';

/** A Certificate that cannot be issued, and a Secret that ends in three days. */
const story =
  (renewedBy: string): Story['tell'] =>
  (k8s) => {
    const pending = condition('Ready', 'False', at(-20 * 1440), 'Pending', 'the issuer does not exist');
    k8s.put(at(0), certManagerCertificate('web', pending, -20));
    k8s.put(at(0), tlsSecret('web', [certificate(3)], { renewedBy }));
    k8s.wait(at(20));
  };

export const proof: Proof = {
  rule: 'names-what-fails',
  shows: {
    what: 'cert-manager cannot renew a certificate, which is about to expire',
    tell: story('web'),
    told: ['Certificate.cert-manager.io/shop/web CustomResourceFailing 2'],
  },
  not: {
    what: 'the Certificate that fails is that of another Secret',
    tell: story('other'),
    told: ['Certificate.cert-manager.io/shop/web CustomResourceFailing 1', 'Secret/shop/web TLSCertExpiringSoon 1'],
  },
};
