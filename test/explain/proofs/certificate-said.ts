import { certificate, tlsSecret } from '../../world/certificate-objects.ts';
import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'pay' };
const mounting = { labels, spec: { volumes: [{ name: 'tls', secret: { secretName: 'pay-tls' } }] } };

/** The certificate of a Service expires, and a workload crashes with its last words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('pay', { labels }), podOf('pay', 'a', mounting), service('pay'));
    k8s.put(long, ...app('api'), podOf('api', 'a'), tlsSecret('pay-tls', [certificate(1 / 1440)]));
    k8s.wait(at(0));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), words)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload crashes because the Service that it calls shows a certificate that has expired',
    tell: story(said.expired('pay')),
    told: ['Secret/shop/pay-tls TLSCertExpired 2'],
  },
  not: {
    what: 'it crashes because the Service refuses the connection',
    tell: story(said.refused('pay')),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Secret/shop/pay-tls TLSCertExpired 1'],
  },
};
