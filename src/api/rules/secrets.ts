/** Why a Secret that a resource names cannot be used, as a reason of the condition `Stalled` and for people. */
export type SecretProblem = { readonly reason: 'SecretNotFound' | 'SecretKeyMissing'; readonly message: string };

/** The Secret is not there. */
export function secretNotFound(name: string): SecretProblem {
  const message = `the Secret "${name}" does not exist in this namespace: create it, or correct \`secretKeyRef.name\``;
  return { reason: 'SecretNotFound', message };
}

/** The Secret is there and lacks the key. */
export function secretKeyMissing(name: string, key: string): SecretProblem {
  const message = `the Secret "${name}" has no key "${key}": add the key, or correct \`secretKeyRef.key\``;
  return { reason: 'SecretKeyMissing', message };
}
