import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const template = { containers: [{ name: 'api', image: 'x', envFrom: [{ secretRef: { name: 'login' } }] }] };

/** What is seen of a Secret: its metadata. */
const metadata = (managedFields: readonly unknown[] = []) => ({
  apiVersion: 'v1',
  kind: 'SecretMetadata',
  metadata: {
    ...{ namespace: 'shop', name: 'login', uid: 'uid-login', resourceVersion: String(managedFields.length) },
    ...{ creationTimestamp: new Date(long).toISOString(), managedFields },
  },
});

/** The Secret `login`, which holds these keys, is edited at 1; a Pod that was made after that crashes at 2 and says what it says. */
const story =
  (keys: readonly string[], words: string): Story['tell'] =>
  (k8s) => {
    const owned = { 'f:data': Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) };
    k8s.put(long, ...twoNodes, ...app('api'), metadata(), podOf('api', 'a', { spec: template }));
    k8s.wait(at(0));
    k8s.put(at(1), metadata([managed('kubectl-edit', at(1), owned)]));
    k8s.put(at(2), podOf('api', 'a', { spec: template, ...saying(at(1, 30), at(2), words) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'settings-changed',
  shows: {
    what: 'a Pod that was started anew since the Secret that it uses was edited crashes',
    tell: story(['password'], 'FATAL: cannot begin'),
    told: ['Secret/shop/login CrashLoopBackOff 1, data edited'],
  },
  not: {
    what: 'the Secret holds a certificate, and the program says nothing of certificates',
    tell: story(['tls.crt', 'tls.key'], 'dial tcp 10.0.0.7:5432: connect: connection refused'),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
