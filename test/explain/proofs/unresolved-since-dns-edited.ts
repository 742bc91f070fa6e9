import { service } from '../../world/network-objects.ts';
import { at, configMap, managed } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { 'k8s-app': 'kube-dns' };
const dns = service('kube-dns', { namespace: 'kube-system', labels, selector: labels, createdAt: long });
const corefile = { namespace: 'kube-system', createdAt: long };
const reads = {
  containers: [{ name: 'coredns', image: 'coredns' }],
  volumes: [{ name: 'config', configMap: { name: 'coredns' } }],
};
const server = { namespace: 'kube-system', labels, spec: reads };
const answer = 'dial tcp: lookup ledger.example.com on 10.96.0.10:53: no such host';

/** Settings of cluster DNS are edited at a minute; at 1 two workloads are answered that the host which they call does not exist. */
const story =
  (edited: number): Story['tell'] =>
  (k8s) => {
    const [api, web] = [
      { namespace: 'shop', node: 'n1' },
      { namespace: 'office', node: 'n2' },
    ];
    k8s.put(
      long,
      ...twoNodes,
      dns,
      configMap('coredns', corefile),
      ...app('coredns', { namespace: 'kube-system', labels }),
      podOf('coredns', 'a', server),
      ...app('api', api),
      ...app('web', web),
      podOf('api', 'a', api),
      podOf('web', 'a', web),
    );
    const edit = [managed('kubectl-edit', at(edited), { 'f:data': { 'f:Corefile': {} } })];
    k8s.put(at(edited), configMap('coredns', { ...corefile, generation: 2, managedFields: edit }));
    k8s.wait(at(0));
    k8s.put(
      at(1),
      podOf('api', 'a', { ...saying(long, at(1), answer), ...api }),
      podOf('web', 'a', { ...saying(long, at(1), answer), ...web }),
    );
    k8s.wait(at(4));
  };

export const proof: Proof = {
  rule: 'server-edited',
  shows: {
    what: 'a host outside is not resolved any more just after the settings of cluster DNS were edited',
    tell: story(0),
    told: ['ConfigMap/kube-system/coredns CrashLoopBackOff 3, data edited'],
  },
  not: {
    what: 'they were edited an hour before',
    tell: story(-58),
    told: ['ExternalEndpoint//ledger.example.com ExternalEndpointUnreachable 3'],
  },
};
