import { service } from '../../world/network-objects.ts';
import { long, type Proof } from '../proof.ts';
import { crashSaying, said } from '../said.ts';

const db = service('db', { createdAt: long });

export const proof: Proof = {
  rule: 'several-call',
  shows: {
    what: 'two workloads are turned away by one database that has no connections left',
    tell: (k8s) => crashSaying(k8s, { api: said.full('db'), web: said.full('db') }, db),
    told: ['Service/shop/db ServiceRefusing 3'],
  },
  not: {
    what: 'one workload alone has its password rejected',
    tell: (k8s) => crashSaying(k8s, { api: said.rejected('db'), web: said.variable }, db),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
