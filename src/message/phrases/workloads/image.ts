import type { Facts, Finding } from '../../../model/finding.ts';
import { type PullCauseName, pullCauses } from '../../../model/pull-cause.ts';
import { kindOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { shortImage } from '../../parts/change.ts';
import { describePod, getPod, type Next } from '../../parts/next.ts';
import { fact, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { containerIn } from './container.ts';

const image = (about: Case): string => shortImage(fact(about, 'image') ?? 'its image');

const causes: Readonly<Record<PullCauseName, string>> = {
  platform: 'the image does not exist for the architecture of the node',
  rateLimit: 'the rate limit of the registry is exceeded',
  maybeDenied: 'the registry refuses: the repository does not exist, or pulling it needs credentials',
  denied: 'the registry refuses the credentials, or there are none',
  certificate: "the registry's certificate is not accepted",
  dns: "the registry's name cannot be resolved",
  network: 'the registry cannot be reached',
  server: 'the registry returns a server error',
  corrupt: 'what arrives is not what the image should hold, or not all of it',
  notFound: 'no such image or tag',
  disk: 'the disk of the node is full',
  other: 'the reason is not recognized',
};

/** The same where a title has room for a few words; what is short already stands above. */
const inTitles: Readonly<Partial<Record<PullCauseName, string>>> = {
  platform: 'not built for the architecture of the node',
  rateLimit: 'rate limit exceeded',
  maybeDenied: 'access denied, or no such repository',
  denied: 'access denied',
  corrupt: 'it arrives corrupt',
};

const causeOf = ({ pullCause }: Facts): PullCauseName => pullCauses.find((cause) => cause === pullCause) ?? 'other';

/** Why a pull fails, at the end of a sentence, by the fact `pullCause`. */
export function pullFailure(facts: Facts): string {
  return causes[causeOf(facts)];
}

/** Why, as far as the runtime's message tells; its own words where nobody here understands them. */
function because(about: Case): string | undefined {
  const cause = causeOf(about.facts);
  return cause === 'other' ? said(about) : (inTitles[cause] ?? causes[cause]);
}

/** The runtime's own words, where nobody here understands them; else which image it is. */
const pulled = ({ facts, finding }: Case): string | undefined =>
  facts.pullCause === 'other' ? quote('The runtime', finding?.detail) : finding && notPulled(finding);
const inItsWords = quoted('The kubelet');

function unusable(what: string): Phrase['says'] {
  return (finding) => `${containerIn(finding)} cannot use its image: ${finding.facts.image ?? 'it'} ${what}.`;
}

const well = 'has its image now';
const facts = ['container', 'image', 'node'] as const;

/** `; the kubelet could not read the pull secret Secret shop/registry`. */
function withoutSecret({ missing }: Facts): string {
  return missing === undefined
    ? ''
    : `; the kubelet cannot get the pull secret ${String(missing).replace(/^Secret /, '')}`;
}

function notPulled(finding: Finding): string {
  const { facts } = finding;
  return `${containerIn(finding)} cannot pull ${facts.image === undefined ? 'its image' : `its image ${facts.image}`}: ${pullFailure(facts)}${withoutSecret(facts)}.`;
}

function pull(next: Next): Phrase {
  return {
    // What one Node alone cannot pull is of its Pods: it has no image itself.
    ...{
      says: notPulled,
      happens: ({ root }) => (kindOf(root) === 'Node' ? 'cannot pull images' : 'cannot pull its image'),
    },
    ...{ why: because, evidence: pulled },
    ...{ well, next, facts: ['node'] },
  };
}

/** Images that cannot be had or used. */
export const imagePhrases = {
  ImagePullBackOff: pull(describePod),
  ImageNotFound: pull(describePod),
  // Which credentials the Pod brings: the first question when a registry refuses.
  ImagePullDenied: pull(getPod('jsonpath={.spec.imagePullSecrets}')),
  InvalidImageName: {
    says: unusable('is not a valid image name'),
    happens: () => 'has an invalid image name',
    why: image,
    evidence: inItsWords,
    well: 'has a valid image name now',
    next: describePod,
    facts: ['container'],
  },
  ErrImageNeverPull: {
    says: unusable('is not on the node, and its pull policy is Never'),
    happens: () => 'cannot use its image',
    why: () => 'it is not on the node (pull policy Never)',
    well,
    next: describePod,
    facts,
  },
  ImageInspectError: {
    says: unusable('cannot be inspected by the runtime'),
    happens: () => 'cannot use its image',
    why: () => 'the runtime cannot read it',
    evidence: inItsWords,
    well: 'has an image that can be read now',
    next: describePod,
    facts,
  },
  SignatureValidationFailed: {
    says: unusable('has no valid signature'),
    happens: () => 'cannot use its image',
    why: () => 'invalid signature',
    evidence: inItsWords,
    well,
    next: describePod,
    facts,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
