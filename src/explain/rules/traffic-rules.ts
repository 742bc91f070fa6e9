import type { Reason } from '../../model/reason.ts';
import { any, missing, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

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
];

/** What stands before workloads, and leads traffic to them. */
export const trafficRules: readonly Rule[] = [
  {
    id: 'gateway-class',
    cause: any('GatewayClass', ['GatewayClassNotAccepted']),
    via: 'of-class',
    effect: any('Gateway', ['GatewayNotProgrammed', 'ListenerInvalid']),
    strength: 'stated',
    source: 'gateway-api: a controller sets up Gateways of classes that it has accepted',
  },
  {
    id: 'gateway',
    cause: any('Gateway', ['GatewayNotProgrammed', 'ListenerInvalid']),
    via: 'attached-to',
    effect: { kinds: ['HTTPRoute', 'GRPCRoute', 'TLSRoute'], reasons: ['RouteNotAccepted'] },
    strength: 'strong',
    requires: ['refusedByParent'],
    source:
      'gateway-api: a route is accepted by listeners that work; what it leads to is its own affair (ResolvedRefs)',
  },
  {
    id: 'route-service-missing',
    cause: missing(['Service']),
    via: 'names',
    effect: { kinds: ['HTTPRoute', 'GRPCRoute', 'TLSRoute'], reasons: ['RouteNotAccepted'] },
    strength: 'stated',
    workloads: 2,
    source:
      'gateway-api: ResolvedRefs=False, BackendNotFound; several routes that lead to one Service which is not there have it in common, one alone may have its name wrong',
  },
  {
    id: 'autoscaler-rivals',
    cause: any('HorizontalPodAutoscaler', ['AmbiguousSelector']),
    via: 'names',
    effect: any('HorizontalPodAutoscaler', ['AmbiguousSelector']),
    strength: 'stated',
    source:
      'horizontal.go: each autoscaler of the same Pods says so and names all of them; that they are two is one mistake',
  },
  {
    id: 'budget-workload',
    cause: named(longRunning),
    via: 'servers',
    effect: any('PodDisruptionBudget', ['PDBNotEnoughHealthy']),
    strength: 'stated',
    lastResort: true,
    requires: ['doesNotServe'],
    source:
      'disruption controller: a budget counts ready Pods; a workload of which none is ready falls short of any, and may say so later',
  },
  {
    id: 'behind-it',
    cause: { basis: 'finding', kinds: longRunning, reasons: 'any' },
    via: 'workloads',
    effect: {
      kinds: ['Service', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'CustomResource'],
      reasons: followers,
    },
    strength: 'stated',
    source:
      'what stands before Pods works as well as they do: metrics come from ready Pods, budgets count healthy ones, endpoints are ready Pods, and what Argo CD or Flux applied is as healthy as its workloads',
  },
];
