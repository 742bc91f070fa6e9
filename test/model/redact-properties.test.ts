import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { fc } from '../fast-check.ts';
import { runs } from '../runs.ts';

/**
 * New shapes out of a grammar: a name, a sign, quotation marks, a value and a place. What each may be is a list; every combination of them
 * that a program could write is a credential, and must vanish whatever stands around it.
 */

const letters = 'abcdefghijkmnopqrstuvwxyz';
const word = fc.string({ unit: fc.constantFrom(...letters), minLength: 2, maxLength: 8 });

/** The words of a name, as each of the usual ways to write one joins them. */
const styles: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_').toUpperCase(),
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('.'),
  (words) => words.map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join(''),
];
const secretNames = [
  'password',
  'passphrase',
  'secret',
  'token',
  'api key',
  'client secret',
  'secret id',
  'private key',
  'access key',
  'bind password',
];
const keyNames = [
  'aes key',
  'hmac key',
  'fernet key',
  'functions key',
  'encryption key',
  'jwt signing key base64',
  'licence key',
];
const nameOf = (ends: readonly string[], before = word): fc.Arbitrary<string> =>
  fc
    .tuple(fc.array(before, { maxLength: 2 }), fc.constantFrom(...ends), fc.constantFrom(...styles))
    .map(([before, end, style]) => style([...before, ...end.split(' ')]));

/** As a machine draws it: letters and digits by turns, so that it is no word and no number. */
const drawn = fc
  .array(fc.tuple(fc.constantFrom(...letters, ...letters.toUpperCase()), fc.integer({ min: 0, max: 9 })), {
    minLength: 5,
    maxLength: 24,
  })
  .map((pairs) => pairs.map(([letter, digit]) => `${letter}${digit}`).join(''));
/** As people make one up. */
const chosen = fc
  .tuple(word, fc.constantFrom('-', '.', '_', '!', '$', '*', '+'), fc.nat(9999), word)
  .map(([a, sign, n, b]) => `${a}${sign}${n}${b}`);
const phrase = fc.tuple(word, word, drawn).map((parts) => parts.join(' '));
const anyValue = fc.oneof(
  drawn,
  drawn.map((text) => `${text}==`),
  chosen.filter((text) => text.length >= 8),
);

const assignment = { write: (name: string, value: string) => `${name}=${value}`, spaces: false };
/** How a name and a value are written together. `spaces`: whether the value may hold some there. */
const forms: readonly { readonly write: (name: string, value: string) => string; readonly spaces: boolean }[] = [
  assignment,
  { write: (name, value) => `${name} = ${value}`, spaces: false },
  { write: (name, value) => `${name}: ${value}`, spaces: false },
  { write: (name, value) => `${name}:${value}`, spaces: false },
  { write: (name, value) => `${name} => '${value}'`, spaces: true },
  { write: (name, value) => `${name} := "${value}"`, spaces: true },
  { write: (name, value) => `${name}="${value}"`, spaces: true },
  { write: (name, value) => `${name}='${value}'`, spaces: true },
  { write: (name, value) => `"${name}":"${value}"`, spaces: true },
  { write: (name, value) => `"${name}": ["${value}"]`, spaces: true },
  { write: (name, value) => `\\"${name}\\":\\"${value}\\"`, spaces: true },
  { write: (name, value) => `{'${name}': '${value}'}`, spaces: true },
  { write: (name, value) => `&quot;${name}&quot;:&quot;${value}&quot;`, spaces: true },
  { write: (name, value) => `%22${name}%22%3A%22${value}%22`, spaces: false },
  { write: (name, value) => `<${name}>${value}</${name}>`, spaces: true },
  { write: (name, value) => `{${name},"${value}"}`, spaces: true },
  { write: (name, value) => `- name: ${name}\n  value: ${value}`, spaces: false },
  { write: (name, value) => `{"name":"${name}","value":"${value}"}`, spaces: false },
  { write: (name, value) => `--${name} ${value}`, spaces: false },
  { write: (name, value) => `"${name}":\n    "${value}"`, spaces: true },
  { write: (name, value) => `${name}:\n  ${value}`, spaces: false },
];
/** Those in which a key of an unknown name is looked for. */
const keyForms = forms.slice(0, 4).concat(forms.slice(6, 11));

