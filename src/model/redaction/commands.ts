import { certain, namesSecret } from './names.ts';
import { mark, type Rule } from './rule.ts';
import { isKeyLike, isPath, isPlaceholder, looksDrawn, looksMadeUp } from './values.ts';

/** Between two arguments: a space, or what a list has there: `["redis-cli", "-a", "…"]`. */
const gap = '(?:\\s|["\'],\\s{0,2}["\'])';

/** The command, and the flag that its password follows: of one letter, so that the command must be known. */
const flagOf: readonly (readonly [commands: string, flag: string])[] = [
  ['mysql\\w{0,10}|mariadb[\\w-]{0,10}|sshpass|mongo\\w{0,10}|rabbitmqadmin|ldap\\w{2,10}', `-[pw]${gap}?`],
  ['ipa-[\\w-]{2,30}', `-[pw]${gap}`],
  ['(?:docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|az|auth|registry) login', `-p${gap}`],
  ['sqlcmd|bcp|isql|tsql|ipmitool|mosquitto_\\w{3}|zip|unzip', `-P${gap}?`],
  ['redis-cli', `-a${gap}`],
  ['ldappasswd', `-s${gap}`],
  ['keytool', `-(?:store|key|src|dest)pass${gap}`],
  ['7z\\w? \\w', '-p'],
  ['openssl', `-[kK]${gap}`],
  ['ssh-keygen', `-N${gap}`],
  ['snmp\\w{2,10}', `-c${gap}`],
  ['snmp\\w{2,10}', `-A${gap}`],
  ['snmp\\w{2,10}', `-X${gap}`],
  ['flyctl|fly', `-t${gap}`],
  ['xfreerdp', '/p:'],
  ['https?', '-a [\\w.-]{1,60}:'],
];

/** What stands right before a password that has no flag. */
const before: readonly string[] = [
  'rabbitmqctl (?:add_user|change_password|authenticate_user) \\S{1,60} ',
  'htpasswd -\\w{0,6}b\\w{0,6} \\S{1,200} (?:\\S{1,60} (?=\\S))?',
  'vault (?:login|operator unseal|unwrap) (?!-)',
  'mc (?:alias set|config host add) \\S{1,60} \\S{1,200} \\S{1,100} ',
  'net use (?:[A-Za-z*]:? )?\\\\{2,4}\\S{1,200} (?:/user:\\S{1,60} )?(?!/)',
  'add-authtoken ',
  'addauth digest [\\w.-]{1,60}:',
  'lftp -u [^\\s,]{1,60},',
  '-U ?["\']?[\\w.\\\\-]{1,60}%',
  'net user \\S{1,60} (?![/*])',
  'openssl passwd (?:-\\w{1,10} ){0,3}(?!-)',
  'ConvertTo-SecureString (?!-)',
  '(?:sqlplus|impdp|expdp|sqlldr|rman target) [^\\n|;]{0,40}?["\']?[\\w$]{1,30}/(?!/)(?=[^\\s"\'@/]{1,200}(?:[@\\s"\']|$))',
];

/** Who reads a password that is echoed to it. */
const readers = '(?:[\\w./-]{1,30} (?:\\w{1,20} )?login|kinit|chpasswd|passwd|sudo|su|gpg|cryptsetup|openssl)\\b';

/** An argument: to the end of its quotes, or a word. */
const given =
  '(?<=["\'],\\s{0,2}")[^"\\r\\n]{3,300}|\\\\{1,3}["\'][^"\'\\\\\\r\\n]{3,300}|"(?:[^"\\\\\\r\\n]|\\\\.){3,300}|\'(?:[^\'\\\\\\r\\n]|\\\\.){3,300}|[^\\s"\']{3,300}';

