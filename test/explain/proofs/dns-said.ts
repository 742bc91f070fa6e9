import { service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const lookup = (host: string, answer: string): string => `dial tcp: lookup ${host} on 10.96.0.10:53: ${answer}`;

/** Two workloads of two namespaces, on two Nodes, cannot resolve these names at 1; nothing is seen to be wrong with cluster DNS. */
const story =
  (first: string, second: string, answer: string): Story['tell'] =>
  (k8s) => {
    const [api, web] = [
      { namespace: 'shop', node: 'n1' },
      { namespace: 'office', node: 'n2' },
    ];
    k8s.put(
      long,
      ...twoNodes,
      dns,
      ...app('api', api),
      ...app('web', web),
      podOf('api', 'a', api),
      podOf('web', 'a', web),
    );
    k8s.wait(at(0));
    k8s.put(
      at(1),
      podOf('api', 'a', { ...saying(long, at(1), lookup(first, answer)), ...api }),
      podOf('web', 'a', { ...saying(long, at(1), lookup(second, answer)), ...web }),
    );
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'lookups of two workloads of two namespaces are not answered',
    tell: story('api.payments.example', 'mail.example.com', 'read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout'),
    told: ['Service/kube-system/kube-dns ClusterDNSFailing 3'],
  },
  not: {
    what: 'they are answered that no such name exists',
    tell: story('api.payments.example', 'mail.example.com', 'no such host'),
    told: ['Deployment/office/web CrashLoopBackOff 1', 'Deployment/shop/api CrashLoopBackOff 1'],
  },
};
