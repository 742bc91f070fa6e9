import type { Reason } from '../../model/reason.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { programs } from './reasons.ts';
import { any, named, type Rule } from './rule.ts';

/** What programs do that lack something there; that Pods are not ready follows from much else. */
const brokenThere: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'ContainerError', 'InitContainerError', 'StartError'] as const),
  ...(['LivenessProbeFailed', 'ReadinessProbeFailed'] as const),
];

/** How Pods wait on a Node that begin elsewhere. */
const heldThere: readonly Reason[] = ['FailedCreatePodSandBox', 'ContainerCreating'];

/** The causal rules of Nodes and zones by what fails there and serves elsewhere, or has failed since they came back. */
export const nodeAloneRules: readonly Rule[] = [
  {
    id: 'node-rebooted',
    cause: any('Node', ['NodeRebooted']),
    via: 'runs-on',
    effect: any('Pod', ['CrashLoopBackOff', 'ContainerError', 'PodFailed']),
    strength: 'strong',
    requires: ['endedWithNode'],
    source:
      'kubelet: containers that were gone when it was back have exit code 255 and reason Unknown; each counts as a restart, with back-off',
  },
  {
    id: 'node-rebooted-otherwise',
    cause: any('Node', ['NodeRebooted']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'usual',
    withinSeconds: 600,
    workloads: 2,
    atMost: 'likely',
    isSaid: true,
    signs: unanswered,
    source:
      'a Node that comes back without a module of its kernel, a rule or a route: several workloads that run there reach nobody since its reboot',
  },
  {
    id: 'node-ails',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'strong',
    workloads: 2,
    requires: ['ails'],
    source:
      'node-problem-detector and its like: conditions of types that nobody here knows, with names that say that something is wrong, as programs of several workloads fail there',
  },
  {
    id: 'node-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', [...brokenThere, ...heldThere]),
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['failsThereAlone'],
    source:
      'Pods from one template serve or begin on other Nodes: what several workloads have in common that fail on one only is that Node (clock, kernel, process IDs, service rules, its runtime)',
  },
  {
    id: 'zone-alone',
    cause: named(['Zone']),
    via: 'zones',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    requires: ['failsThereAlone'],
    isSaid: true,
    signs: unanswered,
    source:
      'clouds route each zone by itself (gateways, subnets, endpoints): what several workloads have in common that reach somebody from the Nodes of other zones only is their zone',
  },
  {
    id: 'node-pulls-alone',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['ImagePullBackOff', 'ImagePullDenied']),
    // More than the row of a release, which shows wherever its image is pulled.
    strength: 'stated',
    workloads: 2,
    atMost: 'likely',
    requires: ['failsThereAlone'],
    source:
      'kubelet: pulls with the credentials and the network of its Node; a registry that refuses or is away does so everywhere',
  },
  {
    id: 'node-fails-one',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', ['FailedCreatePodSandBox']),
    strength: 'usual',
    atMost: 'likely',
    requires: ['isOfItsNode'],
    source:
      'a sandbox is made of its Node alone: errno(3) EIO, EUCLEAN, EROFS and ENOMEM are of its disk and kernel, where the same was made elsewhere a moment ago; a DaemonSet has the same Pod on each Node, and they differ by the Node',
  },
  {
    id: 'node-alone-members',
    cause: named(['Node']),
    via: 'runs-on',
    effect: any('Pod', brokenThere),
    strength: 'usual',
    workloads: 3,
    atMost: 'likely',
    requires: ['failsThereAsMember'],
    source:
      'members of a StatefulSet differ by their data as well as by their Nodes: where three workloads have one that fails, and all on one Node, it is not the data',
  },
];
