import { object, required, type Schema, text, type Validation } from '../model/schema.ts';

/** The longest name of a namespaced object (RFC 1123 subdomain). */
export const nameLength = 253;

/** What a `{ secretKeyRef }` or `{ value }` looks like, whatever it is for. */
export const secretSourceProperties = {
  secretKeyRef: object('Where the value is, in this namespace.', {
    name: required(text('Name of the Secret.', { min: 1, max: nameLength })),
    key: required(text('Key in the Secret.', { min: 1, max: nameLength })),
  }),
  value: text('The value itself; anybody who may read this object sees it.', { min: 1, max: 4096 }),
};

/** Exactly one source. */
export const oneSource: Validation = {
  rule: 'has(self.secretKeyRef) != has(self.value)',
  message: 'set exactly one of `secretKeyRef` and `value`',
};

/** A secret value: a reference to a key of a Secret, or the value itself. `longest`: of the latter, in characters. */
export function secretSource(description: string, longest = 4096) {
  const { secretKeyRef, value } = secretSourceProperties;
  const written = { ...value, json: { ...value.json, maxLength: longest } };
  return object(description, { secretKeyRef, value: written }, [oneSource]);
}

/** The same for an entry of a list that has a name as well (a header). */
export function namedSource(
  description: string,
  name: Schema<string>,
  valuePattern: string,
  rules: readonly Validation[],
) {
  const { secretKeyRef, value } = secretSourceProperties;
  const sent = { ...value, json: { ...value.json, pattern: valuePattern } };
  return object(description, { name: required(name), value: sent, secretKeyRef }, [oneSource, ...rules]);
}
