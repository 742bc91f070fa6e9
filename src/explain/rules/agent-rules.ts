import { releaseFields } from '../../model/change-field.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import { saidOfAgents } from '../evidence/one-node.ts';
import { refused, unanswered } from '../evidence/unanswered.ts';
import { broken } from '../evidence/volumes.ts';
import { longRunning, makers, programs, unmade } from './reasons.ts';
import { changeOf, named, type Rule } from './rule.ts';

/** How a Pod waits for its volumes, its network and its image. */
const heldUp: readonly Reason[] = [
  ...(['FailedMount', 'FailedMapVolume', 'FailedAttachVolume', 'FailedCreatePodSandBox', 'ContainerCreating'] as const),
  'ImagePullBackOff',
];

/** What somebody in the cluster does for others, and nobody does while none of his Pods serves. */
const doneByWorkloads: readonly Reason[] = [
  ...heldUp,
  // The cluster autoscaler, Karpenter, cloud controllers and device plug-ins: there is only the room that there was.
  ...(['Unschedulable', 'InsufficientCapacity', 'NodeUninitialized', 'PodAdmissionRejected'] as const),
  // CSI external-provisioner, a sidecar of the controller of its driver.
  ...(['PVCPending', 'ProvisioningFailed', 'CSIDriverMissingOnNode'] as const),
  // Operators that make Secrets from custom resources, and those that take their finalizers off.
  ...(['SecretMissing', 'NamespaceStuckTerminating'] as const),
  // Admission: "failed to call webhook: Post https://<service>.<namespace>.svc".
  ...unmade,
];

/** The causal rules of workloads that do something for others: who is named, what runs on each Node, what directs proxies, who prepares. */
export const agentRules: readonly Rule[] = [
  {
    id: 'nobody-does-it',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'named-workloads',
    effect: {
      kinds: ['Pod', 'NodePool', 'Cluster', 'Node', 'PersistentVolumeClaim', 'Secret', 'Namespace', ...makers],
      reasons: doneByWorkloads,
    },
    strength: 'stated',
    requires: { down: true },
    source:
      'who is asked is named by the API server, by a driver, a class, a network plug-in or a finalizer, or known by custom (autoscalers, provisioners, makers of Secrets), and none of its Pods serves, of an agent the one on the Node',
  },
  {
    id: 'agent-asked-for',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'unseen',
    effect: { kinds: ['Pod', ...longRunning], reasons: [...loggedReasons, ...heldUp] },
    strength: 'strong',
    requires: { agent: 'asked for' },
    source:
      'programs and kubelets say what they do not find on their machine by what its agent is called or by a port that it opens there (drivers, Secrets Store CSI providers, mirrors of registries); init containers of one agent wait for another',
  },
  {
    id: 'agent-serves',
    cause: { basis: 'finding', kinds: ['DaemonSet', 'Pod'], reasons: 'any' },
    via: 'unseen',
    effect: programs,
    strength: 'strong',
    requires: { agent: 'serves' },
    signs: [...saidOfAgents, ...broken],
    source:
      'RFC 3927: 169.254.0.0/16 stays on the machine (metadata services of clouds, NodeLocal DNSCache), as a Unix socket does; kube-proxy and network agents serve the Pods of their Node, and some drivers their volumes by a process there',
  },
  {
    id: 'unseen-edited',
    cause: changeOf(['DaemonSet', 'Deployment', ...settingsKinds]),
    via: 'unseen',
    effect: programs,
    strength: 'usual',
    within: 'minutes',
    workloads: 2,
    atMost: 'likely',
    fields: ['data', 'image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes', 'containers', 'template'],
    requires: { agent: 'directs', pods: 'older' },
    signs: [...saidOfAgents, ...unanswered, ...refused],
    source:
      'what serves programs without their knowledge was edited just before (kube-proxy, network plug-ins, NodeLocal DNSCache; control planes of meshes, which tell the proxies beside them what to do), and those served until then did not change',
  },
  {
    id: 'webhook-done-without',
    cause: named(longRunning),
    via: 'unseen',
    effect: programs,
    strength: 'usual',
    atMost: 'likely',
    requires: { down: true, pods: 'newer', untouched: releaseFields },
    signs: ['CredentialsMissing', 'VariableMissing', 'FileMissing'],
    source:
      'MutatingWebhookConfiguration failurePolicy Ignore: while nobody answers, Pods are made without what is put into them (credentials of the cloud, sidecars, certificates), and nobody is told',
  },
  {
    id: 'migration-failed',
    cause: named(['Job']),
    via: 'unseen',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    source:
      'a Job that brings the database to the schema of a release (Helm hooks pre-upgrade and post-upgrade, or one applied beside it) and fails leaves it without: who needs it, or waits for it, did nothing wrong',
  },
];
