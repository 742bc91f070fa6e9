import { mark, type Rule } from './rule.ts';
import { isHarmless, isHost, isUuid, looksDrawn, looksMadeUp } from './values.ts';

/**
 * Arguments of calls, as stack traces and debugging print them: without names, so that what is called tells which of them is a password.
 */

/** Functions of PHP that log in, by how many texts stand before the password. */
const passwordAfter: readonly (readonly [functions: string, texts: number])[] = [
  ['ldap_(?:bind|bind_ext)|ftp_login|ssh2_auth_password|oci_(?:new_)?p?connect|ibase_p?connect|wpdb->__construct', 1],
  ['mysqli_(?:real_)?connect|mysqli->(?:__construct|(?:real_)?connect|change_user)|mysql_p?connect', 2],
  ['imap_open|odbc_p?connect|sybase_connect|db2_p?connect|createPdoConnection|PDO->__construct', 2],
];

/** The connection, before the arguments that are texts. */
const connection = 'Object\\([^()\\n]{1,80}\\)|Resource id #\\d{1,8}';

/** What keeps or checks users. */
const ofUsers =
  '(?:validate|verify|check|authenticate|authorize|create|add|register|save|update)_?(?:user|account|client|login|credentials?)\\w{0,12}|(?:user|auth|account)\\w{0,20}\\.register|sign_?up';
/** What is given a password first. */
const ofPasswords =
  '(?:validate|verify|check|compare|hash|encode|set|update|reset|change)_?(?:pass(?:word|wd)?|pw)|password_(?:verify|hash)|bcrypt\\.(?:compare|hash)(?:Sync)?|argon2\\.(?:verify|hash)|(?:checkpw|hashpw)';

/** One argument: in quotes, or a word. */
const argument = /(["'])((?:(?!\1)[^\\\n]|\\.){4,200})\1|[^\s"',=()]{6,200}(?=,|\)|$)/g;

/** Whether an argument was made up: no identifier, host or name with signs; `sure`, if it need not look drawn. */
function isGiven(text: string, sure: boolean): boolean {
  if (isUuid(text) || /^[\da-f]+$/i.test(text) || isHost(text) || /\s|.@/.test(text) || isHarmless(text)) return false;
  // Pods, requests and versions, classes: `shop-7f9c6d5b4-x2x4z`, `Http2ConnectionPool`.
  if (/^[a-z\d]+(?:[-.][a-z\d]+)+$|^(?:[A-Z][a-z]+\d?){2,}$/.test(text)) return false;
  return sure ? looksMadeUp(text, 6) : looksDrawn(text, 8);
}

/** The list of arguments without what was made up; in a call that checks, what stands in quotes need not look drawn. */
const withoutGiven = (list: string, checks: boolean): string =>
  list.replace(argument, (one: string, quote: string | undefined, inner: string | undefined) =>
    isGiven(inner ?? one, checks && quote !== undefined) ? `${quote ?? ''}${mark}${quote ?? ''}` : one,
  );

/** Arguments that nothing but the name of the call tells. */
export const callRules: readonly Rule[] = [
  ...passwordAfter.map(([functions, texts]) => ({
    what: `the password among the arguments of a call in a trace: ${functions}`,
    pattern: new RegExp(
      `((?:${functions})\\((?:(?:${connection}),\\s?)?(?:(?:'[^'\\n]{0,300}'|"[^"\\n]{0,300}"|NULL),\\s?){${texts}}(["']))([^'"\\n]{3,300})`,
      'g',
    ),
    hint: (text: string) => text.includes("', '") || text.includes('", "') || text.includes("','"),
    keep: (whole: string, before = '', _quote?: string, text = '') => (isHarmless(text) ? whole : `${before}${mark}`),
  })),
  {
    what: 'a password given to what keeps users: validateUser(name, …)',
    pattern: new RegExp(`((?:${ofUsers})\\([^(),\\n]{1,100}), ?([^()\\n]{4,300})`, 'gi'),
    hint: (text) => /\w\([^(),\n]{1,100},/.test(text),
    keep: (whole, before = '', list = '') => {
      const clean = withoutGiven(list, /^(?:valid|verif|check|auth)/i.test(before));
      return clean === list ? whole : `${before}${whole.slice(before.length, whole.length - list.length)}${clean}`;
    },
  },
  {
    what: 'a password given to what compares or sets one: verifyPassword(…, hash)',
    pattern: new RegExp(`((?:${ofPasswords})\\()([^()\\n]{6,300})`, 'gi'),
    hint: (text) => /\w\([^()\n]{6}/.test(text),
    keep: (_, before = '', list = '') => `${before}${withoutGiven(list, true)}`,
  },
];
