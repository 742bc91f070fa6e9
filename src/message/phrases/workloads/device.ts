import { kubectl, listOf } from '../../../model/command.ts';
import { describePod } from '../../parts/next.ts';
import { after, ofPods, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';

/** Devices that Pods ask for. */
export const devicePhrases = {
  ResourceClaimUnallocated: {
    says: ({ facts }) =>
      facts.offered === 'nothing'
        ? `The claim asks for devices${facts.deviceClasses ? ` of class ${facts.deviceClasses}` : ''}, and no driver offers any.`
        : `No devices${facts.deviceClasses ? ` of class ${facts.deviceClasses}` : ''} can be found for the claim.`,
    happens: () => 'gets no devices',
    why: (about) => (about.facts.offered === 'nothing' ? 'no driver offers any' : said(about)),
    hits: 'cannot be scheduled without them',
    evidence: ({ finding }) => quote('The scheduler', finding?.detail),
    well: 'has its devices',
    next: () => kubectl('get', listOf('resourceslices')),
    facts: ['deviceClasses'],
  },
  DevicesNotPrepared: {
    says: (finding) => `The devices that the pod asks for are not prepared${after(': ', finding)}.`,
    happens: ofPods('cannot start', 'cannot start'),
    why: () => 'its devices are not prepared',
    evidence: quoted('Kubernetes'),
    well: 'has its devices',
    next: describePod,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
