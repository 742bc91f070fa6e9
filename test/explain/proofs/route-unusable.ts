import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const route = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' },
  metadata: { name: 'maps', namespace: 'atlas', uid: 'maps', creationTimestamp: '2026-06-01T08:00:00Z' },
  spec: { tls: [{ hosts: ['maps.example'], secretName: 'maps-tls' }] },
};

/** A controller of routes ends over the key in a file that it made. */
const story =
  (file: string): Story['tell'] =>
  (k8s) => {
    const words = `[emerg] SSL_CTX_use_PrivateKey_file("/etc/ingress-controller/ssl/${file}.pem") failed (SSL: error:0906A068:PEM routines:PEM_do_header:bad password read)`;
    k8s.put(long, ...twoNodes, ...app('controller'), podOf('controller', 'a'), route);
    k8s.wait(at(0));
    k8s.put(at(1), podOf('controller', 'a', saying(long, at(1), words)));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'secret-file',
  shows: {
    what: 'the certificate of somebody’s Ingress ends the controller of all',
    tell: story('atlas-maps-tls'),
    told: ['Secret/atlas/maps-tls CrashLoopBackOff 1'],
  },
  not: {
    what: 'the file is of no route',
    tell: story('default-certificate'),
    told: ['Deployment/shop/controller CrashLoopBackOff 1'],
  },
};
