import { kubectl, listOf } from '../../model/command.ts';
import { describeRef, kindOf, nameOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import type { Case } from '../case.ts';
import { describePod, describeRoot, endpointsOf, logs, siblings } from '../next.ts';
import { fact, type Phrase, quoted } from '../phrase.ts';
import { count } from '../words.ts';

/** What is wrong with an address, after its name. */
const troubles: Partial<Record<SignKind, string>> = {
  NameNotResolved: 'has not been resolvable',
  ConnectionRefused: 'has been refusing connections',
  ConnectionTimedOut: 'has not been answering',
  ConnectionReset: 'has been closing connections',
  HostUnreachable: 'has not been reachable',
  CallFailed: 'has been answering calls with errors',
  ServiceUnavailable: 'has been answering that it is unavailable',
  RequestRefused: 'has been refusing what it is asked for',
  CertificateInvalid: 'has been presenting an invalid certificate',
  CredentialsRejected: 'has been rejecting credentials',
  TooManyConnections: 'has had no connections left',
  RateLimited: 'has been limiting how many requests it takes',
  LockHeld: 'has had a lock held',
};

const doing = ({ facts }: Case): string =>
  Object.entries(troubles).find(([kind]) => kind === facts.sign)?.[1] ?? 'has been failing';

/** How many say so. */
function callers(workloads: string | number | undefined): string {
  return typeof workloads === 'number' ? count(workloads, 'workload') : 'several workloads';
}

const outside = (fails: string): Phrase => ({
  says: ({ subject, facts }) =>
    `The external address ${nameOf(subject.ref)} ${fails}, ${facts.mounted === undefined ? 'say the logs of' : 'say the kubelets that need it for'} ${callers(facts.workloads)}.`,
  doing,
  hits: 'cannot work without it',
  well: 'works again for all that need it',
  // Of a container that was not made there is no log.
  next: (what) => (what.facts.mounted === undefined ? logs(what) : describePod(what)),
  facts: [],
});

/** What is wrong with what a Secret holds, by what its users say: of that, and of the Secret. */
const rejections: readonly (readonly [sign: SignKind, is: string, holds: string])[] = [
  ['CredentialsRejected', 'is rejected', 'has held credentials that are rejected'],
  [
    'AccessForbidden',
    'is not allowed what they ask for',
    'has held credentials that are not allowed what is asked with them',
  ],
  [
    'CertificateInvalid',
    'does not hold the authority that signs for whom they call',
    'has held authorities by which no certificate is accepted',
  ],
  ['SecretUnusable', 'is not valid', 'has held a key, token, licence or address that is not valid'],
];

/** Who wrote a Secret last, and when: its values are not shown. */
const whoEdited: Phrase['next'] = ({ root }) =>
  kubectl(
    'get',
    root,
    '--show-managed-fields',
    '-o',
    'custom-columns=BY:.metadata.managedFields[*].manager,AT:.metadata.managedFields[*].time',
  );

/** Whom programs call, judged by what their logs say. */
export const calledPhrases = {
  ExternalEndpointUnreachable: outside('cannot be reached'),
  ExternalEndpointRefusing: outside('refuses'),
  ServiceMissing: {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} does not exist${facts.near === undefined ? '' : `; there is ${facts.near}`}, and ${callers(facts.workloads)} ${facts.workloads === 1 ? 'calls' : 'call'} it.`,
    doing: (about) => {
      const near = fact(about, 'near');
      return `has been missing${near === undefined ? '' : ` (there is ${near})`}`;
    },
    hits: 'cannot work without it',
    well: 'is no longer missed',
    next: siblings('services'),
    facts: [],
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
    doing: () => 'has probably been failing those who use it',
    hits: 'failed without saying why: it is all that those who fail have in common',
    well: 'is used without trouble again',
    // Of an address outside the API knows nothing.
    next: (what) => (kindOf(what.root) === 'ExternalEndpoint' ? logs(what) : describeRoot(what)),
    facts: [],
  },
  SecretUsersFailing: {
    says: ({ subject, facts }) =>
      `${describeRef(subject.ref)} is all that ${callers(facts.workloads)} have in common that fail without saying why.`,
    doing: () => 'has probably been failing those who use it',
    hits: 'failed without saying why: it is all that those who fail have in common',
    well: 'is used without trouble again',
    next: whoEdited,
    facts: [],
  },
  SecretRejected: {
    says: ({ subject, facts }) =>
      `What ${callers(facts.workloads)} take from ${describeRef(subject.ref)} ${rejections.find(([sign]) => sign === facts.sign)?.[1] ?? 'is rejected'}, say their logs.`,
    doing: ({ facts }) =>
      rejections.find(([sign]) => sign === facts.sign)?.[2] ?? 'has held credentials that are rejected',
    hits: 'cannot work with what it holds',
    well: 'holds credentials that are accepted again',
    next: whoEdited,
    facts: [],
  },
  ServiceAccountForbidden: {
    says: ({ subject }) => `${describeRef(subject.ref)} may not do what a program asks for with it.`,
    doing: () => 'has been denied what a program asks for',
    hits: 'cannot work without it',
    evidence: quoted('The API server'),
    well: 'is no longer denied anything',
    next: () => kubectl('get', listOf('rolebindings,clusterrolebindings'), '-A', '-o', 'wide'),
    facts: [],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
