import { randomBytes } from 'node:crypto';
import { type Cause, invalid } from './failure.ts';
import type { Fields } from './object.ts';
import type { Resource } from './resources.ts';

/** Letters and digits of generated names: no vowels, nothing that looks alike (util/rand of apimachinery). */
const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789';

/** A generated suffix of five letters. */
export function randomSuffix(length = 5): string {
  return [...randomBytes(length)].map((byte) => nameAlphabet[byte % nameAlphabet.length]).join('');
}

const badName =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** The name of an object to be created: its own, or one generated; throws 422 when it is neither. */
export function nameFor(resource: Resource, metadata: Fields): string {
  const given = metadata.name ?? (metadata.generateName ? `${metadata.generateName}${randomSuffix()}` : undefined);
  const causes: Cause[] = [];
  if (typeof given !== 'string' || given === '')
    causes.push({
      reason: 'FieldValueRequired',
      message: 'Required value: name or generateName is required',
      field: 'metadata.name',
    });
  else if (!/^[a-z0-9]([-a-z0-9.:]*[a-z0-9])?$/.test(given) || given.length > 253)
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: "${given}": ${badName}`,
      field: 'metadata.name',
    });
  if (causes.length > 0) throw invalid(resource, typeof given === 'string' ? given : '', causes);
  return String(given);
}
