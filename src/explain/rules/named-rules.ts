import type { Reason } from '../../model/reason.ts';
import { any, missing, named, type Rule } from './rule.ts';
import { longRunning, makers } from './shortage.ts';

/** Routes of the Gateway API. */
const routes = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

/** What somebody in the cluster does, and nobody does while none of his Pods serves. */
const doneByWorkloads: readonly Reason[] = [
  // The cluster autoscaler, Karpenter, cloud controllers and device plug-ins: there is only the room that there was.
  ...(['Unschedulable', 'InsufficientCapacity', 'NodeUninitialized'] as const),
  // CSI external-provisioner, a sidecar of the controller of its driver.
  ...(['PVCPending', 'ProvisioningFailed'] as const),
  // Operators that make Secrets from custom resources, and those that take their finalizers off.
  ...(['SecretMissing', 'NamespaceStuckTerminating'] as const),
  // Admission: "failed to call webhook: Post https://<service>.<namespace>.svc"; registries whose host leads to a Service of the cluster.
  ...(['ReplicaFailure', 'ReplicaSetCreateError', 'ImagePullBackOff'] as const),
];

/** The causal rules of what texts name, or several refer to, and that nothing else is found of. */
export const namedRules: readonly Rule[] = [
  {
    id: 'policy-unjudged',
    cause: named(['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy']),
    via: 'names',
    effect: { kinds: makers, reasons: ['AdmissionDenied'] },
    strength: 'stated',
    source:
      'apiserver plugin/policy/validating: "failed to configure binding: no params found", "resulted in error": with failurePolicy Fail what could not be judged is refused',
  },
  {
    id: 'limit-range-gives-too-little',
    cause: named(['LimitRange']),
    via: 'names',
    effect: any('Pod', ['OOMKilled']),
    strength: 'strong',
    workloads: 2,
    requires: ['servesWithoutLimit'],
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
    requires: ['preempts'],
    source:
      'kube-scheduler, DefaultPreemption: Pods of a lower priority are deleted on a Node for one of a higher, which comes there as they have gone',
  },
  {
    id: 'mounted-object-missing',
    cause: missing(['CustomResource']),
    via: 'names',
    effect: any('Pod', ['FailedMount', 'ContainerCreating']),
    strength: 'stated',
    workloads: 2,
    source:
      'CSI drivers that mount what custom resources describe (SecretProviderClass) say which they do not find; of one workload alone its own spec may be wrong',
  },
  {
    id: 'custom-secret-missing',
    cause: missing(['Secret', 'ConfigMap']),
    via: 'names',
    effect: any('CustomResource', ['CustomResourceFailing']),
    strength: 'stated',
    workloads: 2,
    source:
      'controllers pass on what the API server says: secrets "keys" not found; of one custom resource alone its reference may be wrong',
  },
  {
    id: 'secret-not-made',
    cause: any('CustomResource', ['CustomResourceFailing']),
    via: 'makers-of-secret',
    effect: any('Secret', ['SecretMissing']),
    strength: 'stated',
    source:
      'Sealed Secrets, External Secrets, cert-manager, Vault: a Secret is made from the custom resource of its name, whose status says why it is not',
  },
  {
    id: 'nobody-does-it',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'named-workloads',
    effect: {
      kinds: ['Pod', 'NodePool', 'Cluster', 'Node', 'PersistentVolumeClaim', 'Secret', 'Namespace', ...makers],
      reasons: doneByWorkloads,
    },
    strength: 'stated',
    requires: ['isDown'],
    source:
      'who is asked is named by the API server, by a driver, a class or a finalizer, or known by custom (autoscalers, provisioners, makers of Secrets, webhooks, registries in the cluster), and none of its Pods serves',
  },
  {
    id: 'ingress-class-missing',
    cause: missing(['IngressClass']),
    via: 'names',
    effect: any('Ingress', ['IngressClassMissing']),
    strength: 'strong',
    workloads: 2,
    source:
      'networking.k8s.io/v1: a class comes and goes with its controller; of one Ingress alone the name of its class may be wrong',
  },
  {
    id: 'class-not-default',
    cause: named(['StorageClass']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['NoDefaultStorageClass']),
    strength: 'strong',
    workloads: 2,
    source: 'admission plug-in DefaultStorageClass: claims without a class get the one that is marked, if one is',
  },
  {
    id: 'gateway-refuses',
    cause: named(['Gateway']),
    via: 'attached-to',
    effect: { kinds: routes, reasons: ['RouteNotAccepted'] },
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    requires: ['refusedByParent'],
    source:
      'gateway-api: NoMatchingListenerHostname, NotAllowedByListeners: which routes a listener takes is written at the listener; several that it takes no more have it in common',
  },
  {
    id: 'volume-on-lost-node',
    cause: named(['Node']),
    via: 'names',
    effect: any('PersistentVolumeClaim', ['VolumeNodeAffinityConflict']),
    strength: 'stated',
    source:
      'scheduler, VolumeBinding: a local volume is used on its Node alone, which is there and takes no Pods: it is cordoned, or does not answer',
  },
];
