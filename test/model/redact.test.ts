import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanText, redact } from '../../src/model/redact.ts';
import { applied } from '../../src/model/redaction/rule.ts';
import { mayMatch, rules } from '../../src/model/redaction/rules.ts';
import { secretObjectRules } from '../../src/model/redaction/secret-objects.ts';
import { tokenFamilies } from '../../src/model/redaction/tokens.ts';
import { ordinary } from './ordinary-lines.ts';
import { harmless, leaks, tokens } from './redact-corpus.ts';
import { withCredentials, withoutCredentials } from './redact-lines.ts';
import { later, products, strangers, withoutSecrets } from './redact-products.ts';
import { held, known } from './redact-shapes.ts';

/** Put together at run time, so that no scanner takes this file for a leak. */
const token = (...parts: string[]): string => parts.join('');
const jwt = token('eyJ', 'hbGciOiJIUzI1NiJ9', '.', 'eyJzdWIiOiIxIn0', '.', 'c2lnbmF0dXJl');
const pem = (body: string): string =>
  `-----BEGIN RSA ${'PRIVATE'} KEY-----\n${body}\n-----END RSA ${'PRIVATE'} KEY-----`;

const hidden: readonly (readonly [string, string])[] = [
  ['postgres://app:hunter2@db:5432/orders', 'postgres://app:***@db:5432/orders'],
  ['redis://:hunter2@cache:6379', 'redis://:***@cache:6379'],
  ['amqp://u:p@ss@mq/vhost', 'amqp://u:***@mq/vhost'],
  ['mysql://u:pa/ss@host/d', 'mysql://u:***@host/d'],
  ['GET http://u:p@host/?mail=a@b.example', 'GET http://u:***@host/?mail=a@b.example'],
  [token('https://', 'ghp_', 'a1'.repeat(18), '@github.com/x'), 'https://***@github.com/x'],
  ['app:hunter2@tcp(db:3306)/orders', 'app:***@tcp(db:3306)/orders'],
  ['Authorization: Bearer abc.def', 'Authorization: ***'],
  ['failed: Authorization: Bearer abc.def DB_PASSWORD: "hunter2": x', 'failed: Authorization: ***'],
  ['Cookie: a=b; password: "hunter2" x', 'Cookie: ***'],
  ['{"Authorization":"Basic dXNlcjpwYXNz","host":"x"}', '{"Authorization":"***","host":"x"}'],
  ["curl -H 'Authorization: Bearer a1b2' https://x", "curl -H 'Authorization: ***' https://x"],
  ['authorization: AWS4-HMAC-SHA256 Credential=AK/1, Signature=ff', 'authorization: ***'],
  ['Cookie: session=abc; theme=dark', 'Cookie: ***'],
  ['set-cookie: sid=1; HttpOnly', 'set-cookie: ***'],
  ['sent bearer abcdefgh12345678 to x', 'sent bearer *** to x'],
  ['auth was Basic dXNlcjpwYXNz', 'auth was Basic ***'],
  [`got ${jwt} from client`, 'got *** from client'],
  [`key: ${pem('MIIEpAIBAAKCAQEA\nq83vEjRW')}\nnext line`, 'key: ***\nnext line'],
  [pem('MIIE').slice(0, 40), '***'],
  [`q83vEjRW\nq83v==\n-----END ${'PRIVATE'} KEY-----\nnext line`, '***\nnext line'],
  [token('id AKIA', 'IOSFODNN7EXAMPLE!'), 'id ***!'],
  [token('AIza', 'SyA1234567890abcdefghijklmnopqrstuv'), '***'],
  [token('xox', 'b-1234567890-abcdef'), '***'],
  [token('sk_', 'live_abcdefghijklmnop'), '***'],
  [token('https://hooks.slack.com/', 'services/T000/B000/XXXX'), 'https://hooks.slack.com/services/***'],
  ['DB_PASSWORD=hunter2 USER=x', 'DB_PASSWORD=*** USER=x'],
  ['cannot open /etc/passwd: DB_PASSWORD: "hunter2" x', 'cannot open /etc/passwd: DB_PASSWORD: "***" x'],
  ['password: api_key: s3cr3tvalue', 'password: api_key: ***'],
  ['spring.datasource.password: swordfish', 'spring.datasource.password: ***'],
  ['{"password":"a\\"b","user":"x"}', '{"password":"***","user":"x"}'],
  ['"{\\"password\\":\\"hunter2\\",\\"n\\":1}"', '"{\\"password\\":\\"***\\",\\"n\\":1}"'],
  ["password = 'x y z' rest", "password = '***' rest"],
  ['Server=db;User Id=sa;Password=S3cr;Encrypt=true', 'Server=db;User Id=sa;Password=***;Encrypt=true'],
  ['AccountKey=abc/def+ghi==;EndpointSuffix=x', 'AccountKey=***;EndpointSuffix=x'],
  ['AWS_SECRET_ACCESS_KEY=abc/def+x', 'AWS_SECRET_ACCESS_KEY=***'],
  ['https://x/?token=abc&b=1', 'https://x/?token=***&b=1'],
  ['https://b.blob/x?sp=r&sig=abcdefghij0123456789&se=1', 'https://b.blob/x?sp=r&sig=***&se=1'],
  ['clientSecret: "s"', 'clientSecret: "***"'],
  ['token: abcdef123456', 'token: ***'],
  ['run --password hunter2 --user x', 'run --password *** --user x'],
];
test('secrets of every known shape are replaced, and nothing around them', () => {
  for (const [text, expected] of hidden) assert.equal(redact(text), expected, text);
});

