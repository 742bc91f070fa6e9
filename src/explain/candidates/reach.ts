import type { Finding } from '../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { podsOfNode } from '../../world/reading/bounds.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import { fanOut, podsCounted, siblingsAsked, usersOfOne } from '../../world/view/bounds.ts';
import { sharedAnswer } from '../../world/view/shared-answers.ts';
import type { World } from '../../world/view/world.ts';
import { directorsOf } from '../evidence/companions.ts';
import { neededByAny, workloadsOf } from '../evidence/needs.ts';
import { nodesOfEvicted, placesThatCameBack } from '../evidence/nodes-of.ts';
import { agentsBeside, zonesOf } from '../evidence/one-node.ts';
import { failedMigrations, ignoredWebhooks } from '../evidence/prepared-by.ts';
import { rightsOf } from '../evidence/rights.ts';
import { dnsOf, leaders } from '../evidence/system.ts';
import { trafficRules } from '../evidence/traffic-edits.ts';
import { driversOf, fileServersOf } from '../evidence/volumes.ts';
import { ownersOf, podsOf, podView, unreadyOf, workloadOf } from '../evidence/workload.ts';
import { longRunning } from '../rules/reasons.ts';
import type { Rule, Via } from '../rules/rule.ts';

/** What the newest Pod of a run uses that failed. */
function usedByFailed({ subject }: Finding, world: World): readonly Ref[] {
  const failed = podsOf(world, subject.ref, fanOut).filter(({ phase }) => phase === 'Failed');
  const newest = failed.reduce<PodView | undefined>((a, b) => (a && a.createdAt >= b.createdAt ? a : b), undefined);
  return newest ? [...world.linked(newest.ref, 'uses', 'out', fanOut)] : [];
}

/**
 * The Secrets that the object of a finding, or what it names, uses, and those that the Pods mount which answer for it: a webhook is
 * served by the Pods of the Service that it calls.
 */
function certificatesOf({ subject, names }: Finding, world: World): ReadonlySet<Ref> {
  const secrets = new Set<Ref>();
  const add = (ref: Ref): void => {
    for (const used of world.linked(ref, 'uses', 'out', fanOut)) if (kindOf(used) === 'Secret') secrets.add(used);
  };
  for (const ref of [subject.ref, ...names]) {
    add(ref);
    const called = kindOf(ref) === 'Service' ? [ref] : world.linked(ref, 'calls', 'out', fanOut);
    for (const service of called) for (const pod of world.linked(service, 'selects', 'out', siblingsAsked)) add(pod);
  }
  return secrets;
}

/** The workloads whose Pods name a Service in their templates. */
function clientsOf(service: Ref, world: World): readonly Ref[] {
  const workloads = new Set<Ref>();
  for (const pod of world.linked(service, 'depends-on', 'in', usersOfOne)) workloads.add(workloadOf(world, pod));
  return [...workloads].slice(0, fanOut);
}

/** The policies for what fails, and for the Pods behind the Services that it is, or that its program names. */
function policiesOf({ subject, names }: Finding, world: World): readonly Ref[] {
  const policies = new Set<Ref>();
  for (const by of world.linked(subject.ref, kindOf(subject.ref) === 'Pod' ? 'selects' : 'fronts', 'in', fanOut))
    if (kindOf(by) === 'NetworkPolicy') policies.add(by);
  for (const name of [subject.ref, ...names])
    if (kindOf(name) === 'Service')
      for (const pod of world.linked(name, 'selects', 'out', siblingsAsked))
        for (const by of world.linked(pod, 'selects', 'in', fanOut))
          if (kindOf(by) === 'NetworkPolicy') policies.add(by);
  return [...policies];
}

/** The host of an address outside. */
const hostOf = (ref: Ref): string => nameOf(ref).replace(/:\d+$/, '');

/** The Services that are another name for a host outside; looked for once, as all Services are looked at. */
const aliasesOf = sharedAnswer((endpoint, world): readonly Ref[] => {
  const aliases: Ref[] = [];
  for (const view of world.all('Service'))
    if (view.kind === 'Service' && view.externalName?.toLowerCase() === hostOf(endpoint)) aliases.push(view.ref);
  return aliases;
});

/** Kinds that select Pods which serve or are counted. */
const fronting: ReadonlySet<string> = new Set(['Service', 'PodDisruptionBudget']);

/**
 * The Services that an effect is of, calls or names, or that are another name for a host outside; the workloads behind them, and the settings that
 * the Pods of these use.
 */
function serversOf({ subject, names }: Finding, world: World): readonly Ref[] {
  const client = workloadOf(world, subject.ref);
  const services = [
    ...names.filter((name) => kindOf(name) === 'Service'),
    ...world.linked(subject.ref, 'calls', 'out', fanOut),
  ];
  if (fronting.has(kindOf(subject.ref))) services.push(subject.ref);
  const servers = services.flatMap((service) => workloadsOf(service, client, world));
  const settings = servers
    .flatMap((server) => podsOf(world, server, siblingsAsked))
    .flatMap(({ ref }) => [...world.linked(ref, 'uses', 'out', fanOut)])
    .filter((used) => settingsKinds.includes(kindOf(used)));
  const aliases = [subject.ref, ...names].filter((name) => kindOf(name) === 'ExternalEndpoint');
  return [
    ...new Set([...services, ...servers, ...settings, ...aliases.flatMap((endpoint) => aliasesOf(endpoint, world))]),
  ];
}

/** The accounts that the Pod of a finding runs as, or those Pods of its workload that do not serve. */
function accountsOf(effect: Finding, world: World): readonly Ref[] {
  const accounts = unreadyOf(effect, world).map(({ template }) => template.serviceAccount);
  return [...new Set(accounts)].map((name) => refOf('ServiceAccount', namespaceOf(effect.subject.ref), name));
}

