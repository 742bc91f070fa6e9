import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

/** Two workloads, the second on this Node, are refused by a Service whose Pod is ready all the while. */
const story =
  (node: string): Story['tell'] =>
  (k8s) => {
    const labels = { app: 'db' };
    const there = [...app('db', { labels }), podOf('db', 'a', { labels }), service('db', { createdAt: long })];
    const clients = ['api', 'web'].flatMap((name) => [...app(name), podOf(name, 'a')]);
    k8s.put(long, ...twoNodes, ...there, endpointSlice('db'), ...clients);
    k8s.wait(at(0));
    k8s.put(at(1), podOf('api', 'a', saying(long, at(1), said.refused('db'))));
    k8s.put(at(1), podOf('web', 'a', { node, ...saying(long, at(1), said.refused('db')) }));
    k8s.wait(at(4));
  };

export const proof: Proof = {
  shows: {
    what: 'two workloads on two Nodes cannot reach a Service that has endpoints',
    tell: story('n2'),
    told: ['Service/shop/db ServiceUnreachable 3'],
  },
  not: {
    what: 'both are on one Node, which may be why',
    tell: story('n1'),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
