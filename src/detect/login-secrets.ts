import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { PlacedSign, World } from '../world/world.ts';

/** A right that the API server denies is the service account's. */
const ofAccount = /^system:serviceaccount:/;

/** Whether what a program says can come of what is in a Secret: it is not let in, may not do what it logs in for, or cannot use a key. */
export function isAboutSecrets({ kind, name = '' }: Pick<PlacedSign, 'kind' | 'name'>): boolean {
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