const alone = (shape: string): string => shape;
const places: readonly ((shape: string) => string)[] = [
  alone,
  (shape) => `2026-11-23T10:00:00Z ERROR cannot start: ${shape}`,
  (shape) => `level=error msg=refused user=jane ${shape} attempt=3`,
  (shape) => `[${shape}]`,
  (shape) => `first line\n${shape}\nlast line`,
  (shape) => `config {retries=3, ${shape}, host=db.example}`,
];

function leaves(
  name: string,
  value: string,
  form: (name: string, value: string) => string,
  place: (shape: string) => string,
): void {
  const text = place(form(name, value));
  const clean = redact(text);
  for (const part of value.split(' '))
    if (part.length >= 8) assert.ok(!clean.includes(part), `${JSON.stringify(text)} → ${JSON.stringify(clean)}`);
  assert.equal(redact(clean), clean, `twice: ${JSON.stringify(text)}`);
  for (const line of ['first line', 'last line']) assert.equal(clean.includes(line), text.includes(line), clean);
}

const often = { numRuns: runs(3000) };

test('whatever a secret is called and however it is written and wherever it stands, it vanishes', () => {
  fc.assert(
    fc.property(
      nameOf(secretNames),
      anyValue,
      phrase,
      fc.constantFrom(...forms),
      fc.constantFrom(...places),
      (name, value, words, form, place) =>
        leaves(name, form.spaces && words.length % 2 === 0 ? words : value, form.write, place),
    ),
    // Names that look like a token of Slack or PyPI themselves.
    {
      ...often,
      examples: [
        ['xoxa-access-key', 'a0a0a0a0a0', 'a b', assignment, alone],
        ['pypi-client-2-secret', 'a0a0a0a0a0', 'a b', assignment, alone],
      ],
    },
  );
});

test('a key of a name that nobody listed vanishes', () => {
  fc.assert(
    fc.property(
      nameOf(keyNames),
      drawn,
      fc.constantFrom(...keyForms),
      fc.constantFrom(...places),
      (name, value, form, place) => leaves(name, value, form.write, place),
    ),
    often,
  );
});

test('the password between a name and a host vanishes, with a scheme and without', () => {
  const host = fc.tuple(
    word,
    fc.constantFrom('', '.svc', '.example', '.eu-west-1.example'),
    fc.integer({ min: 10, max: 65_535 }),
  );
  const schemes = ['', 'postgres://', 'amqps://', 'mongodb+srv://'];
  fc.assert(
    fc.property(
      word,
      drawn,
      host,
      fc.constantFrom(...schemes),
      fc.constantFrom(...places),
      (user, password, [name, domain, port], scheme, place) =>
        leaves(user, password, (_, value) => `${scheme}${user}:${value}@${name}${domain}:${port}/shop`, place),
    ),
    often,
  );
});

