import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, inspect } from 'node:util';
import { deliveryKeys } from '../../src/model/delivery.ts';
import { humanDuration, parseDurationMs } from '../../src/model/duration.ts';
import { shortHash } from '../../src/model/hash.ts';
import { parseQuantity } from '../../src/model/quantity.ts';
import { describeRef, isInNamespace, kindOf, nameOf, namespaceOf, refOf } from '../../src/model/ref.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import { compareSeverity, milder, severities, worse } from '../../src/model/severity.ts';
import { fc } from '../fast-check.ts';

test('a duration is read as milliseconds, and anything else is not one', () => {
  const good: readonly (readonly [string, number])[] = [
    ['5s', 5000],
    ['1m30s', 90_000],
    ['250ms', 250],
    ['2h', 7_200_000],
    ['1d', 86_400_000],
    ['0s', 0],
  ];
  for (const [text, milliseconds] of good) assert.equal(parseDurationMs(text), milliseconds, text);
  for (const text of ['', '5', 's', '-5s', '1.5h', '5 s', '5s ', '5S', '5sx', '9999999999999999999h'])
    assert.equal(parseDurationMs(text), undefined, text);
});

test('a hostile duration is refused in linear time', () => {
  const start = performance.now();
  assert.equal(parseDurationMs(`${'1m'.repeat(50_000)}x`), undefined);
  assert.ok(performance.now() - start < 2000);
});

test('a duration for people has its two largest units', () => {
  const shown: readonly (readonly [number, string])[] = [
    [0, '0 s'],
    [-5, '0 s'],
    [45_000, '45 s'],
    [200_000, '3 min 20 s'],
    [7_200_000, '2 h'],
    [3_605_000, '1 h'],
    [4 * 86_400_000 + 6 * 3_600_000 + 61_000, '4 d 6 h'],
  ];
  for (const [milliseconds, text] of shown) assert.equal(humanDuration(milliseconds), text);
});

test('a ref gives its parts back, whatever the name of a virtual object holds', () => {
  const word = fc.stringMatching(/^[a-z0-9.-]{1,20}$/);
  fc.assert(
    fc.property(word, fc.option(word, { nil: undefined }), fc.string(), word, (kind, namespace, name, other) => {
      const ref = refOf(kind, namespace, name);
      assert.deepEqual([kindOf(ref), namespaceOf(ref), nameOf(ref)], [kind, namespace ?? '', name]);
      assert.ok(isInNamespace(ref, namespace ?? ''));
      for (const asked of [other, `${namespace ?? ''}${other}`, other.slice(0, -1), (namespace ?? '').slice(0, -1)])
        assert.equal(isInNamespace(ref, asked), asked === (namespace ?? ''));
    }),
  );
  assert.equal(describeRef('Deployment/shop/api'), 'Deployment shop/api');
  assert.equal(describeRef('Node//n1'), 'Node n1');
  assert.equal(nameOf('Registry//ghcr.io/org'), 'ghcr.io/org');
});

test('a hash is stable, and its parts cannot run into each other', () => {
  assert.equal(shortHash(['a', 1]), shortHash(['a', '1']));
  assert.notEqual(shortHash(['ab', 'c']), shortHash(['a', 'bc']));
  assert.match(shortHash(['x']), /^[0-9a-f]{16}$/);
  assert.equal(shortHash(['x'], 8), shortHash(['x']).slice(0, 8));
});

test('the keys of a delivery differ by everything that makes it what it is', () => {
  const variants = [
    deliveryKeys('i', 'u', 'open', 1),
    deliveryKeys('j', 'u', 'open', 1),
    deliveryKeys('i', 'v', 'open', 1),
    deliveryKeys('i', 'u', 'update', 1),
    deliveryKeys('i', 'u', 'open', 2),
  ].flatMap(({ id, attemptKey }) => [id, attemptKey]);
  assert.equal(new Set(variants).size, variants.length);
  assert.deepEqual(deliveryKeys('i', 'u', 'open', 1), deliveryKeys('i', 'u', 'open', 1));
});

test('a secret is never printed, whichever way', () => {
  const secret = new Secret('hunter2');
  const printed = [
    String(secret),
    `${secret}`,
    JSON.stringify({ deep: [secret] }),
    inspect({ deep: { deeper: { deepest: { secret } } } }, { depth: 9, showHidden: true, getters: true }),
    format('%s %o %O %j', secret, secret, secret, secret),
    JSON.stringify(Object.entries(secret)),
    inspect(new Error('x', { cause: secret })),
    JSON.stringify(structuredClone({ ...secret })),
  ];
  for (const text of printed) assert.doesNotMatch(text, /hunter2/);
  assert.equal(openSecret(secret), 'hunter2');
});

test('severities order from worst to mildest', () => {
  assert.deepEqual([...severities].reverse().sort(compareSeverity), severities);
  assert.equal(worse('low', 'high'), 'high');
  assert.deepEqual(severities.map(milder), ['high', 'medium', 'low', 'low']);
});

test('quantities are read as people write them', () => {
  const cases: Record<string, number | undefined> = {
    ...{ '250m': 0.25, '4': 4, '1.5': 1.5, '1e3': 1000, '2k': 2000, '512Mi': 2 ** 29, '16Gi': 2 ** 34, '1G': 1e9 },
    ...{
      '1E': 1e18,
      '3n': undefined,
      '': undefined,
      Mi: undefined,
      '5 Gi': undefined,
      '1..2': undefined,
      '3X': undefined,
    },
  };
  for (const [text, number] of Object.entries(cases)) assert.equal(parseQuantity(text), number, text);
});
