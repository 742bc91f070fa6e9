import { type Command, kubectl, listOf } from '../../../model/command.ts';
import { describeRef, kindOf, nameOf } from '../../../model/ref.ts';
import { refusalIn } from '../../../model/refusal.ts';
import type { SignKind } from '../../../model/sign.ts';
import type { Case } from '../../parts/case.ts';
import { describePod, describeRoot, endpointsOf, logs, siblings, whoEdited } from '../../parts/next.ts';
import { fact, type Phrase, quoted, said } from '../../parts/phrase.ts';
import { count, objectOf, sentence } from '../../parts/words.ts';

/** What is wrong with an address, after its name. */
const troubles: Partial<Record<SignKind, string>> = {
  NameNotResolved: 'cannot be resolved',
  ConnectionRefused: 'refuses connections',
  ConnectionTimedOut: 'does not answer',
  ConnectionReset: 'closes connections',
  HostUnreachable: 'cannot be reached',
  CallFailed: 'answers calls with errors',
  ServiceUnavailable: 'answers that it is unavailable',
  RequestRefused: 'refuses what it is asked for',
  CertificateInvalid: 'presents an invalid certificate',
  CredentialsRejected: 'rejects credentials',
  TooManyConnections: 'has no connections left',
  RateLimited: 'limits how many requests it takes',
  LockHeld: 'holds a lock',
};

const happens = ({ facts }: Case): string =>
  Object.entries(troubles).find(([kind]) => kind === facts.sign)?.[1] ?? 'fails';

/** How many say so. */
function callers(workloads: string | number | undefined): string {
  return typeof workloads === 'number' ? count(workloads, 'workload') : 'several workloads';
}

const outside = (fails: string): Phrase => ({
  says: ({ subject, facts }) =>
    `The external address ${nameOf(subject.ref)} ${fails}, ${facts.mounted === undefined ? 'say the logs of' : 'say the kubelets that need it for'} ${callers(facts.workloads)}.`,
  happens,
  hits: 'cannot work without it',
  well: 'works again for all that need it',
  // Of a container that was not made there is no log.
  next: (what) => (what.facts.mounted === undefined ? logs(what) : describePod(what)),
});

/** What is wrong with what a Secret holds, by what its users say: of that, and of the Secret. */
const rejections: readonly (readonly [sign: SignKind, is: string, holds: string])[] = [
  ['CredentialsRejected', 'is rejected', 'holds credentials that are rejected'],
  ['AccessForbidden', 'is not allowed what they ask for', 'holds credentials that lack a permission'],
  [
    'CertificateInvalid',
    'does not hold the authority that signs for whom they call',
    'holds a CA bundle by which no certificate is accepted',
  ],
  ['SecretUnusable', 'is not valid', 'holds a key, token, licence or address that is not valid'],
];

/** `may not list pods (RBAC)`, where the API server says so. */
function denied({ finding }: Case): string | undefined {
  const [, verb, resource] = /\bcannot (\w+) resource "([\w./-]+)"/.exec(finding?.detail ?? '') ?? [];
  return verb === undefined ? undefined : `may not ${verb} ${resource} (RBAC)`;
}

/** Whether its account may do by now what the API server refused it; without its words, who is bound to what. */
function mayIt({ finding }: Case): Command | undefined {
  const refusal = refusalIn(finding?.detail ?? '');
  if (refusal === undefined) return kubectl('get', listOf('rolebindings,clusterrolebindings'), '-A', '-o', 'wide');
  const { home, account, request } = refusal;
  const { verb, group, resource, namespace } = request;
  const [whole = '', below] = resource.split('/');
  const what = [
    verb,
    group === '' ? whole : `${whole}.${group}`,
    ...(below === undefined ? [] : [`--subresource=${below}`]),
  ];
  const where = namespace === '' ? ['-A'] : ['-n', namespace];
  return kubectl('auth can-i', undefined, ...what, ...where, `--as=system:serviceaccount:${home}:${account}`);
}

/** Strangers that fail in silence: what they share is a question, and no more. */
const inCommon: Pick<Phrase, 'happens' | 'why' | 'hits'> = {
  happens: ({ facts }) => [sentence(callers(facts.workloads)), 'fail without saying why'],
  why: ({ root }) => `all they share is ${objectOf(root)}`,
  hits: 'fail without saying why',
};

/** Whom programs call, judged by what their logs say. */
export const calledPhrases = {
  ExternalEndpointUnreachable: outside('cannot be reached'),
  ExternalEndpointRefusing: outside('refuses'),
  ServiceMissing: {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} does not exist${facts.near === undefined ? '' : `; there is ${facts.near}`}, and ${callers(facts.workloads)} ${facts.workloads === 1 ? 'calls' : 'call'} it.`,
    happens: (about) => {
      const near = fact(about, 'near');
      return `does not exist${near === undefined ? '' : ` (there is ${near})`}`;
    },
    hits: 'cannot work without it',
    well: 'is no longer missed',
    next: siblings('services'),
  },
  ServiceRefusing: {
    ...outside('refuses'),
    says: ({ subject, facts }) => `${describeRef(subject.ref)} refuses, say the logs of ${callers(facts.workloads)}.`,
    next: describeRoot,
  },
  ServiceUnreachable: {
    ...outside('cannot be reached'),
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} cannot be reached, say the logs of ${callers(facts.workloads)}.`,
    next: ({ root }) => endpointsOf(root),
  },
  ClientsFailing: {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} is all that ${callers(facts.workloads)} have in common that fail without saying why.`,
    ...inCommon,
    well: 'is used without trouble again',
    // Of an address outside the API knows nothing.
    next: (what) => (kindOf(what.root) === 'ExternalEndpoint' ? logs(what) : describeRoot(what)),
    facts: [],
  },
  SecretUsersFailing: {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} is all that ${callers(facts.workloads)} have in common that fail without saying why.`,
    ...inCommon,
    well: 'is used without trouble again',
    next: whoEdited,
    facts: [],
  },
  SecretRejected: {
    says: ({ subject, facts }) =>
      `What ${callers(facts.workloads)} take from ${describeRef(subject.ref)} ${rejections.find(([sign]) => sign === facts.sign)?.[1] ?? 'is rejected'}, say their logs.`,
    happens: ({ facts }) =>
      rejections.find(([sign]) => sign === facts.sign)?.[2] ?? 'holds credentials that are rejected',
    hits: 'cannot work with what it holds',
    well: 'holds credentials that are accepted again',
    next: whoEdited,
  },
  ServiceAccountForbidden: {
    says: ({ subject }) => `${describeRef(subject.ref)} may not do what a program asks for with it.`,
    happens: (about) => denied(about) ?? 'is denied what a program asks for',
    why: (about) => (denied(about) === undefined ? said(about) : undefined),
    hits: 'cannot work without it',
    evidence: quoted('The API server'),
    well: 'is no longer denied anything',
    next: mayIt,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
