import type { Finding } from '../model/finding.ts';
import { earliest } from '../model/instants.ts';
import { loggedReasons } from '../model/logged-reasons.ts';
import type { Reason } from '../model/reason.ts';
import { kindOf, type Ref } from '../model/ref.ts';
import type { SignKind } from '../model/sign.ts';
import { backendsOf } from '../world/endpoints.ts';
import { endedAfter, lastEnd } from '../world/facets.ts';
import { given } from '../world/fields.ts';
import type { LinkType } from '../world/link-type.ts';
import { isReady, readySince } from '../world/readiness.ts';
import type { ObservedWorld, PlacedSign, World } from '../world/world.ts';
import { minWorkloads, newAmong, together, workloadsAmong } from './callers.ts';
import type { LookAgain, NamedDetector, Naming, Problem } from './detector.ts';
import { loginSecretsOf, ofAccount } from './login-secrets.ts';
import { podsOf, saidOf } from './said.ts';

/** What was edited so long (ms) before it failed may fail for that. */
const ownEditMs = 30 * 60_000;
/** Pods that use one object and are looked at, and those that fail. */
const userSample = 512;
const failingSample = 256;
/** Services and Secrets of one Pod. */
const maxNamed = 32;
/** Pods behind one Service that are looked at; whoever ended this long (ms) before its clients failed, or later, is not steady. */
const serverSample = 16;
const steadyMs = 10 * 60_000;
/** Of those who use it, this many times as many fail as are ready: what most of them share is not what a few lack. */
const failingPerReady = 2;
/** Who was ready for so long (ms), and is not since about when others began to fail (ms), fails with them, though it is no finding yet. */
const [servedMs, besideMs] = [60_000, 2 * 60_000];
/** Nothing tells when those who are ready with it begin to fail; it is looked at again meanwhile (ms). */
const lookMs = 30_000;

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
  return world.isRead(ref) || pod.containers.some((container) => (lastEnd(container)?.message ?? '') !== '');
}

/** Whether what a program says leaves open what is the cause: whom it names, other detectors judge, and what an account may not do. */
const leavesOpen = ({ kind, to, target, name = '' }: PlacedSign): boolean =>
  to === undefined && target === undefined && vague.has(kind) && !ofAccount.test(name);

/** The Services that a Pod's template names. */
const serversOf = (pod: Ref, world: World): readonly Ref[] => [...world.linked(pod, 'depends-on', 'out', maxNamed)];

/**
 * What the Pods of a finding are given and others may be, too: it may fail for that, where its programs can say why and say nothing of the
 * kind. `undefined`: nothing.
 */
export function sharedNames(
  { ref, reason, since, scope }: Pick<Finding, 'reason' | 'since' | 'scope'> & { readonly ref: Ref },
  world: World,
): readonly Ref[] | undefined {
  if (!explained.has(reason) || !saidOf(ref, since, world, scope).every(leavesOpen)) return undefined;
  const [pod] = podsOf(ref, world).filter((one) => hasSpoken(one, world));
  const shares = pod ? [...serversOf(pod, world), ...loginSecretsOf(pod, world)].slice(0, maxNamed) : [];
  return shares.length > 0 ? shares : undefined;
}

/** A Pod that fails, of which workload it is, and since when (epoch milliseconds). */
type Failing = {
  readonly pod: Ref;
  readonly workload: Ref;
  readonly since: number;
  /** It has only just stopped being ready: there is no finding of it yet. */
  readonly isNew?: true;
};

/** Whether a workload, or a ConfigMap that its Pod uses, was edited before it failed; that it was only started anew changes nothing. */
function wasEdited({ pod, workload, since }: Failing, world: World): boolean {
  const used = [...world.linked(pod, 'uses', 'out', maxNamed)].filter((ref) => kindOf(ref) === 'ConfigMap');
  return [workload, ...used].some((ref) =>
    world.changes(ref, since - ownEditMs).some(({ at, field }) => at <= since && field !== 'metadata'),
  );
}

/** How Pods are given an object. */
const givenBy = (ref: Ref): LinkType => (kindOf(ref) === 'Service' ? 'depends-on' : 'uses');

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
  for (const [subject, findings] of Iterator.from(naming).take(failingSample)) {
    const silent = findings.filter(({ shares }) => shares?.includes(ref));
    const [first] = silent;
    if (first === undefined) continue;
    const since = earliest(silent.map((finding) => finding.since));
    for (const pod of podsOf(subject, world)) {
      if (!hasSpoken(pod, world) || !saidOf(pod, since, world, first.scope).every(leavesOpen)) continue;
      const one = { pod, workload: world.topOwner(subject), since };
      if (!isEdited(one)) failing.push(one);
    }
  }
  return failing;
}

/** Those that use an object and stopped being ready about when others that do began to fail: they are no findings for a minute or two. */
function newlyUnready(ref: Ref, since: number, world: ObservedWorld): Failing[] {
  const failing: Failing[] = [];
  const isEdited = editedIn(world);
  for (const pod of world.linked(ref, givenBy(ref), 'in', userSample)) {
    const view = world.get(pod);
    if (typeof view !== 'object' || view.kind !== 'Pod') continue;
    if (view.phase !== 'Running' || isReady(view) || view.deletionAt !== undefined) continue;
    const lost = readySince(view);
    if (lost < view.createdAt + servedMs || Math.abs(lost - since) > besideMs) continue;
    const one = { pod, workload: world.topOwner(pod), since: lost, isNew: true } as const;
    if (saidOf(pod, lost, world).every(leavesOpen) && !isEdited(one)) failing.push(one);
  }
  return failing;
}

