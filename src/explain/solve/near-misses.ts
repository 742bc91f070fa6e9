import type { Proof } from '../../model/explanation.ts';
import type { Finding } from '../../model/finding.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import { isAlike, nearMiss } from '../../model/near-miss.ts';
import { parseQuantity } from '../../model/quantity.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, nameOf, namespaceOf, type Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import type { NodeView } from '../../world/kinds/cluster/node.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { isReady } from '../../world/pods/readiness.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import type { PodTemplate } from '../../world/reading/pod-template.ts';
import { fanOut, podsCounted, siblingsAsked } from '../../world/view/bounds.ts';
import type { World } from '../../world/view/world.ts';
import { familyOf } from '../evidence/families.ts';
import { saysOf } from '../evidence/says.ts';
import { podView, workloadOf, workloadView } from '../evidence/workload.ts';

const maxObjects = 20_000;
const maxNodes = 2000;
/** Near misses that are told of one explanation. */
const most = 2;

/** Links to what an object cannot do without. */
const needs: readonly LinkType[] = ['of-class', 'routes-to', 'scales', 'calls', 'mounts'];

/** What names Secrets for what they hold. */
const ofLogins: ReadonlySet<Reason> = new Set<Reason>([
  ...loggedReasons,
  'ServiceRefusing',
  'ExternalEndpointRefusing',
]);

/** What is written wrong by a slip of the pen, so that what fails just misses what there is; what tells most first. */
export function nearMisses(root: Ref, members: readonly Finding[], world: World): Proof[] {
  const isTelling = ({ reason }: Finding): boolean => familyOf(reason) !== 'consequence';
  const telling = Iterator.from(members).filter(isTelling).take(siblingsAsked).toArray();
  const found = [
    ...[...ofKeys(telling, world), ...ofNames(root, telling, world)],
    ...[...ofNodes(telling, world), ...ofPorts(telling, world)],
  ];
  return found.slice(0, most);
}

/** A key that a Secret or ConfigMap does not have. */
function ofKeys(members: readonly Finding[], world: World): Proof[] {
  for (const { subject, facts, names } of members) {
    const { missingKey } = facts;
    const [of] = names;
    if (typeof missingKey !== 'string' || of === undefined) continue;
    const view = world.get(of);
    const own = typeof view === 'object' && view.kind === 'ConfigMap' ? view.keys : undefined;
    const alike = closest(missingKey, own ?? keysInUse(of, subject.ref, world));
    if (alike !== undefined) return [{ code: 'AlikeKey', of, key: missingKey, alike, isInUse: own === undefined }];
  }
  return [];
}

/** The keys of a Secret that Pods which run were started with: the Secret itself is not read. */
function keysInUse(secret: Ref, pod: Ref, world: World): Iterable<string> {
  const keys = new Set<string>();
  const note = ({ secretKeys = [] }: PodTemplate): void => {
    for (const path of secretKeys) {
      const at = path.indexOf('/');
      if (path.slice(0, at) === nameOf(secret)) keys.add(path.slice(at + 1));
    }
  };
  for (const other of readyPods(world, namespaceOf(secret))) note(other.template);
  // The revision before it may have no Pods any more.
  for (const child of world.linked(workloadOf(world, pod), 'owned-by', 'in', fanOut)) {
    const view = workloadView(world, child);
    if (view && view.ready > 0) note(view.template);
  }
  return keys;
}

function* readyPods(world: World, namespace: string): Iterable<PodView> {
  for (const ref of world.podsIn(namespace, podsCounted)) {
    const pod = podView(world, ref);
    if (pod && isReady(pod)) yield pod;
  }
}

/** An object that does not exist, while one that is called nearly so does, or a namesake in one other namespace. */
function ofNames(root: Ref, members: readonly Finding[], world: World): Proof[] {
  const absent = new Set<Ref>();
  // Secrets are not watched: those that somebody logs in with are there.
  const isUsed = (ref: Ref): boolean =>
    members.some(({ reason, names }) => ofLogins.has(reason) && names.includes(ref));
  const consider = (ref: Ref): void => {
    if (kindOf(ref) === 'Secret' && isUsed(ref)) return;
    // Nobody writes the name of a Node.
    if (kindOf(ref) === 'Node') return;
    if (!absent.has(ref) && world.get(ref) !== 'unknown' && typeof world.get(ref) !== 'object') absent.add(ref);
  };
  consider(root);
  for (const { subject, names } of members) {
    for (const ref of names) consider(ref);
    for (const type of needs) for (const ref of world.linked(subject.ref, type, 'out', fanOut)) consider(ref);
  }
  return [...absent].flatMap((ref) => nameProof(ref, world) ?? []);
}