test('look-alikes stay as they are', () => {
  for (const text of harmless) assert.equal(redact(text), text);
});

test('keys of every vendor in the table vanish, in a sentence, in quotes, in a query and in a list', () => {
  assert.deepEqual(Object.keys(tokens).sort(), [...tokenFamilies].sort());
  for (const [family, examples] of Object.entries(tokens))
    for (const example of examples)
      for (const text of [`rejected ${example} for you`, `x="${example}"`, `/x?a=${example}&b=1`, `[${example}, 1]`])
        assert.ok(!redact(text).includes(example.slice(-12)), `${family}: ${redact(text)}`);
});

test('of every line with a secret the secret is gone, and the rest of the line is not', () => {
  for (const [text, secret] of leaks) {
    const clean = cleanText(redact(text));
    assert.ok(!clean.includes(secret), `${JSON.stringify(text)} → ${JSON.stringify(clean)}`);
    assert.ok(clean.includes('***'), text);
  }
});

/** What is left of a secret that stands between « and »; of a phrase, any of its words. */
function leaksOf(marked: string): boolean {
  const shape = marked.replaceAll('~', '');
  const clean = cleanText(redact(shape.replace(/[«»]/g, '')));
  const words = [...shape.matchAll(/«([^»]*)»/g)].flatMap(([, secret = '']) => secret.split(' '));
  return words.some((word) => word.length > 3 && clean.includes(word));
}

test('what the documentation, the prompts and the errors of products show of credentials is blanked', () => {
  assert.deepEqual([...products, ...later, ...strangers].filter(leaksOf), []);
});

