import type { Reason } from '../../model/reason.ts';
import { agentRules } from './agent-rules.ts';
import { alertRules } from './alert-rules.ts';
import { builtRules } from './built-rules.ts';
import { calledEditRules } from './called-edit-rules.ts';
import { calledRules } from './called-rules.ts';
import { controlRules } from './control-rules.ts';
import { dependencyRules } from './dependency-rules.ts';
import { editRules } from './edit-rules.ts';
import { lostNodeRules } from './lost-node-rules.ts';
import { namedRules } from './named-rules.ts';
import { nodeAloneRules } from './node-alone-rules.ts';
import { nodeRules } from './node-rules.ts';
import { unavailable } from './reasons.ts';
import { any, type Rule } from './rule.ts';
import { secretRules } from './secret-rules.ts';
import { statedRules } from './stated-rules.ts';
import { storageRules } from './storage-rules.ts';
import { trafficRules } from './traffic-rules.ts';
import { volumeRules } from './volume-rules.ts';
import { webhookRules } from './webhook-rules.ts';

/** They cannot make what they are to make, and say what refuses it. */
const _unmade: readonly Reason[] = ['ReplicaFailure', 'ReplicaSetCreateError'];

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

/** What a failing webhook is called for; the webhook's own name stands for it. */
const _webhookConfigurations = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

/** The causal rules. Adding one is adding a row here, a scenario that shows it and one that shows when it must not apply. */
export const causalRules: readonly Rule[] = [
  ...lostNodeRules,
  ...nodeRules,
  ...statedRules,
  ...builtRules,
  ...nodeAloneRules,
  ...agentRules,
  ...volumeRules,
  ...webhookRules,
  ...editRules,
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
    id: 'cluster-dns',
    cause: any('Service', ['ClusterDNSDown']),
    via: 'cluster-dns',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'InitContainerError', 'ContainerError', 'LivenessProbeFailed'] as const),
      ...(['ReadinessProbeFailed', 'PodNotReady'] as const),
    ]),
    strength: 'usual',
    signs: ['NameNotResolved', 'ConnectionTimedOut'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): what looks up a name fails from then on',
  },
  ...trafficRules,
  ...storageRules,
  ...dependencyRules,
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
  ...controlRules,
  ...namedRules,
  ...calledRules,
  ...calledEditRules,
  ...secretRules,
  ...alertRules,
];
