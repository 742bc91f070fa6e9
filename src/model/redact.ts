import { BoundedMap } from './bounded-map.ts';
import { applied } from './redaction/rule.ts';
import { mayMatch, rules } from './redaction/rules.ts';

/** Colours and characters without width, which hide a name or a value from patterns and not from a reader. */
const disguises = new RegExp(
  [
    '\\x1b\\[[0-9;]{0,20}m', // SGR of ECMA-48
    '\\0',
    '\\u00ad', // soft hyphen
    '\\u034f', // combining grapheme joiner
    '[\\u180e\\u200b-\\u200f\\u2060-\\u2064\\ufeff]', // spaces, joiners and marks without width
    '[\\u061c\\u202a-\\u202e\\u2066-\\u2069]', // the bidirectional algorithm
    '[\\ufe00-\\ufe0f]', // variation selectors
  ].join('|'),
  'g',
);
/** Letters, digits and signs of ASCII in the width of a Chinese character. */
const fullWidth = /[\uff01-\uff5e]/g;
/** Letters and digits that JSON writes as their number; no other character, so that JSON stays JSON. */
const escapedLetters = /(?<!\\)\\u00([46][1-9a-f]|[57][0-9a]|3\d)/gi;

/** UTF-16 units: names, labels and sentences, which come again and again; a longer text seldom does. */
const longestKept = 120;
/** Texts in which nothing was found. Only those: a secret is not kept. */
const knownClean = new BoundedMap<string, true>(500);

/**
 * The text with passwords, tokens, keys and cookies replaced by `***`. Give it whole texts rather than single lines: a
 * private key spans several. Doing it twice changes nothing more.
 */
export function redact(text: string): string {
  if (knownClean.has(text)) return text;
  const clean = searched(text);
  if (clean === text && text.length <= longestKept) knownClean.set(text, true);
  return clean;
}

function searched(text: string): string {
  const plain = text
    .replace(disguises, '')
    .replace(fullWidth, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(escapedLetters, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  const clean = withoutSecrets(plain);
  if (plain === text) return clean;
  // Disguises are only taken off where they hid something: emoji and many scripts need such characters.
  return clean === plain ? withoutSecrets(text) : clean;
}

function withoutSecrets(text: string): string {
  let clean = text;
  let inSmallLetters = text.toLowerCase();
  for (const rule of rules) {
    if (!mayMatch(rule, clean, inSmallLetters)) continue;
    const before = clean;
    clean = applied(rule, clean);
    if (clean !== before) inSmallLetters = clean.toLowerCase();
  }
  return clean;
}

/** Anything that `cleanText` would touch; most texts of a cluster have none of it. */
const suspicious = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/u;
/** ECMA-48 escapes: CSI, strings (OSC, DCS, SOS, PM, APC; to their end or that of the line), then the two-character ones. */
const terminalEscapes =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing these is what it is for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\r\n]*(?:\x07|\x9c|\x1b\\)?|\x1b[ -/]*[0-~]?/g;
/** Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9), and the byte order mark. */
const invisible = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * The text without control characters (but line feed and tab), terminal escapes and bidirectional overrides, with lone
 * surrogates replaced, cut to `maxChars` UTF-16 units with a visible `…`, never inside a surrogate pair.
 */
export function cleanText(text: string, maxChars = Number.POSITIVE_INFINITY): string {
  const clean = suspicious.test(text)
    ? text
        .replace(terminalEscapes, '')
        .replace(/\r\n?|[\u2028\u2029]/g, '\n')
        .replace(/[^\P{Cc}\n\t]/gu, '')
        .replace(invisible, '')
        .toWellFormed()
    : text;
  if (clean.length <= maxChars) return clean;
  const kept = clean.slice(0, Math.max(0, maxChars - 1));
  return `${/[\ud800-\udbff]$/.test(kept) ? kept.slice(0, -1) : kept}…`;
}
