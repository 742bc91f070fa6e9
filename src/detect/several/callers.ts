import { earliest } from '../../model/instants.ts';
import { namespaceOf, type Ref } from '../../model/ref.ts';
import { given } from '../../world/reading/fields.ts';
import { recentMs, usersOfOne } from '../../world/view/bounds.ts';
import type { ObservedWorld, PlacedSign } from '../../world/view/world.ts';
import type { Naming, Problem } from '../kit/detector.ts';
import { podsOf, saidOf } from './said.ts';

/** One workload's trouble is its own; what several call or pull from is judged by two, whose programs or pulls say the same. */
export const minWorkloads = 2;

/** What is said of an object, in which words. */
type Said = Pick<PlacedSign, 'kind' | 'line' | 'target' | 'to'>;

/** Which Pod says something of an object, since when it fails, and what it says. */
export type Caller = {
  readonly ref: Ref;
  readonly workload: Ref;
  readonly since: number;
  readonly sign: Said;
  /** It has only just stopped being ready: there is no finding of it yet. */
  readonly isNew?: true;
};

/** The Pods whose programs say something of it, by when they began: those with findings of their own, and those of workloads and Jobs. */
export function callersWho(
  says: (sign: PlacedSign, pod: Ref) => boolean,
  naming: Naming,
  world: ObservedWorld,
): Caller[] {
  // A Pod and its workload may both be found, one after the other: it fails since the first of them does, whichever is listed first.
  const callers = new Map<Ref, Caller>();
  for (const [subject, findings] of Iterator.from(naming).take(usersOfOne)) {
    const [first] = findings;
    if (first === undefined) continue;
    const since = earliest(findings.map((finding) => finding.since));
    for (const ref of podsOf(subject, world)) {
      if (since >= (callers.get(ref)?.since ?? Number.POSITIVE_INFINITY)) continue;
      const sign = saidOf(ref, since, world, first.scope).find((each) => says(each, ref));
      if (sign !== undefined) callers.set(ref, { ref, workload: world.topOwner(subject), since, sign });
    }
  }
  return [...callers.values()].sort((a, b) => a.since - b.since || (a.ref < b.ref ? -1 : 1));
}

/** Of which workloads they are. */
export const workloadsAmong = (failing: readonly Pick<Caller, 'workload'>[]): ReadonlySet<Ref> =>
  new Set(failing.map(({ workload }) => workload));

/** How many workloads of some have only just stopped being ready. */
export const newAmong = (failing: readonly Pick<Caller, 'workload' | 'isNew'>[]): number =>
  workloadsAmong(failing.filter(({ isNew }) => isNew)).size;

/** From the first on around whom enough workloads fail within a while (ms) of each other; none: there is no such. In the order of `since`. */
export function together<T extends Pick<Caller, 'workload' | 'since'>>(
  failing: readonly T[],
  least: number,
  withinMs = recentMs,
): readonly T[] {
  const start = failing.findIndex(({ since }) => {
    const near = failing.filter((other) => other.since >= since && other.since <= since + withinMs);
    return workloadsAmong(near).size >= least;
  });
  return start < 0 ? [] : failing.slice(start);
}

/** In which namespace something is said, where it is one. */
export function saidIn(pods: readonly Ref[]): Pick<Problem, 'saidIn'> {
  const [namespace, ...others] = new Set(pods.map(namespaceOf));
  return given({ saidIn: others.length === 0 ? namespace : undefined });
}

/** What enough workloads say within half an hour of each other, from the first of them on. */
export function problemOf(callers: readonly Caller[], least: number): Problem | false {
  const from = together(callers, least);
  const [first] = from;
  if (first === undefined) return false;
  return {
    since: first.since,
    detail: first.sign.line,
    ...saidIn(from.map(({ ref }) => ref)),
    facts: {
      ...{ workloads: workloadsAmong(from).size, sign: first.sign.kind },
      pods: new Set(from.map(({ ref }) => ref)).size,
      ...given({ new: newAmong(from) || undefined }),
    },
  };
}
