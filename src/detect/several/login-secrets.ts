import { namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import type { PlacedSign, World } from '../../world/view/world.ts';

/** A right that the API server denies is the service account's. */
export const ofAccount = /^system:serviceaccount:/;

/** Whether a program does not know who signed a certificate: what it trusts is its own, and comes from what it mounts. */
export const isUntrusting = ({ kind, line }: Pick<PlacedSign, 'kind' | 'line'>): boolean =>
  kind === 'CertificateInvalid' &&
  /unknown authority|unable to get local issuer|unable to verify the first|PKIX path building|unknown ca\b|self[- ]signed certificate in/i.test(
    line,
  );

/**
 * Whether what a program says can come of what is in a Secret: it is not let in, may not do what it logs in for, cannot use a key,
 * or knows no authority for whom it is shown.
 */
export function isAboutSecrets(sign: Pick<PlacedSign, 'kind' | 'name' | 'line'>): boolean {
  const { kind, name = '' } = sign;
  if (kind === 'CertificateInvalid') return isUntrusting(sign);
  if (kind === 'AccessForbidden') return !ofAccount.test(name);
  return kind === 'CredentialsRejected' || kind === 'SecretUnusable';
}

/**
 * The Secrets that the programs of a Pod may log in with: those that they see, without what only pulls images and what is known to be a
 * certificate.
 */
export function loginSecretsOf(pod: Ref, world: World): readonly Ref[] {
  const view = world.get(pod);
  if (typeof view !== 'object' || view.kind !== 'Pod') return [];
  const { secrets, pullSecrets = [] } = view.template;
  return secrets
    .filter((name) => !pullSecrets.includes(name))
    .map((name) => refOf('Secret', namespaceOf(pod), name))
    .filter((ref) => typeof world.get(ref) !== 'object');
}
