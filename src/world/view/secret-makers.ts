/** Kinds of custom resources from which a Secret of the same name is made, unless they say otherwise. */
export const makersOfSecrets: readonly string[] = [
  'SealedSecret.bitnami.com',
  'ExternalSecret.external-secrets.io',
  'Certificate.cert-manager.io',
  'VaultStaticSecret.secrets.hashicorp.com',
  'VaultDynamicSecret.secrets.hashicorp.com',
  'OnePasswordItem.onepassword.com',
  'BitwardenSecret.k8s.bitwarden.com',
  'InfisicalSecret.secrets.infisical.com',
];
