import type { Reason } from '../../model/reason.ts';
import { longRunning } from './reasons.ts';
import { any, named, type Rule } from './rule.ts';

/** Routes of the Gateway API. */
const _routes = ['HTTPRoute', 'GRPCRoute', 'TLSRoute'];

/** What somebody in the cluster does, and nobody does while none of his Pods serves. */
const _doneByWorkloads: readonly Reason[] = [
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
];
