import { openSecret, Secret } from '../../model/secret.ts';
import type { MaybeSecret } from '../provider.ts';
import { misdirected } from './codes.ts';
import { Refused } from './refused.ts';

/** A header name: an RFC 9110 token. RE2 and JavaScript read it alike. */
export const headerNamePattern = "^[A-Za-z0-9!#$%&'*+.^_`|~-]+$";
/** A header value: visible ASCII, spaces and tabs; a line break would begin a header of its own. */
export const headerValuePattern = '^[\\t -~]*$';

/** Whether a list of refused names (lower case, a trailing `*` for a prefix) names this header. */
export function isRefusedHeader(name: string, refused: readonly string[]): boolean {
  const lower = name.toLowerCase();
  return refused.some((entry) => (entry.endsWith('*') ? lower.startsWith(entry.slice(0, -1)) : lower === entry));
}

/** The same as a regular expression for CEL's `matches`, of a name in small letters. */
export function refusedHeaderPattern(refused: readonly string[]): string {
  const exact = refused.filter((entry) => !entry.endsWith('*'));
  const prefixes = refused.filter((entry) => entry.endsWith('*')).map((entry) => `${entry.slice(0, -1)}.*`);
  return `^(?:${[...exact, ...prefixes].join('|')})$`;
}

/** Throws `Refused` for the first header whose opened value cannot be sent. `called`: how the message names it, never its value. */
export function refuseUnsendable(
  headers: Readonly<Record<string, MaybeSecret>>,
  called: (name: string) => string = (name) => `header \`${name}\``,
): void {
  const sendable = new RegExp(headerValuePattern);
  for (const [name, value] of Object.entries(headers))
    if (!sendable.test(typeof value === 'string' ? value : openSecret(value))) throw unsendable(called(name));
}

/** `Authorization: <scheme> …` for a token: `Bearer`, or a word of the product's own (`Key`, `GenieKey`; with no space after `Token token=`). */
export function authorization(scheme: string, token: Secret): { readonly authorization: Secret } {
  return { authorization: new Secret(`${scheme}${scheme.endsWith('=') ? '' : ' '}${openSecret(token)}`) };
}

/** `Authorization: Bearer …` for a token. */
export function bearer(token: Secret): { readonly authorization: Secret } {
  return authorization('Bearer', token);
}

/** `Authorization` for a token that people write with or without a scheme: as it is when it holds a space, else as `Bearer …`. */
export function tokenHeader(token: Secret): { readonly authorization: Secret } {
  return openSecret(token).includes(' ') ? { authorization: token } : bearer(token);
}

/** The refusal of a value that no header can hold. `what`: names it, never its value. */
export function unsendable(what: string): Refused {
  return new Refused(
    misdirected(`${what} holds a line break or a character outside ASCII; correct its value in the Secret`),
  );
}
