import { kindOf, type Ref } from '../model/ref.ts';
import { backendsOf } from '../world/endpoints.ts';
import { endedAfter } from '../world/facets.ts';
import { given } from '../world/fields.ts';
import { isReady } from '../world/readiness.ts';
import type { ObservedWorld, World } from '../world/world.ts';
import { minWorkloads, newAmong, together, workloadsAmong } from './callers.ts';
import type { LookAgain, NamedDetector, Naming, Problem } from './detector.ts';
import { loginSecretsOf } from './login-secrets.ts';
import { type Failing, givenBy, hostsOf, saidOutside, serversOf, silentUsers, userSample } from './silent-users.ts';

/** Pods behind one Service that are looked at; whoever ended this long (ms) before its clients failed, or later, is not steady. */
const serverSample = 16;
const steadyMs = 10 * 60_000;
/** Of those who use it, this many times as many fail as are ready: what most of them share is not what a few lack. */
const failingPerReady = 2;
/** Nothing tells when those who are ready with it begin to fail; it is looked at again meanwhile (ms). */
const lookMs = 30_000;

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

/** What could be why as well, where that is a host outside: a Service, another host or a Secret. */
const besideHost = (pod: Ref, world: World): readonly Ref[] => [
  ...[...serversOf(pod, world), ...hostsOf(pod, world), ...loginSecretsOf(pod, world)],
];

/** What else all of these are given that could be why: the Services that they name. */
function othersInCommon(failing: readonly Failing[], but: Ref, world: World): readonly Ref[] {
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const of = kindOf(but) === 'ExternalEndpoint' ? besideHost : serversOf;
  const isOther = (ref: Ref): boolean => ref !== but && (kindOf(ref) !== 'Service' || isServed(ref, world));
  const named = of(first.pod, world).filter(isOther);
  return named.filter((ref) => others.every(({ pod }) => of(pod, world).includes(ref)));
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
  const names = [...new Set(failing.flatMap((one) => saidOutside(one, ref, world)))];
  const others = othersInCommon(failing, ref, world).filter((other) => share(readyBeside(other, workloads, world)));
  // Of several things in common nobody can tell which; a Service is more often the one than what is in a Secret.
  if (others.length > 0 && names.length === 0) return again;
  if (kindOf(ref) === 'Service' && !isSteady(ref, first.since, world)) return again;
  const facts = {
    ...{ workloads: workloads.size, pods: new Set(failing.map(({ pod }) => pod)).size },
    ...given({ new: newAmong(failing) || undefined }),
  };
  return { ...again, since: first.since, facts, ...given({ names: names.length > 0 ? names : undefined }) };
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
    'two or more workloads that name a Service which has endpoints, at least twice as many as are ready with it, began to fail within 30 min of each other without an edit of their own, their programs name no other cause, and it is the only such Service that they have in common; one of them is found to fail, the others may only just have stopped being ready',
  isNot:
    'workloads that were edited, that say why they fail, or that share two Services alike; a Service that most who use it work with',
  judge: (ref, naming, world, now) => isServed(ref, world) && judge(ref, naming, world, now),
};

/** A host outside whose clients fail, and do not say, or not all, that it is for that. */
const hostFailing: NamedDetector = {
  ...common,
  id: 'T48',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ClientsFailing', family: 'named', sure: 'likely' }],
  predicate:
    'the same of a host outside the cluster that their templates name, of which some may say that it fails them, and others no more than an address or how they are turned away',
  isNot:
    'workloads that were edited, that say why they fail, or that share a Service, a Secret or another host alike where none of them names this one; a host that most who use it work with',
  judge,
};

/** A Secret whose users fail without saying why. */
const usersFailing: NamedDetector = {
  ...common,
  id: 'T46',
  judges: 'Secret',
  reasons: [{ reason: 'SecretUsersFailing', family: 'named', sure: 'likely' }],
  predicate:
    'two or more workloads that use one Secret, at least twice as many as are ready with it, began to fail within 30 min of each other without an edit of their own, their programs name no other cause, and there is no Service that they have in common; one of them is found to fail, the others may only just have stopped being ready',
  isNot:
    'workloads that were edited, that say why they fail, or that call the same Service; a Secret that only pulls images',
  judge,
};

/** The detectors of what several workloads have in common that fail, and do not say why. */
export const inCommon: readonly NamedDetector[] = [clientsFailing, usersFailing, hostFailing];
