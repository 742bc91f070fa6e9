import { kindOf, nameOf, namespaceOf, type Ref, refOf } from '../../model/ref.ts';
import { type Fields, fieldsOf, textOf } from './fields.ts';

/**
 * Kinds of custom resources from which a Secret is made in their namespace, and the field of their spec that names it; of their own name
 * where they do not say another. By the API references of each product.
 */
const secretNamedIn: Readonly<Record<string, readonly string[]>> = {
  'SealedSecret.bitnami.com': [],
  'ExternalSecret.external-secrets.io': ['target', 'name'],
  'Certificate.cert-manager.io': ['secretName'],
  'VaultStaticSecret.secrets.hashicorp.com': ['destination', 'name'],
  'VaultDynamicSecret.secrets.hashicorp.com': ['destination', 'name'],
  'OnePasswordItem.onepassword.com': [],
  'BitwardenSecret.k8s.bitwarden.com': ['secretName'],
  'InfisicalSecret.secrets.infisical.com': ['managedSecretReference', 'secretName'],
};

/** The Secret that is made from a custom resource, where that is what it is for. */
export function secretMadeBy(ref: Ref, spec: Fields): Ref | undefined {
  const path = secretNamedIn[kindOf(ref)];
  if (path === undefined) return undefined;
  let named: unknown = spec;
  for (const step of path) named = fieldsOf(named)[step];
  return refOf('Secret', namespaceOf(ref), textOf(named) ?? nameOf(ref));
}
