import { mark, type Rule } from './rule.ts';
import { isRandomBase64 } from './values.ts';

const privateKey = '[A-Z ]{0,40}PRIVATE KEY(?: BLOCK)?-----';

/** Private keys, also cut short at either end by a tail of a log, also with a prefix on every line. */
export const keyRules: readonly Rule[] = [
  {
    what: 'a private key',
    pattern: new RegExp(`-----BEGIN ${privateKey}[\\s\\S]*?(?:-----END ${privateKey}|$)`, 'g'),
    needs: ['PRIVATE KEY'],
    keep: mark,
  },
  {
    what: 'the lines of a private key before its end, whatever the log put before each',
    pattern: new RegExp(`^[\\s\\S]*-----END ${privateKey}`),
    needs: ['PRIVATE KEY'],
    keep: (text) => blankTails(text),
  },
  {
    what: 'the end of a private key',
    pattern: new RegExp(`(?<![A-Za-z0-9+/=\\s\\\\])[A-Za-z0-9+/=\\s\\\\]+-----END ${privateKey}`, 'g'),
    needs: ['PRIVATE KEY'],
    keep: mark,
  },
  {
    what: 'the end of a private key, from the first character on',
    pattern: new RegExp(`^[A-Za-z0-9+/=\\s\\\\]+-----END ${privateKey}`),
    needs: ['PRIVATE KEY'],
    keep: mark,
  },
  {
    what: 'a line of a private key or another long value in base64',
    pattern: /(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/]{60,4096}={0,2}(?![A-Za-z0-9_-])/g,
    keep: (run) => (isRandomBase64(run) ? mark : run),
  },
];

/** Lines of one key; the longest usual one (RSA, 8,192 bits) has 100. */
const maxKeyLines = 200;

/** Blanks out the base64 at the end of each line above an end of a key, as long as there is some. */
function blankTails(text: string): string {
  const lines = text.split('\n');
  for (const [end, line] of lines.entries()) {
    if (!line.includes('-----END ')) continue;
    for (let index = end - 1; index >= 0 && index >= end - maxKeyLines; index -= 1) {
      const blanked = lines[index]?.replace(/[A-Za-z0-9+/=]{16,80}(?=[^\S\n]*$)/, mark);
      if (blanked === undefined || blanked === lines[index]) break;
      lines[index] = blanked;
    }
  }
  return lines.join('\n');
}

