import { statementOf } from '../message/sentences/statement.ts';
import { kindNameOf, nameOf, namespaceOf, type Ref } from '../model/ref.ts';
import type { Broken, Diagnosis } from './answer.ts';

const object = (ref: Ref): object => ({ kind: kindNameOf(ref), namespace: namespaceOf(ref), name: nameOf(ref) });
const time = (at: number): string => new Date(at).toISOString();

/** The answer for programs (`docs/diagnose.schema.json`). */
export function diagnosisJson({ looked, at, watchedMs, broken, about, ...rest }: Diagnosis): object {
  const { is, name, format = null, serverVersion = null } = looked;
  return {
    verdict: rest.verdict,
    looked: { is, name, format, serverVersion },
    at: time(at),
    watchedSeconds: Math.round(watchedMs / 1000),
    about: about ?? null,
    broken: broken.map(brokenJson),
    omitted: rest.omitted,
    unseen: rest.unseen,
    limits: rest.limits,
    objects: rest.objects,
  };
}

/** One thing that is broken. */
export function brokenJson({ id, isCertain, severity, reason, root, since, affected, words, why }: Broken): object {
  const lead = statementOf(words);
  const { evidence, impact = null, nextStep = null, excerpt = null, facts } = words;
  return {
    ...{ id, certain: isCertain, severity, reason, root: object(root), since: time(since), lead },
    cause: { confidence: why.confidence, because: why.because },
    evidence,
    affected: { count: affected.count, sample: affected.sample.map(object) },
    impact,
    next: nextStep,
    log: excerpt,
    facts: facts.map(({ name, value }) => ({ name, value })),
  };
}
