/** All that a provider file imports: `defineProvider`, the fields, and the helpers that may open a Secret. */
export { defineProvider } from './kit/define.ts';
export { readDestination } from './kit/destination.ts';
export { boolean, group, headers, httpUrl, integer, json, list, secret, string } from './kit/fields.ts';
export { unsendableHeader } from './kit/headers.ts';