/** Headers of HTTP, whole or dumped. */
export const headerRules: readonly Rule[] = [
  {
    what: 'Authorization with parameters, in a line of its own',
    pattern: /(authorization\s{0,3}:\s{0,3})(?:digest|hmac|signature|aws4-hmac-sha256)\s[^\r\n]+/gi,
    keep: `$1${mark}`,
  },
  {
    // Digest and AWS values hold spaces and commas: everything to the closing quote or the end of the line goes, with what is quoted
    // after a name on the way there.
    what: 'Authorization',
    pattern:
      /(authorization\\{0,3}["']?\s{0,3}[:=]\s{0,3}\[?\\{0,3}["']?)(?:(?:basic|bearer|digest|token|apikey|negotiate|ntlm|splunk|genie-?key|hmac|aws4-hmac-sha256)\s[^\r\n"'\\]+(?:(?<=[:=]\s{0,3})\\{0,3}["'][^\r\n"'\\]*\\{0,3}["'][^\r\n"'\\]*){0,20}|(?=[^\s"',;]{0,200}\d)[^\s"',;\\]{8,})/gi,
    keep: `$1${mark}`,
  },
  {
    what: 'cookies',
    pattern:
      /(cookie\\{0,3}["']?\s{0,3}:\s{0,3}\[?\s{0,3}\\{0,3}["']?)[^\s=;"':]{1,100}=[^\r\n"']+(?:(?<=[:=]\s{0,3})["'][^\r\n"']*["'][^\r\n"']*){0,20}/gi,
    keep: `$1${mark}`,
  },
  {
    // The scheme alone, as in a dumped header value. Prose (`basic authentication`) has no inner capitals or digits.
    what: 'a bearer token',
    pattern: /(?<![A-Za-z])(bearer\s{1,3})(?:[\w.~+/=-]{16,}|(?=[^\s]{0,20}\d)[\w.~+/=-]{8,})/gi,
    keep: `$1${mark}`,
  },
  {
    what: 'basic authentication',
    pattern:
      /(?<![A-Za-z])([Bb]asic\s{1,3})(?=[A-Za-z0-9+/]{1,60}[A-Z0-9=+])(?=[A-Z0-9+/]{0,60}[a-z])[A-Za-z0-9+/]{8,}={0,2}/g,
    keep: `$1${mark}`,
  },
  {
    // The base64 of `{"` and of `{ `.
    what: 'a JSON Web Token',
    pattern: /(?<![\w-])ey[JA][\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)*/g,
    keep: mark,
  },
];

/** Addresses that are a secret, and passwords in addresses. */
export const addressRules: readonly Rule[] = [
  {
    what: 'an incoming webhook',
    pattern:
      /((?:hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)|discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks|webhook\.office\.com\/webhookb2|outlook\.office(?:365)?\.com\/webhook|hooks\.zapier\.com\/hooks\/catch|maker\.ifttt\.com\/trigger\/[\w-]{1,64}\/(?:json\/)?with\/key|open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook|events\.pagerduty\.com\/integration|alert\.victorops\.com\/integrations\/generic\/\d{1,20}\/alert)\/)[\w@/:-]+/g,
    keep: `$1${mark}`,
  },
  { what: 'a bot of Telegram', pattern: /(api\.telegram\.org\/(?:file\/)?bot)[\w:-]+/g, keep: `$1${mark}` },
  {
    what: 'a secret in a query',
    pattern: /([?&](?:key|code|sas|jwt|auth|hapikey|sv?sig)=)(?=[\w%./~+-]{0,200}\d)[\w%./~+-]{16,}/gi,
    keep: `$1${mark}`,
  },
  {
    // One with a bare slash too, unless a port follows the colon.
    what: 'a password in an address',
    pattern: /(:\/\/[^\s/@:?#"'<>]{0,200}:)(?:[^\s/"'<>]{1,300}(?=@)|(?!\d{1,5}(?:[/?#\s]|$))[^\s"'<>]{1,300}(?=@))/g,
    keep: `$1${mark}`,
  },
  { what: 'a token as the user of an address', pattern: /(:\/\/)[^\s/@:?#"'<>]{16,300}(?=@)/g, keep: `$1${mark}` },
  {
    what: "Go's form for MySQL: user:password@tcp(host:3306)/db",
    pattern: /(?<![\w.-])([\w.-]{1,64}:)[^\s@]{1,200}(?=@(?:tcp|tcp6|unix)\()/g,
    needs: ['@tcp', '@unix'],
    keep: `$1${mark}`,
  },
  {
    what: 'user/password@ of Oracle',
    pattern: /(oracle:(?:thin:|oci:|\/\/)[\w.$-]{1,64}\/)[^\s@"'/]{1,200}(?=@)/gi,
    needs: ['oracle:', 'ORACLE:', 'Oracle:'],
    keep: `$1${mark}`,
  },
  {
    what: 'host:port:database:user:password of pgpass',
    pattern:
      /(?<!\S)([A-Za-z*][\w.*-]{0,63}:(?:\d{2,5}|\*):[\w*-]{1,64}:[A-Za-z*][\w.-]{0,63}:)[^\s:]{6,200}(?![\w:])/g,
    keep: `$1${mark}`,
  },
];

/** Command lines, SQL, and passwords that are hashed: a hash is guessed offline. */
export const commandRules: readonly Rule[] = [
  {
    what: 'a flag with a separate value',
    pattern:
      /((?<![\w-])--?[a-z-]{0,30}(?:password|passwd|passphrase|pass|token|secret|api-?key|access-?key|credentials?)["']?[,\s]\s{0,3}["']?)[^\s"',-][^\s"']*/gi,
    keep: `$1${mark}`,
  },
  {
    what: 'user and password of curl and its like',
    pattern:
      /((?<![\w-])(?:-u|-U|--user|--proxy-user)["']?[ =,]\s{0,3}["']?(?!\d{1,6}:\d{1,6}(?!\w))[^\s:"'=/@,]{1,64}:)[^\s"']{1,200}/g,
    keep: `$1${mark}`,
  },
  {
    what: 'clients of databases that take the password with -p or -a',
    pattern:
      /((?:mysql\w{0,10}|mariadb[\w-]{0,10}|sshpass|mongo\w{0,10}|rabbitmqadmin|ldap\w{2,10})\s(?:[^\n|;]{0,200}?\s)??-[pw]\s?)(?=[^\s-])[^\s]{3,200}/g,
    keep: `$1${mark}`,
  },
  {
    what: 'redis-cli',
    pattern: /(redis-cli\s(?:[^\n|;]{0,200}?\s)??-a\s)[^\s]{3,200}/g,
    needs: ['redis-cli'],
    keep: `$1${mark}`,
  },
  {
    what: 'SQL',
    pattern:
      /((?:\bpassword|\bidentified\s{1,3}(?:with\s{1,3}[\w"'`]{1,60}\s{1,3})?(?:by|as)(?:\s{1,3}password)?)\s{1,3}\\?['"])[^'"\\\r\n]{1,300}/gi,
    keep: `$1${mark}`,
  },
  {
    what: 'a hashed password',
    pattern: /\$(?:2[abxy]?\$\d\d|[156y]|apr1|argon2(?:id?|d)|pbkdf2[\w-]{0,20}|scram-sha-\d+)\$[^\s"',;<>]{8,300}/gi,
    needs: ['$'],
    keep: mark,
  },
];
