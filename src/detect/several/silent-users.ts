import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import { kindOf, nameOf, type Ref, refOf } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { SignKind } from '../../model/sign.ts';
import { refusedSigns } from '../../model/sign-groups.ts';
import type { PodView } from '../../world/kinds/workloads/pod.ts';
import { lastEnd } from '../../world/memory/facets.ts';
import { isReady, readySince } from '../../world/pods/readiness.ts';
import type { LinkType } from '../../world/reading/link-type.ts';
import { fanOut, leadMs, recentMs, usersOfOne } from '../../world/view/bounds.ts';
import type { ObservedWorld, PlacedSign, World } from '../../world/view/world.ts';
import { conditionOf } from '../kit/conditions.ts';
import type { Naming } from '../kit/detector.ts';
import { nodeNamed } from '../kit/exemptions.ts';
import { loginSecretsOf, ofAccount } from './login-secrets.ts';
import { podsOf, saidOf } from './said.ts';

/** Who was ready for so long (ms), and is not since about when others began to fail (ms), fails with them, though it is no finding yet. */
const [servedMs, besideMs] = [leadMs, 2 * leadMs];

const explained: ReadonlySet<Reason> = new Set(loggedReasons);

/** Words that tell what went wrong, or how somebody answered, and not who it is. */
const vague: ReadonlySet<SignKind> = new Set<SignKind>([
  ...(['Panic', 'UncaughtException', 'ConnectionRefused', 'ConnectionTimedOut', 'ConnectionReset'] as const),
  ...(['HostUnreachable', 'ServiceUnavailable', 'RateLimited', 'TooManyConnections', 'LockHeld'] as const),
  ...(['RequestRefused', 'CallFailed', 'AccessForbidden', 'SchemaMismatch'] as const),
]);

/** Whether it is known what a program says: its log was read, or it left a message. What has not been read may say it yet. */
function hasSpoken(ref: Ref, world: World): boolean {
  const pod = world.get(ref);
  if (typeof pod !== 'object' || pod.kind !== 'Pod') return false;
  return (
    world.lastWords(ref) !== undefined || pod.containers.some((container) => (lastEnd(container)?.message ?? '') !== '')
  );
}

/** Whether what a program says leaves open what is the cause: whom it names, other detectors judge, and what an account may not do. */
const leavesOpen = ({ kind, to, target, name = '' }: PlacedSign): boolean =>
  to === undefined && target === undefined && vague.has(kind) && !ofAccount.test(name);

/** The host of an address outside, without its port. */
const hostOf = (endpoint: Ref): string => nameOf(endpoint).replace(/:\d+$/, '');
const isAddress = (host: string): boolean => /^[\d.]+$/.test(host) || host.includes(':');

/** Whom a sign names, where that is an address outside. */
const outsideOf = ({ to }: PlacedSign): string | undefined =>
  to !== undefined && kindOf(to) === 'ExternalEndpoint' ? hostOf(to) : undefined;

/**
 * Whether what a program says leaves open that it is a host outside which it is given: it names nobody, that host, or an address, of which
 * nobody here knows whose it is.
 */
function leavesOpenOf(host: string): (sign: PlacedSign) => boolean {
  return (sign) => {
    const named = outsideOf(sign);
    if (named !== undefined) return named === host || isAddress(named);
    return leavesOpen(sign) || (sign.to === undefined && sign.target === undefined && refusedSigns.includes(sign.kind));
  };
}

/** The same of any object. */
const leavesOpenFor = (ref: Ref): ((sign: PlacedSign) => boolean) =>
  kindOf(ref) === 'ExternalEndpoint' ? leavesOpenOf(nameOf(ref)) : leavesOpen;

/** Where on a host outside the program of a failing Pod says that it was. */
export const saidOutside = ({ pod, since }: Failing, host: Ref, world: World): readonly Ref[] =>
  saidOf(pod, since, world).flatMap((sign) => (outsideOf(sign) === nameOf(host) && sign.to ? [sign.to] : []));

/** The Services that a Pod's template names. */
export const serversOf = (pod: Ref, world: World): readonly Ref[] => [
  ...world.linked(pod, 'depends-on', 'out', fanOut),
];
/** The hosts outside that it names. */
export const hostsOf = (pod: Ref, world: World): readonly Ref[] => [...world.linked(pod, 'asks', 'out', fanOut)];

/**
 * What the Pods of a finding are given and others may be, too: it may fail for that, where its programs can say why and say nothing of the
 * kind. `undefined`: nothing.
 */
export function sharedNames(
  { ref, reason, since, scope }: Pick<Finding, 'reason' | 'since' | 'scope'> & { readonly ref: Ref },
  world: World,
): readonly Ref[] | undefined {
  const [pod] = explained.has(reason) ? podsOf(ref, world).filter((one) => hasSpoken(one, world)) : [];
  if (pod === undefined) return undefined;
  const said = saidOf(ref, since, world, scope);
  const given = said.every(leavesOpen) ? [...serversOf(pod, world), ...loginSecretsOf(pod, world)] : [];
  const hosts = hostsOf(pod, world).filter((host) => said.every(leavesOpenFor(host)));
  const shares = [...given, ...hosts].slice(0, fanOut);
  return shares.length > 0 ? shares : undefined;
}

