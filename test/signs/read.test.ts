import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { entriesOf } from '../../src/signs/entry.ts';
import { readSigns } from '../../src/signs/read.ts';
import { signRows } from '../../src/signs/table.ts';
import { written } from './case.ts';
import { signCases } from './cases.ts';
import { lookAlikes } from './look-alikes.ts';
import { measured } from './measured.ts';

for (const each of signCases) {
  const title = `${each.kind} as ${each.product} says it: ${each.lines.at(-1)?.slice(0, 80)}`;
  test(title, () => {
    // Lines come redacted; what is read must be the same.
    for (const lines of [each.lines, redact(each.lines.join('\n')).split('\n')]) {
      const [sign] = readSigns(lines);
      assert.deepEqual(
        { kind: sign?.kind, target: written(sign), name: sign?.name },
        { kind: each.kind, target: each.target, name: each.name },
        lines.join('\n'),
      );
    }
  });
}

test('what ended the program is told before an earlier warning', () => {
  const signs = readSigns([
    'level=warning msg="dial tcp 10.0.0.9:4317: connect: connection refused"',
    'level=fatal msg="dial tcp: lookup db on 10.96.0.10:53: no such host"',
    'level=warning msg="dial tcp 10.0.0.9:4317: connect: connection refused"',
  ]);
  assert.deepEqual(
    signs.map((sign) => sign.kind),
    ['NameNotResolved', 'ConnectionRefused'],
  );
});

test('a program ends with its last errors, and not with what it said before, warned of or has got over', () => {
  const closes = (...lines: readonly string[]) =>
    readSigns(lines).map(({ kind, closing }) => `${kind} ${closing === true}`);
  const missing = 'FATAL open /etc/app/app.yaml: no such file or directory';
  assert.deepEqual(closes(missing), ['FileMissing true']);
  assert.deepEqual(closes('WARN dial tcp 10.0.0.9:4317: connect: connection refused', missing), [
    ...['FileMissing true', 'ConnectionRefused false'],
  ]);
  assert.deepEqual(closes('ERROR dial tcp 10.0.0.9:4317: connect: connection refused', 'INFO listening on :80'), [
    'ConnectionRefused false',
  ]);
  assert.deepEqual(
    closes('ERROR lookup db on 10.96.0.10:53: no such host', 'ERROR one', 'ERROR two', 'ERROR three', 'ERROR four'),
    ['NameNotResolved false'],
  );
});

test('the cause at the bottom of a Java trace is told with the target of its wrapper', () => {
  const [sign] = readSigns([
    'Exception in thread "main" org.postgresql.util.PSQLException: Connection to db.shop:5432 failed: Connection refused',
    '\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:319)',
    'Caused by: java.net.ConnectException: Connection refused',
    '\tat java.base/sun.nio.ch.Net.pollConnect(Native Method)',
  ]);
  assert.equal(sign?.kind, 'ConnectionRefused');
  assert.equal(written(sign), 'db.shop:5432');
});

for (const [what, ...lines] of lookAlikes)
  test(`no sign is read from ${what}: ${lines[0]?.slice(0, 60)}`, () => {
    assert.deepEqual(readSigns(lines), []);
  });

test('every kind of sign has at least four cases, but what only kernels say', () => {
  const counts = Map.groupBy(signCases, (each) => each.kind);
  for (const [kind, cases] of counts) assert.ok(cases.length >= 4, `${kind}: ${cases.length}`);
  assert.equal(counts.size, 39);
});

test('every row of the table reads a case or is a look-alike', () => {
  const looked = ['learned', 'reviewed', 'products', 'others'] as const;
  const logs = [
    ...[...signCases, ...looked.flatMap(measured)].map((each) => each.lines),
    ...lookAlikes.map(([, ...lines]) => lines),
  ];
  const all = logs.flatMap((lines) => [...lines, ...entriesOf(lines).map((entry) => entry.text)]);
  const idle = signRows.filter((row) => !all.some((text) => row.pattern.test(text))).map((row) => row.source);
  assert.deepEqual(idle, []);
});

test('colours of terminals are no part of what is read', () => {
  const [sign] = readSigns([
    '\u001b[31mERROR\u001b[0m dial tcp \u001b[1m10.0.0.5:5432\u001b[0m: connect: connection refused',
  ]);
  assert.equal(written(sign), '10.0.0.5:5432');
  assert.equal(sign?.line, 'ERROR dial tcp 10.0.0.5:5432: connect: connection refused');
});

test('a bare panic is told before an earlier warning and after an error that names what is missing', () => {
  const panic = 'panic: runtime error: invalid memory address or nil pointer dereference';
  const refused = 'dial tcp 10.0.0.9:4317: connect: connection refused';
  assert.equal(readSigns([`level=warning msg="${refused}"`, panic])[0]?.kind, 'Panic');
  assert.equal(readSigns([`level=error msg="${refused}"`, panic])[0]?.kind, 'ConnectionRefused');
});

test('a long line keeps the part that says it', () => {
  const [sign] = readSigns([`ERROR ${'x'.repeat(700)} dial tcp 10.0.0.5:5432: connect: connection refused`]);
  assert.match(sign?.line ?? '', /^….*connection refused$/);
  assert.ok((sign?.line.length ?? 0) <= 300);
});

test('whom a proxy does not let through to is not who turned the call away', () => {
  const refused = [
    "requests.exceptions.ProxyError: HTTPSConnectionPool(host='geo.example.com', port=443): Max retries exceeded with url: /v1 (Caused by ProxyError('Cannot connect to proxy.', OSError('Tunnel connection failed: 403 Forbidden')))",
    'java.io.IOException: Unable to tunnel through proxy to geo.example.com:443. Proxy returns "HTTP/1.1 403 Forbidden"',
    'Error: tunneling socket could not be established to geo.example.com:443, statusCode=403',
  ];
  for (const line of refused)
    assert.deepEqual(
      readSigns([line]).flatMap(({ target }) => target ?? []),
      [],
      line,
    );
});
