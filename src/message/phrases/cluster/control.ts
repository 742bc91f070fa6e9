import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts, Finding } from '../../../model/finding.ts';
import type { Reason } from '../../../model/reason.ts';
import { nameOf, namespaceOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describePod, describeRoot, endpointsOf, getRoot, siblings } from '../../parts/next.ts';
import { after, type Clause, type Phrase, quoted, said } from '../../parts/phrase.ts';
import { count, objectOf, sentence, subjectOf } from '../../parts/words.ts';
import { isMissing, readBundle, whatIsLeft, whoAnswers } from './control-next.ts';

const apiServerSays = quoted('The API server');

/** What a webhook without an answer means for whoever is asked about. */
function refuses({ refuses: what }: Facts): string {
  if (what === undefined) return 'what it is asked about may be refused';
  return what === 'nothing' ? 'it is skipped, and what it would check or change is let through' : `${what} is refused`;
}

/** A webhook whose Service cannot answer. */
function unanswered(what: (facts: Facts) => string): Phrase {
  return {
    says: ({ facts }) => `Its Service ${what(facts)}: ${refuses(facts)}.`,
    happens: ({ facts: { refuses: refused } }, it) => {
      if (refused === undefined) return 'gets no answer';
      return refused === 'nothing' ? 'is skipped' : [sentence(String(refused)), `is refused by ${it}`];
    },
    why: ({ facts }) => `its Service ${what(facts)}`,
    hits: 'cannot create pods because of it',
    well: 'is answered again',
    next: whoAnswers,
  };
}

/** What it means that nobody answers the API server: what is refused, or which API is gone. `otherwise`: where it means nothing yet. */
function suffers({ api, refuses: refused }: Facts, otherwise: Clause): Clause {
  if (api !== undefined) return [`API ${api}`, 'is down'];
  return refused === undefined || refused === 'nothing' ? otherwise : [sentence(String(refused)), 'is refused'];
}

/** Which webhook calls in vain; of an API the API server says it. */
function whoCalls(about: Case): string | undefined {
  const caller = about.finding?.subject.ref;
  if (caller === undefined || about.reason === 'APIServiceUnavailable') return apiServerSays(about);
  return `${subjectOf(caller)} calls it.`;
}

/** What a Service is to those that call it, and what the workload behind it is. */
const called = {
  Service: {
    happens: (about: Case) => suffers(about.facts, isMissing(about) ? 'is missing' : 'has no ready endpoint'),
    why: (about: Case) => `${objectOf(about.root)} ${isMissing(about) ? 'is missing' : 'has no endpoints'}`,
    evidence: whoCalls,
    well: 'answers again',
    next: (about: Case) =>
      isMissing(about) ? kubectl('get', listOf('services', namespaceOf(about.root))) : endpointsOf(about.root),
  },
  workload: {
    happens: ({ facts }: Case) => suffers(facts, 'answers no requests'),
    why: ({ root }: Case) => `${objectOf(root)} answers no requests`,
    evidence: whoCalls,
    well: 'answers again',
    next: (about: Case) => (about.sample ? describePod(about) : describeRoot(about)),
  },
};

/**
 * The words for what the API server finds of a webhook or API where the Service that is called is to blame, or the workload behind
 * it; `undefined`: it is the webhook's or API's own.
 */
export function calledPhrase(kind: string, phrase: Phrase): Phrase | undefined {
  if (kind.endsWith('WebhookConfiguration') || kind === 'CustomResourceDefinition' || kind === 'APIService')
    return undefined;
  const { hits: _hits, why: _why, ...rest } = phrase;
  return { ...rest, ...(kind === 'Service' ? called.Service : called.workload) };
}

/** What is found of those who call. */
export const callerReasons: readonly Reason[] = [
  'APIServiceUnavailable',
  'WebhookBackendMissing',
  'WebhookNoEndpoints',
];

const service = ({ service: name }: Facts): string => String(name ?? '').trim();

function ends({ endsOn, hasEnded }: Facts): string {
  if (endsOn === undefined) return 'expires soon';
  return hasEnded === 1 ? `expired on ${endsOn}` : `expires on ${endsOn}`;
}

/** What an object that should be gone waits for. */
const finalizers = ({ finalizers: names }: Facts): string => String(names ?? 'its finalizers');

function requests({ requests: waiting }: Facts): string {
  return waiting === undefined ? 'several requests' : count(Number(waiting), 'request');
}

/** Who asks whom for a certificate. */
function request({ facts: { requestor, signer } }: Pick<Finding, 'facts'>): string {
  return `of ${requestor ?? 'somebody'} to ${signer ?? 'its signer'}`;
}

/** A request for a certificate. */
function csr(state: string, well: string, rest: Partial<Phrase> = {}): Phrase {
  return {
    says: (finding) => `The request ${request(finding)} ${state}.`,
    happens: () => state,
    evidence: (about) => `It is the request ${request(about)}.`,
    well,
    next: describeRoot,
    facts: [],
    ...rest,
  };
}

