import { isDeepStrictEqual } from 'node:util';
import type { Secret } from '../../model/secret.ts';
import { didYouMean } from '../../model/suggest.ts';
import { secretKeyMissing, secretNotFound } from '../rules/secrets.ts';
import type { SecretField } from './named-secrets.ts';
import type { Remark } from './remark.ts';
import type { SecretLookup } from './surroundings.ts';

/** What the Secrets that an object names hold, as far as they are known. */
export type Opened = {
  readonly remarks: readonly Remark[];
  /** Field → value. */
  readonly values: ReadonlyMap<string, Secret>;
  /** Every field has its value or is written in the object. */
  readonly complete: boolean;
};

/** Opens what is named in `fields` with the given Secrets of that namespace; a Secret nobody gave is no problem. */
export function openGiven(fields: readonly SecretField[], namespace: string, lookup: SecretLookup): Opened {
  const values = new Map<string, Secret>();
  const remarks: Remark[] = [];
  let complete = true;
  for (const { path, field, namedAt = `${path}.secretKeyRef`, ...location } of fields) {
    if ('inline' in location) continue;
    const { secret: name, key } = location;
    const given = lookup(namespace, name);
    const value = typeof given === 'object' ? given.values.get(key) : undefined;
    if (value !== undefined) values.set(field, value);
    else complete = false;
    if (value !== undefined || given === 'unknown' || given === 'sealed') continue;
    const { reason, message } = given === 'missing' ? secretNotFound(name) : secretKeyMissing(name, key);
    const meant = given === 'missing' ? '' : didYouMean(key, [...given.values.keys()]);
    const remark = { rule: reason, path: namedAt, message: `\`${path}\`: ${message}${meant}` };
    // A certificate and its key are missing with the one Secret that is named for both.
    if (!remarks.some((other) => isDeepStrictEqual(other, remark))) remarks.push(remark);
  }
  return { remarks, values, complete };
}
