import { endpointSlice, networkPolicy, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, long, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { saying } from '../said.ts';

const labels = { app: 'db' };
const timedOut = 'connection to server at "db" (10.96.0.7), port 5432 failed: Connection timed out';
const namespace = (access: string) => ({
  ...{ apiVersion: 'v1', kind: 'Namespace' },
  metadata: { name: 'shop', uid: 'shop', creationTimestamp: '2026-05-01T00:00:00Z', labels: { access } },
  status: { phase: 'Active' },
});

/** A namespace gets another label at 1, and who calls a database that is let in to by a policy for some Pods times out at 2. */
const story =
  (selected: string): Story['tell'] =>
  (k8s) => {
    k8s.put(
      long,
      ...twoNodes,
      ...app('db', { labels }),
      podOf('db', 'a', { labels }),
      ...app('api'),
      podOf('api', 'a'),
    );
    k8s.put(long, service('db', { createdAt: long }), endpointSlice('db'), namespace('yes'));
    k8s.put(long, networkPolicy(selected, { createdAt: long }));
    k8s.wait(at(0));
    k8s.put(at(1), namespace('no'));
    k8s.put(at(2), podOf('api', 'a', saying(long, at(2), timedOut)));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'a namespace lost a label, and who calls from it a database that a policy guards times out',
    tell: story('db'),
    told: ['Namespace//shop CrashLoopBackOff 1, labels edited'],
  },
  not: {
    what: 'no policy guards the database',
    tell: story('cache'),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
