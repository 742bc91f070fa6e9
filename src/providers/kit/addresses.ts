import { domainToASCII } from 'node:url';

/** One mail address, `a@b` or `Name <a@b>`; no comma or line break, so that none can become two. RE2 and JavaScript read it alike. */
const address = '([^<>@,\\x00-\\x1f\\x7f]*<[^<>@\\s,]+@[^<>@\\s,]+>|[^<>@\\s,]+@[^<>@\\s,]+)';
/** One address. */
export const addressPattern = `^ *${address} *$`;
/** One or more, separated by commas. */
export const addressesPattern = `^ *${address}( *, *${address})* *$`;

/** The addresses of a comma-separated list, each once: mail APIs refuse a recipient that is named twice. */
export function splitAddresses(list: string): readonly string[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const known = entries.map((entry) => bareAddress(entry).toLowerCase());
  return entries.filter((_entry, index) => known.indexOf(known[index] ?? '') === index);
}

/** `a@b` of `Name <a@b>`. */
export function bareAddress(given: string): string {
  return (/<([^<>]*)>/.exec(given)?.[1] ?? given).trim();
}

/** A mailbox as APIs take it that want name and address apart. */
export type Mailbox = { readonly email: string; readonly name?: string };

/** `{ email, name }` of `Name <a@b>`, quotes around the name left out. */
export function mailboxOf(given: string): Mailbox {
  const email = bareAddress(given);
  const name =
    /^([^<]*)</
      .exec(given)?.[1]
      ?.trim()
      .replace(/^"(.*)"$/, '$1') ?? '';
  return name === '' ? { email } : { email, name };
}

/**
 * The domain of an address in ASCII (RFC 3492): names the sender in ids, and to a server that would refuse a Pod's own name.
 * `localhost` for what is no domain.
 */
export function domainOf(given: string): string {
  const address = bareAddress(given);
  return domainToASCII(address.slice(address.lastIndexOf('@') + 1)) || 'localhost';
}

/** `Name <a@b>` in ASCII, for APIs that take nothing else: the name as encoded words (RFC 2047), the domain as DNS has it. */
export function asciiMailbox(given: string): string {
  const { email, name } = mailboxOf(given);
  const [local, domain = ''] = email.split('@');
  const address = /^[!-~]*$/.test(domain) ? email : `${local}@${domainOf(given)}`;
  return name === undefined ? address : `${phrase(name)} <${address}>`;
}

/** A display name: as it is, in quotes, or in encoded words of at most 75 characters that hold whole characters. */
function phrase(name: string): string {
  if (/^[A-Za-z0-9 !#$%&'*+/=?^_`{|}~-]+$/.test(name)) return name;
  if (/^[ -~]+$/.test(name)) return `"${name.replace(/["\\]/g, '\\$&')}"`;
  const words = [''];
  for (const character of name.toWellFormed()) {
    const longer = `${words.at(-1)}${character}`;
    if (Buffer.byteLength(longer) <= 45) words.splice(-1, 1, longer);
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}
