import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

/** A proxy has its certificate from a Secret, mounted below this path, and ends over a file in /etc/tls. */
const story =
  (mountPath: string): Story['tell'] =>
  (k8s) => {
    const volumes = [{ name: 'tls', secret: { secretName: 'proxy-tls' } }];
    const spec = { volumes, containers: [{ name: 'api', image: 'x', volumeMounts: [{ name: 'tls', mountPath }] }] };
    const words =
      'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)';
    k8s.put(long, ...twoNodes, ...app('proxy'), podOf('proxy', 'a', { spec }));
    k8s.wait(at(0));
    k8s.put(at(1), podOf('proxy', 'a', { spec, ...saying(long, at(1), words) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'a file that it cannot use is mounted from a Secret',
    tell: story('/etc/tls'),
    told: ['Secret/shop/proxy-tls CrashLoopBackOff 1'],
  },
  not: {
    what: 'the Secret is mounted elsewhere',
    tell: story('/etc/login'),
    told: ['Deployment/shop/proxy CrashLoopBackOff 1'],
  },
};
