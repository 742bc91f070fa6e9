import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };
/** A Pod of `api`, which is told where the database is. */
const client = (parts: Parameters<typeof podOf>[2] = {}) =>
  podOf('api', 'a', {
    ...parts,
    spec: {
      containers: [{ name: 'api', image: 'registry.example/shop/api:1', env: [{ name: 'DB_HOST', value: 'db' }] }],
    },
  });
const slice = (ready: number) => endpointSlice('db', { ready, unready: 2 - ready });

/** The Pods of the database crash, one after the other, and so does who depends on it, since an instant: a call took too long. */
const story =
  (since: number, ready = 0): Story['tell'] =>
  (k8s) => {
    k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels }), service('db'), slice(2));
    k8s.put(long, client(), podOf('db', 'a', { labels }), podOf('db', 'b', { labels, node: 'n2' }));
    k8s.wait(at(0));
    const crash = () => client(saying(long, since, said.tookTooLong));
    if (since < at(1)) k8s.put(since, crash());
    k8s.put(at(1), podOf('db', 'a', { labels, ...crashing(long, at(1)) }), slice(1));
    if (ready === 0) k8s.put(at(1, 2), podOf('db', 'b', { labels, node: 'n2', ...crashing(long, at(1, 2)) }), slice(0));
    if (ready === 0) k8s.put(at(1, 2), ...app('db', { labels, ...outage(at(1, 2)) }));
    if (since >= at(1)) k8s.put(since, crash());
    k8s.wait(at(5));
  };

export const proof: Proof = {
  shows: {
    what: 'the database of a workload has no Pod that works, and then the workload crashes',
    tell: story(at(1, 30)),
    told: ['Deployment/shop/db CrashLoopBackOff 5'],
  },
  not: {
    what: 'the workload crashed before its database did',
    tell: story(at(0) - 10 * 60_000),
    told: ['Deployment/shop/api CrashLoopBackOff 2', 'Deployment/shop/db CrashLoopBackOff 4'],
  },
};
