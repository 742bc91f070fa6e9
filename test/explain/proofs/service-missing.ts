import { service } from '../../world/network-objects.ts';
import { long, type Proof } from '../proof.ts';
import { crashSaying, said } from '../said.ts';

const postgres = service('postgres', { createdAt: long });

export const proof: Proof = {
  rule: 'called-fails',
  shows: {
    what: 'a workload crashes for want of a Service that is not there',
    tell: (k8s) => crashSaying(k8s, { api: said.unresolved('postgres-db') }, postgres),
    told: ['Service/shop/postgres-db ServiceMissing 2'],
  },
  not: {
    what: 'the Service is there, and healthy as far as anybody sees',
    tell: (k8s) => crashSaying(k8s, { api: said.refused('postgres') }, postgres),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