/** Those that use an object, fail, and neither say a cause of their own nor have been edited, by when they began. */
export function silentUsers(ref: Ref, naming: Naming, world: ObservedWorld): readonly Failing[] {
  const byTime = (a: Failing, b: Failing): number => a.since - b.since || (a.pod < b.pod ? -1 : 1);
  const failing = silentFindings(ref, naming, world).sort(byTime);
  if (naming.size === 0) return failing;
  const sample = Iterator.from(naming.values()).take(failingSample).toArray().flat();
  const since = failing[0]?.since ?? earliest(sample.map((finding) => finding.since));
  const others = newlyUnready(ref, since, world);
  if (others.length === 0) return failing;
  // Thousands may name it: whose they are is asked only where somebody else may be new.
  const known = new Set(Iterator.from(naming.keys()).map((subject) => world.topOwner(subject)));
  return [...failing, ...others.filter(({ workload }) => !known.has(workload))].sort(byTime);
}

/** Of which other workloads that use an object all Pods are ready. */
function readyBeside(ref: Ref, failing: ReadonlySet<Ref>, world: ObservedWorld): number {
  const [ready, other] = [new Set<Ref>(), new Set<Ref>()];
  for (const pod of world.linked(ref, givenBy(ref), 'in', userSample)) {
    const view = world.get(pod);
    if (typeof view !== 'object' || view.kind !== 'Pod' || view.phase === 'Succeeded') continue;
    (isReady(view) ? ready : other).add(world.topOwner(pod));
  }
  return ready.difference(other).difference(failing).size;
}

/** Whether a Service answers, as far as is seen: of one that nobody is behind other detectors tell. */
const isServed = (service: Ref, world: World): boolean => (backendsOf(service, world)?.ready ?? 0) > 0;

/** Whether the Pods behind a Service have been up all the while: of those that crash or are not ready other detectors tell. */
export function isSteady(service: Ref, since: number, world: World): boolean {
  for (const ref of world.linked(service, 'selects', 'out', serverSample)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    const ended = pod.containers.some((container) => endedAfter(container, since - steadyMs));
    if (ended || !isReady(pod)) return false;
  }
  return true;
}

/** The Services that all of these name, but for one. */
function serversInCommon(failing: readonly Failing[], but: Ref, world: World): readonly Ref[] {
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const named = serversOf(first.pod, world).filter((ref) => ref !== but && isServed(ref, world));
  return named.filter((ref) => others.every(({ pod }) => serversOf(pod, world).includes(ref)));
}

function judge(ref: Ref, naming: Naming, world: ObservedWorld, now: number): Problem | LookAgain | false {
  const failing = together(silentUsers(ref, naming, world), minWorkloads);
  const [first] = failing;
  if (first === undefined || failing.every(({ isNew }) => isNew)) return false;
  const workloads = workloadsAmong(failing);
  const ready = readyBeside(ref, workloads, world);
  const share = (beside: number): boolean => beside * failingPerReady <= workloads.size;
  const again = { lookAgainAt: now + lookMs };
  if (!share(ready)) return again;
  const others = serversInCommon(failing, ref, world).filter((other) => share(readyBeside(other, workloads, world)));
  // Of several things in common nobody can tell which; a Service is more often the one than what is in a Secret.
  if (others.length > 0) return again;
  if (kindOf(ref) === 'Service' && !isSteady(ref, first.since, world)) return again;
  const facts = {
    ...{ workloads: workloads.size, pods: new Set(failing.map(({ pod }) => pod)).size },
    ...given({ new: newAmong(failing) || undefined }),
  };
  return { ...again, since: first.since, facts };
}

const common = {
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  symptom: 'restart',
  source:
    'the Services and Secrets that the templates of Pods name; the last log lines of containers that fail (`src/signs/`)',
  clears: 'fewer than two workloads fail so',
  patience: 'as long as the incident takes to settle',
} as const;

/** A server that is up, and whose clients fail without saying why. */
const clientsFailing: NamedDetector = {
  ...common,
  id: 'T45',
  judges: 'Service',
  reasons: [{ reason: 'ClientsFailing', family: 'named', sure: 'likely' }],
  predicate:
    'two or more workloads that name a Service which has endpoints, at least twice as many as are ready with it, began to fail within 30 min of each other without an edit of their own, their programs tell no other cause, and it is the only such Service that they have in common; one of them is found to fail, the others may only just have stopped being ready',
  isNot:
    'workloads that were edited, that say why they fail, or that share two Services alike; a Service that most who use it work with',
  judge: (ref, naming, world, now) => isServed(ref, world) && judge(ref, naming, world, now),
};

/** A Secret whose users fail without saying why. */
const usersFailing: NamedDetector = {
  ...common,
  id: 'T46',
  judges: 'Secret',
  reasons: [{ reason: 'SecretUsersFailing', family: 'named', sure: 'likely' }],
  predicate:
    'two or more workloads that use one Secret, at least twice as many as are ready with it, began to fail within 30 min of each other without an edit of their own, their programs tell no other cause, and there is no Service that they have in common; one of them is found to fail, the others may only just have stopped being ready',
  isNot:
    'workloads that were edited, that say why they fail, or that call the same Service; a Secret that only pulls images',
  judge,
};

/** The detectors of what several workloads have in common that fail, and do not say why. */
export const inCommon: readonly NamedDetector[] = [clientsFailing, usersFailing];
