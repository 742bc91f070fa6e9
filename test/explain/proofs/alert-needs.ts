import { alert } from '../../world/alert-objects.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at } from '../../world/objects.ts';
import { app, crashing, long, outage, type Proof, podOf, type Story, twoNodes } from '../proof.ts';

const labels = { app: 'db' };
/** A Pod of `api`, which is told where the database is, and stays ready. */
const client = podOf('api', 'a', {
  spec: {
    containers: [{ name: 'api', image: 'registry.example/shop/api:1', env: [{ name: 'DB_HOST', value: 'db' }] }],
  },
});

/** The database of a workload has no Pod that works from 1:02 on; of the workload, which looks well, somebody alerts since an instant. */
const story =
  (since: number): Story['tell'] =>
  (k8s) => {
    const slice = (ready: number) => endpointSlice('db', { ready, unready: 2 - ready });
    k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels }), service('db'), slice(2));
    k8s.put(long, client, podOf('db', 'a', { labels }), podOf('db', 'b', { labels, node: 'n2' }));
    const fired = alert('RequestsFail', ['Deployment/shop/api'], { since, severity: 'critical' });
    if (since < at(0)) k8s.put(since, fired);
    k8s.wait(at(0));
    k8s.put(at(1), podOf('db', 'a', { labels, ...crashing(long, at(1)) }), slice(1));
    k8s.put(at(1, 2), podOf('db', 'b', { labels, node: 'n2', ...crashing(long, at(1, 2)) }), slice(0));
    k8s.put(at(1, 2), ...app('db', { labels, ...outage(at(1, 2)) }));
    if (since > at(0)) k8s.put(since, fired);
    k8s.wait(at(8));
  };

export const proof: Proof = {
  rule: 'needed-workload',
  shows: {
    what: 'the database that a workload names is down, and then requests to the workload fail',
    tell: story(at(4)),
    told: ['Deployment/shop/db CrashLoopBackOff 5'],
  },
  not: {
    what: 'requests had failed for ten minutes before',
    tell: story(at(-10)),
    told: ['Deployment/shop/api ExternalAlert 1', 'Deployment/shop/db CrashLoopBackOff 4'],
  },
};
