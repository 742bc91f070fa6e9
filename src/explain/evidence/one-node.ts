import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { endedAfter } from '../../world/memory/facets.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import { leadMs, podsOfWorkload, settledMs } from '../../world/view/bounds.ts';
import { servesCluster } from '../../world/view/cluster-namespaces.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';
import { saysOf } from './says.ts';
import { unanswered } from './unanswered.ts';
import { isNewRevision, podsOf, podView, unreadyOf, workloadOf, workloadView } from './workload.ts';

/** Addresses that never leave a machine: what answers there runs on it (RFC 3927). */
const linkLocal = /^169\.254\.\d{1,3}\.\d{1,3}$/;
/** A lookup that was sent to such an address; a socket of the machine. */
const onTheMachine = /\bon 169\.254\.\d{1,3}\.\d{1,3}:53\b|\bdial unix \/|\bunix:\/\/?\//;
/** What is asked of whoever runs on the machine, whatever the words. */
const givenThere: ReadonlySet<SignKind> = new Set<SignKind>(['CredentialsMissing']);

/** What a program says that cannot reach what answers on its own machine. */
export const saidOfAgents: readonly SignKind[] = [...unanswered, 'CredentialsMissing'];

function isOfTheMachine({ kind, line, target }: PlacedSign): boolean {
  if (givenThere.has(kind)) return true;
  return unanswered.includes(kind) && (linkLocal.test(target?.host ?? '') || onTheMachine.test(line));
}

/** Whether what the program of a finding cannot reach is on its own machine. */
export function asksItsMachine(effect: Finding, world: World): boolean {
  return saysOf(effect, world).some(isOfTheMachine);
}

const isSame = (world: World, a: PodView, b: PodView): boolean => isNewRevision(world, a) === isNewRevision(world, b);

/**
 * Whether a Pod has crashed since about an instant (epoch milliseconds), or is ready anew that was ready long before: that it serves again
 * tells nothing of its Node.
 */
const hasFailedSince = (pod: PodView, since: number): boolean =>
  (readySince(pod) > since && pod.createdAt < since - settledMs) ||
  pod.containers.some((container) => endedAfter(container, since - leadMs));

/**
 * Whether of a workload of some kinds the Pods that do not serve are all on one Node, while another from the same template serves elsewhere
 * and has not failed since: it is nothing that they share. Members of a StatefulSet differ by their data, those of a DaemonSet by the Node
 * that they are for.
 */
export function failsThereAlone(
  { subject, since }: Finding,
  world: World,
  node: Ref,
  kinds: readonly string[] = ['Deployment'],
): boolean {
  const own = podView(world, subject.ref);
  const workload = workloadOf(world, subject.ref);
  if (own?.node !== nameOf(node) || !kinds.includes(kindOf(workload))) return false;
  const siblings = podsOf(world, workload, podsOfWorkload).filter(({ deletionAt }) => deletionAt === undefined);
  const failing = siblings.filter((pod) => !isReady(pod));
  if (failing.some((pod) => pod.node !== undefined && pod.node !== own.node)) return false;
  return siblings.some(
    (pod) => isReady(pod) && pod.node !== own.node && isSame(world, pod, own) && !hasFailedSince(pod, since),
  );
}

/** The zone of the Node that a Pod runs on. */
function zoneOf({ node }: PodView, world: World): string | undefined {
  const view = node === undefined ? undefined : world.get(refOf('Node', '', node));
  return typeof view === 'object' && view.kind === 'Node' ? view.zone : undefined;
}

/** The zones of the Nodes that the Pods of a finding run on which do not serve. */
export function zonesOf(effect: Finding, world: World): readonly Ref[] {
  const zones = unreadyOf(effect, world).flatMap((pod) => zoneOf(pod, world) ?? []);
  return [...new Set(zones)].map((zone) => refOf('Zone', '', zone));
}

/**
 * Whether of a Deployment all Pods that do not serve are in one zone, on two Nodes of it or more, while others from the same template serve in
 * other zones and have not failed since.
 */
