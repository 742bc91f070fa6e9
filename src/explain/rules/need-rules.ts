import { type ChangeField, releaseFields } from '../../model/change-field.ts';
import type { Reason } from '../../model/reason.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { callers, longRunning, ofTheApi, unavailable, withoutEndpoints } from './reasons.ts';
import { any, changeOf, named, type Rule } from './rule.ts';

/** How a program fails that does not reach what it needs: it ends, or says that it is not ready. */
const asClients: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'InitContainerWaiting', 'PodFailed'] as const),
  ...([
    'PodNotReady',
    'ReadinessProbeFailed',
    'ReadinessFlapping',
    'LivenessProbeFailed',
    'StartupProbeFailed',
  ] as const),
];

/** How a program that is to end fails for the same. */
const asRuns: readonly Reason[] = ['JobFailed', 'JobRetrying', 'CronJobFailing'];

/** What of a template decides whether its Pods become ready. */
const whatRuns: readonly ChangeField[] = [
  ...(['image', 'command', 'args', 'env', 'envFrom', 'readinessProbe', 'volumeMounts', 'volumes'] as const),
  ...(['ports', 'resources', 'securityContext', 'containers', 'initContainers', 'template'] as const),
];

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

/** A workload that says no more than that its Pods are missing. */
const shortOfReplicas: readonly Reason[] = [
  ...unavailable,
  ...(['ProgressDeadlineExceeded', 'DaemonSetNotScheduled', 'WorkloadNeverReady'] as const),
  // Whatever else fails of it says more.
  ...(['UnusualEvent', 'ReleaseRegression', 'ExternalAlert'] as const),
  ...([
    'JobFailed',
    'JobRetrying',
    'JobRunningLong',
    'CronJobFailing',
    'CronJobBlocked',
    'CronJobMissedSchedule',
  ] as const),
];

/** The causal rules of what others need: the workloads behind Services, what these stand before, registries, and who leads. */
export const needRules: readonly Rule[] = [
  {
    id: 'needed-workload',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'needed',
    effect: { kinds: [...longRunning, 'Pod', 'Job', 'CronJob'], reasons: [...asClients, ...asRuns, 'ExternalAlert'] },
    strength: 'usual',
    requires: { lacked: true },
    // What has lost members asks to be spared, or has no connections left for all.
    signs: [...unanswered, 'RateLimited', 'RequestRefused', 'TooManyConnections'],
    source:
      'core/v1 Container.env, command and args name Services as hosts; a connection to a Service without ready endpoints is refused or times out, and who calls it is slow or fails',
  },
  {
    id: 'needed-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'needed',
    effect: { kinds: ['Pod'], reasons: asClients },
    strength: 'usual',
    fields: ['replicas'],
    requires: { scaled: 'to zero', lacked: true },
    signs: unanswered,
    source:
      'a workload that others name and that was scaled to zero has no Pod that could fail by itself; its clients do',
  },
  {
    id: 'needed-release',
    cause: changeOf(longRunning),
    via: 'needed',
    effect: { kinds: ['Pod'], reasons: asClients },
    // What is found wrong with the workload says more.
    strength: 'weak',
    atMost: 'likely',
    fields: whatRuns,
    requires: { down: true, lacked: true },
    signs: unanswered,
    source:
      'a release of a workload that others name replaced its ready Pods, and the new ones may still become ready (spec.strategy, progressDeadlineSeconds)',
  },
  {
    id: 'webhook-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'called-servers',
    effect: { kinds: callers, reasons: ofTheApi },
    strength: 'stated',
    requires: { scaled: 'to zero', states: withoutEndpoints },
    source: 'a workload without replicas leaves the Service before it without endpoints: nobody answers the API server',
  },
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
    requires: { states: withoutEndpoints, down: true },
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
  {
    id: 'owner-short',
    cause: { basis: 'finding', kinds: ['Pod', 'Job', 'ReplicaSet'], reasons: 'any' },
    via: 'children',
    effect: {
      kinds: ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob', 'CustomResource'],
      reasons: [...shortOfReplicas, 'CustomResourceFailing'],
    },
    strength: 'stated',
    source: 'a controller counts its Pods: what stops them is why it is short',
  },
  {
    id: 'leader-gone',
    cause: any('Lease', ['SchedulerUnavailable', 'ControllerManagerUnavailable']),
    via: 'system',
    effect: { kinds: longRunning, reasons: [...unavailable, 'ProgressDeadlineExceeded', 'WorkloadNeverReady'] },
    strength: 'strong',
    lastResort: true,
    requires: { untended: true },
    source:
      'no Pod is placed without a scheduler that leads (it has no condition PodScheduled at all), and none is made without a controller manager',
  },
  {
    id: 'registry',
    cause: any('Registry', ['RegistryUnreachable', 'RegistryDenied']),
    via: 'pulls',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    strength: 'strong',
    workloads: 2,
    source: 'pull errors of the same host in several workloads; in one workload the image is to blame',
  },
  {
    id: 'registry-lost-images',
    cause: named(['Registry']),
    via: 'pulls',
    effect: any('Pod', ['ImageNotFound']),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: { untouched: releaseFields },
    source:
      'OCI distribution, MANIFEST_UNKNOWN: images that ran until their Pods came to other Nodes, of several workloads that nobody edited, are not published there any more',
  },
];
