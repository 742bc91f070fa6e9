import { namesKey } from './names.ts';
import { looksRandom } from './randomness.ts';
import { mark } from './rule.ts';
import { isClass, isHarmless, isKeyLike, isObjectName, isPath, looksDrawn, looksMadeUp } from './values.ts';

/** Decides on one `name=value` or `name: value`; prose after a colon stays unless it looks like a secret. */
export function redactPair(name: string, separator: string, opening: string, value: string): string {
  const whole = `${name}${separator}${opening}${value}`;
  const hidden = `${name}${separator}${opening}${mark}`;
  if (isHarmless(value)) return whole;
  if (/^secret$/i.test(name) && isObjectName(value)) return whole;
  if ((isPath(value) && !isKeyLike(value)) || isClass(value)) return whole;
  // Which key it is, of a service that keeps them: `encryption_key_id=alias/shop`.
  if (/id$/i.test(name) && (isObjectName(value) || value.startsWith('arn:'))) return whole;
  if (/^(?:pin|otp)$/i.test(name)) return /^\d{4,12}$/.test(value) ? hidden : whole;
  // Statuses and signals of processes: `sig=15`, `signature: v4`.
  if (/^sig/i.test(name)) return value.length < 16 ? whole : hidden;
  if (/^licen[cs]e$/i.test(name)) return looksDrawn(value, 12) ? hidden : whole;
  if (/(?:salt|pepper)$/i.test(name)) return looksDrawn(value, 12) ? hidden : whole;
  // `Encrypt=Strict`, `encrypt: aes-256-gcm`; the key of what is gossiped.
  if (/^encrypt$/i.test(name)) return isKeyLike(value) ? hidden : whole;
  // A personal access token; a pattern as well.
  if (/pat$/i.test(name)) return looksRandom(value, 20) ? hidden : whole;
  if (/^(?:psk|community)$/i.test(name)) return looksMadeUp(value, 6) ? hidden : whole;
  if (/^(?:_?auth|jwt|session[-_.]?(?:id|key)|sessid|connect\.sid)$/i.test(name))
    return looksMadeUp(value, 8) || /^[A-Za-z0-9+/]{8,}={1,2}$/.test(value) ? hidden : whole;
  // `laravel_session=…`; of the same names are numbers, names and identifiers that anybody may read.
  if (/^(?:session|sess|sid)$/i.test(name))
    return looksRandom(value, 16) || /^[\da-f]{32,}$/i.test(value) ? hidden : whole;
  // `secretKeyRef: name=pg-app key=password`: which of its keys it is.
  if (/ key$/i.test(name) && /^[A-Za-z]+(?:[-_.][A-Za-z]+)*$/.test(value)) return whole;
  const prose = /[:：]/.test(separator) && opening === '' && !separator.includes(':=');
  // `PASS: TestThing`, `test pass: 12 of 13` are of tests.
  if (prose && /^pass$/i.test(name)) return looksMadeUp(value, 4) && !value.startsWith('Test') ? hidden : whole;
  // The program: `passwd: user does not exist`.
  if (prose && /^passwd$/.test(name) && !looksMadeUp(value, 4)) return whole;
  // `passwords: 3 rotated`, `pass=3 fail=0`
  if (/^(?:\d{1,3}|-\d+)$/.test(value)) return whole;
  // `volume "db-password-v2" : secret "db-password-v2" not found`
  if (prose && /^(?:secret|configmap)$/.test(value)) return whole;
  // What a colon follows is the next name.
  const saysNothing = value.length < 8 || !/\d/.test(value) || value.endsWith(':');
  return prose && saysNothing && !/^p(?:ass|w)/i.test(name) ? whole : hidden;
}

/** Whether what follows the colon is said of a file, or of several at once: `"/run/secrets/db_password": permission denied`, `5 wrong passwords: jane`. */
export function isSaid(gone: string, before: string): boolean {
  if (/(?<![^\s"'(`=])["'`]?(?:~|\.{1,2})?\/[\w./-]{1,100}["'`]?: $/.test(before)) return !looksMadeUp(gone, 4);
  const several =
    /(?:\w (?:pass(?:word|wd|phrase|code)|token|secret|key)|\b(?:invalid|wrong|bad|incorrect|failed) credential)s: $/i;
  return several.test(before) && !looksDrawn(gone, 8);
}

/** Whether it names an object in a label of a metric: `kube_secret_info{namespace="shop",secret="orders-db"}`. */
export function isLabel(gone: string, before: string): boolean {
  if (isSaid(gone, before)) return true;
  // What a shell says where a variable is missing: `${DB_PASSWORD:?required}`.
  if (gone.startsWith('?') && /\$\{\w+:$/.test(before)) return true;
  // As structured logs of Kubernetes have it: `secret=pg-auth action=rotate`.
  if (
    /(?:(?<![\w.-])"?secret"?=|\b(?:in|from|of) secret:) ?"?$/.test(before) &&
    /^[a-z]{2,}(?:-[a-z]+\d{0,2}|-\d{1,2}){1,6}$/.test(gone)
  )
    return true;
  if (/arn:aws[\w-]{0,10}:[\w-]{1,20}:[\w-]{0,20}:\d{0,12}:secret:$/.test(before)) return true;
  return /\w\{(?:\w+="[^"]*",)*(?:secret|token)="$/.test(before) && /^[a-z\d]+(?:[-.][a-z\d]+)*$/.test(gone);
}

/** A line of its own, as configuration is written: even a word without digits is a value there. */
export function redactLine(before: string, name: string, separator: string, value: string): string {
  const whole = `${before}${name}${separator}${value}`;
  if (value.length < 6 || isHarmless(value) || /[.!?]$/.test(value) || isPath(value) || isClass(value)) return whole;
  // What a runner of tests writes.
  if (name === 'PASS' || (/^pass$/i.test(name) && value.startsWith('Test'))) return whole;
  // `existingSecret: db`, `secret: regcred` name objects; `clientSecret: swordfish` is one.
  const reference =
    /^secret$/i.test(name) && !/(?:client|app|shared|consumer|signing|oauth|jwt|cookie)[-_]?$/i.test(before);
  return reference || isObjectName(value) ? whole : `${before}${name}${separator}${mark}`;
}

/** A key that no list knows: whether it is secret says what it is of, and how its value looks. */
export function redactKey(whole: string, name: string, before: string, value: string): string {
  const secret = (looksDrawn(value, 8) || /^[A-Za-z0-9+/_-]{12,}={1,2}$/.test(value)) && !isPath(value);
  return secret && namesKey(name) ? `${before}${mark}` : whole;
}
