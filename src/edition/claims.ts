import { editions } from '../model/edition.ts';
import { list, object, oneOf, required, type TypeOf, text, whole } from '../model/schema.ts';
import { checkValue, type Problem } from '../schema/check.ts';

/** 2999-12-31T23:59:59Z, the last instant that our resources take. Seconds since the epoch. */
const lastSecond = 32_503_679_999;

/** An instant as tokens have it. */
const second = (description: string) => whole(description, { min: 0, max: lastSecond });

const claims = object('What a licence says.', {
  licensee: required(text('Who holds it.', { min: 1, max: 253, pattern: '^[^\\u0000-\\u001f\\u007f-\\u009f]+$' })),
  edition: required(oneOf('What it gives.', editions)),
  iat: required(second('When it was issued, in seconds since the epoch.')),
  nbf: second('From when on it is valid; from the beginning where absent.'),
  exp: required(second('When it expires.')),
  clusters: list(
    'The clusters it is for, by the UID of their namespace kube-system; any where absent.',
    text('A UID.', { min: 1, max: 63 }),
    { min: 1, max: 1000, type: 'set' },
  ),
});

/** What a licence says, as its token has it: times in seconds since the epoch. */
export type LicenseClaims = TypeOf<typeof claims>;

/** What a payload says, or what is wrong with it: a clause that names the claim. Claims that are not known are ignored. */
export function claimsOf(payload: unknown): LicenseClaims | { readonly wrong: string } {
  const problems = checkValue(claims.json, payload, '', 'ignored');
  if (!isWhole(payload, problems)) return { wrong: problems[0]?.message ?? 'it cannot be read' };
  return payload.exp > (payload.nbf ?? payload.iat) ? payload : { wrong: '`exp` is not after `nbf`' };
}

function isWhole(payload: unknown, problems: readonly Problem[]): payload is LicenseClaims {
  return problems.length === 0;
}
