import { generateKeyPairSync } from 'node:crypto';
import type { LicenseClaims } from '../../src/edition/claims.ts';
import { licenseKeysOf } from '../../src/edition/keys.ts';
import { signToken } from '../../src/edition/token.ts';

/** Whoever issues licences: a key pair made for the test. */
export function issuer(keyId = 'test') {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId };
  return {
    ...{ jwk, privateKey, keys: licenseKeysOf({ keys: [jwk] }) },
    /** A licence of Example Ltd. */
    issue: (claims: Pick<LicenseClaims, 'iat' | 'exp'> & Partial<LicenseClaims>): Promise<string> =>
      signToken({ licensee: 'Example Ltd', edition: 'Pro', ...claims }, keyId, privateKey),
  };
}

/** Seconds since the epoch of an RFC 3339 instant. */
export const second = (instant: string): number => Date.parse(instant) / 1000;