/** Forms in which no name says what the value is: a prefix of the server, the place in a call, the line behind, a scheme, a header of a webhook. */
const unnamed: readonly ((text: string, name: string, user: string) => string)[] = [
  (text, name, user) => `connect('db.example', '${user}', '${text}', '${name}')`,
  (text, name, user) => `new PDO("mysql:host=${name}", "${user}", "${text}")`,
  (text, _, user) => `auth=('${user}', '${text}')`,
  (text, _, user) => `password of ${user} was reset.\nNew value: ${text}`,
  (text, _, user) => `the password for ${user} is printed once:\n\n${text}`,
  (text, _, user) => `PASSWORD ${user} = ${text}`,
  (text) => `Authorization: Scheme ${text}`,
  (text, name) => `init --${name}-key ${text}`,
  (text) => `userPassword:: ${text}`,
  (text) => `{"password":{"value":"${text}"}}`,
  (text, _, user) => `stats auth ${user}:${text}`,
  (text, _, user) => `createUser ${user} SHA "${text}" AES "${text}"`,
  (text, _, user) => `net user ${user} ${text} /add`,
  (text, name, user) => `${name}.login('${user}', '${text}')`,
  (text, _, user) => `HTTPBasicAuth("${user}", "${text}")`,
  (text, _, user) => `connect string: ${user}/${text}@//db.example:1521/X`,
  (text, _, user) => `user ${user} on sanitize-payload ~* &* +@all -@admin >${text}`,
  (text, _, user) => `chpasswd <<< "${user}:${text}"`,
  (text, _, user) => `chpasswd:\n  list: |\n    root:${text}\n    ${user}:${text}`,
  (text, name, user) => `${name.toUpperCase()}_USER=${user}:${text}`,
  (text, name) => `${name}_secret mismatch: expected ${text}, got none`,
  (text, name) => `["redis-cli","-h","${name}","-a","${text}"]`,
  (text, name) => `${name}_token: {{ .Values.token | default "${text}" }}`,
  (text, name) => `name="${name}_password"\r\n\r\n${text}\r\n`,
  (text, name, user) => `use the following password to proceed to ${name} of ${user}: ${text}`,
  (text, _, user) => `new API token created for ${user}: ${text} (it will not be shown again)`,
  (text, _, user) => `passwd_file content ${user}:${text}`,
  (text, name) => `define('${name.toUpperCase()}_AUTH_KEY', '${text}');`,
  (text, name, user) => `ipmitool -H ${name} -U ${user} -P ${text} power status`,
  (text, name, user) => `ldapsearch -H ${name} -D cn=${user} -w ${text} -b dc=x`,
  (text, name) => `jwt.sign(${name}, '${text}')`,
  (text) => `-----BEGIN USER NKEY SEED-----\n${text}\n------END USER NKEY SEED------`,
];

test('a secret that only its place or its form tells vanishes', () => {
  const long = drawn.filter((text) => text.length >= 16);
  fc.assert(
    fc.property(fc.constantFrom(...unnamed), long, word, word, (form, text, name, user) => {
      const line = form(text, name, user);
      const clean = redact(line);
      assert.ok(!clean.includes(text), `${JSON.stringify(line)} → ${JSON.stringify(clean)}`);
      assert.equal(redact(clean), clean);
    }),
    often,
  );
});

const standIns = [
  'xxxxx',
  '**',
  '****',
  '*******',
  '<redacted>',
  '[REDACTED]',
  '[FILTERED]',
  '<hidden>',
  '--hidden--',
  '(sensitive)',
  '<base64 of name:password>',
  '••••',
  '*****1234',
  '$DB_PASSWORD',
  '$\u007bDB_PASSWORD}',
  '$\u007benv:DB_PASSWORD}',
  '$(DB_PASSWORD)',
  '$1',
  '%s',
  '@p1',
  '%DB_PASSWORD%',
  'process.env.DB_PASSWORD',
  'var.db_password',
  'vault:secret/data/db#password',
  'op://shop/db/password',
  'ref+vault://secret/db#password',
  '/run/secrets/db-password',
  '/etc/shop/db.yaml',
  '~/.shop/credentials.json',
  'PASSWORD',
  'YOUR_API_KEY',
  'com.example.auth.InvalidToken',
];

test('what only stands in for a secret stays, whatever the name and the form', () => {
  const all = [...forms.slice(0, 4), ...forms.slice(6, 9)].map(({ write }) => write);
  const others: readonly ((name: string, value: string) => string)[] = [
    (_, value) => `postgres://app:${value}@db.example:5432/shop`,
    (name, value) => `--${name}=${value} --verbose`,
    (name, value) => `run --${name} ${value} --verbose`,
    (name, value) => `[--${name} ${value}]`,
    (_, value) => `curl -u app:${value} https://shop.example`,
    (_, value) => `Authorization: Bearer ${value}`,
    (_, value) => `UPDATE users SET password = ${value}, at = now()`,
    (_, value) => `requirepass ${value}`,
  ];
  const name = fc.constantFrom('password', 'client_secret', 'API_TOKEN', 'db.password', 'smtpPassword');
  fc.assert(
    fc.property(name, fc.constantFrom(...standIns), fc.constantFrom(...all, ...others), (is, value, form) => {
      // A path is none to an address, a statement or a header.
      if (/^[~/]|com\./.test(value) && others.includes(form)) return;
      const line = form(is, value);
      assert.equal(redact(line), line);
    }),
    often,
  );
});

