import { openSecret, Secret } from '../../model/secret.ts';
import type { MaybeSecret } from '../provider.ts';
import { misdirected } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { Refused } from './refused.ts';

/** Why an address cannot be used: what may be shown of it, and what to do. */
export type InvalidDestination = { readonly value: string; readonly remedy: string };

/** Paths and queries that belong to something else of the same product, and what to give instead (continues "it …"). */
export type Unfit = { readonly path?: RegExp; readonly query?: RegExp; readonly remedy: string };

/** Up to the port: what comes after (path, query) and before the `@` may be a credential. */
const head =
  /^([A-Za-z][A-Za-z0-9+.-]*):\/\/(?:[^@/?#]*@)?(\[[0-9A-Fa-f:.]*\]|[A-Za-z0-9._-]*)(?::([^/?#]*))?([/?#].*)?$/s;

/** Scheme, host and port of an address, the rest as `…`; `***` when it does not look like an address at all. */
export function showAddress(address: string): string {
  const match = head.exec(address);
  if (!match) return '***';
  const [, scheme = '', host = '', port, rest] = match;
  const shownPort = port === undefined ? '' : `:${/^\d+$/.test(port) ? port : '…'}`;
  return `${scheme}://${host}${shownPort}${rest === undefined || rest === '/' ? (rest ?? '') : '/…'}`;
}

/** Why `address` is no http(s) address with a host and a port from 1 to 65535 that fits, or `undefined` when it is one. */
export function invalidDestination(address: string, unfit?: Unfit): InvalidDestination | undefined {
  const value = showAddress(address);
  const wrong = (remedy: string): InvalidDestination => ({ value, remedy });
  if (address === '') return { value: '', remedy: 'is empty; give the whole address, beginning with https://' };
  if (/[\s\p{Cc}]/u.test(address)) return wrong('holds a space or line break; remove it');
  if (!/^https?:\/\//i.test(address)) return wrong('must begin with https:// or http://');
  const [, , host, port] = head.exec(address) ?? [];
  if (host === '') return wrong('has no host; write it after the ://');
  if (port !== undefined && port !== '' && !(/^\d+$/.test(port) && Number(port) >= 1 && Number(port) <= 65_535))
    return wrong('has a wrong port; use a number from 1 to 65535, or none for the default');
  if (!URL.canParse(address)) return wrong('is not a valid address; check its host');
  const { pathname, search } = new URL(address);
  return unfit?.path?.test(pathname) || unfit?.query?.test(search) ? wrong(unfit.remedy) : undefined;
}

/** An address ready for `send`: credentials in front of the `@` moved to Basic authentication. */
export type Destination = {
  readonly url: Secret;
  /** Lower case, without the port; no secret: messages may show it. */
  readonly host: string;
  readonly basic?: { readonly username: Secret; readonly password: Secret };
};

/**
 * Reads a configured address for one attempt. HTTP clients refuse credentials in an address, so they move to Basic
 * authentication. Throws `Refused` where it cannot be used: a changed Secret repairs that.
 */
export function readDestination(field: string, address: MaybeSecret, unfit?: Unfit): Destination {
  const text = typeof address === 'string' ? address : openSecret(address);
  const invalid = invalidDestination(text, unfit);
  if (invalid) throw unusable(`\`${field}\` is "${invalid.value}": it ${invalid.remedy}`);
  const url = new URL(text);
  const host = url.hostname;
  if (url.username === '' && url.password === '') return { url: new Secret(url.href), host };
  const basic = { username: new Secret(decoded(url.username)), password: new Secret(decoded(url.password)) };
  url.username = '';
  url.password = '';
  return { url: new Secret(url.href), host, basic };
}

/**
 * The address that a key stands for. People paste the whole address a product shows as well: that is taken as it is. `patterns`:
 * an address for each number of parts a key may have, `{}` where each goes (`account/key` with `https://h/{}/keys/{}`). Throws `Refused`.
 */
export function keyDestination(field: string, key: Secret, patterns: readonly string[]): Destination {
  const text = openSecret(key).trim();
  if (text.includes('://')) return readDestination(field, text);
  const parts = text.split('/').map((part) => encodeURIComponent(part));
  const pattern = patterns.find((each) => each.split('{}').length === parts.length + 1);
  if (pattern === undefined || parts.includes(''))
    throw unusable(`\`${field}\` is not a key of this product; copy the key, or the whole address, into the Secret`);
  const address = pattern.split('{}').reduce((left, right, at) => `${left}${parts[at - 1] ?? ''}${right}`);
  return readDestination(field, address);
}

const unusable = (reason: string): Refused => new Refused(misdirected(reason));

/**
 * An address with secret parts, each percent-encoded but for colons, which some tokens hold and paths and queries may:
 * ``secretUrl`https://api.example.com/accounts/${account}/messages` ``.
 */
export function secretUrl(fixed: TemplateStringsArray, ...parts: readonly MaybeSecret[]): Secret {
  const encoded = (text: string): string => encodeURIComponent(text).replaceAll('%3A', ':');
  const opened = parts.map((part) => encoded(typeof part === 'string' ? part : openSecret(part)));
  return new Secret(fixed.map((text, index) => `${text}${opened[index] ?? ''}`).join(''));
}

/** A secret address with its path or query edited, as a product's next call wants it. */
export function editUrl(address: Secret, edit: (url: URL) => void): Secret {
  const url = new URL(openSecret(address));
  edit(url);
  return new Secret(url.href);
}

/**
 * A configured base address with secret path segments behind it, each percent-encoded; the base's own query stays. People paste
 * addresses that hold the first of the segments already: those are not repeated.
 */
export function secretEndpoint(base: string, ...segments: readonly MaybeSecret[]): Secret {
  const path = segments.map((part) => encodeURIComponent(typeof part === 'string' ? part : openSecret(part)));
  const given = new URL(base).pathname.split('/').filter((part) => part !== '');
  const held = path.findLastIndex((_, last) => path.slice(0, last + 1).join('/') === given.slice(-last - 1).join('/'));
  const rest = path.slice(held + 1);
  return new Secret(rest.length === 0 ? base : endpoint(base, rest.join('/')).href);
}

/** Whether an address carries a value for this parameter of its query. */
export function hasParameter(address: Secret, name: string): boolean {
  return (new URL(openSecret(address)).searchParams.get(name) ?? '') !== '';
}

/** Percent-decoded; as it is where a person wrote a bare `%`. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