/** What is left of a secret that stands between « and »: the whole, or a part of six characters and more between spaces and quotes. */
function partsLeft(marked: string): readonly string[] {
  const clean = redact(marked.replace(/[«»]/g, ''));
  const secrets = [...marked.matchAll(/«([^»]*)»/g)].map(([, secret = '']) => secret);
  const parts = secrets.flatMap((secret) => secret.split(/[\s"'\\]+/)).filter((part) => part.length >= 6);
  return [...secrets, ...parts].filter((part) => clean.includes(part));
}

test('of whole lines as programs print them no part of a credential is left', () => {
  assert.deepEqual(
    withCredentials.flatMap((line) => partsLeft(line).map((part) => [part, line])),
    [],
  );
});

test('of whole lines with the same words and forms but nothing secret, not one is touched', () => {
  assert.deepEqual(
    withoutCredentials.filter((line) => redact(line) !== line),
    [],
  );
});

/** Lines that look like the places and forms above, and tell of nothing secret. */
const alike: readonly string[] = [
  "secret 'production-database-credentials' not found",
  "SECRET 'db-credentials' is missing",
  'authorization: policy shop/allow-web denied GET /orders',
  'Authorization: RBAC decision deny for user alice',
  'X-Signature: verified',
  'signature: sha256 digest of the manifest',
  'stats auth is enabled',
  'net user list',
  'connect("db", "shop") failed',
  "connect('db', 5432, 'shop') timed out",
  'key = orders/2026/11/24',
  'key: 1d5faa9a-ef2d-4f5e-9d0c-0a1b2c3d4e5f',
  'auth = ldap:example.com',
  'password reset for alice:\n\nDone\n',
  'reset the password of app:\n\n2 rows updated\n',
  'empty string is not a valid password',
  'using the token as password is deprecated',
  'run --auth ldap:enabled --mode fast',
  'clear text is not allowed',
  'UPDATE users SET password = :password WHERE id = :id',
  'expected "-----BEGIN PUBLIC KEY-----" in /etc/tls/tls.pub',
  "login('jane', 'tenant') failed",
  'encrypt: aes-256-gcm',
  'user jane on call >2h',
  'HTTP/web01.corp.example@CORP.EXAMPLE',
  'secret checksum mismatch: expected 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'aws_sec_key is missing',
  'partition_key orders/2026/11/24/part-00017.parquet',
  'mnemonic: the first letters of each step in order',
  'seed phrase: missing',
  'req_7d9f0b44a1c24f0fa3b1d2c3e4f50617 took 118 ms',
  'run_2026_11_24_nightly_export_of_all_orders_to_the_warehouse finished',
  'chart postgresql_high_availability_operator_controller_manager_v2 installed',
  'org.apache.kafka.common.errors_TimeoutException_while_fetching_metadata',
  '--certificate-key PATH',
  '--tls-private-key /etc/tls/tls.key',
  '--sort-key createdAt --partition-key orderId',
  'createUser alice done',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'image registry.example/shop/api@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
];

test('lines that hold the same words, or look like these shapes, stay as they are', () => {
  for (const line of [...withoutSecrets, ...alike]) assert.equal(redact(line), line);
});

test('of 350 shapes in which programs, shells and people write credentials down, these four are not known', () => {
  assert.deepEqual([...known, ...held].filter(leaksOf), [
    // Nothing but who knows the product can tell.
    'BUNDLE_GEMS__CONTRIBSYS__COM=«12ab34cd:56ef78gh»',
    // Without a port it may as well be a mail address.
    'sftp -P 22 user:«ftpPw12»@files.example',
    'SQLSTATE[HY000] [1045] using mysql:host=db;dbname=x, app, «pdoPw28»',
    'dovecot: auth-worker: PASS «1 userPw49 lookup»',
  ]);
});

test('of more than 300 ordinary lines of logs and Events not one is touched', () => {
  assert.ok(ordinary.length >= 300);
  assert.deepEqual(
    ordinary.filter((line) => redact(line) !== line),
    [],
  );
});

test('what stands around the data of a Secret stays', () => {
  const yaml = 'kind: Secret\nmetadata:\n  name: db\ndata:\n  dsn: aGk=\n  text: |\n    some words\ntype: Opaque';
  assert.equal(
    redact(yaml),
    'kind: Secret\nmetadata:\n  name: db\ndata:\n  dsn: ***\n  text: ***\n    ***\ntype: Opaque',
  );
  const json = '{"data":{"dsn":"aGk=","user":"YQ=="},"kind":"Secret","type":"Opaque"}';
  assert.equal(redact(json), '{"data":{"dsn":"***","user":"***"},"kind":"Secret","type":"Opaque"}');
  const other = 'kind: ConfigMap\ndata:\n  mode: fast';
  assert.equal(redact(other), other);
});

test('redacting twice changes nothing more', () => {
  const marked = [...known, ...held, ...products, ...later, ...strangers, ...withCredentials];
  for (const text of [...marked, ...withoutSecrets, ...withoutCredentials]) {
    const once = redact(text.replace(/[«»~]/g, ''));
    assert.equal(redact(once), once, text);
  }
  for (const [text] of [...hidden, ...leaks]) assert.equal(redact(redact(text)), redact(text), text);
});

test('redaction and cleaning take linear time for hostile text', () => {
  const hostile = [
    'eyJ-',
    '://a:',
    'password:"\\',
    `-----BEGIN ${'PRIVATE'} KEY-----`,
    '-----END ',
    'AAAA ',
    'mysql -',
    'mysql -u a ',
    'new token: ',
    'token is to: is ',
    'credentials a:bcdefg1 ',
    'chap-secrets a * ',
    '(1) 0x',
    'wallet("',
    "set('password', '",
    'jwt.sign(a, ',
    'identified by ',
    '"/a/password": b ',
    'wrong passwords: a ',
    'Bearer <token> is ',
    '1h1.5m',
    'redis-cli ',
    '-u a:',
    'password=a,',
    'password=a;b',
    'password={',
    'password"""',
    'password |',
    '<password ',
    'token is ',
    '- a_token: ',
    'x.atlasv1.',
    '0123456789:AA',
    'host:5432:a:b:',
    '$2a$10$',
    'value="password",',
    '\u200b',
    '\u001b[0m',
    '--',
    'a:',
    'a:bcd@',
    'a:b:c:',
    'kind: Secret\ndata:\n  a: b\n',
    '"Secret" "data":{',
    '/hooks/aaaa1111',
    '-u a -p ',
    'docker login ',
    'auth plain ',
    '334 aaaa ',
    'password a b c ',
    'password = a b ',
    'set password ',
    'user a >',
    '{password,',
    'A_KEY ',
    'a-key=',
    'password%22%3A%22',
    'insert into a(password) values (',
    'connect("a", "b", ',
    'Private-Lines: 1\n',
    'password for:\n\n',
    'a_aA1',
    'auth info=a:',
    'mnemonic: abc abc ',
    'Signature: t=1,v1=',
    '<a name="password">',
    '<name>password</name>',
    'aes_encrypt(',
    'IDENTIFY ',
    '&user=aA1',
    'A_PASS=abc abc ',
    'password for a (b',
    'net use a: \\\\b /user:c ',
    'password was a',
    'password expected ',
    'SECRET != ',
    "login('a','bcdefg1') ",
    'login(',
    'auth(a, "',
    'chpasswd a:bcdefg1 ',
    'user a on ~a ',
    'a/bcdefg@',
    'connect a/b',
    '"a" "abcdef1"\n',
    '-----BEGIN PUBLIC KEY-----AAAA',
    `---- BEGIN A ${'PRIVATE'} KEY ----`,
    'LS0tLS1CRUdJTiBDRVJ',
    'ZXlK',
    'token: a || ',
    'name="password"\n\n',
    'password=$\u007bA:?',
    'k{a="b",secret="c",',
    'redis-cli","-a","',
    '--password "',
    "sshpass -p '",
    '  a_password: ab ',
    'a key ',
    'password=ENC[',
    'basic auth a:',
    'token: a.b.',
    'eyJ',
    'a.key ',
    'aA1bB2cC3dD4eE5fG6 ',
    'token aA1bB2cC3dD4eE5fG6hH7 ',
    'aA1bB2cC3dD4eE5fG6 is a ',
    'token:\n\n',
    'token is invalid: ',
    'token is ',
    'token a ',
    'token for a ',
    'password for :1 ',
    'hmac-sha256:a:',
    '-y a:',
    '?key=aA1bB2cC3&',
    'https://a/hook/?key=',
    'master key 0123456789abcdef',
    'key: ',
    'key=aA1bB2cC3dD4eE5fG6hH7iI8',
    'password=a}aaaaaaaaaaaaaaaaaa=',
    'password: path ',
    'a_session=',
  ];
  for (const piece of [...hostile, '\u001b[', '\u001b]', 'cookie:', 'authorization: ']) {
    const text = piece.repeat(Math.ceil(100_000 / piece.length));
    const start = performance.now();
    redact(text);
    cleanText(text);
    // Quadratic time would be minutes.
    assert.ok(performance.now() - start < 5000, JSON.stringify(piece));
  }
});

const cleaned: readonly (readonly [string, string])[] = [
  ['plain text\twith\nlines', 'plain text\twith\nlines'],
  ['a\r\nb\rc\u2028d', 'a\nb\nc\nd'],
  ['\u001b[1;31mred\u001b[0m', 'red'],
  ['\u001b]0;title\u0007x\u001b]8;;http://evil\u001b\\link', 'xlink'],
  ['\u001b]0;unfinished\nnext', '\nnext'],
  ['\u009b31mred', 'red'],
  ['nul\u0000 bell\u0007 del\u007f c1\u0085', 'nul bell del c1'],
  ['user\u202etxt.exe\u2066\u200f', 'usertxt.exe'],
  ['\ufeffbom', 'bom'],
  ['half \ud83d pair', 'half \ufffd pair'],
  ['👩‍👩‍👧 שלום 日本', '👩‍👩‍👧 שלום 日本'],
];
test('control characters, terminal escapes, bidirectional overrides and lone surrogates do not survive', () => {
  for (const [text, expected] of cleaned) assert.equal(cleanText(text), expected, JSON.stringify(text));
});

test('a text that is too long is cut with a visible mark, never inside a surrogate pair', () => {
  assert.equal(cleanText('abcdef', 6), 'abcdef');
  assert.equal(cleanText('abcdef', 5), 'abcd…');
  assert.equal(cleanText('abc😀def', 5), 'abc…');
  assert.equal(cleanText('abc', 0), '…');
});

test('the quick look before a pattern never says no where the pattern finds a secret, in any case of letters', () => {
  const lines = [...withCredentials, ...products, ...later, ...strangers, ...held, ...known]
    .map((line) => line.replace(/[«»¦]/g, ''))
    .concat(leaks.map(([line]) => line));
  // What they need tells a Secret from a ConfigMap.
  const ofSecrets = new Set(secretObjectRules.map(({ what }) => what));
  const missed = new Set<string>();
  for (const line of lines)
    for (const text of [line, line.toLowerCase(), line.toUpperCase()])
      for (const rule of rules.filter(({ what }) => !ofSecrets.has(what)))
        if (!mayMatch(rule, text, text.toLowerCase()) && applied(rule, text) !== text)
          missed.add(`${rule.what}: ${text}`);
  assert.deepEqual([...missed], []);
});

test('what was searched before is searched again when it holds a secret, and a long text always', () => {
  for (let time = 0; time < 3; time += 1) {
    assert.equal(redact('DB_PASSWORD=hunter2'), 'DB_PASSWORD=***');
    assert.equal(redact('nothing to hide'), 'nothing to hide');
  }
});
