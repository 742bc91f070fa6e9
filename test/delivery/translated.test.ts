import assert from 'node:assert/strict';
import { test } from 'node:test';
import { translatedIPv4 } from '../../src/delivery/translated.ts';
import { createVet } from '../../src/delivery/vet.ts';
import { fc } from '../fast-check.ts';

const operator = createVet({ cidrs: [], allPrivate: true });
const tenant = createVet({ cidrs: ['fd00::/8'], allPrivate: false });

/** What RFC 6052 (2.4) makes of 192.0.2.33 in 2001:db8::/32 and its longer prefixes, for any address of four bytes. */
function embed(prefix: number, [a, b, c, d]: readonly number[], network: readonly number[], suffix = 0): string {
  const kept = network.slice(0, prefix / 8);
  const four = [a, b, c, d].map((byte) => byte ?? 0);
  const bytes = prefix === 96 ? [...kept.slice(0, 8), ...kept.slice(8), ...four] : [...kept, ...four];
  if (prefix < 96) bytes.splice(8, 0, 0);
  const all = [...bytes, ...Array<number>(16 - bytes.length).fill(suffix)];
  const groups = Array.from({ length: 8 }, (_, at) => ((all[2 * at] ?? 0) << 8) | (all[2 * at + 1] ?? 0));
  return groups.map((group) => group.toString(16)).join(':');
}

const prefixes = [32, 40, 48, 56, 64, 96] as const;
const network = [0x20, 0x01, 0x0d, 0xb8, 1, 2, 3, 4, 0, 0, 0, 0];

test('the examples are those of RFC 6052', () => {
  const made = prefixes.map((prefix) =>
    embed(prefix, [192, 0, 2, 33], [0x20, 0x01, 0x0d, 0xb8, 1, 0x22, 3, 0x44, 0, 0, 0, 0]),
  );
  assert.deepEqual(made, [
    '2001:db8:c000:221:0:0:0:0',
    '2001:db8:1c0:2:21:0:0:0',
    '2001:db8:122:c000:2:2100:0:0',
    '2001:db8:122:3c0:0:221:0:0',
    '2001:db8:122:344:c0:2:2100:0',
    '2001:db8:122:344:0:0:c000:221',
  ]);
});

test('a metadata service is refused to everybody in the prefix of any translator, also with bits behind it', () => {
  assert.equal(translatedIPv4('2001:67c:27e4:1064::a9fe:a9fe'), '169.254.169.254');
  for (const address of [
    ...['2001:67c:27e4:1064::a9fe:a9fe', 'fd00::a9fe:a9fe', '64:ff9b:1::a9fe:a9fe', '::ffff:0:0:a9fe:a9fe'],
    ...['::5efe:a9fe:a9fe', '2a00:1450::200:5efe:169.254.169.254', '2a00:1450::6464:64c8', '2a00:1450:a83f:8110::1'],
  ])
    for (const vet of [operator, tenant]) assert.match(vet.address(address) ?? '', /never contacted/, address);
  fc.assert(
    fc.property(
      fc.constantFrom(...prefixes),
      fc.array(fc.nat(255), { minLength: 12, maxLength: 12 }),
      fc.nat(255),
      (prefix, bytes, suffix) => {
        const address = embed(prefix, [169, 254, 169, 254], [0x2a, 1, ...bytes.slice(2)], suffix);
        assert.match(operator.address(address) ?? '', /never contacted/, address);
      },
    ),
  );
});

test('link-local addresses are refused to everybody and loopback to tenants, where a translator would read one and nothing else', () => {
  for (const prefix of prefixes) {
    for (const vet of [operator, tenant])
      assert.match(vet.address(embed(prefix, [169, 254, 7, 9], network)) ?? '', /never contacted/, `${prefix}`);
    const loopback = embed(prefix, [127, 0, 0, 1], [0xfd, 0, ...network.slice(2)]);
    assert.match(tenant.address(loopback) ?? '', /127\.0\.0\.1 is a loopback/, `${prefix}`);
    assert.equal(operator.address(loopback), undefined);
  }
});

test('addresses that look alike stay: hosts of such networks, numbers of other kinds, public addresses in them', () => {
  for (const address of [
    ...[
      '2a00:1450:4001:830::200e',
      '2606:4700::6810:84e5',
      '2a01:4f8:a9fe:7::1',
      '2a01:7f:0:1::5',
      '2a02:26f0:7f00:1::42',
    ],
    ...['2a01:4f8:c0c:a9fe::1', '2a00:1450::a9fd:a9fe', '2a00:1450:0:0:1:0:7f00:1', '2600:1f18:a9fe:707:9::1'],
  ])
    assert.equal(tenant.address(address), undefined, address);
  for (const prefix of prefixes)
    assert.equal(tenant.address(embed(prefix, [93, 184, 216, 34], [0x2a, 1, ...network.slice(2)])), undefined);
});

test('of addresses as machines give them to themselves none is refused', () => {
  const group = fc.nat(0xffff);
  fc.assert(
    fc.property(fc.array(group, { minLength: 7, maxLength: 7 }), (groups) => {
      // Stable and temporary interface identifiers (RFC 7217, RFC 8981): 64 bits that mean nothing; never the bits that are reserved.
      const address = ['2a01', ...groups.map((each) => each.toString(16))].join(':');
      assert.equal(translatedIPv4(address), undefined, address);
    }),
  );
});