function nameProof(missing: Ref, world: World): Proof | undefined {
  const kind = kindOf(missing);
  const namespace = namespaceOf(missing);
  const name = nameOf(missing);
  const [names, elsewhere] = [new Set<string>(), new Set<string>()];
  if (kind === 'Secret')
    for (const { template } of readyPods(world, namespace)) for (const secret of template.secrets) names.add(secret);
  let left = maxObjects;
  for (const { ref } of world.all(kind)) {
    if (left-- <= 0) break;
    if (namespaceOf(ref) === namespace) names.add(nameOf(ref));
    else if (nameOf(ref) === name) elsewhere.add(namespaceOf(ref));
  }
  names.delete(name);
  const alike = closest(name, names);
  if (alike !== undefined) return { code: 'AlikeName', missing, alike };
  const [only] = elsewhere;
  return elsewhere.size === 1 && only !== undefined
    ? { code: 'SameNameElsewhere', missing, namespace: only }
    : undefined;
}

/** The first in order of what a person may have meant. */
function closest(wanted: string, names: Iterable<string>): string | undefined {
  let best: string | undefined;
  for (const name of names)
    if (name !== wanted && isAlike(name, wanted) && (best === undefined || name < best)) best = name;
  return best;
}

/** What does not answer at a port that nobody offers. */
const unanswered: ReadonlySet<SignKind> = new Set<SignKind>([
  ...(['ConnectionRefused', 'ConnectionTimedOut', 'ConnectionReset', 'HostUnreachable'] as const),
]);
/** Ports that are told of a Service. */
const mostPorts = 8;

/** A port of a Service that a program names and that the Service does not have. */
function ofPorts(members: readonly Finding[], world: World): Proof[] {
  for (const finding of members)
    for (const { kind, to, target } of saysOf(finding, world)) {
      const service = to !== undefined && unanswered.has(kind) ? world.get(to) : undefined;
      const port = target?.port;
      if (typeof service !== 'object' || service.kind !== 'Service' || port === undefined) continue;
      // What has no selector or is headless may answer at any port of its Pods.
      if (
        service.clusterIP === undefined ||
        service.ports.length === 0 ||
        service.ports.some((each) => each.port === port)
      )
        continue;
      const ports = service.ports.slice(0, mostPorts).map((each) => each.port);
      return [{ code: 'WrongPort', service: service.ref, port, offers: ports }];
    }
  return [];
}

/** A Pod that fits on no Node: it asks for more than any has, or for a label that nearly all of them call otherwise. */
function ofNodes(members: readonly Finding[], world: World): Proof[] {
  const waits = members.find(({ reason }) => reason === 'Unschedulable');
  const pod = waits && podView(world, waits.subject.ref);
  if (!pod || world.get('Node//') === 'unknown') return [];
  const nodes: NodeView[] = [];
  for (const view of Iterator.from(world.all('Node')).take(maxNodes)) if (view.kind === 'Node') nodes.push(view);
  return [...tooLarge(pod, nodes), ...selectorMiss(pod, nodes)];
}

const resources = [
  ['CPU', 'cpuRequest', 'cpu'],
  ['memory', 'memoryRequest', 'memory'],
] as const;

function tooLarge({ template }: PodView, nodes: readonly NodeView[]): Proof[] {
  for (const [resource, asked, has] of resources) {
    const lasting = template.containers.filter(({ role }) => role !== 'init');
    const asks = lasting.reduce((sum, container) => sum + (parseQuantity(container[asked] ?? '') ?? 0), 0);
    const sizes = nodes.map(({ allocatable }) => parseQuantity(allocatable?.[has] ?? '') ?? Number.POSITIVE_INFINITY);
    const largest = sizes.reduce((most, size) => Math.max(most, size), 0);
    if (nodes.length > 0 && asks > largest) return [{ code: 'LargerThanNodes', resource, asks, largest }];
  }
  return [];
}

function selectorMiss({ template }: PodView, nodes: readonly NodeView[]): Proof[] {
  for (const [key, value] of Object.entries(template.nodeSelector)) {
    if (nodes.some(({ labels }) => labels[key] === value)) continue;
    for (const { labels } of nodes) {
      const miss = nearMiss({ [key]: value }, labels);
      if (miss) return [{ code: 'AlikeLabel', ...miss }];
    }
  }
  return [];
}
