import { isUnreadable } from './randomness.ts';
import { standsIn } from './stand-ins.ts';

/** Values of a secret's name that are prose or nothing: `password: incorrect`, `token = null`. */
const harmless =
  /^(?:null|nil|none|undefined|true|false|yes|empty|missing|required|invalid|incorrect|wrong|expired|revoked|rejected|not|no|is|was|has|must|too|the|a|an|for|of|in|at|on|and|or|to|from|with|via|authentication|mismatch|denied|unknown|unset|set|error|failed|failure|ok|changed|updated|include|omit|same-origin|flag|option|argument|parameter|requires?|cannot|can|will|should|may|does|when|without|await|new|string|optional|n\/a|(?:cipher|bcrypt|crypto|open|read|stat|decode|parse|json|yaml|base64|context|rpc):?)$/i;
/** `secret="shop/db"`: structured Kubernetes logs name objects this way. */
const objectName = /^[a-z0-9-]{1,63}\/[a-z0-9.-]{1,253}$/;
/** Times, versions, addresses in memory, file names: what has letters and digits and is no secret. */
const everyday =
  /^(?:\d{1,4}[-/.:]\d.*|v?\d+(?:[.-]\w+)*|v\d{1,4}(?:[a-z]{1,6}\d{0,4})?|0x[0-9a-f]+|HTTP\/\d.*|[\w./-]+\.(?:go|js|ts|py|rb|rs|java|txt|ya?ml|json|pem|key|crt|log|conf|env)\b.*|(?:\d+(?:\.\d+)?(?:[nuµm]s|[smhd]))+|\d+[kmg]i?b?|\/.*|[a-z]+:\/\/.*|sha\d+:.*|[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.){1,6}[a-z]{2,10})$/i;
/** Words and numbers with signs between them, as things are named: `orders-17`, `user:42:profile`, `node18`. */
const name = /^[A-Za-z]+\d{0,6}(?:[-_.:/](?:[A-Za-z]+\d{0,3}|\d{1,8}))*$/;

/** Names of algorithms and protocols: `oauth2`, `ssh-ed25519`, `aes-256-gcm`, `scram-sha-256`. */
const algorithm =
  /^(?:oauth2?|http[123]|krb[45]|base(?:32|58|64)|utf-?(?:8|16|32)|x509|pkcs\d{1,2}|argon2(?:id?|d)?|ipv[46]|md[45]|tls\d{0,2}|(?:ssh|sk|ecdsa|rsa|dsa|aes|sha|hmac|scram|chacha|pbkdf|ed|curve|secp|nistp|des)\d{0,5})(?:[-_](?:sha|rsa|dss|ssh|poly|gcm|cbc|ctr|siv|cert|ed|nistp|ecdsa|v)?\d{0,5}){0,5}(?:@[a-z.]{1,40})?$/i;

/** Whether a value could be a secret at all. */
export function isHarmless(value: string): boolean {
  return value === '' || harmless.test(value) || algorithm.test(value) || standsIn(value);
}

/** Whether it stands for a value in a manual: `-p PASSWORD`; eight capitals that no word has are a password themselves. */
export function isPlaceholder(value: string): boolean {
  if (/^[A-Z][A-Z_]{0,15}$/.test(value)) return value.length < 8 || !isUnreadable(value.replaceAll('_', ''));
  return isHarmless(value) || /^(?:string(?:s|Array|Slice)?|str|text|value|file|path)$/.test(value);
}

/** Whether it is the name of an object in a namespace. */
export function isObjectName(value: string): boolean {
  return objectName.test(value);
}

/** Whether it is the path of a file or of a folder: every part of it was named. Of base64 one in 64 begins with a slash. */
export function isPath(value: string): boolean {
  if (value.length >= 20 && !value.includes('.') && isWellMixed(value)) return false;
  const text = value.replace(/^file:\/\//, '');
  if (/^~?[\w./-]+\.(?:pem|key|crt|jwt|json|ya?ml|toml|ini|env|conf|properties|txt)$/i.test(text)) return true;
  if (!/^(?:~|\.{1,2}|[A-Za-z]:)?[/\\]/.test(text)) return false;
  const parts = text.split(/[/\\]+/).filter((part) => part !== '');
  // One part is a password with a slash as well.
  return parts.length === 1 ? /^[a-z.]+$/.test(parts[0] ?? '') : parts.every((part) => !looksDrawn(part, 8));
}

/** Whether it is the name or the address of a host, with a port or without. */
export function isHost(value: string): boolean {
  return /^(?:[a-z\d-]+\.){1,8}(?:[a-z]{2,16}|\d{1,3})(?::\d{2,5})?$/.test(value);
}

/** Whether it is a UUID, which identifies more often than it opens. */
export function isUuid(value: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(value);
}

/** Whether it can only be a key: hexadecimal digits or base64, as long as one. */
export function isKeyLike(value: string): boolean {
  return (
    /^[\da-f]{32,}$/i.test(value) ||
    /^[A-Za-z0-9+/_-]{22,}={1,2}$/.test(value) ||
    (value.length >= 16 && isWellMixed(value))
  );
}

/** Whether it is the full name of a class or a type, as exceptions and programs write it: `cryptography.fernet.InvalidToken`. */
export function isClass(value: string): boolean {
  return /^(?:[a-z][a-z_-]*\d{0,2}[a-z]{0,2}[./]){1,8}[A-Z][A-Za-z]{2,}(?:\$[A-Z][A-Za-z]+)?:?$/.test(value);
}

/** Whether letters without digits were drawn: capitals and small ones change in half of all places, in words with capitals in a third. */
const isShuffled = (value: string): boolean =>
  /^[A-Za-z]{12,}$/.test(value) && (value.match(/[a-z](?=[A-Z])|[A-Z](?=[a-z])/g)?.length ?? 0) >= value.length * 0.42;

/** Whether a single word in prose looks like something a machine or a careful person made up. */
export function looksMadeUp(value: string, leastChars: number): boolean {
  return (
    value.length >= leastChars &&
    (/\d/.test(value) || isShuffled(value)) &&
    /[A-Za-z]/.test(value) &&
    !isHarmless(value) &&
    !isObjectName(value) &&
    !everyday.test(value) &&
    !isClass(value)
  );
}

/** Whether it looks drawn at random rather than named: what a key holds, and an address that is one. */
export function looksDrawn(value: string, leastChars: number): boolean {
  return looksMadeUp(value, leastChars) && !name.test(value);
}

/** Whether a long run of base64 is one rather than a path or a hexadecimal digest: all kinds of characters, well mixed. */
export function isRandomBase64(run: string): boolean {
  const count = (kind: RegExp): number => run.match(kind)?.length ?? 0;
  return count(/[A-Z]/g) >= 8 && count(/[a-z]/g) >= 8 && count(/\d/g) >= 3 && count(/\//g) * 8 <= run.length;
}

/**
 * Whether capitals, small letters and digits come by turns, as in what a server drew and in no name: of 62 characters two neighbours are of
 * different kinds in 62 of 100 places, in words with capitals in 35.
 */
export function isWellMixed(run: string): boolean {
  const kinds = run
    .replace(/[^A-Za-z\d]/g, '')
    .replace(/[A-Z]/g, 'A')
    .replace(/[a-z]/g, 'a')
    .replace(/\d/g, '0');
  const changes = kinds.match(/(.)(?!\1)(?=.)/g)?.length ?? 0;
  return /A/.test(kinds) && /a/.test(kinds) && /0.*0/.test(kinds) && changes >= kinds.length * 0.45;
}
