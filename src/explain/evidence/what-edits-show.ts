import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { settingsKinds } from '../../model/settings-kinds.ts';
import type { SignKind } from '../../model/sign.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';

/** What programs say of the machine, the disk and the rights of their own process: no settings that they read bring it about. */
const ofTheMachine: readonly SignKind[] = [
  ...(['PermissionDenied', 'ReadOnlyFileSystem', 'NoSpaceLeft', 'FileSystemFailing', 'ExecFormat'] as const),
  ...(['TooManyOpenFiles', 'TooManyProcesses', 'HostSettingTooLow'] as const),
];
/** What they say of certificates, and of files that they cannot use or do not find. */
const ofCertificates: readonly SignKind[] = [
  ...(['CertificateInvalid', 'SecretUnusable', 'SettingsUnusable', 'FileMissing', 'KeyMissing'] as const),
];
/** The keys of a Secret of a certificate, by convention (core/v1 `kubernetes.io/tls`, cert-manager's keystores and further outputs). */
const certificateKey = /^(?:tls\.(?:crt|key)|ca\.crt|tls-combined\.pem|key\.der|(?:key|trust)store\.(?:p12|jks))$/;

/** Whether an object is a Secret that holds a certificate and nothing else. */
function isCertificate(ref: Ref, world: World): boolean {
  if (kindOf(ref) !== 'Secret') return false;
  const view = world.get(refOf('SecretMetadata', namespaceOf(ref), nameOf(ref)));
  const keys = typeof view === 'object' && view.kind === 'SecretMetadata' ? (view.keys ?? []) : [];
  return keys.includes('tls.crt') && keys.every((key) => certificateKey.test(key));
}

/** Whether what programs say cannot come from settings that were edited: all of it is of their machine, or none of the certificate that they hold. */
export function isNotOfSettings(ref: Ref, said: readonly PlacedSign[], world: World): boolean {
  if (!settingsKinds.includes(kindOf(ref)) || said.length === 0) return false;
  const kinds = said.map(({ kind }) => kind);
  if (kinds.every((kind) => ofTheMachine.includes(kind))) return true;
  return !kinds.some((kind) => ofCertificates.includes(kind)) && isCertificate(ref, world);
}
