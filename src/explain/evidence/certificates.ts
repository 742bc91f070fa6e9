import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { SignKind } from '../../model/sign.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';

/** What programs say of certificates, and of files that they cannot use or do not find. */
const saidOfCertificates: readonly SignKind[] = [
  ...(['CertificateInvalid', 'SecretUnusable', 'SettingsUnusable', 'FileMissing', 'KeyMissing'] as const),
];
/** The keys of a Secret of a certificate, by convention (core/v1 `kubernetes.io/tls`, cert-manager's keystores and further outputs). */
const certificateKey = /^(?:tls\.(?:crt|key)|ca\.crt|tls-combined\.pem|key\.der|(?:key|trust)store\.(?:p12|jks))$/;

/** Whether an object is a Secret that holds a certificate and nothing else, and what fails says something, and nothing of certificates. */
export function isOfNoCertificate(ref: Ref, said: readonly PlacedSign[], world: World): boolean {
  if (kindOf(ref) !== 'Secret' || said.length === 0) return false;
  const view = world.get(refOf('SecretMetadata', namespaceOf(ref), nameOf(ref)));
  const keys = typeof view === 'object' && view.kind === 'SecretMetadata' ? (view.keys ?? []) : [];
  const isCertificate = keys.includes('tls.crt') && keys.every((key) => certificateKey.test(key));
  return isCertificate && !said.some(({ kind }) => saidOfCertificates.includes(kind));
}
