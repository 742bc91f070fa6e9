import type { Proof } from '../proof.ts';
import { crashSaying, said } from '../said.ts';

const stripe = 'api.payments.example';

export const proof: Proof = {
  rule: 'several-call',
  shows: {
    what: 'two workloads crash and say that they cannot resolve one host outside the cluster',
    tell: (k8s) => crashSaying(k8s, { api: said.unresolved(stripe), web: said.unresolved(stripe) }),
    told: ['ExternalEndpoint//api.payments.example ExternalEndpointUnreachable 3'],
  },
  not: {
    what: 'each of them names another host',
    tell: (k8s) => crashSaying(k8s, { api: said.unresolved(stripe), web: said.unresolved('mail.example') }),
    told: ['Deployment/shop/api CrashLoopBackOff 1', 'Deployment/shop/web CrashLoopBackOff 1'],
  },
};
