import { custom } from '../../world/custom-objects.ts';
import { at, waiting } from '../../world/objects.ts';
import { app, crashing, long, type Proof, podOf, type Story, stuck, twoNodes } from '../proof.ts';

const lacks = 'secret "web-tls" not found';

/** An operator of this name crashes at 1; at 2 a Certificate is made, and what needs its Secret waits. */
const story =
  (operator: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app(operator, { replicas: 1 }), podOf(operator, 'a'), ...app('web'));
    k8s.wait(at(0));
    k8s.put(at(1), podOf(operator, 'a', crashing(long, at(1))));
    k8s.put(at(2), custom('cert-manager.io/v1', 'Certificate', 'web-tls', { createdAt: at(2) }));
    k8s.put(
      at(2),
      podOf('web', 'a', { ...stuck(at(2), ''), statuses: [waiting('api', 'CreateContainerConfigError', lacks)] }),
    );
    k8s.wait(at(9));
  };

export const proof: Proof = {
  rule: 'nobody-does-it',
  shows: {
    what: 'the operator that makes Secrets from such an object is down',
    tell: story('cert-manager'),
    told: ['Deployment/shop/cert-manager CrashLoopBackOff 3'],
  },
  not: {
    what: 'another operator is down',
    tell: story('volume-manager'),
    told: ['Deployment/shop/volume-manager CrashLoopBackOff 1', 'Secret/shop/web-tls SecretMissing 2'],
  },
};
