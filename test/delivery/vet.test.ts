import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createVet } from '../../src/delivery/vet.ts';

const tenant = createVet({
  cidrs: ['10.1.0.0/16', 'fd12::/16', '169.254.0.0/16', 'nonsense', '10.0.0.0/99'],
  allPrivate: false,
});
const operator = createVet({ cidrs: [], allPrivate: true });

const metadata = [
  ...['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.169.254'],
  ...['::ffff:a9fe:a9fe', '64:ff9b::a9fe:a9fe', '2002:a9fe:a9fe::1', 'fd00:ec2::254', '100.100.100.200'],
  ...['168.63.129.16', '192.0.0.192', '224.0.0.1', 'ff02::1', '255.255.255.255'],
];
test('link-local, metadata and multicast addresses are refused to everybody, in any disguise', () => {
  for (const address of metadata)
    for (const vet of [tenant, operator]) assert.match(vet.address(address) ?? '', /never contacted/, address);
});

const ownRanges = [
  ...['127.0.0.1', '127.255.0.1', '::1', '0.0.0.0', '::', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1'],
  ...['100.64.0.1', 'fc00::1', 'fd99::1', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::10.0.0.1', '64:ff9b::7f00:1'],
];
test('loopback and private addresses are for the operator, and for others where a CIDR allows them', () => {
  for (const address of ownRanges) {
    assert.match(tenant.address(address) ?? '', /allowedPrivateDestinations/, address);
    assert.equal(operator.address(address), undefined, address);
  }
  for (const address of ['10.1.2.3', 'fd12::1', '::ffff:10.1.2.3']) assert.equal(tenant.address(address), undefined);
});

test('public addresses are for everybody, neighbours of private ranges included', () => {
  for (const address of [
    '8.8.8.8',
    '172.15.0.1',
    '172.32.0.1',
    '11.0.0.1',
    '128.0.0.1',
    '2001:db8::1',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])
    assert.equal(tenant.address(address), undefined, address);
});

test('names of metadata services are refused before they are resolved', () => {
  for (const name of ['metadata.google.internal', 'METADATA.google.internal.', 'metadata'])
    assert.match(operator.name(name) ?? '', /metadata service/);
  assert.equal(operator.name('hooks.example.com'), undefined);
});
