import { mark, type Rule, spaces } from './rule.ts';
import { isHarmless, isObjectName, looksMadeUp } from './values.ts';

/** Names whose value is a secret, at the end of a longer name too (`DB_PASSWORD`, `clientSecret`). */
const passwords = [
  'pass(?:word|wd|wort|phrase|code)s?',
  '(?<![a-z])pass',
  'pwd',
  '(?<![A-Za-z])pw',
  'kennwort|contrase[nñ]a|(?<![a-z])senha|wachtwoord|mot[-_ ]de[-_ ]passe|(?<![a-z])mdp|пароль|密码|密碼|パスワード|비밀번호',
].join('|');
const keys =
  '(?:api|access|account|secret|private|shared[-_ ]?access|signing|encryption|license|integration|routing|app|application|auth|master|storage|subscription|webhook)[-_ ]?key(?:[-_]?(?:base|id))?';
const certain = [
  passwords,
  'secret[-_]?access[-_]?key',
  'secret',
  keys,
  'token',
  'credentials?',
  'connection[-_]?string',
  'x-(?:amz|goog)-(?:signature|credential|security-token)',
].join('|');
/** Names that mean other things as well: only a value that looks made up is one. */
const uncertain = [
  'sig(?:nature)?',
  '(?<![a-z])_?auth',
  '(?<![A-Za-z])jwt',
  'session[-_]?(?:id|key)',
  '(?<![A-Za-z])(?:pin|otp)',
].join('|');
const names = `${certain}|${uncertain}`;

const certainEnd = new RegExp(`(?:${certain})$`, 'i');

/** Whether something of this name is a secret: a key, a flag, a label. */
export function namesSecret(name: string): boolean {
  return certainEnd.test(name);
}

/** Decides on one `name=value` or `name: value`; prose after a colon stays unless it looks like a secret. */
function redactPair(name: string, separator: string, opening: string, value: string): string {
  const whole = `${name}${separator}${opening}${value}`;
  const hidden = `${name}${separator}${opening}${mark}`;
  if (isHarmless(value)) return whole;
  if (/^secret$/i.test(name) && isObjectName(value)) return whole;
  // The shell's working directory.
  if (name === 'PWD' && value.startsWith('/')) return whole;
  if (/^(?:pin|otp)$/i.test(name)) return /^\d{4,12}$/.test(value) ? hidden : whole;
  // Statuses and signals of processes: `sig=15`, `signature: v4`.
  if (/^sig/i.test(name)) return value.length < 16 ? whole : hidden;
  if (/^(?:_?auth|jwt|session[-_]?(?:id|key))$/i.test(name))
    return looksMadeUp(value, 8) || /^[A-Za-z0-9+/]{8,}={1,2}$/.test(value) ? hidden : whole;
  const prose = /[:：]/.test(separator) && opening === '' && !separator.includes(':=');
  if (prose && !/^p(?:ass|w)/i.test(name) && !(value.length >= 8 && /\d/.test(value))) return whole;
  return hidden;
}

/** A line of its own, as configuration is written: even a word without digits is a value there. */
function redactLine(before: string, name: string, separator: string, value: string): string {
  const whole = `${before}${name}${separator}${value}`;
  if (value.length < 6 || isHarmless(value) || /[.!?]$/.test(value)) return whole;
  // `existingSecret: db`, `secret: regcred` name objects; `clientSecret: swordfish` is one.
  const reference =
    /^secret$/i.test(name) && !/(?:client|app|shared|consumer|signing|oauth|jwt|cookie)[-_]?$/i.test(before);
  return reference || isObjectName(value) ? whole : `${before}${name}${separator}${mark}`;
}