export function failsInZoneAlone({ subject, since }: Finding, world: World, zone: Ref): boolean {
  const workload = workloadOf(world, subject.ref);
  if (kindOf(workload) !== 'Deployment') return false;
  const pods = podsOf(world, workload, podsOfWorkload).filter(
    ({ deletionAt, node }) => deletionAt === undefined && node,
  );
  const failing = pods.filter((pod) => !isReady(pod));
  if (failing.some((pod) => zoneOf(pod, world) !== nameOf(zone))) return false;
  if (new Set(failing.map(({ node }) => node)).size < 2) return false;
  return pods.some((pod) => isReady(pod) && zoneOf(pod, world) !== nameOf(zone) && !hasFailedSince(pod, since));
}

/** What a container waits for whose image cannot be pulled. */
const pullReasons: ReadonlySet<string> = new Set(['ErrImagePull', 'ImagePullBackOff']);
/** Whether a container of a Pod waits for an image that cannot be pulled. */
export const waitsForImage = ({ containers }: PodView): boolean =>
  containers.some(({ waiting }) => pullReasons.has(waiting?.reason ?? ''));

/** Whether a sibling that is as new as the Pod has its image on another Node, and none waits for it there. */
export function pullsElsewhere(effect: Finding, world: World, node: Ref): boolean {
  const own = podView(world, effect.subject.ref);
  if (own?.node !== nameOf(node)) return false;
  const others = podsOf(world, workloadOf(world, own.ref), podsOfWorkload).filter((pod) => pod.node !== own.node);
  if (others.some(waitsForImage)) return false;
  const same = others.filter((pod) => isSame(world, pod, own));
  // An older one may have left the image on its Node.
  if (same.some((pod) => pod.createdAt < own.createdAt - settledMs)) return false;
  return same.some((pod) => pod.containers.some(({ running, terminated }) => (running ?? terminated) !== undefined));
}

/** What brings every Pod of a machine its network, and leads it to Services, by the names of the projects. */
const ofNetworks =
  /proxy|cilium|calico|canal|flannel|antrea|weave|kindnet|kube-router|multus|ztunnel|\bovn|\bcni\b|aws-node|\bdns\b/;

/** Whether an agent brings the Pods of its machine their network or their names: one of the cluster, as any team may call its own so. */
export const bringsNetwork = (agent: Ref): boolean =>
  ofNetworks.test(nameOf(agent)) && servesCluster(namespaceOf(agent), ofNetworks);

/** Whether an agent is one that every machine runs for all others. */
export const isOfTheSystem = (agent: Ref): boolean => namespaceOf(agent).startsWith('kube-') || bringsNetwork(agent);

/** What DaemonSets run on a Node, each with its owner: all that fail there ask for them. */
const agentsOn = sharedAnswer((node, world): readonly (readonly [owner: Ref, pod: Ref])[] =>
  [...world.linked(node, 'runs-on', 'in', podsOfNode)].flatMap((pod) => {
    const owner = podView(world, pod)?.owner;
    return owner !== undefined && kindOf(owner) === 'DaemonSet' ? [[owner, pod] as const] : [];
  }),
);

/**
 * The DaemonSets, with their Pods, that run beside a Pod on its Node, or beside those of a workload that do not serve; none for one of
 * these itself.
 */
export function agentsBeside(effect: Finding, world: World): readonly Ref[] {
  const own = workloadOf(world, effect.subject.ref);
  const agents = new Set<Ref>();
  for (const pod of unreadyOf(effect, world))
    for (const node of world.linked(pod.ref, 'runs-on', 'out', 1))
      for (const [owner, agent] of agentsOn(node, world)) if (owner !== own) agents.add(owner).add(agent);
  return [...agents];
}

/** Parts of the names of DaemonSets that programs leave out. */
const leftOut: ReadonlySet<string> = new Set(['csi', 'daemonset', 'ds']);

/** Whether a finding, or its program, speaks of an agent by all the words of its name, which are two or more: "no NVIDIA driver". */
export function speaksOfAgent(effect: Finding, world: World, agent: Ref): boolean {
  const words = nameOf(workloadOf(world, agent))
    .split('-')
    .filter((word) => !leftOut.has(word));
  if (words.length < 2) return false;
  const lines = [effect.detail ?? '', ...saysOf(effect, world).map(({ line }) => line)];
  return lines.some((line) => {
    const said = new Set(line.toLowerCase().split(/[^a-z0-9]+/));
    return words.every((word) => said.has(word));
  });
}