/** A rule of which the last group is the value. */
const after = (what: string, form: string, flags: string, isSecret: (value: string) => boolean): Rule => ({
  what,
  pattern: new RegExp(`(${form})(${given})`, flags),
  keep(whole, kept = '', text = '') {
    const quote = /^\\*["']/.exec(text)?.[0] ?? '';
    return isSecret(text.slice(quote.length)) ? `${kept}${quote}${mark}` : whole;
  },
});
const isGiven = (value: string): boolean => !isPlaceholder(value.replace(/[:.,;]+$/, '')) && !/^\[?-/.test(value);
/** Ports, modes and paths follow the same letters. */
const isPassword = (value: string): boolean =>
  isGiven(value) && !/^\d{1,6}(?::\d{1,6})?$/.test(value) && !isPath(value);

/** `config set --secret dbPassword …`: which one it is, and its value behind. */
const namesAnother = (flag: string, value: string): boolean =>
  /secret\W+$/i.test(flag) && /^[a-z]+(?:[A-Z:._-][a-z]+)+$/.test(value) && namesSecret(value);

/** Command lines, of a shell's trace or of a process that did not start. */
export const commandRules: readonly Rule[] = [
  {
    what: 'a flag with a separate value',
    pattern: new RegExp(
      `((?<![\\w-])--?[\\w.-]{0,40}?(?:${certain}|authtoken|setcookie)["']?[,\\s]\\s{0,3}(?:<<<\\s?)?["']?)((?<=")[^"\\r\\n-][^"\\r\\n]{0,300}|(?<=')[^'\\r\\n-][^'\\r\\n]{0,300}|[^\\s"',-][^\\s"']*)`,
      'gi',
    ),
    keep: (whole, kept = '', text = '') =>
      isPlaceholder(text.replace(/[\])}|]+$/, '')) || isPath(text) || namesAnother(kept, text)
        ? whole
        : `${kept}${mark}`,
  },
  {
    what: 'a flag whose name ends in key, with a value that a machine drew: --certificate-key',
    pattern: /((?<![\w-])--?(?:[\w.-]{1,40}-key|encrypt)["']?[ =,]{1,3}["']?)([^\s"',]{16,400})/gi,
    needs: ['-key', '-KEY', '-encrypt'],
    keep: (whole, before = '', text = '') =>
      (looksDrawn(text, 16) && !isPath(text)) || isKeyLike(text) ? `${before}${mark}` : whole,
  },
  {
    what: 'user and password of curl and its like',
    pattern:
      /((?<![\w-])(?:-u|-U|--user|--proxy-user|--(?:\w{1,10}-)?creds)["']?[ =,]?\s{0,3}["']?(?!\d{1,6}:\d{1,6}(?!\w))[^\s:"'=/@,]{1,64}:)(?:(?<="[^\s:"'=/@,]{1,64}:)[^"\r\n]{1,200}|(?<='[^\s:"'=/@,]{1,64}:)[^'\r\n]{1,200}|[^\s"']{1,200})/g,
    keep: `$1${mark}`,
  },
  after('a name and a password after -auth', '(?<![\\w-])--?(?:[\\w-]{1,20}-)?auth[ =][\\w.@-]{1,64}:', 'g', (value) =>
    looksMadeUp(value, 6),
  ),
  after(
    'a name after -u and a password after -p',
    '(?<![\\w-])(?:-u|-U|--user|--username|-username)[ =]["\']?[^\\s"\']{1,100}["\']?\\s(?:[^\\n|;]{0,100}?\\s)??(?:-[pP]|-password)\\s',
    'g',
    isPassword,
  ),
  ...flagOf.map(([commands, flag]) =>
    after(
      `the password of ${commands}`,
      `(?<![\\w-])(?:${commands})${gap}(?:[^\\n|;]{0,200}?${gap})??${flag}`,
      'g',
      isPassword,
    ),
  ),
  after('a password by its place in a command', `(?<![\\w-])(?:${before.join('|')})`, 'g', isGiven),
  {
    what: 'a password that is echoed to its reader',
    pattern: new RegExp(
      `((?:echo|printf)(?: -\\w{1,3}| ["'][%\\\\\\w]{1,8}["']){0,2} ["']?(?:[\\w.-]{1,60}:)?)([^\\s"'|:]{3,200})(?=["']?\\s?\\|\\s?${readers})`,
      'g',
    ),
    needs: ['echo ', 'printf '],
    keep: `$1${mark}`,
  },
  {
    what: 'a password that is handed to its reader as a string',
    pattern: new RegExp(`(${readers}[^\\n|;]{0,80}<<< ?["']?(?:[\\w.-]{1,60}:)?)([^\\s"':]{3,300})`, 'g'),
    needs: ['<<<'],
    keep: `$1${mark}`,
  },
  {
    what: 'names and passwords for chpasswd, before it and behind it',
    pattern: /(?:chpasswd|sasl_passwd|newusers)\b[\s\S]{1,400}/g,
    needs: ['chpasswd', 'sasl_passwd', 'newusers'],
    keep: (whole) =>
      whole.replace(/((?<![\w/.:-])[a-z_][\w-]{0,31}:)([^\s"':,]{6,200})/g, (one, user = '', text = '') =>
        looksMadeUp(text, 6) ? `${user}${mark}` : one,
      ),
  },
  {
    what: 'a password or a key in what a shell substitutes',
    pattern: /((?:key|password|token|secret) <\((?:echo|printf) ["']?)([^\s"')]{3,300})/g,
    needs: ['<('],
    keep: (whole, kept = '', text = '') => (looksMadeUp(text, 3) ? `${kept}${mark}` : whole),
  },
];
