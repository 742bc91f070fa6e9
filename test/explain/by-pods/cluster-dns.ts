import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition, workload } from '../../world/objects.ts';
import { app, long, type Proof, podOf, replicaSet, type Story, twoNodes, unready } from '../proof.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const slice = (ready: number) => endpointSlice('kube-dns', { namespace: 'kube-system', ready, unready: 2 - ready });

/** Cluster DNS goes down, and a workload is unavailable since an instant, while its only Pod says no more than that it is not ready. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, dns, slice(2), ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    const none = { createdAt: long, status: { readyReplicas: 0, availableReplicas: 0 } };
    const conditions = [condition('Available', 'False', since, 'MinimumReplicasUnavailable')];
    k8s.put(since, workload('Deployment', 'api', { ...none, conditions }), replicaSet('api', 1, none));
    k8s.put(at(10), slice(0));
    // Between two runs: each is too short to be a failure yet.
    k8s.put(at(11, 30), podOf('api', 'a', { conditions: unready(at(11, 30)) }));
    k8s.wait(at(11, 45));
  };

export const proof: Proof = {
  shows: {
    what: 'a workload is unavailable since cluster DNS went down',
    tell: story(at(10, 5)),
    told: ['Service/kube-system/kube-dns ClusterDNSDown 2'],
  },
  not: {
    what: 'it was unavailable before that',
    tell: story(at(6)),
    told: ['Deployment/shop/api DeploymentUnavailable 1', 'Service/kube-system/kube-dns ClusterDNSDown 1'],
  },
};