/** Whether a Pod waits for an init container that keeps running. */
function waitsInItsStart({ phase, containers, template }: PodView): boolean {
  const isInit = (name: string): boolean =>
    template.containers.some((each) => each.name === name && each.role === 'init');
  return phase === 'Pending' && containers.some(({ name, running }) => running !== undefined && isInit(name));
}

/** Whether a DaemonSet waits in its start for another of its namespace that fails on the same Nodes, and does not wait itself. */
export function waitsForAgent(effect: Finding, world: World, agent: Ref): boolean {
  if (namespaceOf(agent) !== namespaceOf(effect.subject.ref)) return false;
  const waiting = unreadyOf(effect, world);
  if (waiting.length === 0 || !waiting.every(waitsInItsStart)) return false;
  const owner = workloadOf(world, agent);
  return waiting.every(({ ref }) =>
    [...world.linked(ref, 'runs-on', 'out', 1)].every((node) =>
      agentsOn(node, world).some(([other, pod]) => {
        const view = other === owner ? podView(world, pod) : undefined;
        return view !== undefined && !isReady(view) && !waitsInItsStart(view);
      }),
    ),
  );
}

/** Whether the agents on a Node that an effect names have not ended there since about when it began (epoch milliseconds). */
export function namedAgentsAreWell(names: readonly Ref[], since: number, world: World, node: Ref): boolean {
  if (names.every((name) => kindOf(name) !== 'DaemonSet')) return true;
  return agentsOn(node, world).every(([owner, ref]) => {
    const pod = names.includes(owner) ? podView(world, ref) : undefined;
    if (pod === undefined) return true;
    return isReady(pod) && !pod.containers.some((each) => endedAfter(each, since - settledMs));
  });
}

/**
 * Whether an agent of its Node can be why a program fails: what it cannot reach is on the machine itself; or it reaches nobody, the agent is
 * one of the system's, as the proxy of Services and the network are, and it fails there alone, or wherever that does.
 */
export function failsForAgent(effect: Finding, world: World, agent: Ref): boolean {
  if (asksItsMachine(effect, world)) return true;
  const owner = workloadOf(world, agent);
  if (!isOfTheSystem(owner)) return false;
  const said = saysOf(effect, world);
  if (!said.some(({ kind }) => unanswered.includes(kind))) return false;
  // The cache of names on each machine, by the name that all give it.
  if (/\bdns\b/.test(nameOf(owner)) && said.some(({ kind }) => kind === 'NameNotResolved')) return true;
  const [node] = world.linked(effect.subject.ref, 'runs-on', 'out', 1);
  if (node !== undefined && failsThereAlone(effect, world, node)) return true;
  return bringsNetwork(owner) && failsWithAgent(effect, world, owner);
}

/** Whether all Pods of the workload that do not serve are where the agent did not either, when they began to fail. */
function failsWithAgent({ subject, since }: Finding, world: World, agent: Ref): boolean {
  const unready = unreadyOf({ subject: world.subject(workloadOf(world, subject.ref)), since }, world);
  return (
    unready.length > 0 &&
    unready.every(({ ref }) =>
      [...world.linked(ref, 'runs-on', 'out', 1)].every((node) => !namedAgentsAreWell([agent], since, world, node)),
    )
  );
}

/** Where a machine asks itself: what is dialled there is on it. */
const onLoopback = /\bdial tcp (?:127(?:\.\d{1,3}){3}|localhost|\[::1\]):(\d{1,5}): /;

/** Whether what a kubelet passes on was asked for at a port of its own machine that an agent there opens: a mirror of registries, a proxy. */
export function asksForAgent({ detail = '' }: Finding, world: World, agent: Ref): boolean {
  const port = Number(onLoopback.exec(detail)?.[1] ?? 0);
  const template = podView(world, agent)?.template ?? workloadView(world, agent)?.template;
  if (port === 0 || template === undefined) return false;
  const ports = template.containers.flatMap((container) => container.ports ?? []);
  return ports.some(({ hostPort, port: own }) => port === (template.hostNetwork ? own : hostPort));
}
