import type { Reason } from '../model/reason.ts';
import { agentRules } from './agent-rules.ts';
import { calledRules } from './called-rules.ts';
import { controlRules } from './control-rules.ts';
import { dependencyRules } from './dependency-rules.ts';
import { broughtByTemplate } from './edits.ts';
import { lostNodeRules } from './lost-node-rules.ts';
import { namedRules } from './named-rules.ts';
import { nodeRules } from './node-rules.ts';
import { any, changeOf, named, type Rule } from './rule.ts';
import { longRunning, makers, unavailable } from './shortage.ts';
import { storageRules } from './storage-rules.ts';
import { trafficRules } from './traffic-rules.ts';
import { unanswered } from './unanswered.ts';

/** They cannot make what they are to make, and say what refuses it. */
const unmade: readonly Reason[] = ['ReplicaFailure', 'ReplicaSetCreateError'];

/** A workload that says no more than that its Pods are missing. */
const shortOfReplicas: readonly Reason[] = [
  ...unavailable,
  ...(['ProgressDeadlineExceeded', 'DaemonSetNotScheduled', 'WorkloadNeverReady'] as const),
  // Whatever else fails of it says more.
  ...(['UnusualEvent', 'ReleaseRegression'] as const),
  ...(['JobFailed', 'JobRunningLong', 'CronJobFailing', 'CronJobBlocked', 'CronJobMissedSchedule'] as const),
];

/** What a failing webhook is called for; the webhook's own name stands for it. */
const webhookConfigurations = ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const;

