import type { Finding } from '../../model/finding.ts';
import { earliest } from '../../model/instants.ts';
import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { registryHost, repositoryOf } from '../../world/pods/image.ts';
import { given } from '../../world/reading/fields.ts';
import { leadMs, podsOfWorkload, settledMs, usersOfOne } from '../../world/view/bounds.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { NamedDetector, Naming, Problem } from '../kit/detector.ts';
import { minWorkloads } from './callers.ts';

/** The findings of failing pulls with one of these causes (`pullCause`), ordered by subject. */
function failingWith(naming: Naming, causes: readonly string[]): readonly Finding[] {
  const failing: Finding[] = [];
  for (const findings of naming.values())
    for (const finding of findings) if (causes.includes(String(finding.facts.pullCause))) failing.push(finding);
  return failing.sort((a, b) => (a.subject.ref < b.subject.ref ? -1 : a.subject.ref > b.subject.ref ? 1 : 0));
}

function workloadsOf(failing: readonly Finding[], world: ObservedWorld): number {
  return new Set(failing.map(({ subject }) => world.topOwner(subject.ref))).size;
}

/** What several workloads say of a registry. */
function problemOf(ref: Ref, failing: readonly Finding[], world: ObservedWorld): Problem {
  const workloads = workloadsOf(failing, world);
  const [first] = failing;
  return {
    since: earliest(failing.map(({ since }) => since)),
    facts: {
      ...{ registry: nameOf(ref), workloads, pullCause: first?.facts.pullCause ?? '' },
      pods: new Set(failing.map(({ subject }) => subject.ref)).size,
    },
    ...given({ detail: first?.detail }),
  };
}

/** Whether a sibling that is as new runs the image on another Node, and none waits for it there: it is not the registry that gives it to nobody. */
function isHadElsewhere({ subject, facts }: Finding, world: ObservedWorld): boolean {
  const own = world.get(subject.ref);
  if (typeof own !== 'object' || own.kind !== 'Pod' || own.owner === undefined) return false;
  const [running, waiting] = [new Set<string>(), new Set<string>()];
  for (const ref of world.linked(own.owner, 'owned-by', 'in', podsOfWorkload)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.node === own.node || pod.node === undefined) continue;
    if (pod.createdAt < own.createdAt - settledMs) return false;
    for (const { name, running: run, terminated, waiting: waits } of pod.containers) {
      if (pod.template.containers.find((each) => each.name === name)?.image !== facts.image) continue;
      if ((run ?? terminated) !== undefined) running.add(pod.node);
      else if (waits?.reason === 'ErrImagePull' || waits?.reason === 'ImagePullBackOff') waiting.add(pod.node);
    }
  }
  return running.size > 0 && waiting.size === 0;
}

/** The pull secret that all of these bring, where each brings one alone. */
function secretInCommon(failing: readonly Finding[]): Ref | undefined {
  const secrets = failing.map(({ names }) => names.find((name) => kindOf(name) === 'Secret'));
  const [first] = secrets;
  return secrets.every((secret) => secret === first) ? first : undefined;
}

/** Whether Pods that run from the registry came to it without a pull secret, or with others. */
function isUsedWithout(secret: Ref, registry: Ref, world: ObservedWorld): boolean {
  for (const ref of world.linked(registry, 'pulls', 'in', usersOfOne)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod' || pod.phase !== 'Running') continue;
    const brings = (pod.template.pullSecrets ?? []).map((name) => refOf('Secret', namespaceOf(ref), name));
    if (!brings.includes(secret)) return true;
  }
  return false;
}

/** Repositories of a registry that containers run or ran from, by when the newest of them started (epoch milliseconds). */
function servedBy(registry: Ref, world: ObservedWorld): Map<string, number> {
  const served = new Map<string, number>();
  for (const ref of world.linked(registry, 'pulls', 'in', usersOfOne)) {
    const pod = world.get(ref);
    if (typeof pod !== 'object' || pod.kind !== 'Pod') continue;
    for (const { name, running, terminated, last } of pod.containers) {
      const image = pod.template.containers.find((template) => template.name === name)?.image ?? '';
      const startedAt = (running ?? terminated ?? last)?.startedAt;
      if (startedAt === undefined || registryHost(image) !== nameOf(registry)) continue;
      const repository = repositoryOf(image);
      served.set(repository, Math.max(startedAt, served.get(repository) ?? 0));
    }
  }
  return served;
}

