import type { Reason } from '../../model/reason.ts';
import { callers, longRunning, makers, ofTheApi, refusedByParent, unmade, withoutEndpoints } from './reasons.ts';
import { any, missing, named, type Rule } from './rule.ts';

/** What is not to be had, or does not do what others ask of it. What is only announced (a certificate that will expire) keeps nobody waiting. */
const notToBeHad: readonly Reason[] = [
  ...(['SecretMissing', 'ConfigMapMissing', 'ServiceAccountMissing', 'PriorityClassMissing'] as const),
  ...(['RuntimeClassMissing', 'QuotaExceeded', 'InsufficientCapacity', 'ScaleUpFailed', 'PodIPExhausted'] as const),
  ...(['ZoneOrPoolFailing', 'NodeNotReady', 'NodeUnreachable', 'NodeUninitialized', 'PDBBlocksDrain'] as const),
  ...(['APIServiceUnavailable', 'SignerNotSigning', 'AmbiguousSelector', 'CustomResourceFailing'] as const),
  'EventStorm',
];

/** Reasons whose texts are of the API itself: of kubelets, the scheduler, admission and controllers, which name what they lack. */
const stated: readonly Reason[] = [
  ...(['CreateContainerConfigError', 'ContainerCreating', 'FailedMount', 'ProjectedReferenceMissing'] as const),
  ...(['ImagePullDenied', 'ImagePullBackOff', 'FailedCreatePodSandBox', 'PodIPExhausted'] as const),
  ...(['Unschedulable', 'InsufficientCapacity', 'NodeNotReady', 'NodeUnreachable', 'NodeDraining'] as const),
  ...(['VolumeAttachFailed', 'VolumeDetachFailed', 'VolumeUnhealthy', 'NamespaceStuckTerminating'] as const),
  ...(['FailedGetResourceMetric', 'AmbiguousSelector', 'UnusualEvent', 'CSRPending', 'CSRNotIssued'] as const),
  ...(['TLSCertExpired', 'TLSCertExpiringSoon', 'TLSCertUnusable', 'JobFailed', 'CronJobFailing'] as const),
  ...unmade,
];

/** What several texts name, and what of it is there: a lack that one alone may have brought upon itself. */
const askedInVain: readonly Reason[] = [
  ...(['RouteNotAccepted', 'WebhookBackendMissing', 'APIServiceUnavailable', 'CustomResourceFailing'] as const),
  ...(['FailedMount', 'ContainerCreating', 'IngressClassMissing'] as const),
];

/** What several ask for alike, and cannot have. */
const askedAlike: readonly Reason[] = [
  ...(['Unschedulable', 'CreateContainerConfigError', 'LimitRangeRejects', 'ProvisioningFailed'] as const),
  ...(['NoDefaultStorageClass', 'CustomResourceFailing'] as const),
];

/** What somebody refuses whom they name, or lets nobody in with what they name. */
const refusedAlike: readonly Reason[] = [
  ...(['FailedCreatePodSandBox', 'ContainerCreating', 'FailedMount', 'FailedMapVolume'] as const),
  ...(['ImagePullDenied', 'RouteNotAccepted'] as const),
];

/** Who refuses objects on behalf of the API server. */
const refusers = [
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
  ...['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy', 'Namespace'],
];

/** What a Node lacks for all that comes to it. */
const lackedThere: readonly Reason[] = [
  ...(['ImagePullBackOff', 'FailedCreatePodSandBox', 'FailedMount'] as const),
  ...(['CSIDriverMissingOnNode', 'VolumeNodeAffinityConflict'] as const),
];

