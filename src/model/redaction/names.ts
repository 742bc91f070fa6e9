/** Words that end a name whose value is a secret: `DB_PASSWORD`, `clientSecret`, `bind_pw`. */
export const passwords: string = [
  'pass(?:word|wd(?<!(?:ch|ht|mk)passwd)|wort|[-_.]?phrase|[-_.]?code)s?',
  // Every word that ends so but those of the language.
  'pass(?<!(?:by|com|over|sur|tres|under)pass)',
  'pwd',
  '(?:(?<![A-Za-z])|bind|root|admin|user|smtp|ldap|login|auth|db)pw',
  'kennwort|contrase[nñ]a|(?<![a-z])senha|wachtwoord|mot[-_ ]de[-_ ]passe|(?<![a-z])mdp|пароль|密码|密碼|パスワード|비밀번호',
].join('|');

/** What a key is of when it is a secret: what it opens, or the cipher it is for. */
const keyWords = [
  'api|access|account|secret|(?<![a-z])sec|priv(?:ate)?|shared[-_ .]?access|(?:pre[-_.]?)?shared|license|licence|integration|app|application',
  'auth|instrumentation|master|storage|subscription|webhook|client|unseal|recovery',
  'signing|sign|encrypt(?:ion)?|decrypt(?:ion)?|crypto|cipher|aes|hmac|hkdf|jwt|jwe|fernet|pepper|salt',
].join('|');
export const keys: string = `(?:${keyWords})[-_ .]?key(?:[-_.]?(?:base|id))?`;

/** How the value is written, or which of several it is: it changes nothing of what the name says. */
const ending =
  '(?:[-_.]?(?:base64|b64|hex|pem|data|plain(?:text)?|encoded|value|(?:file[-_])?contents?|current|old|new|prod|v\\d{1,2}|\\d{1,3})| \\d{1,2})?(?:\\[\\d{1,3}\\])?';

/** Names that say for certain that their value is a secret. */
export const certain: string = `(?:${[
  passwords,
  'clear[-_]?text(?:[-_]?password)?',
  'secret[-_.]?access[-_.]?key',
  'secret[-_. ]?id',
  'root[-_]token[-_]id',
  'sonar\\.login',
  'password[-_.]?(?:double[-_])?sha\\d{1,3}[-_.]?hex',
  // `checksum/secret: 9f86…` tells an edit of one.
  // `existingSecret: db` names an object.
  '(?<!checksum/|existing[-_]?|pull[-_]?)secret',
  keys,
  // Where to go on is no secret: `pageToken`, `resume_token`.
  '(?<!(?:page|resume|sync|continuation|consistency|fencing)[-_]?)token',
  'credentials?',
  'connection[-_.]?string',
  '(?:erl(?:ang)?|rabbitmq|release)[-_ ]?cookie',
  'dockerconfigjson|dockercfg|authtok',
  'code[-_.]?verifier',
  'saml(?:response|request)',
  'x-(?:amz|goog)-(?:signature|credential|security-token)',
].join('|')})${ending}`;

/** Names that mean other things as well: only a value that looks made up is one. */
export const uncertain: string = [
  'sig(?:nature)?',
  '(?<![a-z])_?auth',
  '(?<![A-Za-z])jwt',
  'session[-_.]?(?:id|key)|sessid|connect\\.sid',
  '(?:(?<![A-Za-z])|(?<=[a-z])(?=S))(?:session|sess|sid)',
  '(?<![A-Za-z])(?:pin|otp|psk|community|licen[cs]e|encrypt)',
  '(?:(?<![A-Za-z])|github|gitlab|devops|azure|bitbucket|jira)pat',
  '(?:(?<![A-Za-z])|hash|password|secret|session|auth)[-_]?(?:salt|pepper)',
].join('|');

/** All of them. */
export const names: string = `${certain}|${uncertain}`;

const certainEnd = new RegExp(`(?:${certain})$`, 'i');

/** Whether something of this name is a secret: a key, a flag, a label. */
export function namesSecret(name: string): boolean {
  return certainEnd.test(name);
}

/** What a key is of when everybody may know it: databases, maps, queues, Kubernetes. */
export const everydayKeys: ReadonlySet<string> = new Set(
  (
    'public pub publishable primary foreign partition sort range cache map label annotation registry duplicate unique message record row ' +
    'object lookup group order join composite index search query config setting property translation locale topology dedup idempotency ' +
    'lock alert incident trace request correlation issue project event metric tag field state hot sub parent dict json header host known'
  ).split(' '),
);

/** Whether a longer name that ends in `key` may be one that opens something: `FERNET_KEY`, `x-functions-key`, `hmacKey`. */
export function namesKey(name: string): boolean {
  const parts = name
    .replace(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  const at = parts.findLastIndex((part) => part === 'key' || part === 'keys');
  return at > 0 && !everydayKeys.has(parts[at - 1] ?? '');
}
