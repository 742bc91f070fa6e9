import assert from 'node:assert/strict';
import { test } from 'node:test';
import { redact } from '../../src/model/redact.ts';
import { readSigns } from '../../src/signs/read.ts';
import { written } from './case.ts';
import { signCases } from './cases.ts';

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

test('nothing is read from information, debug output and results of tests that name a fault', () => {
  for (const line of [
    'level=info msg="retrying connection refused handler registered"',
    'DEBUG lookup db on 10.96.0.10:53: no such host',
    '--- PASS: TestDial (0.00s): connection refused',
    'GET /timeout 200',
  ])
    assert.deepEqual(readSigns([line]), [], line);
});
