import { networkPolicy, service } from '../../world/network-objects.ts';
import { at, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const namespace = 'kube-system';
const labels = { app: 'coredns', 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace, labels, selector: { 'k8s-app': 'kube-dns' }, createdAt: long });
const kubectl = [managed('kubectl', at(1), { 'f:spec': {} })];
const lookup = (host: string): string =>
  `dial tcp: lookup ${host} on 10.96.0.10:53: read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout`;
const clients = [
  { name: 'api', host: 'api.payments.example', parts: { namespace: 'shop', node: 'n1' } },
  { name: 'web', host: 'mail.example.com', parts: { namespace: 'office', node: 'n2' } },
];

/** A policy is made for some Pods of cluster DNS's namespace at 1, and lookups of two namespaces are not answered at 2. */
const story =
  (selected: string): Story['tell'] =>
  (k8s) => {
    k8s.put(
      long,
      ...twoNodes,
      dns,
      ...app('coredns', { namespace, labels }),
      podOf('coredns', 'a', { namespace, labels }),
    );
    k8s.put(long, ...clients.flatMap(({ name, parts }) => [...app(name, parts), podOf(name, 'a', parts)]));
    k8s.wait(at(0));
    k8s.put(at(1), networkPolicy(selected, { namespace, createdAt: at(1), managedFields: kubectl }));
    k8s.put(
      at(2),
      ...clients.map(({ name, host, parts }) => podOf(name, 'a', { ...saying(long, at(2), lookup(host)), ...parts })),
    );
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'called-policy',
  shows: {
    what: 'a policy for the Pods of cluster DNS was made, and nobody gets an answer',
    tell: story('coredns'),
    told: ['NetworkPolicy/kube-system/coredns CrashLoopBackOff 3, creation edited'],
  },
  not: {
    what: 'the policy is for other Pods',
    tell: story('metrics-server'),
    told: ['Service/kube-system/kube-dns ClusterDNSFailing 3'],
  },
};
