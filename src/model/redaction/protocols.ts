import { mark, type Rule } from './rule.ts';
import { isHarmless, isPlaceholder, looksMadeUp } from './values.ts';

/** Base64 of a name, a password or both: not a word, not a name in capitals. */
const base64 = '(?=[A-Za-z0-9+/]{0,80}(?:[0-9=+/]|[a-z][A-Z]))[A-Za-z0-9+/]{6,2000}={0,2}(?![\\w-])';

/** Whether it is identified by what follows in a sentence and in no statement of SQL: `revision identified by '8fbd124c930d'`. */
function isToldApart(_: string, before: string): boolean {
  return (
    /identified\s+by\s+\S{0,2}$/.test(before) && !/\b(?:create|alter|grant|replace|link|user\s+\S*@)\b/i.test(before)
  );
}

/** What clients say to servers to log in, as a trace of the protocol shows it. */
export const protocolRules: readonly Rule[] = [
  {
    what: 'SMTP, IMAP, POP3: AUTH PLAIN …',
    pattern: new RegExp(
      `((?<![A-Za-z])(?:auth|authenticate) (?:plain|login|cram-md5|xoauth2?|oauthbearer|ntlm)(?:, response)?["']?:? ["']?)(?:${base64})`,
      'gi',
    ),
    needs: ['auth'],
  },
  {
    what: 'the answer to a question of SMTP: 334 UGFzc3dvcmQ6',
    pattern: new RegExp(
      `((?<!\\d)334 [A-Za-z0-9+/]{4,60}={0,2}(?:\\\\r\\\\n|["'])?\\s{1,5}(?:[^\\sA-Za-z0-9]{1,3}\\s){0,3}(?:[A-Za-z]{1,8}[:>] ?)?["']?)(?:${base64})`,
      'g',
    ),
    needs: ['334 '],
  },
  {
    what: 'IMAP: a1 LOGIN name password',
    pattern: /((?<!\S)[A-Za-z]{0,4}\d{1,6} LOGIN "?[^\s"]{1,100}"? "?)[^\s"]{1,200}(?="?[^\S\n]*(?:\n|$))/g,
    needs: [' LOGIN '],
  },
  {
    what: 'POP3, FTP, IRC: PASS password',
    pattern: /(^|[>:\])-]\s{0,3}|\s)(PASS )([^\s:"']{4,200}(?::\S{4,200})?)(?=[^\S\n]*(?:$|\\r|"))/gm,
    needs: ['PASS '],
    keep: (whole, before = '', command = '', text = '') =>
      looksMadeUp(text, 6) || (/[>:\]]/.test(before) && !isPlaceholder(text)) ? `${before}${command}${mark}` : whole,
  },
  {
    what: 'IRC: IDENTIFY password, NickServ IDENTIFY name password',
    pattern: /((?<![\w-])IDENTIFY (?:NickServ )?(?:\S{1,60} (?=\S{1,200}[^\S\n]*(?:$|\r|")))?)([^\s"']{4,200})/gm,
    needs: ['IDENTIFY '],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'Redis: AUTH password, "auth" "user" "password", call("AUTH", …)',
    pattern:
      /((?<![\w-])(?:AUTH (?:[\w.-]{1,60} )?|(?:["']auth["'],? |\bauth\()(?:"[^"\n]{1,60}",? )?["']))((?<=")[^"\r\n]{4,200}|[^\s"',;]{4,200})(?=["'\s)]|$)/gi,
    needs: ['AUTH', 'auth'],
    keep: (whole, before = '', text = '') =>
      looksMadeUp(text, 6) && !before.startsWith('auth ') ? `${before}${mark}` : whole,
  },
  {
    what: 'Redis: the passwords of a rule, user app on ~* +@all >password',
    pattern:
      /\b(?:user|SETUSER|setuser) \S{1,60}(?: (?:on|off|reset\w{0,8}|all\w{1,12}|nopass|(?:skip-)?sanitize-payload|clearselectors|[~+&%(@-][^\s>]{0,80}|[><#!][^\s"']{4,200})){1,60}/g,
    needs: [' >', ' #', ' <'],
    keep: (whole) =>
      whole.replace(/( [><#!])(\S+)/g, (one, sign = '', text = '') => (isHarmless(text) ? one : `${sign}${mark}`)),
  },
  {
    what: 'the key of a transaction of DNS: hmac-sha256:name:…, -y name:…',
    pattern:
      /((?:(?<![\w-])hmac-[\w-]{3,12}(?:\.[a-z.-]{1,30})?:|(?<![\w-])-y["']?[ =]["']?)[\w.-]{1,100}:)[A-Za-z0-9+/]{16,200}={0,2}/gi,
    hint: (text) => /hmac-|-y/i.test(text),
  },
  {
    what: 'SASL PLAIN: name and password behind NUL',
    pattern: /(\\(?:0|x00|u0000)[\w.@-]{1,64}\\(?:0|x00|u0000))[^\s"'\\]{1,200}/g,
    needs: ['\\0', '\\x00', '\\u0000'],
  },
  {
    what: 'SQL',
    pattern:
      /((?:\bpassword|\bidentified\s{1,3}(?:with\s{1,3}[\w"'`]{1,60}\s{1,3})?(?:by|as)(?:\s{1,3}password)?)\s{1,3}\\?['"])[^'"\\\r\n]{1,300}/gi,
    needs: ['password', 'identified'],
    unless: isToldApart,
  },
  {
    what: 'SQL without quotes, and SET PASSWORD',
    pattern:
      /(\b(?:identified\s{1,3}by\s{1,3}|set password[^=\n;]{0,120}=\s{0,3}(?:password\()?)['"]?)([^\s'";)]{3,300})/gi,
    needs: ['dentified', 'DENTIFIED', 'assword', 'ASSWORD'],
    unless: isToldApart,
    keep: (whole, before = '', text = '') => (isPlaceholder(text) ? whole : `${before}${mark}`),
  },
  {
    what: 'SQL that encrypts: pgp_sym_decrypt(body, …), AES_ENCRYPT(body, …)',
    pattern:
      /(\b(?:pgp_sym_(?:en|de)crypt|aes_(?:en|de)crypt)\w{0,10}\s?\([^()\n]{1,100}(?:\([^()\n]{0,100}\))?,\s{0,3}')[^'\n]{1,200}/gi,
    needs: ['crypt', 'CRYPT'],
  },
  {
    what: 'SQL that writes a row with a password',
    pattern:
      /(insert into [^();]{1,100}\([^()]{0,500}(?:passw|secret|token|api_?key)[^()]{0,500}\)\s{1,5}values\s{0,5}\()[^;\n]{1,1000}/gi,
    needs: ['nsert', 'NSERT'],
  },
  {
    what: 'a hashed password',
    pattern:
      /(?<![A-Za-z\d])md5[\da-f]{32}(?![\da-f])|(?<![\w-])SCRAM-SHA-\d{1,3}\$\d{1,8}:[\w+/=$:]{8,300}|\$(?:2[abxy]?\$\d\d|[156y]|apr1|argon2(?:id?|d)|pbkdf2[\w-]{0,20}|scram-sha-\d+)\$[^\s"',;<>]{8,300}/gi,
    needs: ['$', 'md5'],
    keep: mark,
  },
  {
    what: 'a hashed password of LDAP',
    pattern: /(\{(?:PLAIN|CLEAR(?:TEXT)?|S?SHA\d{0,3}|S?MD5|CRYPT|PBKDF2[\w-]{0,20})\})[^\s"',;<>]{8,300}/gi,
    needs: ['{'],
  },
];
