import { createPrivateKey, X509Certificate } from 'node:crypto';
import { openSecret, type Secret } from '../model/secret.ts';

/** What TLS is served with: a certificate in PEM with those that vouch for it, its key, and when it ends (epoch milliseconds). */
export type ServingPair = { readonly certificate: string; readonly key: Secret; readonly notAfter: number };

/**
 * The pair that a Secret of type kubernetes.io/tls holds, or what is wrong with it: the rest of a sentence that begins with the
 * Secret. Nothing of the key is in it.
 */
export function servingPair(data: ReadonlyMap<string, Secret>): ServingPair | { readonly unusable: string } {
  const [crt, key] = [data.get('tls.crt'), data.get('tls.key')];
  if (!crt) return { unusable: 'has no key tls.crt' };
  if (!key) return { unusable: 'has no key tls.key' };
  const certificate = openSecret(crt);
  const read = certificateOf(certificate);
  if (!read) return { unusable: 'holds no certificate in PEM under tls.crt' };
  if (!isKeyOf(read, key)) return { unusable: 'holds a tls.key that is not the private key of its tls.crt' };
  return { certificate, key, notAfter: Date.parse(read.validTo) };
}

function certificateOf(pem: string): X509Certificate | undefined {
  try {
    return new X509Certificate(pem);
  } catch {
    return undefined;
  }
}

function isKeyOf(certificate: X509Certificate, key: Secret): boolean {
  try {
    return certificate.checkPrivateKey(createPrivateKey(openSecret(key)));
  } catch {
    return false;
  }
}
