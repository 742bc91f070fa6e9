import type { Proof } from '../proof.ts';
import { crashSaying, said } from '../said.ts';

export const proof: Proof = {
  rule: 'called-fails',
  shows: {
    what: 'a workload crashes because its ServiceAccount may not list Pods',
    tell: (k8s) => crashSaying(k8s, { api: said.forbidden('default') }),
    told: ['ServiceAccount/shop/default ServiceAccountForbidden 2'],
  },
  not: {
    what: 'it lacks a variable',
    tell: (k8s) => crashSaying(k8s, { api: said.variable }),
    told: ['Deployment/shop/api CrashLoopBackOff 1'],
  },
};
