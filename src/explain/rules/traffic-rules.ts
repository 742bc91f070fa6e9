import type { Reason } from '../../model/reason.ts';
import { longRunning } from './reasons.ts';
import { named, type Rule } from './rule.ts';

/** What those say that stand before workloads when nothing behind them works. */
const followers: readonly Reason[] = [
  'FailedGetResourceMetric',
  'HPAReplicasMismatch',
  'HPAMaxedOut',
  'PDBNotEnoughHealthy',
  'ServiceNoEndpoints',
  'ClusterDNSDown',
  'ClusterDNSFailing',
  'BackendsDegraded',
  'CustomResourceFailing',
  'ExternalAlert',
  ...(['WebhookNoEndpoints', 'APIServiceUnavailable', 'StuckDeleting'] as const),
];

/** What stands before workloads, and leads traffic to them. */
export const trafficRules: readonly Rule[] = [
  {
    id: 'nobody-serves',
    cause: named(longRunning),
    via: 'called-servers',
    effect: {
      kinds: 'any',
      reasons: ['PDBNotEnoughHealthy', 'WebhookNoEndpoints', 'APIServiceUnavailable', 'CustomResourceFailing'],
    },
    strength: 'stated',
    lastResort: true,
    requires: ['withoutEndpoints', 'servesNobody'],
    source:
      'budgets count ready Pods, the API server and controllers reach others through a Service and its ready endpoints: a workload of which none is ready serves nobody, and may say so later',
  },
  {
    id: 'behind-it',
    cause: { basis: 'finding', kinds: longRunning, reasons: 'any' },
    via: 'workloads',
    effect: { kinds: 'any', reasons: followers },
    strength: 'stated',
    source:
      'what stands before Pods works as well as they do: metrics come from ready Pods, budgets count healthy ones, endpoints are ready Pods, what Argo CD or Flux applied is as healthy as its workloads, webhooks are reached through a Service, and a finalizer is taken off by who put it on',
  },
];
