import { openSecret, Secret } from '../../model/secret.ts';

/** The secrets of a list that one Secret holds, separated by commas; spaces and line breaks around them do not count. */
export function splitSecret(list: Secret): readonly Secret[] {
  const parts = openSecret(list).split(',');
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => new Secret(part));
}

/** The same as one Secret, with nothing but commas between them. */
export function tidySecretList(list: Secret): Secret {
  return new Secret(splitSecret(list).map(openSecret).join(','));
}
