import { podCertificateRequest } from '../../world/control-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, type Proof, podOf, stuck, twoNodes } from '../proof.ts';

/** A Pod does not start, and the request of a Pod for its certificate is refused. */
const story =
  (of: string): Proof['shows']['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), podOf('api', 'b'));
    k8s.wait(at(0));
    k8s.put(
      at(1),
      podOf('api', 'a', stuck(at(1), 'ContainerCreating')),
      podCertificateRequest('req-1', of, [condition('Denied', 'True', at(1), 'Policy', 'not allowed')]),
    );
    k8s.wait(at(15));
  };

export const proof: Proof = {
  rule: 'built-from',
  shows: {
    what: 'the certificate that a Pod needs is refused',
    tell: story('api-a'),
    told: ['PodCertificateRequest/shop/req-1 PodCertificateRequestFailed 2'],
  },
  not: {
    what: 'the request is of a Pod that is not there any more',
    tell: story('old-x'),
    told: ['Deployment/shop/api ContainerCreating 1'],
  },
};
