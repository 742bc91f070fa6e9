import { nameOf } from '../model/ref.ts';
import type { UnopenedSecrets } from '../model/secret-source.ts';

/** Why a Secret of the operator's settings cannot be read, for people. `called`: whose it is. */
export function whyUnopened(unopened: UnopenedSecrets, called = 'its Secret'): string {
  if (unopened.denied) return `Tocsin may not read ${called}: grant ${unopened.permission}`;
  const secret = `the Secret ${nameOf(unopened.missing)}`;
  return unopened.key === undefined ? `${secret} does not exist` : `${secret} has no key ${unopened.key}`;
}