/** The agents of a Node that an effect names, and the Pods of these on the Node that it is, runs on or names. */
function agentsOf({ subject, names }: Finding, world: World): readonly Ref[] {
  const agents = names.filter((name) => kindOf(name) === 'DaemonSet');
  if (agents.length === 0) return [];
  const found = [...agents];
  const named = [subject.ref, ...names].filter((name) => kindOf(name) === 'Node');
  const nodes = [...world.linked(subject.ref, 'runs-on', 'out', 1), ...named];
  for (const node of new Set(nodes))
    for (const pod of world.linked(node, 'runs-on', 'in', podsOfNode)) {
      const owner = podView(world, pod)?.owner;
      if (owner !== undefined && agents.includes(owner)) found.push(pod);
    }
  return found;
}

/** Namespaces in which there is much that has nothing to do with each other. */
const isCommon = (namespace: string): boolean => namespace === 'default' || namespace.startsWith('kube-');

/** The other workloads of a namespace that is an agent's own, and Pods of theirs. */
const neighboursOf = sharedAnswer((agent, world): readonly Ref[] => {
  if (isCommon(namespaceOf(agent))) return [];
  const pods = [...world.podsIn(namespaceOf(agent), podsCounted)];
  const workloads = new Set(pods.map((pod) => workloadOf(world, pod)));
  return [...workloads]
    .filter((workload) => workload !== agent && kindOf(workload) !== 'DaemonSet')
    .flatMap((workload) => [workload, ...podsOf(world, workload, siblingsAsked).map(({ ref }) => ref)]);
});

/** The workloads that an effect names, and their Pods. */
function namedWorkloads(effect: Finding, world: World): readonly Ref[] {
  const workloads = effect.names.filter((name) => longRunning.includes(kindOf(name)) && kindOf(name) !== 'DaemonSet');
  return [
    ...workloads.flatMap((workload) => [workload, ...podsOf(world, workload, siblingsAsked).map(({ ref }) => ref)]),
    ...agentsOf(effect, world),
  ];
}

/** Who serves what fails and is not named by it. */
const unseen = (effect: Finding, world: World): readonly Ref[] => [
  ...agentsBeside(effect, world),
  ...directorsOf(effect, world),
  ...failedMigrations(effect, world),
  ...ignoredWebhooks(effect, world),
];

/** Where it was. */
const placesOf = (effect: Finding, world: World): readonly Ref[] => [
  ...world.linked(effect.subject.ref, 'replaces', 'out', fanOut),
  ...nodesOfEvicted(effect, world),
  ...placesThatCameBack(effect, world),
];

/** Links to what an object is built from, and to it from what makes it or is asked for by it. */
const [buildingOn, makingIt] = [
  ['mounts', 'uses', 'of-class', 'attached-to'],
  ['makes', 'owned-by'],
] as const;

/** What an object is built from, what makes it, and who serves its volumes. */
const builtFrom = (effect: Finding, world: World): readonly Ref[] => {
  const { ref } = effect.subject;
  return [
    ...buildingOn.flatMap((link) => [...world.linked(ref, link, 'out', fanOut)]),
    ...makingIt.flatMap((link) => [...world.linked(ref, link, 'in', fanOut)]),
    ...driversOf(effect, world),
    ...fileServersOf(effect, world),
  ];
};

/** What leads from the object of a finding to others. */
type Way = (effect: Finding, world: World) => readonly Ref[];

/** Each way but the links of the world; what it leads to is said where `Via` lists it. Who runs on a Node runs in its zone. */
const ways: Readonly<Record<Exclude<Via, LinkType> | 'runs-on', Way>> = {
  'runs-on': (effect, world) => [
    ...world.linked(effect.subject.ref, 'runs-on', 'out', fanOut),
    ...zonesOf(effect, world),
  ],
  children: () => [],
  workloads: () => [],
  names: ({ names }) => names,
  shares: ({ shares = [] }) => shares,
  owners: ({ subject }, world) => [subject.ref, ...ownersOf(world, subject.ref)],
  'built-from': builtFrom,
  clients: ({ subject }, world) => clientsOf(subject.ref, world),
  certificates: (effect, world) => [...certificatesOf(effect, world)],
  system: ({ subject }, world) => [...dnsOf(subject.ref, world), ...leaders],
  needed: neededByAny,
  'agents-neighbours': ({ names }, world) =>
    names.filter((name) => kindOf(name) === 'DaemonSet').flatMap((agent) => neighboursOf(agent, world)),
  'named-workloads': namedWorkloads,
  'called-servers': serversOf,
  unseen,
  home: (effect, world) => [
    refOf('Namespace', '', namespaceOf(effect.subject.ref)),
    ...accountsOf(effect, world),
    ...rightsOf(effect, world),
  ],
  reads: (effect, world) =>
    ['CronJob', 'Job'].includes(kindOf(effect.subject.ref))
      ? usedByFailed(effect, world)
      : [...world.linked(effect.subject.ref, 'uses', 'out', fanOut)],
  places: placesOf,
  'traffic-rules': (effect, world) => [...policiesOf(effect, world), ...trafficRules(effect, world)],
};

const isWay = (via: Via): via is Exclude<Via, LinkType> => via in ways;

/** The objects at the other end of a row's link. */
export const reach = ({ via }: Rule, effect: Finding, world: World): readonly Ref[] =>
  isWay(via) ? ways[via](effect, world) : [...world.linked(effect.subject.ref, via, 'out', fanOut)];
