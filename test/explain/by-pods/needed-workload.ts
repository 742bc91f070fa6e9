import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, type Story, twoNodes, unready } from '../proof.ts';

const labels = { app: 'db' };
/** A Pod of `api`, which is told where the database is. */
const client = (parts: Parameters<typeof podOf>[2] = {}) =>
  podOf('api', 'a', {
    ...parts,
    spec: {
      containers: [{ name: 'api', image: 'registry.example/shop/api:1', env: [{ name: 'DB_HOST', value: 'db' }] }],
    },
  });
const slice = (ready: number) => endpointSlice('db', { ready, unready: 1 - ready });

/** The database crashes, and who depends on it says no more than that it is not ready, since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels }), service('db'), slice(1));
    k8s.put(long, client(), podOf('db', 'a', { labels }));
    k8s.wait(at(0));
    const fail = () => k8s.put(since, client({ conditions: unready(since) }), ...app('api', outage(since)));
    if (since < at(1)) fail();
    k8s.put(at(1), podOf('db', 'a', { labels, ...crashing(long, at(1)) }), slice(0));
    k8s.put(at(1), ...app('db', { labels, ...outage(at(1)) }));
    if (since >= at(1)) fail();
    k8s.wait(at(2, 30));
  };

export const proof: Proof = {
  shows: {
    what: 'the database of a workload crashes, and then none of its Pods is ready',
    tell: story(at(1, 30)),
    told: ['Deployment/shop/db CrashLoopBackOff 3'],
  },
  not: {
    what: 'none of its Pods was ready long before its database crashed',
    tell: story(at(0) - 10 * 60_000),
    told: ['Deployment/shop/api PodNotReady 2', 'Deployment/shop/db CrashLoopBackOff 2'],
  },
};
