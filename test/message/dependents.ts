import type { RawObject } from '../../src/model/raw-object.ts';
import { said } from '../explain/said.ts';
import { endpointSlice, ingress, service } from '../world/network-objects.ts';
import { at, condition, managed, type PodParts } from '../world/objects.ts';
import { type ClusterStory, crashed, image, long, nodes, podsOf, replicaSet, sized } from './shop.ts';

const wants = {
  containers: [
    { name: 'api', image: image('1.4.2'), env: [{ name: 'DATABASE_URL', value: 'postgres://db:5432/shop' }] },
  ],
};
const labels = { app: 'db' };
const database = (replicas: number, ready: number, parts: Parameters<typeof sized>[4] = {}): RawObject => {
  const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: image('1') }] } };
  return sized('Deployment', 'db', replicas, ready, { labels, spec: { replicas, template }, ...parts });
};
const slice = (ready: number): RawObject => endpointSlice('db', { ready, unready: 2 - ready });
const clients = (name: string, parts: PodParts = {}): RawObject[] => podsOf(name, 2, { spec: wants, ...parts });

/** Two workloads that name a database, which serves. */
const before = [
  ...nodes,
  ...['api', 'web'].flatMap((name) => [sized('Deployment', name, 2, 2), replicaSet(name, 2), ...clients(name)]),
  ...[database(2, 2), replicaSet('db', 2, 1, { labels }), ...podsOf('db', 2, { labels })],
  ...[service('db'), slice(2)],
];

/** They crash, since an instant: a call took too long. */
function crash(k8s: Parameters<ClusterStory>[0], minute: number): void {
  for (const name of ['api', 'web'])
    k8s.put(
      at(minute, 15),
      ...clients(name, {
        statuses: crashed(1, 'Error', said.tookTooLong)(at(minute, 5)),
        conditions: [condition('Ready', 'False', at(minute, 5))],
      }),
      sized('Deployment', name, 2, 0),
    );
}

/** What becomes of those who depend on a workload. */
export const dependentStories: Readonly<Record<string, ClusterStory>> = {
  'needed-workload-down': (k8s) => {
    k8s.put(long, ...before);
    k8s.start(at(0));
    const fails = { labels, statuses: crashed(2)(at(10)), conditions: [condition('Ready', 'False', at(10))] };
    k8s.put(at(10), ...podsOf('db', 2, fails), slice(0), database(2, 0));
    crash(k8s, 10);
    k8s.wait(at(20));
  },
  'nothing-answers': (k8s) => {
    const of = { labels: { app: 'web' } };
    const template = { metadata: of, spec: { containers: [{ name: 'api', image: image('1.4.2') }] } };
    const web = (ready: number): RawObject =>
      sized('Deployment', 'web', 2, ready, { ...of, spec: { replicas: 2, template } });
    const paths = ['/', '/cart'].map((path) => ({
      ...{ path, pathType: 'Prefix' },
      backend: { service: { name: 'web', port: { number: 80 } } },
    }));
    const route = ingress('web', { spec: { rules: [{ host: 'shop.example.com', http: { paths } }] } });
    k8s.put(long, ...nodes, web(2), replicaSet('web', 2, 1, of), ...podsOf('web', 2, of));
    k8s.put(long, service('web'), endpointSlice('web', { ready: 2 }), route);
    k8s.start(at(0));
    const conditions = [condition('Ready', 'False', at(10))];
    k8s.put(at(10, 10), ...podsOf('web', 2, { ...of, statuses: crashed(1)(at(10)), conditions }));
    k8s.put(at(10, 11), web(0), endpointSlice('web', { ready: 0, unready: 2 }));
    k8s.wait(at(20));
  },
  'needed-workload-scaled-to-zero': (k8s) => {
    k8s.put(long, ...before);
    k8s.start(at(0));
    const managedFields = [managed('kubectl-scale', at(10), { 'f:spec': { 'f:replicas': {} } })];
    k8s.put(at(10), database(0, 0, { generation: 2, managedFields }));
    k8s.gone(at(10, 2), ...podsOf('db', 2, { labels }));
    k8s.put(at(10, 2), endpointSlice('db', { ready: 0 }));
    crash(k8s, 11);
    k8s.wait(at(20));
  },
};
