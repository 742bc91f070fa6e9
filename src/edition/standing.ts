import type { LicenseStanding, LicenseState } from '../model/license.ts';
import { cleanText } from '../model/redact.ts';
import type { LicenseClaims } from './claims.ts';
import type { Flaw } from './token.ts';

const dayMs = 86_400_000;
/** An expired licence still gives its edition for so long: 14 days. */
export const graceMs = 14 * dayMs;
/** A licence that begins so soon has begun: the clock of whoever issued it may be ahead of ours. */
const skewMs = 600_000;

/** A day as messages name it: 2027-01-31, in UTC. */
function dayOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 10);
}

/** How a licence that is believed stands on a cluster (UID of its namespace kube-system) at `now` (epoch milliseconds). */
export function judgeLicense(claims: LicenseClaims, clusterId: string, now: number): LicenseStanding {
  const licensee = cleanText(claims.licensee);
  const expiresAt = claims.exp * 1000;
  const beginsAt = (claims.nbf ?? 0) * 1000;
  const said = { licensee, expiresAt, isKnown: true };
  const without = { ...said, edition: 'Community' } as const;
  const { edition } = claims;
  if (claims.clusters && !claims.clusters.includes(clusterId)) {
    const message = `The licence of ${licensee} is for other clusters: it does not list ${clusterId}, the UID of this cluster’s namespace kube-system. Tocsin runs as Community.`;
    return { ...without, state: 'WrongCluster', message };
  }
  if (now + skewMs < beginsAt) {
    const message = `The licence of ${licensee} begins on ${dayOf(beginsAt)}: until then Tocsin runs as Community.`;
    return { ...without, state: 'NotYetValid', message, changesAt: beginsAt - skewMs };
  }
  if (now < expiresAt) {
    const message = `${edition} is licensed to ${licensee} until ${dayOf(expiresAt)}.`;
    return { ...said, state: 'Valid', edition, message, changesAt: expiresAt };
  }
  const expired = `The licence of ${licensee} expired on ${dayOf(expiresAt)}`;
  if (now < expiresAt + graceMs) {
    const message = `${expired}. ${edition} goes on until ${dayOf(expiresAt + graceMs)}, 14 days later: renew the licence by then.`;
    return { ...said, state: 'GracePeriod', edition, message, changesAt: expiresAt + graceMs };
  }
  const message = `${expired}, and the 14 days of grace are over: Tocsin runs as Community until it is renewed.`;
  return { ...without, state: 'Expired', message };
}

/** How long Pro may be tried: 30 days. */
const trialMs = 30 * dayMs;

/** How the trial that began at `since` stands at `now` (epoch milliseconds). It has no days of grace: nobody has to renew it. */
export function judgeTrial(since: number, now: number): LicenseStanding {
  const expiresAt = since + trialMs;
  const said = { expiresAt, isKnown: true };
  if (now < expiresAt) {
    const message = `Pro is on trial in this cluster until ${dayOf(expiresAt)}; after that Tocsin runs as Community.`;
    return { ...said, state: 'Trial', edition: 'Pro', message, changesAt: expiresAt };
  }
  const message = `The trial of Pro in this cluster ended on ${dayOf(expiresAt)}: Tocsin runs as Community. Name a licence in spec.license, or take spec.trial away.`;
  return { ...said, state: 'TrialEnded', edition: 'Community', message };
}

/** Why a token is not believed, and what to do. `detail`: as the check of the token gave it. */
const flawWords: Readonly<Record<Flaw, (detail: string) => string>> = {
  Empty: () => 'The licence is empty: put the token there that you were given.',
  Malformed: () =>
    'The licence is not the token of a licence, which has three parts divided by dots: copy it again, whole.',
  WrongAlgorithm: (detail) =>
    `The licence is not signed with EdDSA (its header says "${detail}"), as every licence is: ask for a new one.`,
  UnknownKey: (detail) =>
    `The licence is signed with the key "${detail}", which this build of Tocsin does not know: use the image of whoever issued the licence, or a newer one.`,
  BadSignature: () => 'The signature of the licence is wrong: it was changed after it was issued. Copy it again.',
  InvalidClaims: (detail) => `The licence cannot be understood (${detail}): ask for a new one.`,
};

/** A licence that gives nothing as it is. `why`: a sentence. */
export type Unusable = {
  readonly state: Exclude<
    LicenseState,
    'NoLicense' | 'Valid' | 'Trial' | 'TrialEnded' | 'GracePeriod' | 'Expired' | 'Unread'
  >;
  readonly why: string;
};

/** What is wrong with a token that is not believed. */
export function unusableToken(flaw: Flaw, detail = ''): Unusable {
  return { state: flaw, why: flawWords[flaw](detail) };
}

/** What was known before of the licence: a standing, or what the status of AlertConfig says of an earlier process. */
export type LastKnown = Pick<LicenseStanding, 'edition' | 'licensee' | 'expiresAt'>;

/** The edition that goes on from what was known before: until its grace is over. */
function goesOn(before: LastKnown | undefined, now: number): LastKnown {
  const { edition, licensee, expiresAt } = before ?? {};
  if (edition === undefined || expiresAt === undefined || now >= expiresAt + graceMs) return { edition: 'Community' };
  return { edition, expiresAt, ...(licensee !== undefined && { licensee }) };
}

/** A licence that cannot be used, and what applies: what was known before until `until` (epoch milliseconds), then Community. */
export function unusableStanding(
  { state, why }: Unusable,
  before: LastKnown | undefined,
  until: number,
  now: number,
): LicenseStanding {
  if (now >= until) return { state, edition: 'Community', isKnown: true, message: `${why} Tocsin runs as Community.` };
  const known = goesOn(before, now);
  const meanwhile =
    known.edition === 'Community'
      ? 'Tocsin runs as Community.'
      : `Tocsin goes on as ${known.edition} until ${new Date(until).toISOString().slice(11, 16)} UTC, then as Community.`;
  return { ...known, state, isKnown: false, message: `${why} ${meanwhile}`, changesAt: until };
}

/** A licence that could not be read since this process began. `why`: what the API server said, a clause. */
export function unreadStanding(why: string, before: LastKnown | undefined, now: number): LicenseStanding {
  const known = goesOn(before, now);
  const message = `The licence cannot be read at the moment (${why}), and Tocsin keeps asking. Meanwhile it runs as ${known.edition}${known.edition === 'Community' ? '' : ', as before'}.`;
  return { ...known, state: 'Unread', isKnown: false, message };
}
