import { service } from '../../world/network-objects.ts';
import { app, long, type Proof, podOf } from '../proof.ts';
import { crashSaying, said } from '../said.ts';

const labels = { app: 'db' };
const db = [service('db', { createdAt: long }), ...app('db', { labels }), podOf('db', 'a', { labels })];
/** Another workload behind the same Service. */
const other = [...app('db-reader', { labels }), podOf('db-reader', 'a', { labels })];

export const proof: Proof = {
  shows: {
    what: 'two workloads are turned away by the one database behind a Service',
    tell: (k8s) => crashSaying(k8s, { api: said.full('db'), web: said.full('db') }, ...db),
    told: ['Deployment/shop/db ServiceRefusing 3'],
  },
  not: {
    what: 'two databases are behind the Service that turns them away',
    tell: (k8s) => crashSaying(k8s, { api: said.full('db'), web: said.full('db') }, ...db, ...other),
    told: ['Service/shop/db ServiceRefusing 3'],
  },
};
