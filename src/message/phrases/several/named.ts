import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts } from '../../../model/finding.ts';
import { describeRef, nameOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { failedPulls, siblings } from '../../parts/next.ts';
import { type Phrase, quote, said } from '../../parts/phrase.ts';
import { sentence } from '../../parts/words.ts';
import { pullFailure } from '../workloads/image.ts';

/** What the failing pulls have in common. */
function pullCauseOf({ facts }: Case): string | undefined {
  return facts.pullCause === undefined || facts.pullCause === '' ? undefined : pullFailure(facts);
}

function pullSays(about: Case): string | undefined {
  const why = pullCauseOf(about);
  return why === undefined ? undefined : `${sentence(why)}.`;
}

function registry(fails: string): Phrase['says'] {
  return ({ subject, facts }) =>
    `The registry ${nameOf(subject.ref)} ${fails}: ${facts.workloads ?? 'several'} workloads cannot pull from it.`;
}

/** True when it was created and when nothing asks for it any more. */
const noHold = 'no longer blocks anything';

function missing(kind: string): Phrase {
  return {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} does not exist, and ${facts.pods === 1 ? 'a pod needs' : `${facts.pods ?? 'several'} pods need`} it.`,
    happens: () => 'is missing',
    hits: 'cannot start without it',
    well: noHold,
    next: siblings(kind),
  };
}

/** What admission asks for before it lets a Pod be made. */
function required(kind: string): Phrase {
  return {
    ...missing(kind),
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} does not exist, and ${facts.workloads === 1 ? 'a workload names' : `${facts.workloads ?? 'several'} workloads name`} it.`,
    hits: 'cannot create pods without it',
  };
}

/** `pods: 10 of 10 used, 1 more asked for`; a quota of nothing is not used up. */
const shortage = ({ shortage: said }: Facts): string =>
  String(said).replaceAll(/: 0 of 0 used, (\S+) more asked for/g, ': none are allowed, $1 asked for');

/** Objects that are not watched or not there, judged by what names them. */
export const namedPhrases = {
  RegistryUnreachable: {
    says: registry('cannot be reached or returns errors'),
    happens: () => 'cannot be reached',
    why: (about) => (about.facts.pullCause === 'network' ? undefined : pullCauseOf(about)),
    hits: 'cannot pull from it',
    evidence: pullSays,
    well: 'is serving pulls again',
    next: failedPulls,
  },
  RegistryDenied: {
    says: registry('refuses'),
    happens: () => 'refuses pulls',
    why: pullCauseOf,
    hits: 'cannot pull from it',
    evidence: pullSays,
    well: 'no longer refuses pulls',
    next: failedPulls,
  },
  ServiceAccountMissing: required('serviceaccounts'),
  PriorityClassMissing: required('priorityclasses'),
  RuntimeClassMissing: required('runtimeclasses'),
  QuotaExceeded: {
    says: ({ facts }) =>
      `It refuses new ${facts.refuses ?? 'pods'}${facts.shortage === undefined ? '' : `: ${shortage(facts)}`}.`,
    happens: ({ facts }) => `refuses new ${facts.refuses ?? 'pods'}`,
    why: ({ facts, ...about }) => (facts.shortage === undefined ? said(about) : shortage(facts)),
    hits: ({ facts }) => `cannot create ${facts.refuses ?? 'pods'} because of it`,
    evidence: ({ facts, finding }) =>
      facts.shortage === undefined ? quote('The API server', finding?.detail) : `${sentence(shortage(facts))}.`,
    well: noHold,
  },
  SecretMissing: missing('secrets'),
  ConfigMapMissing: missing('configmaps'),
} as const satisfies Readonly<Record<string, Phrase>>;

/** What is not there: the refusal says no more than that. */
function absent(kind: string): Obstacle {
  return { happens: () => 'is missing', evidence: () => undefined, well: noHold, next: siblings(kind) };
}

/** Words in place of those of a workload's or Pod's reason. */
type Obstacle = Pick<Phrase, 'happens' | 'why' | 'evidence' | 'well' | 'next'>;

/** A webhook that cannot be called or answers with an error. Which configuration it belongs to, the lists tell. */
const failingWebhook: Obstacle = {
  happens: () => 'fails',
  why: said,
  well: noHold,
  next: () => kubectl('get', listOf('validatingwebhookconfigurations,mutatingwebhookconfigurations')),
};

/** Obstacle → what it does, where a workload's or Pod's own finding names it as the root. The reason is the finding's. */
export const obstaclePhrases: ReadonlyMap<string, Obstacle> = new Map(
  Object.entries<Obstacle>({
    PersistentVolumeClaim: absent('persistentvolumeclaims'),
    ValidatingWebhookConfiguration: failingWebhook,
    MutatingWebhookConfiguration: failingWebhook,
  }),
);
