import { string } from './fields.ts';

/** The most recipients where each is a request of its own: all of them must fit into one attempt. */
const maxRecipients = 20;
/** A phone number that begins with its country code; with spaces, hyphens, dots and brackets as people write them. */
const number = '\\+?[1-9](?:[ ().-]{0,2}[0-9]){4,14}';
/** One or more phone numbers, separated by commas. */
export const phoneNumbers = string({
  required: true,
  orNumber: true,
  // RE2 and JavaScript read it alike.
  pattern: `^ *${number}(?: *, *${number}){0,${maxRecipients - 1}} *$`,
  description: `Numbers with country code, at most ${maxRecipients}, separated by commas.`,
});

/** What all ways of SMS are; to give an attempt up too early sends it twice. */
export const smsProvider = { family: 'chat', behaviour: 'every act is a new SMS', minTimeoutMs: 20_000 } as const;

/** The numbers of such a list in digits alone, without `+`; none twice. */
export function splitPhoneNumbers(list: string): readonly string[] {
  const numbers = list.split(',').map((entry) => entry.replace(/[^0-9]/g, ''));
  return [...new Set(numbers)].filter((entry) => entry !== '');
}

/** A number with its country code or a short code, or a name of up to eleven letters and digits. */
export const senderPattern = '^ *(\\+?[0-9](?:[ ().-]{0,2}[0-9]){2,14}|[A-Za-z0-9 +&_-]{1,11}) *$';

/** The field of a sender. */
export const senderField = (description: string, pattern = senderPattern) =>
  string({ required: true, orNumber: true, pattern, description });

/** The digits of a sender that is a number, without `+`; a name as it is. */
export function senderOf(from: string): { readonly digits: string } | { readonly name: string } {
  const name = from.trim();
  return /^[+\d ().-]+$/.test(name) ? { digits: name.replace(/[^0-9]/g, '') } : { name };
}
