import { hash } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { openSecret } from '../model/secret.ts';
import { type ProviderTls, secureContextOf } from '../providers/kit/tls.ts';
import { TransportError } from '../providers/provider.ts';

/**
 * What tells connections apart that were made with other authorities, or as somebody else: the same for the same certificates and key alone. It
 * stays in this process.
 */
export function identityOf(tls: ProviderTls): string {
  const { caBundle, clientCertificate, clientKey } = tls;
  const parts = [caBundle, clientCertificate, clientKey].map((part) => (part ? openSecret(part) : null));
  return hash('sha256', JSON.stringify(parts), 'hex');
}

/** For the TLS library; a `TransportError` that quotes nothing where that does not take it. */
export function secured(tls: ProviderTls): SecureContext {
  try {
    return secureContextOf(tls);
  } catch {
    const why = '`spec.tls` cannot be used: its condition Stalled says what is wrong with it';
    throw new TransportError('InvalidCertificate', why, false);
  }
}
