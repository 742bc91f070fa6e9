import { endpoint } from '../kit.ts';

const number = '\\+?[1-9](?:[ ().-]{0,2}[0-9]){4,14}';
/** A number with its country code. */
export const numberPattern = `^ *${number} *$`;
/** A number, a group, a user name, or the id of an account. */
export const recipientPattern = [
  `^ *(${number}|group\\.[A-Za-z0-9+/=_-]+|[A-Za-z_][A-Za-z0-9_]{2,31}\\.[0-9]{2,20}`,
  '|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}) *$',
].join('');

/** A number as the gateway writes it: `+4915112345678`. */
export function e164(given: string): string {
  return `+${given.replace(/[^0-9]/g, '')}`;
}

/** A recipient as the gateway wants it. */
export function recipientOf(to: string): string {
  const name = to.trim();
  return new RegExp(numberPattern).test(name) ? e164(name) : name;
}

/** Whether a recipient is a group. */
export function isGroup(recipient: string): boolean {
  return recipient.startsWith('group.');
}

/** A place of the gateway; people give its address with or without the place for messages. */
export function placeOf(url: string, path: string): URL {
  const place = endpoint(url, '');
  place.pathname = place.pathname.replace(/(?:\/v[12]\/send)?\/+$/, '');
  return endpoint(place.href, path);
}
