import { describeRoot, logs } from '../../parts/next.ts';
import { fact, type Phrase, quote } from '../../parts/phrase.ts';

/** What people know failures of their own by, in the words that they gave it. */
export const signaturePhrases = {
  OwnSignature: {
    says: ({ facts: { says, signature } }) =>
      `It ${says ?? `shows the signature ${signature ?? 'that was written for it'}`}.`,
    happens: (about) => fact(about, 'says') ?? 'shows a signature that was written for it',
    evidence: (about) => quote(fact(about, 'quotes') === 'log' ? 'Its log' : 'The cluster', about.finding?.detail),
    well: 'has recovered',
    next: (about) => (about.sample && fact(about, 'quotes') === 'log' ? logs(about) : describeRoot(about)),
    facts: ['signature'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
