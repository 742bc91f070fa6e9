import { kindOf, type Ref } from '../../model/ref.ts';
import { bareSigns } from '../../model/sign-groups.ts';
import { endedAfter } from '../../world/memory/facets.ts';
import { isSameSaid, shapeOf, speaksOf } from '../../world/memory/last-words.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { given } from '../../world/reading/fields.ts';
import { strangers as enoughStrangers, fanOut, settledMs, togetherMs, usersOfOne } from '../../world/view/bounds.ts';
import { backendsOf } from '../../world/view/endpoints.ts';
import type { ObservedWorld, World } from '../../world/view/world.ts';
import type { LookAgain, NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { minWorkloads, newAmong, saidIn, together, workloadsAmong } from './callers.ts';
import { loginSecretsOf } from './login-secrets.ts';
import { type Failing, givenBy, hostsOf, saidOutside, serversOf, silentUsers, wasEdited } from './silent-users.ts';

/** Of those who use it, this many times as many fail as are ready: what most of them share is not what a few lack. */
const failingPerReady = 2;
/** Nothing tells when those who are ready with it begin to fail; it is looked at again meanwhile (ms). */
const lookMs = 30_000;

/** Of which other workloads that use an object all Pods are ready. */
function readyBeside(ref: Ref, failing: ReadonlySet<Ref>, world: ObservedWorld): number {
  const [ready, other] = [new Set<Ref>(), new Set<Ref>()];
  for (const pod of world.linked(ref, givenBy(ref), 'in', usersOfOne)) {
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
  for (const ref of world.linked(service, 'selects', 'out', fanOut)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    const ended = pod.containers.some((container) => endedAfter(container, since - settledMs));
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

/** What a program says of its end, in words. Empty: nothing. */
const wordsOf = ({ pod }: Failing, world: World): string => {
  const [sign] = world.signs(pod);
  return sign ? shapeOf(sign.line, [pod]) : (world.lastWords(pod) ?? '');
};

/** Whether who is behind a Service, or what that reads, was edited shortly before its clients failed. */
function isEditedServer(ref: Ref, since: number, world: World): boolean {
  if (kindOf(ref) !== 'Service') return false;
  const servers = Iterator.from(world.linked(ref, 'selects', 'out', fanOut));
  return servers.some((pod) => wasEdited({ pod, workload: world.topOwner(pod), since }, world));
}

/** Some who fail together; `atOnce`: as soon as their server was edited, whatever each of them says. */
type Strangers = { readonly failing: readonly Failing[]; readonly atOnce?: 'edited' };

/**
 * Those of strangers who fail together, and of whom nobody says something else: two say the same, or both speak of what they share; or three
 * say nothing. Who says something of its own has a reason of its own, also where nobody can read it; but for three at once whose server was
 * edited just before.
 */
function strangers(ref: Ref, failing: readonly Failing[], world: World): Strangers {
  const said = failing.map((one) => ({ one, words: wordsOf(one, world), kind: world.signs(one.pod)[0]?.kind }));
  const agreesWith = (a: (typeof said)[number]) => (b: (typeof said)[number]) =>
    a.one.workload !== b.one.workload &&
    b.words !== '' &&
    (isSameSaid(a.words, b.words) ||
      (speaksOf(ref, a.words) && speaksOf(ref, b.words)) ||
      (a.kind !== undefined && a.kind === b.kind && !bareSigns.includes(a.kind)));
  const agreeing = said.filter((each) => each.words !== '' && said.some(agreesWith(each)));
  const silent = said.filter(({ words }) => words === '');
  const all = failing.filter((one) => [...agreeing, ...silent].some((each) => each.one === one));
  if (agreeing.length > 0) return { failing: together(all, minWorkloads) };
  const [first, ...others] = together(failing, enoughStrangers, togetherMs);
  if (first !== undefined && isEditedServer(ref, first.since, world))
    return { failing: [first, ...others], atOnce: 'edited' };
  return { failing: together(all, enoughStrangers, togetherMs) };
}

function judge(ref: Ref, naming: Naming, world: ObservedWorld, now: number): Problem | LookAgain | false {
  const { failing, atOnce } = strangers(ref, silentUsers(ref, naming, world), world);
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
    ...given({ new: newAmong(failing) || undefined, atOnce }),
  };
  const told = { ...again, since: first.since, facts, ...saidIn(failing.map(({ pod }) => pod)) };
  return { ...told, ...given({ names: names.length > 0 ? names : undefined }) };
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
    'two or more workloads that use the same Service, which has endpoints, began to fail within 30 min of each other without an edit of their own, and their programs end with the same words or with words about that Service (or three did within 3 min without any words). They share no other such Service, and at least twice as many of its users fail as are ready',
  isNot:
    'workloads that were edited, that say why they fail, that end each with words of its own, also where nobody can read them, or that share two Services alike; a Service that most who use it work with',
  judge: (ref, naming, world, now) => isServed(ref, world) && judge(ref, naming, world, now),
};

/** A host outside whose clients fail, and do not say, or not all, that it is for that. */
const hostFailing: NamedDetector = {
  ...common,
  id: 'T48',
  judges: 'ExternalEndpoint',
  reasons: [{ reason: 'ClientsFailing', family: 'named', sure: 'likely' }],
  predicate:
    'two or more workloads whose templates name the same host outside the cluster began to fail within 30 min of each other without an edit of their own, and end with the same words or with words about that host; some may quote no more than an address or a refusal',
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
    'two or more workloads that use one Secret, at least twice as many as are ready with it, began to fail within 30 min of each other without an edit of their own and end with the same words, or with words that speak of the Secret, or three within 3 min without any; there is no Service that they have in common, and others may only just have stopped being ready',
  isNot:
    'workloads that were edited, that say why they fail, that end each with words of its own, or that call the same Service; a Secret that only pulls images',
  judge,
};

/** The detectors of what several workloads have in common that fail, and do not say why. */
export const inCommon: readonly NamedDetector[] = [clientsFailing, usersFailing, hostFailing];
