import { kubectl, listOf } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { kindOf, namespaceOf } from '../../../model/ref.ts';
import { type Next, siblings } from '../../parts/next.ts';
import { after, fact, type Phrase, quoted, said } from '../../parts/phrase.ts';

const servicesOf: Next = ({ root }) => kubectl('get', listOf('services', namespaceOf(root)));

const service = ({ facts }: Pick<Finding, 'facts'>): string => String(facts.service ?? 'a Service');

function noPort(finding: Finding): string {
  const { port, open } = finding.facts;
  const there = open === undefined ? 'it has none' : `there is ${open}`;
  return `It leads to port ${port ?? ''} of ${service(finding)}, which does not have it; ${there}.`.replace(
    'port  of',
    'a port of',
  );
}

function noClass({ facts: { ingressClass } }: Pick<Finding, 'facts'>): string {
  return ingressClass === undefined
    ? 'It names no ingress class, and no class is the default: no controller serves it.'
    : `Its ingress class ${ingressClass} does not exist: no controller serves it.`;
}

/** `Ingress shop/old has had shop.example/ before it, and leads to another Service: controllers serve one of the two.` */
const contested = ({ facts: { at, other } }: Pick<Finding, 'facts'>): string =>
  `${other ?? 'Another Ingress'} had ${at ?? 'its host and path'} before it and leads to another Service: its controller serves only one of the two.`;

/** Of a Secret that was there until somebody deleted it. */
const deleted = ({ facts: { deletedAt, secret } }: Pick<Finding, 'facts'>): string | undefined =>
  deletedAt !== undefined ? `Secret ${secret}, which holds its certificate, was deleted and is not back.` : undefined;

/** Ingresses. */
export const ingressPhrases = {
  IngressHostConflict: {
    says: contested,
    happens: (about) => `wants ${fact(about, 'at') ?? 'a host and path'}, which another Ingress had before`,
    evidence: ({ finding }) => finding && contested(finding),
    well: 'has its host and path for itself',
    next: ({ root }) => kubectl('get', listOf('ingresses', namespaceOf(root))),
  },
  IngressBackendNotFound: {
    says: (finding) => `It leads to ${service(finding)}, which does not exist.`,
    happens: (about) => `leads to ${fact(about, 'service') ?? 'a Service'}, which does not exist`,
    well: 'leads to Services that exist',
    next: servicesOf,
  },
  IngressPortMissing: {
    says: noPort,
    happens: ({ finding, facts: { port } }) =>
      finding === undefined || port === undefined
        ? 'leads to a port that its Service does not have'
        : `leads to port ${port} of ${service(finding)}, which does not have it`,
    evidence: ({ finding }) => finding && noPort(finding),
    well: 'leads to ports that exist',
    next: (about) => {
      const service = about.finding?.names.find((ref) => kindOf(ref) === 'Service');
      return service === undefined ? servicesOf(about) : kubectl('get', service);
    },
  },
  IngressClassMissing: {
    says: noClass,
    happens: () => 'is served by no controller',
    why: ({ facts: { ingressClass } }) =>
      ingressClass === undefined ? 'it names no ingress class' : `ingress class ${ingressClass} does not exist`,
    evidence: ({ finding }) => finding && noClass(finding),
    well: 'has an ingress class',
    next: () => kubectl('get', listOf('ingressclasses')),
  },
  IngressTLSSecretMissing: {
    says: (finding) =>
      deleted(finding) ??
      `The certificate in Secret ${finding.facts.secret ?? ''} is not used${after(': ', finding)}.`.replace(
        'Secret  is',
        'its Secret is',
      ),
    happens: () => 'has no certificate to serve',
    why: (about) => (about.facts.deletedAt !== undefined ? `Secret ${about.facts.secret} deleted` : said(about)),
    evidence: (about) => (about.finding && deleted(about.finding)) ?? quoted('The controller')(about),
    well: 'has its certificate again',
    next: siblings('secrets'),
  },
  IngressNoAddress: {
    says: () => 'No address has been given to it, while others of its class have one.',
    happens: () => 'has no address, unlike others of its class',
    evidence: ({ facts: { ingressClass } }) =>
      ingressClass === undefined
        ? undefined
        : `Others of ingress class ${ingressClass} have one, so its controller runs; its events and log say why it skips this one.`,
    well: 'has an address',
  },
} as const satisfies Readonly<Record<string, Phrase>>;