/** The control plane, what extends it, and what cannot be deleted. */
export const controlPhrases = {
  APIServiceUnavailable: {
    says: (finding) =>
      `The API ${finding.facts.api ?? ''} cannot be reached${after(': ', finding)}.`.replace('  ', ' '),
    happens: () => 'is not available',
    why: said,
    evidence: apiServerSays,
    well: 'is available again',
    next: ({ root, facts: { api } }) =>
      api === undefined ? kubectl('describe', root) : kubectl('get', undefined, '--raw', `/apis/${api}`),
  },
  CRDNotEstablished: {
    says: (finding) => `The kind is not served${after(': ', finding)}.`,
    happens: () => 'is not served',
    why: said,
    evidence: apiServerSays,
    well: 'is served',
  },
  CRDDeletionFailed: {
    says: (finding) =>
      `It cannot be deleted, since its objects ${finding.facts.conditionReason === 'InstanceDeletionFailed' ? 'cannot be' : 'are still there'}${after(': ', finding)}.`,
    happens: () => 'is stuck in deletion',
    why: said,
    evidence: apiServerSays,
    well: 'is gone',
    next: ({ root }) => kubectl('get', listOf(nameOf(root)), '-A'),
  },
  FlowSchemaDangling: {
    says: ({ facts }) => `It sends requests to a priority level that does not exist${name(facts.priorityLevel)}.`,
    happens: ({ facts }) => `uses a priority level that does not exist${name(facts.priorityLevel)}`,
    well: 'has its priority level',
    next: () => kubectl('get', listOf('prioritylevelconfigurations')),
  },
  WebhookBackendMissing: unanswered((facts) => `${service(facts)} does not exist`.trim()),
  WebhookNoEndpoints: unanswered((facts) => `${service(facts)} has no ready endpoint`.trim()),
  WebhookCAExpired: {
    says: ({ facts }) =>
      `The certificate that the API server checks the webhook ${facts.webhook ?? ''} with ${ends(facts)}.`.replace(
        '  ',
        ' ',
      ),
    happens: ({ facts }, it) => [`The CA bundle of ${it}`, ends(facts)],
    well: 'has a certificate that lasts',
    next: readBundle,
  },
  AdmissionPolicyInvalid: {
    says: (finding) => `An expression of it is wrong${name(finding.facts.field)}${after(': ', finding)}.`,
    happens: () => 'has a wrong expression',
    why: said,
    evidence: apiServerSays,
    well: 'has no wrong expression any more',
  },
  AdmissionPolicyMissing: {
    says: ({ facts }) => `It binds a policy that does not exist${name(facts.policy)}.`,
    happens: ({ facts }) => `binds a policy that does not exist${name(facts.policy)}`,
    well: 'binds a policy again',
    next: () => kubectl('get', listOf('validatingadmissionpolicies')),
  },
  AdmissionParamMissing: {
    says: ({ facts }) => `${facts.param ?? 'The object'} with its parameters does not exist.`,
    happens: () => 'has no parameters',
    why: ({ facts }) => (facts.param === undefined ? undefined : `${facts.param} is missing`),
    evidence: ({ facts }) => (facts.param === undefined ? undefined : `${facts.param} does not exist.`),
    well: 'has its parameters',
    next: ({ facts, root }) =>
      facts.paramNamespace === undefined
        ? kubectl('describe', root)
        : kubectl('get', listOf('configmaps', String(facts.paramNamespace))),
  },
  CSRPending: csr('is not approved', 'is approved or gone'),
  CSRNotIssued: csr('is approved but not signed', 'is signed or gone'),
  CSRFailed: csr('failed', 'is no longer reported', { once: true, why: said, evidence: quoted('The signer') }),
  CSRDenied: csr('was denied', 'is no longer reported', {
    ...{ once: true, why: said, evidence: quoted('Who denied it') },
  }),
  SignerNotSigning: {
    says: ({ facts }) => `${sentence(requests(facts))} wait for it.`,
    happens: ({ facts }) => `leaves ${requests(facts)} waiting`,
    well: 'signs again',
    next: () => kubectl('get', listOf('csr')),
  },
  PodCertificateRequestFailed: {
    says: (finding) => `The certificate that the pod needs to start was not issued${after(': ', finding)}.`,
    happens: () => 'could not get the certificate it needs',
    why: said,
    once: true,
    evidence: quoted('The signer'),
    well: 'has its certificate',
    next: siblings('podcertificaterequests'),
  },
  NamespaceStuckTerminating: {
    says: (finding) => `The namespace is being deleted and does not go${after(': ', finding)}.`,
    happens: () => 'is stuck in deletion',
    why: said,
    evidence: quoted('The namespace controller'),
    well: 'is gone',
    next: whatIsLeft,
  },
  StuckDeleting: {
    says: ({ facts }) => `It is being deleted and waits for ${finalizers(facts)}.`,
    happens: () => 'is stuck in deletion',
    why: ({ facts }) => `it waits for ${finalizers(facts)}`,
    evidence: ({ facts }) =>
      `It waits for ${finalizers(facts)}${facts.finalizedBy === undefined ? '' : `, put on by ${facts.finalizedBy}`}.`,
    well: 'is gone',
    next: getRoot('yaml'),
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** ` (default)`. */
function name(value: string | number | undefined): string {
  return value === undefined || value === '' ? '' : ` (${value})`;
}
