import type { Case } from '../case.ts';
import { shortImage } from '../change.ts';
import { describePod, getPod } from '../next.ts';
import { fact, type Phrase, quote } from '../phrase.ts';

const image = (about: Case): string => shortImage(fact(about, 'image') ?? 'its image');

/** ` (the registry has no such image or tag)`, as far as the runtime's message tells. */
function because(about: Case): string {
  const says = fact(about, 'pullSays');
  return says === undefined || about.facts.pullCause === 'other' ? '' : ` (${says})`;
}

/** The runtime's own words, where nobody here understands them. */
const unclear = (about: Case): string | undefined =>
  about.facts.pullCause === 'other' ? quote('The runtime', about, 'pullError') : undefined;
const inItsWords = (about: Case): string | undefined => quote('The kubelet', about, 'pullError');

const well = 'has its image now';
const facts = ['container', 'image', 'node'] as const;

function pull(next: Phrase['next']): Phrase {
  const doing: Phrase['doing'] = (about) => `has not been able to pull ${image(about)}${because(about)}`;
  return { doing, detail: unclear, well, next, facts: ['container', 'node'] };
}

/** Images that cannot be had or used. */
export const imagePhrases = {
  ImagePullBackOff: pull(describePod),
  ImageNotFound: pull(describePod),
  // Which credentials the Pod brings: the first question when a registry refuses.
  ImagePullDenied: pull(getPod('jsonpath={.spec.imagePullSecrets}')),
  InvalidImageName: {
    doing: (about) => `has been asking for an image name that is not valid (${image(about)})`,
    detail: inItsWords,
    well: 'has a valid image name now',
    next: describePod,
    facts: ['container'],
  },
  ErrImageNeverPull: {
    doing: (about) => `has needed ${image(about)}, which is not on the node and may not be pulled (pull policy Never),`,
    well,
    next: describePod,
    facts: ['container', 'node'],
  },
  ImageInspectError: {
    doing: (about) => `has had an image that the runtime cannot read (${image(about)})`,
    detail: inItsWords,
    well: 'has an image that can be read now',
    next: describePod,
    facts,
  },
  SignatureValidationFailed: {
    doing: (about) => `has been refused ${image(about)} (its signature is not valid)`,
    detail: inItsWords,
    well,
    next: describePod,
    facts: ['container', 'node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