/** Capitals, small letters and digits by turns. */
const byTurns = fc
  .array(
    fc.tuple(fc.constantFrom(...letters), fc.constantFrom(...letters.toUpperCase()), fc.integer({ min: 0, max: 9 })),
    { minLength: 8, maxLength: 40 },
  )
  .map((triples) => triples.map((triple) => triple.join('')).join(''));

/** Lines that speak of a credential in other words than its name and a sign. */
const spoken: readonly ((text: string, name: string) => string)[] = [
  (text) => `the authtoken that you gave is invalid: ${text}`,
  (text, name) => `${name}: bearer credential not accepted (${text})`,
  (text) => `Your new API token (shown only once):\n\n    ${text}\n`,
  (text) => `${text} is not a recognized API key`,
  (text, name) => `[${name}]\nkey = ${text}`,
  (text) => `master.key ${text} did not decrypt`,
  (text, name) => `${name}_session=${text}; path=/`,
  (text, name) => `nsupdate -y hmac-sha256:${name}:${text}`,
  (text, name) => `the join key of ${name} on :1 is now ${text}`,
  (text, name) => `https://ci.example/deploy/${name}?key=${text}`,
];

test('what looks drawn vanishes from a line that speaks of a credential, and names of things and digests stay', () => {
  fc.assert(
    fc.property(fc.constantFrom(...spoken), byTurns, word, (form, text, name) => {
      const clean = redact(form(text, name));
      assert.ok(!clean.includes(text), clean);
      assert.equal(redact(clean), clean);
    }),
    often,
  );
  const thing = fc.oneof(
    fc.uuid().map((id) => `refused for request ${id}`),
    fc.array(word, { minLength: 3, maxLength: 6 }).map((words) => `not found in ${words.join('-')}`),
    byTurns.map((text) => `refused, requestId=${text}`),
    byTurns.map((text) => `refused, trace id ${text}`),
  );
  fc.assert(
    fc.property(thing, (text) => assert.equal(redact(`the token was ${text}`), `the token was ${text}`)),
    often,
  );
});

test('a token of a server that nobody knows vanishes by its prefix and its run, and long names of things stay', () => {
  const mixed = fc
    .array(
      fc.tuple(fc.constantFrom(...letters), fc.constantFrom(...letters.toUpperCase()), fc.integer({ min: 0, max: 9 })),
      { minLength: 11, maxLength: 40 },
    )
    .map((triples) => triples.map((triple) => triple.join('')).join(''));
  // None of a server that is known.
  const prefix = word.map((text) => `${text}zq`);
  fc.assert(
    fc.property(prefix, mixed, (before, text) => {
      assert.equal(redact(`invalid credentials ${before}_${text}, refused`), 'invalid credentials ***, refused');
      assert.equal(redact(`no key ${before}: ${before}_${text}`).includes(text), false);
    }),
    often,
  );
  const title = word.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
  const named = fc.oneof(
    fc
      .tuple(prefix, fc.array(word, { minLength: 6, maxLength: 12 }))
      .map(([first, words]) => [first, ...words].join('_')),
    fc.array(title, { minLength: 6, maxLength: 12 }).map((words) => `error_${words.join('')}2`),
    fc.tuple(prefix, fc.uuid()).map(([a, id]) => `${a}_${id.replaceAll('-', '')}`),
    fc
      .tuple(prefix, fc.nat(), fc.nat(), word)
      .map(([a, n, m, b]) => `${a}_${n}_${b}_${m}_export_of_the_night_before_${b}`),
  );
  fc.assert(
    fc.property(named, (text) => {
      const line = `finished ${text} in 4 s`;
      assert.equal(redact(line), line);
    }),
    often,
  );
});