/** The causal rules of what the texts of the API name: a detector gives these names only where the text is about them. */
export const statedRules: readonly Rule[] = [
  {
    id: 'names-what-fails',
    cause: { basis: 'finding', kinds: 'any', reasons: notToBeHad },
    via: 'names',
    effect: { kinds: 'any', reasons: stated },
    strength: 'stated',
    source:
      'messages of the kubelet, the scheduler, admission plug-ins and controllers name the object for want of which they cannot go on, and that object has trouble of its own',
  },
  {
    id: 'names-what-is-missing',
    cause: missing(['PersistentVolumeClaim', 'StorageClass', 'ConfigMap']),
    via: 'names',
    effect: { kinds: 'any', reasons: ['Unschedulable', 'StorageClassMissing', 'ProjectedReferenceMissing'] },
    strength: 'stated',
    source:
      'scheduler: persistentvolumeclaim "<name>" not found; pv_controller.go: no volume is made for a claim before its class exists, whoever asks for it; kubelet: no container before the ConfigMaps that it needs are there',
  },
  {
    id: 'several-name-what-is-missing',
    cause: missing(['Service', 'CustomResource', 'IngressClass']),
    via: 'names',
    effect: { kinds: 'any', reasons: askedInVain },
    strength: 'stated',
    workloads: 2,
    source:
      'references of several objects name one that does not exist (backends of routes and webhooks, classes, what drivers mount, what controllers read); of one alone its reference may be wrong',
  },
  {
    id: 'several-name',
    cause: named(['Node', 'ConfigMap', 'Secret', 'LimitRange', 'StorageClass']),
    via: 'names',
    effect: { kinds: 'any', reasons: askedAlike },
    strength: 'strong',
    workloads: 2,
    source:
      'messages of the kubelet, the scheduler and admission plug-ins name what several ask for in vain (a key, a class, a Node with a taint, a LimitRange); of one alone what it asks for may be wrong',
  },
  {
    id: 'several-are-refused',
    cause: named(['DaemonSet', 'Secret', 'ConfigMap', 'Gateway']),
    via: 'names',
    effect: { kinds: 'any', reasons: refusedAlike },
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: { users: 'none begins', states: refusedByParent },
    source:
      'messages of kubelets and controllers name who answers for a driver or a network, or what several are let in with (pull Secrets, Secrets of volumes); of one alone its image or volume may be at fault',
  },
  {
    id: 'refused-by',
    cause: named(refusers),
    via: 'names',
    effect: { kinds: [...makers, 'CustomResource'], reasons: [...unmade, 'AdmissionDenied', 'CustomResourceFailing'] },
    // Less than the row of what is behind it.
    strength: 'strong',
    source:
      'admission names who refuses: "failed calling webhook <name>", "failed to configure binding", "namespace <name> because it is being terminated"',
  },
  {
    id: 'node-lacks',
    cause: named(['Node']),
    via: 'names',
    effect: { kinds: ['Pod', 'PersistentVolumeClaim'], reasons: lackedThere },
    strength: 'stated',
    requires: {
      alone: 'nowhere else',
      states: [{ of: 'FailedCreatePodSandBox', fact: 'sandboxCause', as: /^runtimeGone$/ }],
    },
    source:
      'kubelet: its disk has no room for the image, its runtime does not answer, a driver is not in its list (CSINode); scheduler: a local volume is used on its Node alone',
  },
  {
    id: 'limit-range-gives-too-little',
    cause: named(['LimitRange']),
    via: 'names',
    effect: any('Pod', ['OOMKilled']),
    strength: 'strong',
    workloads: 2,
    requires: { servesUnlimited: true },
    source:
      'admission plug-in LimitRanger: containers without a memory limit get the default one of the namespace as they are made; where Pods from before serve without one, that is what differs',
  },
  {
    id: 'preemptor',
    cause: named([...longRunning, 'Job', 'CronJob']),
    via: 'names',
    effect: { kinds: ['Pod', 'Deployment', 'StatefulSet'], reasons: ['Unschedulable', 'Preempted'] },
    strength: 'strong',
    workloads: 2,
    requires: { states: [{ fact: 'preemptor', as: /./ }] },
    source:
      'kube-scheduler, DefaultPreemption: Pods of a lower priority are deleted on a Node for one of a higher, which comes there as they have gone',
  },
  {
    id: 'lease-holder',
    cause: { basis: 'finding', kinds: ['Node', 'Pod'], reasons: 'any' },
    via: 'names',
    effect: any('Lease', ['SchedulerUnavailable', 'ControllerManagerUnavailable', 'LeaseStale']),
    strength: 'strong',
    source:
      'leader election: the holder of a Lease is named by its Node or Pod; nobody else takes it before it runs out',
  },
  {
    id: 'webhook-service',
    cause: named(['Service']),
    via: 'names',
    effect: { kinds: callers, reasons: ofTheApi },
    // Less than the row of what is behind it.
    strength: 'usual',
    lastResort: true,
    requires: { states: withoutEndpoints },
    source:
      'clientConfig.service of webhooks and conversions, spec.service of APIServices: all that call one Service get the same answer',
  },
];
