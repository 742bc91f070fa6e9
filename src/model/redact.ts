/**
 * What leaves the cluster must hold no secret, and no character that could lie to a reader. Every pattern starts at a
 * literal or at the first character of its own class and has no nested repetition, so that it takes linear time whatever
 * a log line holds.
 */

/** What stands in the place of a secret. */
const mark = '***';

/** One kind of secret: what it looks like, and what is left of it. */
type Rule = { readonly pattern: RegExp; readonly keep: string | ((...groups: string[]) => string) };

/** Tokens that products mark with a prefix of their own (their documentation on secret scanning). */
const tokenPrefixes = [
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])', // AWS access key id
  'AIza[A-Za-z0-9_-]{35}', // Google API key
  'ya29\\.[A-Za-z0-9_-]{20,}', // Google OAuth access token
  'gh[pousr]_[A-Za-z0-9]{30,}', // GitHub
  'github_pat_[A-Za-z0-9_]{22,}',
  'gl(?:pat|dt|rt|ptt|cbt)-[A-Za-z0-9_.-]{20,}', // GitLab
  'xox[abeprs]-[A-Za-z0-9-]{10,}', // Slack
  'xapp-[A-Za-z0-9-]{10,}',
  '[sr]k_(?:live|test)_[A-Za-z0-9]{16,}', // Stripe
  'SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', // SendGrid
  'npm_[A-Za-z0-9]{36}', // npm
  'dop_v1_[a-f0-9]{64}', // DigitalOcean
  'hv[sb]\\.[A-Za-z0-9_-]{20,}', // HashiCorp Vault
  'whsec_[A-Za-z0-9+/=]{16,}', // webhook signing secrets
].join('|');

/** Names whose value is a secret, at the end of a longer name too (`DB_PASSWORD`, `clientSecret`). */
const secretNames = [
  'pass(?:word|wd|phrase|code)',
  '(?<![a-z])pass',
  'pwd',
  'secret',
  '(?:api|access|account|secret|private|shared[-_]?access|signing|encryption|license|integration|routing)[-_]?key',
  'secret[-_]?access[-_]?key',
  'token',
  'credentials?',
  'x-amz-signature',
  'sig(?:nature)?',
].join('|');

/** Values of a secret's name that are prose or nothing: `password: incorrect`, `token = null`. */
const harmless =
  /^(?:null|nil|none|undefined|true|false|empty|missing|required|invalid|incorrect|wrong|expired|not|no|is|was|must|too|the|a|an|for|of|in|authentication|mismatch|denied|unknown|error|failed|ok|changed|updated|unset|set|n\/a|\*+|<[a-z ]*>?|\$\{?\w*\}?|%[sdvq])$/i;
/** `secret="shop/db"`: structured Kubernetes logs name objects this way. */
const objectName = /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/;

/** Decides on one `name=value` or `name: value`; prose after a colon stays unless it looks like a secret. */
function redactPair(name: string, separator: string, opening: string, value: string): string {
  const whole = `${name}${separator}${opening}${value}`;
  if (value === '' || harmless.test(value)) return whole;
  if (/^secret$/i.test(name) && objectName.test(value)) return whole;
  // The shell's working directory.
  if (name === 'PWD' && value.startsWith('/')) return whole;
  const prose = separator.includes(':') && opening === '' && !separator.includes(':=');
  if (prose && !/^p(?:ass|wd)/i.test(name) && !(value.length >= 8 && /\d/.test(value))) return whole;
  // Statuses and signals of processes: `sig=15`, `signature: v4`.
  if (/^sig/i.test(name) && value.length < 16) return whole;
  return `${name}${separator}${opening}${mark}`;
}

