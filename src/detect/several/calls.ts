import type { Ref } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import type { ObservedWorld } from '../../world/view/world.ts';
import type { Naming } from '../kit/detector.ts';
import { type Caller, callersWho, workloadsAmong } from './callers.ts';
import { namedBySign } from './said.ts';
import { beside, silentUsers } from './silent-users.ts';

/** That calls fail, in words that do not tell why: it goes with whatever others say of the same. */
export const vague: SignKind = 'CallFailed';

/** Those who say one of some things of an object, by when they began. */
export function callersOf(ref: Ref, kinds: readonly SignKind[], naming: Naming, world: ObservedWorld): Caller[] {
  return callersWho((sign, pod) => kinds.includes(sign.kind) && namedBySign(sign, pod, world) === ref, naming, world);
}

/** By when they began. */
export const inOrder = (callers: readonly Caller[]): readonly Caller[] =>
  [...callers].sort((a, b) => a.since - b.since);

/** Those who name it in their template, began to fail with the others, and say nothing of why. */
export function silentAbout(ref: Ref, naming: Naming, world: ObservedWorld): Caller[] {
  return silentUsers(ref, naming, world).map(({ pod, ...caller }) => ({
    ...caller,
    ref: pod,
    sign: { kind: vague, line: '' },
  }));
}

/** Those who are given the host of an address outside and stopped being ready as the first of some said that it fails them. */
export function besideThose(ref: Ref, speakers: readonly Caller[], world: ObservedWorld): Caller[] {
  const [first] = speakers;
  if (first === undefined) return [];
  return beside(ref, first.since, workloadsAmong(speakers), world).map(({ pod, ...caller }) => ({
    ...caller,
    ref: pod,
    sign: { kind: vague, line: '' },
  }));
}

/** What rows of what programs say have in common. */
export const common = {
  edition: 'Community',
  severity: 'high',
  settle: 'waits',
  symptom: 'service',
  patience: 'as long as the incident takes to settle',
} as const;
/** Where they read it. */
export const logs = 'the last log lines and termination messages of containers that fail (`src/signs/`)';
