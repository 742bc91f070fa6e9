import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const slice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });
const host = 'api.payments.example';

/** Cluster DNS goes down, and two workloads say something of one host outside. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, dns, slice(2), ...['api', 'web'].flatMap((name) => [...app(name), podOf(name, 'a')]));
    k8s.wait(at(0));
    k8s.put(at(1), slice(0));
    k8s.put(at(2), ...['api', 'web'].map((name) => podOf(name, 'a', saying(long, at(2), words))));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'cluster DNS is down, and two workloads cannot resolve one host outside',
    tell: story(said.unresolved(host)),
    told: ['Service/kube-system/kube-dns ClusterDNSDown 4'],
  },
  not: {
    what: 'they have resolved it, and are refused',
    tell: story(`connect ECONNREFUSED ${host}:443`),
    told: [
      'ExternalEndpoint//api.payments.example:443 ExternalEndpointUnreachable 3',
      'Service/kube-system/kube-dns ClusterDNSDown 1',
    ],
  },
};