const rules: readonly Rule[] = [
  // PEM private keys, also cut short at either end by a tail of a log.
  {
    pattern: /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
    keep: mark,
  },
  { pattern: /(?<![A-Za-z0-9+/=\s])[A-Za-z0-9+/=\s]+-----END [A-Z ]{0,40}PRIVATE KEY-----/g, keep: mark },
  { pattern: /^[A-Za-z0-9+/=\s]+-----END [A-Z ]{0,40}PRIVATE KEY-----/, keep: mark },
  // Headers. Digest and AWS values hold spaces and commas: everything to the closing quote or the end of the line goes.
  {
    pattern:
      /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["']?)(?:(?:basic|bearer|digest|token|apikey|negotiate|ntlm|splunk|genie-?key|aws4-hmac-sha256)\s[^\r\n"'\\]+|(?=[^\s"',;]{0,200}\d)[^\s"',;\\]{8,})/gi,
    keep: `$1${mark}`,
  },
  { pattern: /(cookie\\{0,3}["']?\s{0,3}:\s{0,3}\\{0,3}["']?)[^\s=;"':]{1,100}=[^\r\n"']+/gi, keep: `$1${mark}` },
  // The scheme alone, as in a dumped header value. Prose (`basic authentication`) has no inner capitals or digits.
  { pattern: /(?<![A-Za-z])(bearer\s{1,3})(?:[\w.~+/=-]{16,}|(?=[^\s]{0,20}\d)[\w.~+/=-]{8,})/gi, keep: `$1${mark}` },
  {
    pattern:
      /(?<![A-Za-z])([Bb]asic\s{1,3})(?=[A-Za-z0-9+/]{1,60}[A-Z0-9=+])(?=[A-Z0-9+/]{0,60}[a-z])[A-Za-z0-9+/]{8,}={0,2}/g,
    keep: `$1${mark}`,
  },
  // JSON Web Tokens begin with the base64 of `{"`.
  { pattern: /(?<![\w-])eyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*/g, keep: mark },
  { pattern: new RegExp(`(?<![A-Za-z0-9_])(?:${tokenPrefixes})`, 'g'), keep: mark },
  // Incoming webhooks: the address is the secret.
  { pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w/-]+/g, keep: `$1${mark}` },
  { pattern: /(discord(?:app)?\.com\/api\/webhooks\/)[\w/-]+/g, keep: `$1${mark}` },
  { pattern: /(api\.telegram\.org\/bot)[\w:-]+/g, keep: `$1${mark}` },
  // Passwords in addresses; one with a bare slash too, unless a port follows the colon.
  {
    pattern: /(:\/\/[^\s/@:?#"'<>]{0,200}:)(?:[^\s/"'<>]{1,300}(?=@)|(?!\d{1,5}(?:[/?#\s]|$))[^\s"'<>]{1,300}(?=@))/g,
    keep: `$1${mark}`,
  },
  { pattern: /(:\/\/)[^\s/@:?#"'<>]{16,300}(?=@)/g, keep: `$1${mark}` },
  // Go's MySQL form `user:password@tcp(host:3306)/db`.
  { pattern: /(?<![\w.-])([\w.-]{1,64}:)[^\s@]{1,200}(?=@(?:tcp|tcp6|unix)\()/g, keep: `$1${mark}` },
  // Command-line flags with a separate value.
  {
    pattern: /(--[a-z-]{0,30}(?:password|passwd|token|secret|api-key|access-key)\s{1,3})[^\s-]\S*/gi,
    keep: `$1${mark}`,
  },
  // name=value, name: value, "name": "value", \"name\":\"value\", connection strings, queries.
  {
    pattern: new RegExp(
      `(${secretNames})(\\\\{0,3}["']?\\s{0,3}(?:=>|:=|[:=])\\s{0,3})` +
        `(?:(")((?:[^"\\\\\\r\\n]|\\\\.)*)|(')((?:[^'\\\\\\r\\n]|\\\\.)*)|(\\\\{1,3}["'])([^"'\\\\\\r\\n]*)|([^\\s"'&,;<>)\\]}|\\\\]+))`,
      'gi',
    ),
    keep: (_, name, separator, double, inDouble, single, inSingle, escaped, inEscaped, bare) =>
      redactPair(
        name ?? '',
        separator ?? '',
        double ?? single ?? escaped ?? '',
        inDouble ?? inSingle ?? inEscaped ?? bare ?? '',
      ),
  },
];

/**
 * The text with passwords, tokens, keys and cookies replaced by `***`. Give it whole texts rather than single lines: a
 * private key spans several. Doing it twice changes nothing more.
 */
export function redact(text: string): string {
  let clean = text;
  for (const { pattern, keep } of rules)
    clean = typeof keep === 'string' ? clean.replace(pattern, keep) : clean.replace(pattern, keep);
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
