import { namespaceOf, type Ref, refOf } from '../model/ref.ts';
import type { World } from '../world/world.ts';

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
