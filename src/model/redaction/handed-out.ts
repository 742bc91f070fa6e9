import { gives, words } from './nearby.ts';
import { mark, type Rule } from './rule.ts';
import { isHost, isPath, looksDrawn, looksMadeUp } from './values.ts';

/**
 * What a program gives out in a sentence, whatever it says between the word for it and the value: a first password, a token that is shown
 * once, the line of a file of users, the private key of a wallet.
 */

const lastLine = (text: string): string => text.slice(text.lastIndexOf('\n') + 1);

const anyWord = new RegExp(words, 'i');
/** A word for a credential, and no part of a name with signs: `token-service`. */
const spoken = new RegExp(
  `(?:${words}|(?:agent|device|node|worker|runner|deploy|server|machine|join|enroll?ment|registration|product|licen[cs]e) key)s?(?![\\w.-]*\\w)`,
  'i',
);

/** Said of digests, identifiers and addresses, which are drawn of the same digits. */
const tellsApart =
  /(?:\b(?:commit|digest|checksum|fingerprint|thumbprint|sha-?\d*|md5|revision|rev|hash|etag|trace|span|request|correlation|transaction|tx|image|layer|version|serial|accessor|build|ids?|uuid|public|policy|endpoint|url|container|address|block|object|session|snapshot|length|check|strength|store)(?![\w-])|(?:[a-z]Ids?|_id)\b)/i;

