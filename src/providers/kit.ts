/** All that a provider file imports: `defineProvider`, the fields, and the helpers that may open a Secret. */
export { addressesPattern, addressPattern, bareAddress, domainOf, mailboxOf, splitAddresses } from './kit/addresses.ts';
export { waitAfter429 } from './kit/answer.ts';
export { classes, failureOfCode, wrongCredential } from './kit/codes.ts';
export { defineProvider } from './kit/define.ts';
export { editUrl, keyDestination, readDestination, secretEndpoint, secretUrl } from './kit/destination.ts';
export { endpoint } from './kit/endpoint.ts';
export { type WebhookEvent, writeEvent } from './kit/event.ts';
export { boolean, group, headers, httpUrl, integer, json, list, secret, string } from './kit/fields.ts';
export { authorization, bearer, unsendableHeader } from './kit/headers.ts';
export { isLoud } from './kit/loud.ts';
export { mailHeaders, mailOf, maxMailTextBytes, threadReference } from './kit/mail-content.ts';
export { alertName, noAlert, placeOf, raiseOrClear } from './kit/pager.ts';
export { phoneNumbersPattern, splitPhoneNumbers, tellEach } from './kit/recipients.ts';
