/** A Secret that something names; without a namespace it is of the same as who names it. */
export type NamedSecret = { readonly name: string; readonly namespace?: string };

/** How deep Secrets are looked for. */
const maxDepth = 10;
/** Fields that hold a Secret, or several, as objects with a `name`. */
const ofSecrets = /secret(?:key|target)?(?:ref)?s?$/i;

type Fields = Readonly<Record<string, unknown>>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The Secrets that a spec names, by what such fields are called in every API: `passwordSecretRef: { name, key }`, `tls.secretName`,
 * `auth.secret.name`, `secretTargetRef: [{ name, key }]`; with a namespace where it says one. What it says besides is not handed on.
 */
export function* secretsNamedIn(value: unknown, depth = 0): Iterable<NamedSecret> {
  if (depth > maxDepth) return;
  if (Array.isArray(value)) for (const each of value) yield* secretsNamedIn(each, depth + 1);
  if (!isFields(value)) return;
  for (const [field, each] of Object.entries(value)) {
    if (/secretName$/i.test(field) && typeof each === 'string' && each !== '') yield { name: each };
    if (ofSecrets.test(field)) for (const held of Array.isArray(each) ? each : [each]) yield* named(held);
    yield* secretsNamedIn(each, depth + 1);
  }
}

function* named(value: unknown): Iterable<NamedSecret> {
  if (!isFields(value)) return;
  const { name, namespace } = value;
  if (typeof name === 'string' && name !== '') yield { name, ...(typeof namespace === 'string' && { namespace }) };
}
