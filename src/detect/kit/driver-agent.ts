import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { VolumeView } from '../../world/kinds/storage/persistent-volume.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import { wordsOf, wordsOfDriver } from '../../world/view/driver-names.ts';
import { once } from '../../world/view/once.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import { volumeOf } from './claim-facts.ts';

/** Claims of one Pod looked at, and DaemonSets of a cluster. */
const [maxClaims, maxDaemonSets] = [16, 500];
/** Of those whose name or namespace has one of the words, those with the most of them. */
function namedLike(words: readonly string[], daemonSets: readonly Ref[]): readonly Ref[] {
  const counted = daemonSets.map((ref) => {
    const text = `${namespaceOf(ref)}/${nameOf(ref)}`.toLowerCase();
    return { ref, words: words.filter((word) => text.includes(word)).length };
  });
  const most = Math.max(0, ...counted.map(({ words: found }) => found));
  return most === 0 ? [] : counted.filter(({ words: found }) => found === most).map(({ ref }) => ref);
}

/** The first of several guesses that leads to anybody, best first. */
function firstLike(guesses: readonly (readonly string[])[], daemonSets: readonly Ref[]): readonly Ref[] {
  for (const words of guesses) {
    const found = namedLike(words, daemonSets);
    if (found.length > 0) return found;
  }
  return [];
}

/**
 * The DaemonSets on a Node that may bring the volumes of a CSI driver there: what a driver and its agents are called has a word in common
 * (`ebs.csi.aws.com` and `ebs-csi-node`, `driver.longhorn.io` and what is in `longhorn-system`), else they say no more than `csi`.
 */
export function driverAgents(driver: string, node: Ref, world: ObservedWorld): readonly Ref[] {
  return firstLike([...wordsOfDriver(driver), ['csi']], agentsOn(node, world));
}

/** The DaemonSets on a Node that are called by some words. */
export const agentsLike = (words: readonly string[], node: Ref, world: ObservedWorld): readonly Ref[] =>
  namedLike(words, agentsOn(node, world));

/** The DaemonSets that have a Pod on a Node, in the order of their names. */
export function agentsOn(node: Ref, world: ObservedWorld): readonly Ref[] {
  const daemonSets = new Set<Ref>();
  for (const ref of world.linked(node, 'runs-on', 'in', podsOfNode)) {
    const pod = world.get(ref);
    const owner = typeof pod === 'object' && pod.kind === 'Pod' ? pod.owner : undefined;
    if (owner !== undefined && kindOf(owner) === 'DaemonSet') daemonSets.add(owner);
  }
  return [...daemonSets].sort();
}

/** The driver of which a kubelet says that it has not registered. */
export function unregisteredDriver(message: string): string | undefined {
  return /driver name (\S+) not found in the list of registered CSI drivers/.exec(message)?.[1];
}

/** The DaemonSets on a Pod's Node that may bring its volumes: for the driver that a text names, else for those of its claims. */
export function driverAgentsOf(pod: PodView, message: string, world: ObservedWorld): readonly Ref[] {
  if (pod.node === undefined) return [];
  const node = refOf('Node', '', pod.node);
  const named = unregisteredDriver(message);
  const drivers = named === undefined ? driversOf(pod, world) : [named];
  return [...new Set(drivers.flatMap((driver) => driverAgents(driver, node, world)))];
}

/** The volumes that a Pod mounts. */
function volumesOf(pod: PodView, world: ObservedWorld): readonly VolumeView[] {
  return [...world.linked(pod.ref, 'mounts', 'out', maxClaims)].flatMap((ref) => {
    const claim = world.get(ref);
    const bound = typeof claim === 'object' && claim.kind === 'PersistentVolumeClaim';
    return (bound && volumeOf(claim, world)) || [];
  });
}

const driversOf = (pod: PodView, world: ObservedWorld): readonly string[] =>
  volumesOf(pod, world).flatMap(({ driver }) => driver ?? []);

/** What the drivers of the volumes that a Pod mounts log in with. */
export const driverSecretsOf = (pod: PodView, world: ObservedWorld): readonly Ref[] => [
  ...new Set(volumesOf(pod, world).flatMap(({ secrets }) => secrets)),
];

/**
 * The DaemonSets that may tell the kubelets of a resource that they cannot count themselves (`nvidia.com/gpu`): who offers it is in the
 * name of the device plug-in, else what it is.
 */
export function devicePlugins(resource: string, world: ObservedWorld, now: number): readonly Ref[] {
  const [domain = '', what] = resource.toLowerCase().split('/');
  if (what === undefined) return [];
  return firstLike([wordsOf(domain.split('.').slice(0, -1)), wordsOf([what])], daemonSetsOf(world, now));
}

const daemonSetsOf = once((world): readonly Ref[] =>
  [...Iterator.from(world.all('DaemonSet')).take(maxDaemonSets)].map(({ ref }) => ref).sort(),
);
