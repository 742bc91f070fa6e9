import { certain, namesSecret } from './names.ts';
import { looksRandom } from './randomness.ts';
import { mark, type Rule } from './rule.ts';
import { isKeyLike, isPath, isPlaceholder, isUuid, looksDrawn, looksMadeUp } from './values.ts';

/** Between two arguments: a space, or what a list has there: `["redis-cli", "-a", "…"]`. */
const gap = '(?:\\s|["\'],\\s{0,2}["\'])';

/** The command, and the flag that its password follows: of one letter, so that the command must be known. */
const flagOf: readonly (readonly [commands: string, flag: string])[] = [
  // With a space behind `-p` comes the database, unless somebody erred.
  ['mysql\\w{0,10}|mariadb[\\w-]{0,10}', '-p'],
  ['sshpass|mongo\\w{0,10}|rabbitmqadmin', `-p${gap}?`],
  ['ldap\\w{2,10}|ds(?:conf|idm|ctl)|vsql|turnutils_\\w{2,12}', `-w${gap}?`],
  ['ipa-[\\w-]{2,30}', `-p${gap}`],
  ['ipa-[\\w-]{2,30}', `-w${gap}`],
  ['(?:docker|podman|nerdctl|helm|oras|crane|skopeo|buildah|az|oc|auth|registry) login', `-p${gap}`],
  // Databases and queues.
  [
    'cqlsh|cypher-shell|couchbase-cli|cb\\w{4,12}|hdbsql|beeline|rs-?admin|emqx_ctl|check_(?:mysql|pgsql)\\w{0,10}',
    `-p${gap}`,
  ],
  // What manages machines, their power and their screens.
  ['racadm|ipmi-?(?!tool)\\w{3,12}|bmc-\\w{3,12}|fence_\\w{2,20}|pcs|esxcli|ups(?:cmd|rw)|turnadmin', `-p${gap}`],
  ['rdesktop|evil-winrm|nxc|netexec|crackmapexec|smbmap|psexec(?:\\.exe)?|ncftp\\w{0,4}|twine upload|vsce', `-p${gap}`],
  ['plink|pscp|psftp|nodetool|nzsql|mqtt', `-pw${gap}`],
  ['vncviewer|ovftool|gsec', `-passw(?:or)?d${gap}`],
  ['sqlcmd|bcp|isql|tsql|ipmi(?:tool|util)|mosquitto_\\w{3}|mqttx|zip|unzip|check_ldap', `-P${gap}?`],
  ['redis-(?:cli|benchmark)|valkey-(?:cli|benchmark)|keydb-cli', `-a${gap}`],
  ['check_snmp', `-C${gap}`],
  ['swaks|sipp', `-ap${gap}`],
  ['send[eE]mail', `-xp${gap}`],
  ['influx|codecov', `-t${gap}`],
  ['swift', `-K${gap}`],
  ['pdftk', `(?:user_pw|owner_pw|input_pw)${gap}`],
  ['iscsiadm', `\\S{0,60}password${gap}(?:-v|--value)${gap}`],
  ['nmcli', `password${gap}`],
  ['ldappasswd', `-s${gap}`],
  ['keytool', `-(?:store|key|src|dest)pass${gap}`],
  ['7z\\w? \\w|(?:un)?rar \\w', '-p'],
  ['7z\\w? \\w|(?:un)?rar \\w', '-hp'],
  ['openssl', `-[kK]${gap}`],
  ['ssh-keygen', `-N${gap}`],
  ['snmp\\w{2,10}', `-c${gap}`],
  ['snmp\\w{2,10}', `-A${gap}`],
  ['snmp\\w{2,10}', `-X${gap}`],
  ['flyctl|fly', `-t${gap}`],
  ['iex|elixir|erl|mix|remsh', `--cookie${gap}`],
  ['\\w?freerdp\\d?', '/p:'],
  ['https?', '-a [\\w.-]{1,60}:'],
];

