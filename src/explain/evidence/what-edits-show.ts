import type { Reason } from '../../model/reason.ts';
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

/** The keys of a Secret, as far as they are seen. */
function keysOf(ref: Ref, world: World): readonly string[] {
  if (kindOf(ref) !== 'Secret') return [];
  const view = world.get(refOf('SecretMetadata', namespaceOf(ref), nameOf(ref)));
  return typeof view === 'object' && view.kind === 'SecretMetadata' ? (view.keys ?? []) : [];
}

/** Whether an object is a Secret that holds a certificate and nothing else. */
function isCertificate(ref: Ref, world: World): boolean {
  const keys = keysOf(ref, world);
  return keys.includes('tls.crt') && keys.every((key) => certificateKey.test(key));
}

/** Whether an object is a Secret that kubelets log in to registries with (core/v1 `kubernetes.io/dockerconfigjson`, `kubernetes.io/dockercfg`). */
const isRegistryLogin = (ref: Ref, world: World): boolean =>
  keysOf(ref, world).some((key) => key === '.dockerconfigjson' || key === '.dockercfg');

/**
 * Whether a failure cannot come from settings that were edited: no program reads what kubelets log in with, and they read nothing else; all that
 * programs say is of their machine, or none of it of the certificate that they hold.
 */
export function isNotOfSettings(ref: Ref, reason: Reason, said: readonly PlacedSign[], world: World): boolean {
  if (!settingsKinds.includes(kindOf(ref))) return false;
  if (isRegistryLogin(ref, world) !== (reason === 'ImagePullDenied')) return true;
  if (said.length === 0) return false;
  const kinds = said.map(({ kind }) => kind);
  if (kinds.every((kind) => ofTheMachine.includes(kind))) return true;
  return !kinds.some((kind) => ofCertificates.includes(kind)) && isCertificate(ref, world);
}
