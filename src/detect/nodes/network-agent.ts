import { nameOf, type Ref, refOf } from '../../model/ref.ts';
import type { EventView } from '../../world/kinds/cluster/event.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { agentsOn } from '../kit/driver-agent.ts';

/** Plug-ins by the type that runtimes call them, and what the DaemonSets of their agents are called (the manifests of each project). */
const agents: readonly (readonly [plugin: RegExp, daemonSet: RegExp])[] = [
  [/^calico/, /^(?:calico-node|canal)\b/],
  [/^cilium/, /^cilium(?:-agent)?$/],
  [/^flannel/, /^(?:kube-flannel|canal)\b/],
  [/^aws-cni/, /^aws-node\b/],
  [/^azure-vnet/, /^azure-cn[is]\b/],
  [/^antrea/, /^antrea-agent\b/],
  [/^weave/, /^weave-net\b/],
  [/^kube-ovn/, /^kube-ovn-cni\b/],
  [/^ovn-k8s/, /^ovnkube-node\b/],
  [/^multus/, /^(?:kube-)?multus\b/],
  [/^ptp/, /^kindnet\b/],
];

/**
 * The DaemonSets on a Pod's Node whose Pod answers the network plug-in that failed, as the text of the failed sandbox names it; of a text
 * that names none, any agent of a network there is.
 */
export function agentsOf(pod: PodView, { message }: EventView, world: ObservedWorld): readonly Ref[] {
  if (pod.node === undefined || pod.template.hostNetwork) return [];
  const plugin = /plugin type="([^"]+)"/.exec(message)?.[1];
  const possible = agents.filter(([type]) => plugin === undefined || type.test(plugin));
  return agentsOn(refOf('Node', '', pod.node), world).filter((agent) =>
    possible.some(([, daemonSet]) => daemonSet.test(nameOf(agent))),
  );
}

/** Whether an agent that answers the plug-in is there and not ready on the Node of a Pod. */
export function lacksAgent(pod: PodView, event: EventView, world: ObservedWorld): boolean {
  const sets = new Set(agentsOf(pod, event, world));
  if (sets.size === 0 || pod.node === undefined) return false;
  return [...world.linked(refOf('Node', '', pod.node), 'runs-on', 'in', podsOfNode)].some((ref) => {
    const other = world.get(ref);
    if (typeof other !== 'object' || other.kind !== 'Pod' || other.owner === undefined) return false;
    return sets.has(other.owner) && other.deletionAt === undefined && !isReady(other);
  });
}
