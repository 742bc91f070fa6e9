import { everydayKeys, keys, passwords } from './names.ts';
import { looksRandom } from './randomness.ts';
import { mark, type Rule } from './rule.ts';
import { isKeyLike, looksDrawn } from './values.ts';

/** Words after which a value that was drawn is a credential, if nothing says that it is something else. */
export const words: string = [
  passwords,
  'secret|credential|creds|cookie|bearer|passkey|authtok|auth[-_ ]?key|(?<![A-Za-z])psk',
  '(?<!(?:page|resume|sync|continuation|unexpected|illegal|next) ?)token',
  '(?:one-time|verification|recovery|backup|pairing|activation|unlock|access|invite|device) codes?',
  keys,
].join('|');
/** Said of a credential as well, but of so many other things that only the words beside it tell. */
const weaker = `(?<![\\w-])(?:pats?(?![\\w-])|licen[cs]e|registration|enroll?ment|auth(?:entication|orization)? (?:failed|failure|error|rejected|denied|string))|(?<!(?:${[...everydayKeys].join('|')})[-_ ]?)(?<![A-Za-z])keys?(?![A-Za-z])`;
const speaksOfOne = new RegExp(`${words}|${weaker}`, 'i');

/** What a credential is called where it is refused or shown, right before it: `is invalid: …`. */
const toldOf =
  'invalid|valid|expired|revoked|unknown|wrong|rejected|refused|bad|incorrect|malformed|accepted|recogni[sz]ed|found|received|given|specified|provided|presented|supplied|sent|used|generated|created|issued|once|again|below|follows|here|leaked|exposed|blocked|denied|disabled|match|exist|works?|parsed?|decoded?|verified|verify';

/** The last word before a value, if it says that the value only tells which one it is. */
const identifies =
  /(?:[a-z]I[dD]s?|[sS][hH][aA]-?\d*|[mM][dD]5|(?<![A-Za-z])(?:[iI][dD]s?(?:-\d)?|ref|user|account|tenant|client|owner|subject|principal|request|req|trace|span|correlation|digest|etag|checksum|hash|fingerprint|thumbprint|integrity|nonce|image|revision|rev|version|commit|kid|jti|serial|generation|accessor|name|node|pod|container|cluster|shard|index|job|run|task|build|object|file|path|bucket|snapshot|public[- ]key|cursor|continue|next|marker|sub|aud|iss|topic|arn|host|device|message|event|operation|deployment|release|instance|thread|lease|transaction|challenge|state))[\s"'`:=#([<]*$/;

/** Whether it has a name of its own: `"requestId":"…"`, `etag=…`, and not a word of prose. */
const isNamed = /(?:[\w.-]=|["'][\w.-]{1,60}["']\s?[:=]|[a-z][A-Z\d_.]\w*:|[\w]_\w*:)[\s"'`]*$/;

/** Whether what stands before a value speaks of a credential: in the same line, or in one that ends in a colon and nothing between. */
function isToldOf(before: string): boolean {
  if (identifies.test(before) || isNamed.test(before)) return false;
  if (/(?:fingerprint|thumbprint|digest|checksum|\bid)\b[^\n]{0,25}$/i.test(before)) return false;
  const line = /[^\n]*(?::[^\S\n]*\r?\n\s{0,40})?$/.exec(before)?.[0] ?? '';
  return speaksOfOne.test(line);
}

/** Who gives one out or prints it says so, and then a shorter one is one, too. */
export const gives: RegExp =
  /\b(?:your|new|newly|once|again|register(?:ed)?|enroll?ed|save|copy|store|keep|us(?:e|ing)|random|enter|paste|generated|created|issued|minted|rotated|reset|initial|temporary|default|following|bootstrap|one-time|set|shown|displayed|recover)\b/i;

/** What can only be a credential, since it was drawn and a line speaks of one: whatever stands between. */
export const nearbyRules: readonly Rule[] = [
  {
    what: 'a drawn value in a line that speaks of a credential: the authtoken you specified is invalid: …',
    pattern: /(?<![\w+/=.%~&?@-])(?!AAAA)[\w+/-]{16,400}={0,2}(?![\w@:/%]|\.\w)/g,
    unless: (_, before) => !isToldOf(before),
    keep: (whole) => (looksRandom(whole, 16) ? mark : whole),
  },
  {
    what: 'a drawn value before what it is: … is not a valid token, … as shared secret',
    pattern: new RegExp(
      `(?<![\\w+/=.%~&?@-])[\\w+/-]{16,400}={0,2}(?=["'\`)]{0,2},? (?:(?:which |that )?(?:is|was|isn't)|as|used as)(?: [a-z]{1,12}){0,4}? (?:${words}))`,
      'gi',
    ),
    hint: (text) => /[\w+/-]{16}["'`)=]{0,4},? (?:is|was|as|used|which|that)/i.test(text),
    keep: (whole) => (looksRandom(whole, 16) || /^[\da-f]{32,128}$/.test(whole) ? mark : whole),
  },
  {
    what: 'a key in hexadecimal digits right behind what it is: master key … does not match the keyring',
    pattern:
      /((?:(?:master|encryption|decryption|secret|signing|private|api|access|auth|ingest|routing|integration|licen[cs]e|shared|unseal|recovery|session)[-_ ]key|(?:api|access|auth|bearer)[-_ ]token)["']?(?: is| was)?:? ["'`(<]?)(?:[\da-f]{32}|[\da-f]{48}|[\da-f]{64})(?![\w:.-])/gi,
    hint: (text) => /[\da-f]{32}/i.test(text),
  },
  {
    what: 'what a program prints on a line of its own behind one that tells of a key: Your new API token (shown only once):',
    pattern: new RegExp(
      `^([^\\n]{0,160}?(?:${words})[^\\n]{0,120}(?:[.!]\\r?\\n[^\\n]{0,100})?(?::|below[.:])[^\\S\\n]*\\r?\\n(?:[^\\S\\n]*\\r?\\n)?[^\\S\\n]*["'\`]?)([^\\s"'\`]{8,400})(?=["'\`]?[^\\S\\n]*(?:\\r?\\n|$(?!\\n)))`,
      'gim',
    ),
    hint: (text) => /[:.][^\S\n]*\r?\n/.test(text),
    keep(whole, before = '', text = '') {
      const short = gives.test(before) && looksDrawn(text, 8);
      return short || looksRandom(text, 16) || isKeyLike(text) ? `${before}${mark}` : whole;
    },
  },
  {
    what: 'a key in hexadecimal digits or small letters behind what is said of it: API key is not valid: …',
    pattern: new RegExp(
      `((?:${words})s?(?: [\\w'(),-]{1,30}){0,8}? (?:${toldOf})\\)?[:,]? ["'\`(<[]?)([\\w+/-]{16,200}={0,2})(?![\\w@:/]|\\.\\w)`,
      'gi',
    ),
    hint: (text) => /(?=[\w+/-]{0,40}\d)[\w+/-]{16}/.test(text),
    unless: (_, before) => identifies.test(before),
    keep: (whole, before = '', text = '') =>
      looksRandom(text, 16) || isKeyLike(text) || /^(?=.*\d)[a-z\d]{16,}$/.test(text) ? `${before}${mark}` : whole,
  },
];
