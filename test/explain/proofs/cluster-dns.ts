import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const slice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });

/** Cluster DNS goes down, and the Pods of a workload crash since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, dns, slice(2), ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(since, podOf('api', 'a', saying(long, since, said.unresolved('api.payments.example'))));
    k8s.put(at(10), slice(0));
    k8s.wait(at(18));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload crashes after cluster DNS went down',
    tell: story(at(10, 30)),
    told: ['Service/kube-system/kube-dns ClusterDNSDown 2'],
  },
  not: {
    what: 'it crashed before that',
    tell: story(at(1)),
    told: ['Deployment/shop/api CrashLoopBackOff 2', 'Service/kube-system/kube-dns ClusterDNSDown 1'],
  },
};