/** What is of few digits where it is sent to somebody, right before them or with whom it is for between. */
const code =
  /\b(?:one-time|verification|pairing|activation|otp|pin|pass-?code)(?: (?:code|password|token|pin))?(?: (?:for|to) [\w.@+ -]{1,40})?(?: is(?: now)?)?[:=]?[\s"'`(<]*$/i;

/** Digits as long as those of a key: of 128, 160, 192, 256, 384 and 512 bits. */
const hexadecimalKey = /^(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{48}|[\da-f]{64}|[\da-f]{96}|[\da-f]{128})$/i;

/** What names something else right before the colon: `created for user: jane`. */
const asksFor =
  /\b(?:user|account|client|owner|job|run|task|name|namespace|node|pod|host|hosts|role|group|team|org|tenant|project|service|device|cluster|image|version|email|mail|in|to|at|by|from|via|file|path|policy|error|reason|status|type|scope|scopes|expires?|expiry|until)["'`)]?\s?[:=>]+[\s"'`(<]*$/i;

/** What it is for, rather than whose it is: `to join the cluster: …`. */
const opens =
  /\bto (?:log ?in|sign ?in|join|access|proceed|connect|authenticate|unlock|register|enroll|pair|finish|complete|continue|decrypt)\b/i;

/** The name of the next pair of a list: `token: …, channel: …`. */
const nextName = /(?:[,;{|&\t]|" )\s{0,3}(?:["']([\w.-]{1,40})["']|([\w.-]{1,40}))\s?[:=]+>?[\s"'`(<]*$/;

/** Whether what stands before a value hands it out. */
function isHandedOut(value: string, before: string): boolean {
  if (!/\d/.test(value) && value.length < 12) return false;
  const line = lastLine(before);
  if (/^\d{4,10}$/.test(value)) return code.test(line);
  const found = spoken.exec(line);
  if (found === null) return false;
  const between = line.slice(found.index + found[0].length);
  const next = nextName.exec(between);
  if (next !== null && (next[1] !== undefined || (!/^value$/i.test(next[2] ?? '') && !gives.test(next[2] ?? ''))))
    return false;
  if (hexadecimalKey.test(value)) return !tellsApart.test(line) && (gives.test(line) || / (?:of|for) /.test(between));
  if (isPath(value) || isHost(value) || /@[\w-]+\./.test(value) || tellsApart.test(between)) return false;
  if (asksFor.test(line) && !opens.test(between)) return false;
  if (/\bfollowing\b/i.test(line)) return looksMadeUp(value, 6);
  return looksDrawn(value, 8) && (gives.test(line) || /\bis(?: now)?:?[\s"'`(<]*$/i.test(between));
}

/** Files of users and their passwords, by what they are called; a word that means other things as well asks for a drawn value. */
const usersFile =
  /(?:passwd[-_]?file|passwd-s3fs|ht(?:passwd|digest)|userlist|users?\.(?:acl|conf|txt|list)|(?:auth|password|users?)[-_ ]file|rsyncd\.secrets|basic[-_ ]?auth(?:entication)? users?|sasl_passwd|AuthUserFile|(?:bad|invalid|malformed) (?:entry|line)|\blog(?:in|ged in|ging in) (?:as|with|is))\b/i;
const credentialsFile = /\b(?:credentials?|creds|secrets?)\b/i;

const userWord = /user|auth|login|account|entry/i;
/** Who logs in, right before the name. */
const whoLogsIn = /\b(?:users?|auth|login|accounts?|entry)[:= ["']{1,4}$/i;

/** Before a colon, what is no name of a user. */
const noUser =
  /^(?:https?|arn|urn|sha\d+|role|user|group|system|host|hosts|node|pod|file|line|id|image|serviceaccount|sa|key|kind|name|type|error|code|at|from|to|ip|port|version|job|task|tag|ns|namespace|cluster|region|service|oidc|spiffe|uid|gid|pid|status|reason|time|date|.*\.(?:ya?ml|json|conf|txt|go|py|js|ts|rb|ini|log|xml))$/i;

/** What stands before the private key of a wallet. */
const signs =
  /(?:priv(?:ate)?[-_ ]?keys?|wallet|signing[-_ ]?key|HexToECDSA|from_?key|privateKeyToAccount|importrawkey|importprivkey|signer(?: key)?|secret[-_ ]?key|(?<=\s|["'])accounts["']?: ?\[)["']?\W{0,8}(?:(?:is|was|from|loaded|invalid)\W{1,4}){0,2}$/i;

/** What is handed out in prose, in lines of files of users, in calls of wallets. */
export const handedOutRules: readonly Rule[] = [
  {
    what: 'what a notice gives out: use the following password to proceed: …, new token created for user ci: …',
    pattern:
      /(?<=[\s"'`(<])(?<=(?:[:=>]|\b(?:is|was|to))[^\S\n]{1,3}(?:[\w.@-]{1,40} \/ )?["'`(<]?)[^\s"'`()<>\\]{3,200}[^\s"'`()<>\\.,;:!?}\]](?=[\s"'`()<>\\.,;:!?}\]]|$)/g,
    hint: (text) => anyWord.test(text) || / key: /i.test(text) || /otp|pin|pass-?code|one-time/i.test(text),
    unless: (gone, before) => !isHandedOut(gone, before),
    keep: mark,
  },
  {
    what: 'a line of a file of users: passwd_file content name:…, userlist name:…',
    pattern:
      /(?<![\w./:@{}*-])((?:[A-Za-z][\w.+-]{0,63}(?:@[\w.-]{1,60})?|\*{3}):)([^\s:"'`,;()<>]{6,200})(?=[\s"'`,;()<>]|$|:\d{1,6}:)/g,
    hint: (text) =>
      /\w:[^\s:/]{6}|\*:[^\s:/]{6}/.test(text) &&
      (usersFile.test(text) || credentialsFile.test(text) || userWord.test(text)),
    unless: (gone, before) => {
      const user = /([\w.+-]+(?:@[\w.-]+)?|\*{3}):$/.exec(before)?.[1] ?? '';
      if (noUser.test(user) || isPath(gone) || isHost(gone)) return true;
      const rest = lastLine(before.slice(0, -user.length - 1));
      if (usersFile.test(rest)) return !looksMadeUp(gone, 6);
      return !(looksDrawn(gone, 8) && whoLogsIn.test(rest)) && !(looksDrawn(gone, 12) && credentialsFile.test(rest));
    },
  },
  {
    what: 'a line of the secrets of pppd: name server … addresses',
    pattern:
      /((?:chap|pap)-secrets[^\n]{0,40}?\s"?[\w.@\\-]{1,64}"?\s{1,20}(?:\*|"?[\w.-]{1,64}"?)\s{1,20}"?)([^\s"]{4,200})/g,
    needs: ['ap-secrets'],
    keep: (whole, before = '', text = '') => (looksMadeUp(text, 6) ? `${before}${mark}` : whole),
  },
  {
    what: 'the private key of a wallet: 64 hexadecimal digits behind what signs',
    pattern: /(?<!\w)(?:0x)?[\da-f]{64}(?!\w)/gi,
    hint: (text) => /[\da-f]{64}/i.test(text),
    unless: (_, before) => !signs.test(before),
    keep: mark,
  },
  {
    what: 'the private keys of a chain for tests, in a numbered list',
    pattern: /^(\s{0,8}\(\d{1,3}\):? {1,4})0x[\da-f]{64}(?!\w)/gm,
    needs: ['Private Keys', 'private keys', 'PRIVATE KEYS'],
  },
];
