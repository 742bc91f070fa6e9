import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition } from '../../world/objects.ts';
import { app, long, outage, type Proof, podOf, type Story, twoNodes } from '../proof.ts';
import { said, saying } from '../said.ts';

const labels = { app: 'db' };
const full = 'failed to fetch data from etcd: etcdserver: mvcc: database space exceeded, host: http://db.shop.svc:2379';

/** The store of a workload runs and is not ready any more since 1, and who depends on it crashes with these words. */
const story =
  (words: string): Story['tell'] =>
  (k8s) => {
    const env = [{ name: 'DB_HOST', value: 'db' }];
    const spec = { containers: [{ name: 'api', image: 'registry.example/shop/api:1', env }] };
    const store = (which: string, parts: object = {}) => podOf('db', which, { labels, ...parts });
    k8s.put(long, ...twoNodes, ...app('api'), ...app('db', { labels }), service('db'));
    k8s.put(long, endpointSlice('db', { ready: 2 }), podOf('api', 'a', { spec }), store('a'), store('b'));
    k8s.wait(at(0));
    const unready = { conditions: [condition('Ready', 'False', at(1), 'ContainersNotReady')] };
    k8s.put(at(1), store('a', unready), store('b', unready), endpointSlice('db', { ready: 0, unready: 2 }));
    k8s.put(at(1), ...app('db', { labels, ...outage(at(1)) }));
    k8s.put(at(1, 10), podOf('api', 'a', { spec, ...saying(long, at(1, 10), words) }));
    k8s.wait(at(5));
  };

export const proof: Proof = {
  rule: 'needed-workload',
  shows: {
    what: 'a store that does not serve turns away who depends on it, and that says so',
    tell: story(full),
    told: ['Deployment/shop/db PodNotReady 5'],
  },
  not: {
    what: 'who depends on it has a wrong password, which the store did not bring about',
    tell: story(said.rejected('db')),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/db PodNotReady 4'],
  },
};
