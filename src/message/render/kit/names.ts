/** What products make links of within a sentence: addresses with a scheme, and names with a dot before a letter. */
export const tapped = { addresses: /:\/\//, names: /:\/\/|[\p{L}\p{N}_-]\.\p{L}/u } as const;

/**
 * A word that is a name or an address and nothing else: `ip-10-0-3-7.eu-west-1.compute.internal`, `registry.example/app:2.4`,
 * `http://10.0.3.7:8080/healthz`. It begins after a space, a quote or a bracket, and ends before one or before what ends a sentence; or
 * where the text was cut, within it.
 */
const start = /(?<![^\s\u200b("'‘“[])[A-Za-z0-9](?:[\w.:/?=-]|@sha\d{3}:)*/.source;
const whole = /[A-Za-z0-9/](?=[.,;:!?)"'’”\]]*(?:\s|$))/.source;
const cut = /(?:@(?:s(?:h(?:a\d{0,3})?)?)?)?$/.source;
const word = new RegExp(`${start}${whole}|${start}${cut}`, 'g');

/** How names are written, and how everything between them is. */
type Written = { readonly name: (name: string) => string; readonly rest: (text: string) => string };

/** The text with each name of it that `tapped` finds something in written in one way, and the rest in another. */
export function writeNames(text: string, found: RegExp, { name, rest }: Written): string {
  let written = '';
  let end = 0;
  for (const { 0: token, index } of text.matchAll(word)) {
    if (!found.test(token)) continue;
    written += rest(text.slice(end, index)) + name(token);
    end = index + token.length;
  }
  return written + rest(text.slice(end));
}
