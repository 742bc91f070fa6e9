import type { KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, decodeProtectedHeader } from 'jose';
import type { LicenseState } from '../model/license.ts';
import { claimsOf, type LicenseClaims } from './claims.ts';
import { isKeyId, type LicenseKeys } from './keys.ts';

/** The one signature algorithm: RFC 8037. */
const algorithm = 'EdDSA';
/** Says that a token is a licence: a key that signs other things as well must not make licences by accident. */
const tokenType = 'tocsin-license';
/** A longer text is no licence. Characters. */
const maxTokenLength = 65_536;

/** What a token comes to without asking the clock: what it says, or why it is not believed. `detail` ends the sentence. */
export type CheckedToken =
  | { readonly claims: LicenseClaims; readonly keyId: string }
  | { readonly flaw: Flaw; readonly detail?: string };

/** Why a token is not believed. */
export type Flaw = Extract<
  LicenseState,
  'Empty' | 'Malformed' | 'WrongAlgorithm' | 'UnknownKey' | 'BadSignature' | 'InvalidClaims'
>;

/** Checks a licence offline: its form, that one of the keys has signed it, and that it says what a licence says. Never rejects. */
export async function checkToken(text: string, keys: LicenseKeys): Promise<CheckedToken> {
  const token = text.trim();
  if (token === '') return { flaw: 'Empty' };
  const header = headerOf(token);
  if (header === undefined) return { flaw: 'Malformed' };
  const { alg, typ, kid } = header;
  if (alg !== algorithm) return { flaw: 'WrongAlgorithm', detail: String(alg).slice(0, 20) };
  if (typ !== tokenType || !isKeyId(kid)) return { flaw: 'Malformed' };
  const key = keys.get(kid);
  if (key === undefined) return { flaw: 'UnknownKey', detail: kid };
  try {
    const { payload } = await compactVerify(token, key, { algorithms: [algorithm] });
    return believed(payload, kid);
  } catch {
    return { flaw: 'BadSignature' };
  }
}

/** Signs what a licence says. Rejects when the claims are not those of a licence, with what is wrong. */
export async function signToken(claims: LicenseClaims, keyId: string, privateKey: KeyObject): Promise<string> {
  const checked = claimsOf(claims);
  if ('wrong' in checked) throw new Error(checked.wrong);
  return new CompactSign(Buffer.from(JSON.stringify(checked)))
    .setProtectedHeader({ alg: algorithm, typ: tokenType, kid: keyId })
    .sign(privateKey);
}

function headerOf(token: string): Readonly<Record<string, unknown>> | undefined {
  if (token.length > maxTokenLength || token.split('.').length !== 3) return undefined;
  try {
    return decodeProtectedHeader(token);
  } catch {
    return undefined;
  }
}

function believed(payload: Uint8Array, keyId: string): CheckedToken {
  const claims = claimsOf(parsed(payload));
  return 'wrong' in claims ? { flaw: 'InvalidClaims', detail: claims.wrong } : { claims, keyId };
}

function parsed(payload: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(payload).toString('utf8'));
  } catch {
    return undefined;
  }
}