/** What stands right before a password that has no flag. */
const before: readonly string[] = [
  'rabbitmqctl (?:add_user|change_password|authenticate_user) \\S{1,60} ',
  'htpasswd -\\w{0,6}b\\w{0,6} \\S{1,200} (?:\\S{1,60} (?=\\S))?',
  'vault (?:login|operator unseal|unwrap) (?!-)',
  'mosquitto_passwd -b \\S{1,200} \\S{1,60} ',
  'wpa_passphrase \\S{1,60} ',
  'smbclient //\\S{1,200} (?!-)(?=\\S{1,100} -)',
  'neo4j-admin (?:dbms )?set-initial-password (?!-)',
  'grafana(?:-cli| cli) (?:--\\S{1,60} ){0,3}admin reset-admin-password (?!-)',
  'samba-tool user (?:create|add) \\S{1,60} (?!-)',
  'emqx_ctl (?:admins|users) (?:add|passwd) \\S{1,60} ',
  '(?:poetry|composer) config (?:--?[\\w-]{1,20} ){0,3}http-basic\\.\\S{1,80} \\S{1,60} ',
  '(?:poetry config pypi-token\\.\\S{1,40}|cargo login|snyk auth|rclone obscure|b2 (?:account )?authorize(?:-account)? \\S{1,40}) (?!-)(?=\\S{0,100}\\d)',
  'etcdctl (?:--\\S{1,60} ){0,4}user (?:add|passwd) [\\w.-]{1,60}:',
  'radtest \\S{1,60} ',
  'user set password \\d{1,3} ',
  'wandb login (?:--\\S{1,20} ){0,3}(?=\\S{0,100}\\d)',
  'register ?=> ?[\\w.-]{1,60}:',
  'connect to \\S{1,40} user \\S{1,40} using (?=\\S{0,100}\\d)',
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

/** Nothing that a text must have. */
const anyText: readonly string[] = [''];

/** A rule of which the last group is the value. */
const after = (what: string, needs: readonly string[], form: string, isSecret: (value: string) => boolean): Rule => ({
  what,
  needs,
  pattern: new RegExp(`(${form})(${given})`, 'g'),
  keep(whole, kept = '', text = '') {
    const quote = /^\\*["']/.exec(text)?.[0] ?? '';
    return isSecret(text.slice(quote.length)) ? `${kept}${quote}${mark}` : whole;
  },
});
const isGiven = (value: string): boolean => !isPlaceholder(value.replace(/[:.,;]+$/, '')) && !/^\[?-/.test(value);
/** Ports, modes and paths follow the same letters; the communities of SNMP that every device has are no secret. */
const isPassword = (value: string): boolean =>
  isGiven(value) && !/^\d{1,6}(?::\d{1,6})?$|^(?:public|private)$/.test(value) && !isPath(value);

/** `config set --secret dbPassword …`: which one it is, and its value behind. */
const namesAnother = (flag: string, value: string): boolean =>
  /secret\W+$/i.test(flag) && /^[a-z]+(?:[A-Z:._-][a-z]+)+$/.test(value) && namesSecret(value);

/** Command lines, of a shell's trace or of a process that did not start. */
export const commandRules: readonly Rule[] = [
  {
    what: 'a flag with a separate value',
    needs: ['-'],
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
    needs: ['-u', '-U', '-creds'],
    pattern:
      /((?<![\w-])(?:-u|-U|--user|--proxy-user|--(?:\w{1,10}-)?creds)["']?[ =,]?\s{0,3}["']?(?!\d{1,6}:\d{1,6}(?!\w))[^\s:"'=/@,]{1,64}:)(?:(?<="[^\s:"'=/@,]{1,64}:)[^"\r\n]{1,200}|(?<='[^\s:"'=/@,]{1,64}:)[^'\r\n]{1,200}|[^\s"']{1,200})/g,
  },
  {
    what: 'a personal access token after a flag: --pat …',
    pattern: /((?<![\w-])--?(?:[\w.-]{1,40}-)?pat["']?[ =,]{1,3}["']?)([^\s"',]{20,400})/gi,
    needs: ['-pat', '-PAT'],
    keep: (whole, before = '', text = '') => (looksRandom(text, 20) ? `${before}${mark}` : whole),
  },
  after(
    'the key of who records the run of tests: cypress run --record --key …',
    ['--key'],
    `(?<![\\w-])(?:cypress(?:-cloud)?|currents|pwc)${gap}[^\\n|;]{0,200}?--key(?:=|${gap})`,
    (value) => isUuid(value) || looksDrawn(value, 8),
  ),
  after('a token without a name after -u', ['-u'], '(?<![\\w-])(?:-u|--user)[ =]["\']?:', (value) =>
    looksDrawn(value, 16),
  ),
  after(
    'a name and a password after -auth',
    ['-auth'],
    '(?<![\\w-])--?(?:[\\w-]{1,20}-)?auth[ =][\\w.@-]{1,64}:',
    (value) => looksMadeUp(value, 6),
  ),
  after(
    'a name after -u and a password after -p',
    ['-u', '-U'],
    '(?<!(?:mysql|mariadb)[\\w-]{0,10}\\s[^\\n|;]{0,80})(?<![\\w-])(?:-u|-U|--user|--username|-username)[ =]["\']?[^\\s"\']{1,100}["\']?\\s(?:[^\\n|;]{0,100}?\\s)??(?:-[pP]|-password)\\s',
    isPassword,
  ),
  after(
    'a password after -p of MySQL and a space',
    ['mysql', 'mariadb'],
    `(?<![\\w-])(?:mysql|mariadb)[\\w-]{0,10}${gap}(?:[^\\n|;]{0,200}?${gap})??-p${gap}`,
    (value) => isPassword(value) && looksMadeUp(value, 6),
  ),
  ...flagOf.map(([commands, flag]) =>
    after(
      `the password of ${commands}`,
      // Plain names are looked for first, else the flag.
      /^[\w|-]+$/.test(commands) ? commands.split('|') : (/^[-/]\w+/.exec(flag) ?? anyText),
      `(?<![\\w-])(?:${commands})${gap}(?:[^\\n|;]{0,200}?${gap})??${flag}`,
      isPassword,
    ),
  ),
  after('a password by its place in a command', anyText, `(?<![\\w-])(?:${before.join('|')})`, isGiven),
  {
    what: 'a password that is echoed to its reader',
    pattern: new RegExp(
      `((?:echo|printf)(?: -\\w{1,3}| ["'][%\\\\\\w]{1,8}["']){0,2} ["']?(?:[\\w.-]{1,60}:)?)([^\\s"'|:]{3,200})(?=["']?\\s?\\|\\s?${readers})`,
      'g',
    ),
    needs: ['echo ', 'printf '],
  },
  {
    what: 'a password that is handed to its reader as a string',
    pattern: new RegExp(`(${readers}[^\\n|;]{0,80}<<< ?["']?(?:[\\w.-]{1,60}:)?)([^\\s"':]{3,300})`, 'g'),
    needs: ['<<<'],
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
