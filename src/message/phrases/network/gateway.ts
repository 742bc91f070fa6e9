import type { Finding } from '../../../model/finding.ts';
import type { Case } from '../../parts/case.ts';
import { after, type Phrase, quoted, said } from '../../parts/phrase.ts';

const says = quoted('Its controller');

/** ` (InvalidParameters)`: the word of the Gateway API, which its pages explain. */
function why({ facts: { conditionReason } }: Pick<Finding, 'facts'>): string {
  return conditionReason === undefined || conditionReason === '' ? '' : ` (${conditionReason})`;
}

/** What its controller says, else the word of the API. */
const because = (about: Case): string | undefined =>
  said(about) ?? (about.facts.conditionReason === undefined ? undefined : String(about.facts.conditionReason));

/** What the reasons of a route mean (gateway-api v1 `RouteConditionReason`). */
const routeReasons: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    BackendNotFound: 'leads to something that does not exist',
    RefNotPermitted: 'refers to another namespace, which no ReferenceGrant allows',
    InvalidKind: 'refers to a kind that cannot be a backend',
    NotAllowedByListeners: 'is not allowed by any listener',
    NoMatchingListenerHostname: 'has no host name that a listener has, too',
    NoMatchingParent: 'names a listener that does not exist',
    UnsupportedProtocol: 'asks for a protocol that is not supported',
  }),
);

/** What a ReferenceGrant would have to allow, and which one just misses it. */
function ungranted({ refersTo, grantIn, nearGrant }: Finding['facts']): string | undefined {
  if (refersTo === undefined) return undefined;
  return `refers to ${refersTo}, which no ReferenceGrant in namespace ${grantIn} allows${nearGrant === undefined ? '' : ` (${nearGrant})`}`;
}

/** `is refused by Gateway infra/edge (Invalid)`. */
function routeFails(finding: Pick<Finding, 'facts'>): string {
  const { conditionReason, parent } = finding.facts;
  const known = ungranted(finding.facts) ?? routeReasons.get(conditionReason);
  return known ?? `is not accepted${parent === undefined ? '' : ` by ${parent}`}${why(finding)}`;
}

/** The Gateway API. */
export const gatewayPhrases = {
  GatewayClassNotAccepted: {
    says: (finding) => `No controller accepts the class${why(finding)}${after(': ', finding)}.`,
    happens: () => 'is not accepted by its controller',
    why: because,
    hits: 'cannot be set up because of it',
    evidence: says,
    well: 'is accepted',
  },
  GatewayNotProgrammed: {
    says: (finding) => `The Gateway is not set up${why(finding)}${after(': ', finding)}.`,
    happens: () => 'is not set up',
    why: because,
    hits: 'cannot be reached because of it',
    evidence: says,
    well: 'is set up',
  },
  ListenerInvalid: {
    says: (finding) => {
      const { listener } = finding.facts;
      const grant = ungranted(finding.facts);
      if (grant !== undefined) return `Listener ${listener ?? ''} ${grant}${after(': ', finding)}.`;
      return `${listener === undefined ? 'A listener' : `Listener ${listener}`} does not work${why(finding)}${after(': ', finding)}.`;
    },
    happens: ({ facts: { listener } }, it) => [
      `${listener === undefined ? 'A listener' : `Listener ${listener}`} of ${it}`,
      'is broken',
    ],
    why: (about) => (ungranted(about.facts) === undefined ? because(about) : `it ${ungranted(about.facts)}`),
    hits: 'cannot be reached because of it',
    evidence: says,
    well: 'has listeners that work',
  },
  RouteNotAccepted: {
    says: (finding) => `The route ${routeFails(finding)}${after(': ', finding)}.`,
    happens: () => 'is not served',
    why: ({ finding }) => finding && `it ${routeFails(finding)}`,
    evidence: ({ finding }) => finding && `The route ${routeFails(finding)}${after(': ', finding)}.`,
    well: 'is served again',
  },
  BackendTLSPolicyInvalid: {
    says: (finding) => `The policy is not in force${why(finding)}${after(': ', finding)}.`,
    happens: () => 'is not in force',
    why: because,
    evidence: says,
    well: 'is in force',
  },
} as const satisfies Readonly<Record<string, Phrase>>;
