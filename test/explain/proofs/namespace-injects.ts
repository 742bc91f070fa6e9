import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'db' };
const reset = 'connection to server at "db" (10.96.0.7), port 5432 failed: Connection reset by peer';
const namespace = (own: Record<string, string>) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop', uid: 'shop', labels: own } },
  status: { phase: 'Active' },
});

/** The namespace gets other labels at 1; a Pod that is made anew at 2 has its connections reset. */
const story =
  (before: Record<string, string>): Story['tell'] =>
  (k8s) => {
    k8s.put(long, namespace({ team: 'shop', ...before }), ...twoNodes, ...app('db', { labels }));
    k8s.put(long, podOf('db', 'a', { labels }), service('db', { createdAt: long }), endpointSlice('db'));
    k8s.put(long, ...app('api'), podOf('api', 'a'));
    k8s.wait(at(0));
    k8s.put(at(1), namespace({ team: 'shop' }));
    k8s.put(at(2, 30), podOf('api', 'b', saying(at(2), at(2, 30), reset)));
    k8s.wait(at(6));
  };

export const proof: Proof = {
  shows: {
    what: 'the label that brings sidecars is gone, and only what is made since is refused',
    tell: story({ 'istio-injection': 'enabled' }),
    told: ['Namespace//shop CrashLoopBackOff 1, labels edited'],
  },
  not: {
    what: 'another label is gone',
    tell: story({ 'cost-centre': '4711' }),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
