import type { Ref } from '../../model/ref.ts';
import { isReady } from '../../world/pods/readiness.ts';
import { usersOfOne } from '../../world/view/bounds.ts';
import type { ObservedWorld, World } from '../../world/view/world.ts';
import type { NamedDetector } from '../kit/detector.ts';
import { type Caller, callersWho, minWorkloads, problemOf } from './callers.ts';
import { isAboutSecrets, loginSecretsOf } from './login-secrets.ts';

/** The Secrets that callers of two workloads or more may log in with. */
export function secretsBehind(callers: readonly Caller[], world: World): readonly Ref[] {
  const users = new Map<Ref, Set<Ref>>();
  for (const { ref, workload } of callers)
    for (const secret of loginSecretsOf(ref, world)) users.set(secret, (users.get(secret) ?? new Set()).add(workload));
  return [...users].flatMap(([secret, workloads]) => (workloads.size >= minWorkloads ? [secret] : [])).sort();
}

/** Of how many workloads that use a Secret the credentials are rejected, and how many others are ready. */
function usersOf(secret: Ref, world: ObservedWorld): { readonly rejected: number; readonly ready: number } {
  const [rejected, ready] = [new Set<Ref>(), new Set<Ref>()];
  for (const pod of world.linked(secret, 'uses', 'in', usersOfOne)) {
    const view = world.get(pod);
    if (typeof view !== 'object' || view.kind !== 'Pod') continue;
    if (isReady(view)) ready.add(world.topOwner(pod));
    else if (world.signs(pod).some(isAboutSecrets)) rejected.add(world.topOwner(pod));
  }
  return { rejected: rejected.size, ready: ready.difference(rejected).size };
}

/**
 * Whether of several Secrets that the same programs use another is more likely the one: more of its users are rejected, or fewer others
 * are ready with it.
 */
function isLikelier(other: Ref, secret: Ref, world: ObservedWorld): boolean {
  const [a, b] = [usersOf(other, world), usersOf(secret, world)];
  return (b.rejected - a.rejected || a.ready - b.ready || (other < secret ? -1 : 1)) < 0;
}

/** The credentials that several workloads take from one Secret. */
export const secretRejected: NamedDetector = {
  id: 'T35',
  judges: 'Secret',
  reasons: [{ reason: 'SecretRejected', family: 'named', sure: 'likely' }],
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  symptom: 'restart',
  source:
    'the last log lines and termination messages of containers that fail (`src/signs/`); the Secrets that their Pods name',
  predicate:
    'the programs of two or more workloads that use one Secret, and began to fail within 30 min of each other, say that their credentials are rejected or forbidden, or that they cannot use a key, a token or a licence',
  clears: 'fewer than two workloads fail for it',
  patience: 'as long as the incident takes to settle',
  isNot:
    'one workload with a wrong password of its own; a Secret that only pulls images; what is in the Secret, which is not read',
  judge: (ref, naming, world) => {
    const callers = callersWho(isAboutSecrets, naming, world);
    const problem = problemOf(callers, minWorkloads);
    if (!problem) return false;
    const others = secretsBehind(callers, world).filter((other) => other !== ref);
    return !others.some((other) => isLikelier(other, ref, world)) && problem;
  },
};