/** The causal rules. Adding one is adding a row here, a scenario that shows it and one that shows when it must not apply. */
export const causalRules: readonly Rule[] = [
  ...lostNodeRules,
  ...nodeRules,
  ...agentRules,
  {
    id: 'secret-missing',
    cause: any('Secret', ['SecretMissing']),
    via: 'names',
    effect: any('Pod', ['CreateContainerConfigError', 'FailedMount', 'ImagePullDenied', 'ImagePullBackOff']),
    prior: 0.9,
    source: 'kubelet: a container is not created while a Secret that it needs is absent; the message names it',
  },
  {
    id: 'config-map-missing',
    cause: any('ConfigMap', ['ConfigMapMissing']),
    via: 'names',
    effect: any('Pod', [
      ...(['CreateContainerConfigError', 'ContainerCreating', 'FailedMount', 'ProjectedReferenceMissing'] as const),
    ]),
    prior: 0.9,
    source: 'kubelet: a container is not created while a ConfigMap that it needs is absent; the message names it',
  },
  {
    id: 'key-missing',
    cause: named(['ConfigMap', 'Secret']),
    via: 'names',
    effect: any('Pod', ['CreateContainerConfigError', 'FailedMount']),
    prior: 0.8,
    workloads: 2,
    requires: ['asksForKey'],
    source:
      'kubelet_pods.go: "couldn\'t find key <key> in ConfigMap <namespace>/<name>"; of one workload alone its reference may be wrong',
  },
  {
    id: 'config-map-changed',
    cause: changeOf(['ConfigMap']),
    via: 'uses',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'StartError', 'InitContainerError', 'CreateContainerConfigError', 'OOMKilled'] as const),
      ...(['FailedMount', 'ReadinessProbeFailed', 'LivenessProbeFailed', 'PodNotReady'] as const),
    ]),
    prior: 0.5,
    withinSeconds: 1800,
    source: 'managedFields: data may have changed; label edits look the same, so it is never sure',
  },
  {
    id: 'config-map-changed-outage',
    cause: changeOf(['ConfigMap']),
    via: 'used-by-unready',
    effect: { kinds: longRunning, reasons: unavailable },
    prior: 0.5,
    withinSeconds: 1800,
    lastResort: true,
    atMost: 'likely',
    fields: ['data'],
    requires: ['runs'],
    source: 'the same, of a workload whose Pods run and say no more than that they are not ready',
  },
  {
    id: 'network-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'selected-by',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'ContainerError', 'PodFailed', 'PodNotReady'] as const),
      ...(['ReadinessProbeFailed', 'LivenessProbeFailed', 'ReadinessFlapping'] as const),
    ]),
    prior: 0.6,
    withinSeconds: 600,
    coverage: true,
    requires: ['cutOff'],
    signs: unanswered,
    source:
      'networking.k8s.io/v1 NetworkPolicy: a Pod that a policy selects has the traffic that policies let through and no other; nobody sees what was dropped, so that it is never sure by one workload',
  },
  {
    id: 'network-policy-outage',
    cause: changeOf(['NetworkPolicy']),
    via: 'selected-by',
    effect: { kinds: longRunning, reasons: unavailable },
    prior: 0.6,
    withinSeconds: 600,
    lastResort: true,
    requires: ['cutOff'],
    signs: unanswered,
    source: 'the same, while its Pods say no more than that they are not ready',
  },
  {
    id: 'release',
    cause: changeOf(longRunning),
    via: 'owners',
    effect: any('Pod', broughtByTemplate),
    prior: 0.8,
    withinSeconds: 1800,
    coverage: true,
    requires: ['newRevision'],
    source: 'a new Pod template makes new Pods; only those can fail because of it, and only by what was edited',
  },
  {
    id: 'release-stuck',
    cause: changeOf(['Deployment']),
    via: 'itself',
    effect: any('Deployment', ['ProgressDeadlineExceeded']),
    prior: 0.7,
    withinSeconds: 1800,
    lastResort: true,
    source: 'deployment controller: the deadline belongs to the rollout that the new template began',
  },
  {
    id: 'release-outage',
    cause: changeOf(longRunning),
    via: 'itself',
    effect: { kinds: longRunning, reasons: unavailable },
    prior: 0.6,
    withinSeconds: 1800,
    lastResort: true,
    atMost: 'likely',
    requires: ['newAlone'],
    source:
      'strategy Recreate, or a release that took the old Pods away: all that is left is of the new template, and none of it has ever been ready',
  },
  {
    id: 'release-worse',
    cause: changeOf(['Deployment']),
    via: 'itself',
    effect: any('Deployment', ['ReleaseRegression']),
    prior: 0.8,
    withinSeconds: 3600,
    lastResort: true,
    source:
      'two revisions of one Deployment side by side: the new one lapses, the one before did not; they differ by the edit',
  },
  {
    id: 'registry',
    cause: any('Registry', ['RegistryUnreachable', 'RegistryDenied']),
    via: 'pulls',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    prior: 0.7,
    workloads: 2,
    requires: ['pullsNoBetterElsewhere'],
    source: 'pull errors of the same host in several workloads; in one workload the image is to blame',
  },
  {
    id: 'pull-secret-refused',
    cause: named(['Secret']),
    via: 'names',
    effect: any('Pod', ['ImagePullDenied']),
    prior: 0.75,
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
    prior: 0.6,
    signs: ['NameNotResolved', 'ConnectionTimedOut'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): what looks up a name fails from then on',
  },
  {
    id: 'create-refused',
    cause: named(webhookConfigurations),
    via: 'names',
    effect: { kinds: makers, reasons: unmade },
    prior: 0.9,
    source: 'admission: "failed calling webhook <name>" in condition ReplicaFailure and in Events FailedCreate',
  },
  {
    id: 'custom-refused',
    cause: named(webhookConfigurations),
    via: 'names',
    effect: any('CustomResource', ['CustomResourceFailing']),
    prior: 0.9,
    source:
      'admission: "failed calling webhook <name>" in what GitOps tools and operators say of what they cannot apply',
  },
  {
    id: 'quota-refuses',
    cause: any('ResourceQuota', ['QuotaExceeded']),
    via: 'names',
    effect: { kinds: makers, reasons: unmade },
    prior: 0.9,
    source:
      'admission plug-in ResourceQuota: "exceeded quota: <name>" in condition ReplicaFailure and in Events FailedCreate',
  },
  {
    id: 'limit-range-refuses',
    cause: named(['LimitRange']),
    via: 'names',
    effect: { kinds: makers, reasons: ['LimitRangeRejects'] },
    prior: 0.8,
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
    prior: 0.9,
    source:
      'admission plug-ins ServiceAccount, Priority and RuntimeClass: no Pod is made before what it names is there',
  },
  {
    id: 'scale-up-failed',
    cause: any('ConfigMap', ['ScaleUpFailed']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.9,
    source: 'cluster autoscaler: it began to make a Node for the Pod, and its cloud refused',
  },
  {
    id: 'claim-named',
    cause: named(['PersistentVolumeClaim']),
    via: 'names',
    effect: any('Pod', ['Unschedulable']),
    prior: 0.9,
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
    prior: 0.85,
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
    prior: 0.9,
    source: 'a controller counts its Pods: what stops them is why it is short',
  },
  ...controlRules,
  ...namedRules,
  ...calledRules,
];
