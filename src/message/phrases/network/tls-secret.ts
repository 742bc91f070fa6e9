import { asCertificate, kubectl } from '../../../model/command.ts';
import type { Facts } from '../../../model/finding.ts';
import type { Next } from '../../parts/next.ts';
import type { Phrase } from '../../parts/phrase.ts';

/** Which certificate of the Secret it is. */
function which({ certificate, part }: Facts): string {
  const name = certificate === undefined ? '' : ` ${certificate}`;
  return part === 'intermediate'
    ? `the intermediate certificate${name}`
    : `its certificate${name === '' ? '' : ` for${name}`}`;
}

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
const by = ({ issuer }: Facts): string => (issuer === undefined || issuer === '' ? '' : `, issued by ${issuer},`);

const expired = ({ endsOn = 'an earlier day' }: Facts): string => `expired on ${endsOn}`;
const expires = ({ endsOn = 'one of the next days' }: Facts): string => `expires on ${endsOn}`;
const says = (facts: Facts, verb: (facts: Facts) => string): string =>
  `${sentence(which(facts))}${by(facts)} ${verb(facts)}.`;

const certificateIn = ({ part }: Facts, it: string): string =>
  `${part === 'intermediate' ? 'An intermediate' : 'The'} certificate in ${it}`;

const flaw = ({ flaw: what = 'it is not valid' }: Facts): string => String(what);

/** Who shows it to others: what is at stake. */
function usedBy({ usedBy: who }: Facts): string {
  return who === undefined ? 'Nobody is seen to use it.' : `It is used by ${who}.`;
}

/** What a certificate says, without the key. */
const readCertificate: Next = ({ root }) => asCertificate(kubectl('get', root, '-o', 'jsonpath={.data.tls\\.crt}'));

/** Certificates in Secrets. */
export const tlsSecretPhrases = {
  TLSCertExpired: {
    says: ({ facts }) => says(facts, expired),
    happens: ({ facts }, it) => [certificateIn(facts, it), expired(facts)],
    evidence: ({ facts }) => `${says(facts, expired)} ${usedBy(facts)}`,
    well: 'holds a certificate that is valid',
    next: readCertificate,
  },
  TLSCertExpiringSoon: {
    says: ({ facts }) => says(facts, expires),
    happens: ({ facts }, it) => [certificateIn(facts, it), expires(facts)],
    evidence: ({ facts }) => `${says(facts, expires)} ${usedBy(facts)}`,
    well: 'holds a certificate that lasts',
    next: readCertificate,
  },
  TLSCertUnusable: {
    says: ({ facts }) => `Its certificate cannot be used: ${flaw(facts)}.`,
    happens: () => 'cannot be used',
    why: ({ facts: { flaw: what } }) => (what === undefined ? undefined : String(what)),
    evidence: ({ facts }) => `${sentence(flaw(facts))}. ${usedBy(facts)}`,
    well: 'holds a certificate that can be used',
    next: readCertificate,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