/** What ends a bare value, unless more of it follows at once that is not the next pair. */
const stops = '&,;<>)\\]}|\\\\';
const word = `[^\\s"'${stops}]`;
/** The name of the next pair is not the value of this one: `/etc/passwd: DB_PASSWORD: "…"`. */
const notTheNextName = `(?![\\w.-]{0,60}(?:${names})["']?[:=]["'\\s])`;
const bare = `${notTheNextName}${word}+(?:[${stops}]+(?!amp;|[\\w.-]{1,40}${spaces}[=:]|[.:]|(?<=\\\\)[nrt])${word}+)*`;
/** Between name and value: the end of a quoted name, a sign, and spaces or an indented new line. */
const gap = `${spaces}(?:\\r?\\n[^\\S\\r\\n]{1,20})?`;
const separator = `\\\\{0,3}["']?\\]?${spaces}(?:=>|:=|->|[:=：＝])${gap}`;
/** `b"…"`, `"""…"""`, `"…"`, `'…'`, `\"…\"`, `{…}` of SQL Server; quotes may be missing at the end. */
const value = [
  `([bru]{0,2}(?:"""|'''))((?:(?!"""|''')[\\s\\S]){0,2000})`,
  `([bru]{0,2}")((?:[^"\\\\\\r\\n]|\\\\.)*)`,
  `([bru]{0,2}')((?:[^'\\\\\\r\\n]|\\\\.)*)`,
  `(\\\\{1,3}["'])([^"'\\\\\\r\\n]*)`,
  `(\\{(?!["'{]))((?=[^{}]{0,200}\\})[^{}=:"\\r\\n]{1,200})`,
  `()(${bare})`,
].join('|');

/** What is told by its name: assignments, configuration, JSON, tables, prose. In order: the earlier ones see more. */
export const pairRules: readonly Rule[] = [
  {
    what: 'a line of configuration',
    pattern: new RegExp(
      `^([^\\S\\r\\n]{0,40}(?:- )?["']?[\\w.-]{0,60}?)(${certain})(["']?:[^\\S\\r\\n]{1,20})([^\\s"'#|>{\\[&*!%][^\\s]*)(?=[^\\S\\r\\n]*$)`,
      'gim',
    ),
    keep: (_, before = '', name = '', gone = '', text = '') => redactLine(before, name, gone, text),
  },
  {
    what: 'name=value, name: value, "name": "value", \\"name\\":\\"value\\", connection strings, queries',
    pattern: new RegExp(`(${names})(${separator})(?:${value})`, 'gi'),
    keep(_, name = '', between = '', ...rest) {
      // Opening and content of whichever alternative it was.
      const at = [0, 2, 4, 6, 8, 10].find((index) => rest[index] !== undefined) ?? 10;
      return redactPair(name, between, rest[at] ?? '', rest[at + 1] ?? '');
    },
  },
  {
    what: 'an entry of name and value: variables of a container, XML attributes',
    pattern: new RegExp(
      `((?:${names})\\\\{0,3}["']?${spaces}[,;]?\\s{0,20}\\\\{0,3}["']?value\\\\{0,3}["']?${spaces}[:=]${spaces}\\\\{0,3}["']?)([^\\s"'\\\\,}<>]{1,300})`,
      'gi',
    ),
    keep: (whole, before = '', text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'an XML element',
    pattern: new RegExp(`(<[\\w:.-]{0,60}(?:${certain})(?:\\s[^<>]{0,200})?>)([^<>]{1,500})(?=<)`, 'gi'),
    keep: (whole, before = '', text = '') => (isHarmless(text.trim()) ? whole : `${before}${mark}`),
  },
  {
    what: 'a column: tabs, bars or dots between name and value',
    pattern: new RegExp(
      `((?:${certain})["']?(?:\\t{1,20}|${spaces}\\|[^\\S\\r\\n]{1,20}|\\.{4,80}))([^\\s|]{4,200})`,
      'gi',
    ),
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'prose: the password is …, invalid token "…", API key …',
    pattern: new RegExp(
      `(?<!unexpected |illegal |unknown |next )((?:${passwords}|secret access key|api[-_ ]key|access key|token|credential|one-time code|verification code|auth)(?: (?:is|was|value|provided|of))?:?[^\\S\\r\\n]{1,3}["'\`“]?)([^\\s"'\`”,;:()<>]{4,300})`,
      'gi',
    ),
    keep(whole, before = '', text = '') {
      const plain = text.replace(/[.!?]+$/, '');
      const digits = /^(?:pass|one-time|verification)/i.test(before) && /^\d{4,12}$/.test(plain);
      const least = /^auth/i.test(before) ? 20 : 6;
      return digits || looksMadeUp(plain, least) ? `${before}${mark}${text.slice(plain.length)}` : whole;
    },
  },
];