/** Why pulls fail that a registry refuses (`pullCause`). */
const refusals = ['rateLimit', 'denied', 'maybeDenied'];

const repositoryIn = ({ facts }: Finding): string => repositoryOf(String(facts.image));

/** Those that are refused: of "does not exist or may require authorization" the former is no answer where it served the repository. */
function deniedBy(naming: Naming, served: ReadonlyMap<string, number>): readonly Finding[] {
  return failingWith(naming, ['denied', 'maybeDenied']).filter(
    (finding) => finding.facts.pullCause === 'denied' || served.has(repositoryIn(finding)),
  );
}

/**
 * Whether it is the registry that refuses, or the account that all share, rather than images that nobody here may pull. For
 * it: several repositories are refused that were to be had before, or nothing at all comes from it. Against it: another
 * repository was served since.
 */
function refusesAll(denied: readonly Finding[], served: ReadonlyMap<string, number>): boolean {
  const repositories = new Set(denied.map(repositoryIn));
  if (repositories.size < 2) return false;
  const since = earliest(denied.map((finding) => finding.since));
  const others = [...served].filter(([repository]) => !repositories.has(repository));
  if (others.length === 0) return true;
  const lost = [...repositories].filter((repository) => served.has(repository));
  return lost.length >= 2 && others.every(([, startedAt]) => startedAt < since);
}

const registryUnreachable: NamedDetector = {
  id: 'P6',
  judges: 'Registry',
  reasons: [{ reason: 'RegistryUnreachable', family: 'named', sure: 'high' }],
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  source: 'the messages of failing pulls of two or more workloads',
  predicate:
    'two or more workloads cannot pull from a registry because it cannot be reached, fails, sends something else than it should, or has no valid certificate',
  clears: 'fewer than two workloads fail to pull for it',
  symptom: 'start',
  patience: 'as long as the incident takes to settle',
  isNot: 'the trouble of one workload with its own image',
  judge: (ref, naming, world) => {
    const failing = failingWith(naming, ['certificate', 'dns', 'network', 'server', 'corrupt']);
    return workloadsOf(failing, world) >= minWorkloads && problemOf(ref, failing, world);
  },
};

const registryDenied: NamedDetector = {
  id: 'P6',
  judges: 'Registry',
  reasons: [{ reason: 'RegistryDenied', family: 'named', sure: 'high' }],
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  source: 'the messages of failing pulls of two or more workloads; containers that run from the registry',
  predicate:
    'a registry refuses two or more workloads by its rate limit, or two or more repositories that it served before or of which it serves no other',
  clears: 'fewer are refused, or another repository is served',
  symptom: 'start',
  patience: 'as long as the incident takes to settle',
  isNot:
    'two images that nobody here may pull, while others come from the same registry; whom it refuses with one pull secret, while others come with another; images that new siblings have on other Nodes',
  judge: (ref, naming, world, now) => {
    if (workloadsOf(failingWith(naming, refusals), world) < minWorkloads) return false;
    const limited = failingWith(naming, ['rateLimit']);
    const served = servedBy(ref, world);
    const denied = deniedBy(naming, served).filter((finding) => !isHadElsewhere(finding, world));
    const shared = secretInCommon(denied);
    // Whom it refuses have their credentials in common, and others come with other ones.
    if (limited.length === 0 && shared !== undefined && isUsedWithout(shared, ref, world))
      return { lookAgainAt: now + leadMs };
    const failing = [...limited, ...denied];
    if (workloadsOf(failing, world) < minWorkloads) return false;
    const lookAgainAt = now + leadMs;
    const refuses = workloadsOf(limited, world) >= minWorkloads || refusesAll(denied, served);
    return refuses ? { ...problemOf(ref, failing, world), lookAgainAt } : { lookAgainAt };
  },
};

/** Image registries. */
export const registryDetectors: readonly NamedDetector[] = [registryDenied, registryUnreachable];
