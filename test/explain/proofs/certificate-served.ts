import { certificate, tlsSecret } from '../../world/certificate-objects.ts';
import { service, slice, webhooks } from '../../world/control-objects.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'policy' };
const mounting = { labels, spec: { volumes: [{ name: 'tls', secret: { secretName: 'policy-tls' } }] } };
const guard = webhooks('ValidatingWebhookConfiguration', 'guard', { service: 'shop/policy' });

/** The certificate of a webhook expires, and the Pods of a Deployment are refused. */
const story =
  (says: string): Story['tell'] =>
  (k8s) => {
    const serving = [...app('policy', { template: {}, labels }), podOf('policy', 'a', mounting)];
    k8s.put(long, ...twoNodes, ...serving, service('policy'), slice('policy', 1), guard);
    k8s.put(long, tlsSecret('policy-tls', [certificate(1 / 1440)]));
    k8s.wait(at(0));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const refused = [condition('ReplicaFailure', 'True', at(2), 'FailedCreate', says)];
    k8s.put(at(2), workload('Deployment', 'api', none), replicaSet('api', 1, { ...none, conditions: refused }));
    k8s.wait(at(6));
  };

const failed = 'Internal error occurred: failed calling webhook "guard.example.com": failed to call webhook';

export const proof: Proof = {
  rule: 'certificate-said',
  shows: {
    what: 'a webhook shows an expired certificate, and what it is asked about is refused',
    tell: story(`${failed}: tls: failed to verify certificate: x509: certificate has expired or is not yet valid`),
    told: ['Secret/shop/policy-tls TLSCertExpired 2'],
  },
  not: {
    what: 'the webhook is not reached at all',
    tell: story(`${failed}: dial tcp 10.0.0.9:443: connect: connection refused`),
    told: ['Secret/shop/policy-tls TLSCertExpired 1', 'ValidatingWebhookConfiguration//guard ReplicaFailure 1'],
  },
};