/** A Pod that fails, of which workload it is, and since when (epoch milliseconds). */
export type Failing = {
  readonly pod: Ref;
  readonly workload: Ref;
  readonly since: number;
  /** It has only just stopped being ready: there is no finding of it yet. */
  readonly isNew?: true;
};

/** What decides about a Pod besides its workload: the settings that it uses, and the policies about its traffic. */
const isOfPod: ReadonlySet<string> = new Set([...settingsKinds, 'NetworkPolicy']);

/** Whether a workload, or what decides about its Pod, was edited before it failed; that it was only started anew changes nothing. */
export function wasEdited({ pod, workload, since }: Failing, world: World): boolean {
  const about = [...world.linked(pod, 'uses', 'out', fanOut), ...world.linked(pod, 'selects', 'in', fanOut)];
  return [workload, ...about.filter((ref) => isOfPod.has(kindOf(ref)))].some((ref) =>
    world.changes(ref, since - recentMs).some(({ at, field }) => at <= since && field !== 'metadata'),
  );
}

/** How Pods are given an object. */
export function givenBy(ref: Ref): LinkType {
  if (kindOf(ref) === 'Service') return 'depends-on';
  return kindOf(ref) === 'ExternalEndpoint' ? 'asks' : 'uses';
}

/** Remembers of each workload whether it was edited: a thousand replicas ask once. */
function editedIn(world: World): (one: Failing) => boolean {
  const known = new Map<Ref, boolean>();
  return (one) => {
    const isEdited = known.get(one.workload) ?? wasEdited(one, world);
    known.set(one.workload, isEdited);
    return isEdited;
  };
}

/** Those that use an object and have findings that neither say a cause of their own nor come after an edit of theirs. */
function silentFindings(ref: Ref, naming: Naming, world: ObservedWorld): Failing[] {
  const failing: Failing[] = [];
  const isEdited = editedIn(world);
  for (const [subject, findings] of Iterator.from(naming).take(usersOfOne)) {
    const silent = findings.filter(({ shares }) => shares?.includes(ref));
    const [first] = silent;
    if (first === undefined) continue;
    const since = earliest(silent.map((finding) => finding.since));
    for (const pod of podsOf(subject, world)) {
      if (!hasSpoken(pod, world) || !saidOf(pod, since, world, first.scope).every(leavesOpenFor(ref))) continue;
      const one = { pod, workload: world.topOwner(subject), since };
      if (!isEdited(one)) failing.push(one);
    }
  }
  return failing;
}

/** Whether the machine of a Pod is well, as far as is seen: of a lost one the control plane says that none of its Pods is ready. */
function isOnWellNode({ node: name }: PodView, world: ObservedWorld): boolean {
  const node = nodeNamed(world, name);
  return typeof node !== 'object' || conditionOf(node, 'Ready')?.status === 'True';
}

/** Those that use an object and stopped being ready about when others that do began to fail: they are no findings for a minute or two. */
function newlyUnready(ref: Ref, since: number, world: ObservedWorld): Failing[] {
  const failing: Failing[] = [];
  const isEdited = editedIn(world);
  for (const pod of world.linked(ref, givenBy(ref), 'in', usersOfOne)) {
    const view = world.get(pod);
    if (typeof view !== 'object' || view.kind !== 'Pod') continue;
    if (view.phase !== 'Running' || isReady(view) || view.deletionAt !== undefined) continue;
    const lost = readySince(view);
    if (lost < view.createdAt + servedMs || Math.abs(lost - since) > besideMs || !isOnWellNode(view, world)) continue;
    const one = { pod, workload: world.topOwner(pod), since: lost, isNew: true } as const;
    if (saidOf(pod, lost, world).every(leavesOpenFor(ref)) && !isEdited(one)) failing.push(one);
  }
  return failing;
}

/** Those that use an object, fail, and neither say a cause of their own nor have been edited, by when they began. */
export function silentUsers(ref: Ref, naming: Naming, world: ObservedWorld): readonly Failing[] {
  const byTime = (a: Failing, b: Failing): number => a.since - b.since || (a.pod < b.pod ? -1 : 1);
  const failing = silentFindings(ref, naming, world).sort(byTime);
  if (naming.size === 0) return failing;
  const sample = Iterator.from(naming.values()).take(usersOfOne).toArray().flat();
  const since = failing[0]?.since ?? earliest(sample.map((finding) => finding.since));
  const others = newlyUnready(ref, since, world);
  if (others.length === 0) return failing;
  // Thousands may name it: whose they are is asked only where somebody else may be new.
  const known = new Set(Iterator.from(naming.keys()).map((subject) => world.topOwner(subject)));
  return [...failing, ...others.filter(({ workload }) => !known.has(workload))].sort(byTime);
}

/** Workloads that are configured with an external host, and stopped being ready around the time when others said that it fails. */
export function beside(
  endpoint: Ref,
  since: number,
  known: ReadonlySet<Ref>,
  world: ObservedWorld,
): readonly Failing[] {
  if (kindOf(endpoint) !== 'ExternalEndpoint') return [];
  const others = newlyUnready(refOf('ExternalEndpoint', '', hostOf(endpoint)), since, world);
  return others.filter(({ workload }) => !known.has(workload));
}