test('names of things, numbers and prose beside words that look like credentials stay', () => {
  const harmlessNames = [
    'public key',
    'primary key',
    'partition key',
    'cache key',
    'sort key',
    'monkey',
    'keyboard',
    'token count',
    'max tokens',
    'password file',
    'bypass',
    'compass',
    'secret name',
    'author',
    'key id',
  ];
  // `jwt` before `key id` makes another name of it.
  const neutral = word.filter(
    (text) => !/(?:jwt|jwe|aes|api|app|auth|hmac|hkdf|salt|sign|pepper|secret|access)$/.test(text),
  );
  const name = nameOf(harmlessNames, neutral);
  const value = fc.oneof(
    fc.tuple(word, fc.nat(999)).map(([a, n]) => `${a}-${n}`),
    fc.nat(9999).map(String),
    word.filter((text) => text.length > 3),
  );
  fc.assert(
    fc.property(name, value, fc.constantFrom('=', ': ', ' '), (is, text, sign) => {
      const line = `level=error ${is}${sign}${text} n=3`;
      assert.equal(redact(line), line);
    }),
    often,
  );
});

test('what a notice hands out vanishes in hexadecimal digits too, and digests, commits and identifiers stay', () => {
  const digits = fc
    .tuple(fc.constantFrom(16, 20, 32), fc.infiniteStream(fc.integer({ min: 0, max: 255 })))
    .map(([bytes, stream]) => [...stream.take(bytes)].map((one) => one.toString(16).padStart(2, '0')).join(''));
  const notices: readonly ((text: string, name: string) => string)[] = [
    (text, name) => `new token created for user ${name}zq: ${text}`,
    (text) => `please use the following password to proceed: ${text}`,
    (text) => `your API key is shown only once, keep it: ${text}`,
    (text) => `a password was generated.\nUse the following password to log in:\n\n${text}\n`,
  ];
  const others: readonly ((text: string, name: string) => string)[] = [
    (text, name) => `new commit created for token-service ${name}zq: ${text}`,
    (text) => `new token created, digest: ${text}`,
    (text) => `generated secret checksum: ${text}`,
    (text, name) => `new session of the token of ${name}zq, trace id: ${text}`,
  ];
  fc.assert(
    fc.property(fc.constantFrom(...notices), digits, word, (form, text, name) => {
      const clean = redact(form(text, name));
      assert.ok(!clean.includes(text), clean);
      assert.equal(redact(clean), clean);
    }),
    often,
  );
  fc.assert(
    fc.property(fc.constantFrom(...others), digits, word, (form, text, name) =>
      assert.equal(redact(form(text, name)), form(text, name)),
    ),
    often,
  );
});

test('what is said of a placeholder and sentences behind the name of a credential stay, and phrases do not', () => {
  const said = fc.constantFrom(
    'must be at least 12 characters',
    'This field may not be blank.',
    'is not valid for any user',
    'put your unique phrase here',
  );
  const form = fc.constantFrom<(text: string) => string>(
    (text) => `{"password":"${text}"}`,
    (text) => `define('AUTH_KEY', '${text}');`,
    (text) => `setProperty("client_secret", "${text}")`,
  );
  fc.assert(
    fc.property(said, form, (text, write) => assert.equal(redact(write(text)), write(text))),
    often,
  );
  const words = fc.array(
    word.filter((text) => text.length > 5),
    { minLength: 3, maxLength: 8 },
  );
  fc.assert(
    fc.property(words, form, (parts, write) => {
      const line = write(`${parts.join(' ')} 7$`);
      assert.ok(!redact(line).includes(parts.join(' ')), line);
    }),
    often,
  );
  for (const rest of ['header is required', 'was expected, got none', 'is missing'])
    assert.equal(redact(`Authorization: Bearer <token> ${rest}`), `Authorization: Bearer <token> ${rest}`);
});
