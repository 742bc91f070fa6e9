import type { Reason } from '../../model/reason.ts';
import { agentRules } from './agent-rules.ts';
import { alertRules } from './alert-rules.ts';
import { calledEditRules } from './called-edit-rules.ts';
import { calledRules } from './called-rules.ts';
import { controlRules } from './control-rules.ts';
import { dependencyRules } from './dependency-rules.ts';
import { editRules } from './edit-rules.ts';
import { lostNodeRules } from './lost-node-rules.ts';
import { namedRules } from './named-rules.ts';
import { nodeAloneRules } from './node-alone-rules.ts';
import { nodeRules } from './node-rules.ts';
import { any, missing, named, type Rule } from './rule.ts';
import { secretRules } from './secret-rules.ts';
import { makers, unavailable } from './shortage.ts';
import { storageRules } from './storage-rules.ts';
import { trafficRules } from './traffic-rules.ts';
import { volumeRules } from './volume-rules.ts';
import { webhookRules } from './webhook-rules.ts';

/** They cannot make what they are to make, and say what refuses it. */
const unmade: readonly Reason[] = ['ReplicaFailure', 'ReplicaSetCreateError'];

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
const webhookConfigurations = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

/** The causal rules. Adding one is adding a row here, a scenario that shows it and one that shows when it must not apply. */
export const causalRules: readonly Rule[] = [
  ...lostNodeRules,
  ...nodeRules,
  ...nodeAloneRules,
  ...agentRules,
  ...volumeRules,
  ...webhookRules,
  {
    id: 'secret-missing',
    cause: any('Secret', ['SecretMissing']),
    via: 'names',
    effect: any('Pod', ['CreateContainerConfigError', 'FailedMount', 'ImagePullDenied', 'ImagePullBackOff']),
    strength: 'stated',
    source: 'kubelet: a container is not created while a Secret that it needs is absent; the message names it',
  },
  {
    id: 'config-map-missing',
    cause: any('ConfigMap', ['ConfigMapMissing']),
    via: 'names',
    effect: any('Pod', [
      ...(['CreateContainerConfigError', 'ContainerCreating', 'FailedMount', 'ProjectedReferenceMissing'] as const),
    ]),
    strength: 'stated',
    source: 'kubelet: a container is not created while a ConfigMap that it needs is absent; the message names it',
  },
  {
    id: 'key-missing',
    cause: named(['ConfigMap', 'Secret']),
    via: 'names',
    effect: any('Pod', ['CreateContainerConfigError', 'FailedMount']),
    strength: 'strong',
    workloads: 2,
    requires: ['asksForKey'],
    source:
      'kubelet_pods.go: "couldn\'t find key <key> in ConfigMap <namespace>/<name>"; of one workload alone its reference may be wrong',
  },
  ...editRules,
  {
    id: 'registry',
    cause: any('Registry', ['RegistryUnreachable', 'RegistryDenied']),
    via: 'pulls',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    strength: 'strong',
    workloads: 2,
    requires: ['pullsNoBetterElsewhere'],
    source: 'pull errors of the same host in several workloads; in one workload the image is to blame',
  },
  {
    id: 'pull-secret-refused',
    cause: named(['Secret']),
    via: 'names',
    effect: any('Pod', ['ImagePullDenied']),
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    requires: ['pullsNowhere'],
    source:
      'PodSpec.imagePullSecrets: whom a registry refuses with one pull secret and different images has this in common; whether it is absent, empty or out of date nobody sees',
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
  {
    id: 'create-refused',
    cause: named(webhookConfigurations),
    via: 'names',
    effect: { kinds: [...makers, 'CustomResource'], reasons: [...unmade, 'CustomResourceFailing'] },
    // Less than the row of what is behind it.
    strength: 'strong',
    source:
      'admission: "failed calling webhook <name>" in condition ReplicaFailure, in Events FailedCreate and in what GitOps tools and operators say of what they cannot apply',
  },
  {
    id: 'quota-refuses',
    cause: any('ResourceQuota', ['QuotaExceeded']),
    via: 'names',
    effect: { kinds: makers, reasons: unmade },
    strength: 'stated',
    source:
      'admission plug-in ResourceQuota: "exceeded quota: <name>" in condition ReplicaFailure and in Events FailedCreate',
  },
  {
    id: 'limit-range-refuses',
    cause: named(['LimitRange']),
    via: 'names',
    effect: { kinds: makers, reasons: ['LimitRangeRejects'] },
    strength: 'strong',
    workloads: 2,
    source:
      'admission plug-in LimitRanger, where the namespace has one LimitRange; of one workload alone its requests may be wrong',
  },
  {
    id: 'required-missing',
    cause: {
      basis: 'finding',
      kinds: ['ServiceAccount', 'PriorityClass', 'RuntimeClass'],
      reasons: ['ServiceAccountMissing', 'PriorityClassMissing', 'RuntimeClassMissing'],
    },
    via: 'names',
    effect: { kinds: makers, reasons: unmade },
    strength: 'stated',
    source:
      'admission plug-ins ServiceAccount, Priority and RuntimeClass: no Pod is made before what it names is there',
  },
  {
    id: 'scale-up-failed',
    cause: any('ConfigMap', ['ScaleUpFailed']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    strength: 'stated',
    source: 'cluster autoscaler: it began to make a Node for the Pod, and its cloud refused',
  },
  {
    id: 'claim-named',
    cause: missing(['PersistentVolumeClaim']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    strength: 'stated',
    source: 'scheduler: persistentvolumeclaim "<name>" not found',
  },
  ...trafficRules,
  ...storageRules,
  ...dependencyRules,
  {
    id: 'custom-needs',
    cause: any('CustomResource', ['CustomResourceFailing']),
    via: 'uses',
    effect: any('CustomResource', ['CustomResourceFailing']),
    strength: 'stated',
    source:
      'Flux sourceRef, cert-manager issuerRef, External Secrets secretStoreRef, Cluster API infrastructureRef: nothing is made of what is not ready',
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
  ...controlRules,
  ...namedRules,
  ...calledRules,
  ...calledEditRules,
  ...secretRules,
  ...alertRules,
];
