import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Networks } from '../../src/delivery/address.ts';
import { createVet } from '../../src/delivery/vet.ts';

const tenant = createVet({
  cidrs: ['10.1.0.0/16', 'fd12::/16', '169.254.0.0/16', 'nonsense', '10.0.0.0/99'],
  allPrivate: false,
});
const operator = createVet({ cidrs: [], allPrivate: true });

const metadata = [
  ...['169.254.169.254', '169.254.0.1', 'fe80::1', 'fe80::1%eth0', 'febf::1', '::ffff:169.254.169.254'],
  ...[
    '::ffff:a9fe:a9fe',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fd00:ec2::254',
    'fd00:c1::a9fe:a9fe',
    'fd00:42::42',
    'fd00:0042:0::42',
    '100.100.100.200',
  ],
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
    '2606:4700::1111',
    '::ffff:8.8.8.8',
    '64:ff9b::808:808',
  ])
    assert.equal(tenant.address(address), undefined, address);
});

test('what is on no public network is refused to a tenant: every block of the special-purpose registries', () => {
  for (const address of [
    ...['240.0.0.1', '250.1.2.3', '192.0.2.1', '198.51.100.1', '203.0.113.9', '192.88.99.1', '198.19.1.1'],
    ...['64:ff9b:1::a9fe:a9fe', '2001:0:a9fe:a9fe::', '2001:db8::1', '2001:20::1', '3fff::1', '5f00::1', '100::1'],
    ...['::ffff:0:10.0.0.1', '::ffff:0:a00:1'],
  ])
    assert.ok(tenant.address(address), address);
  for (const address of ['::ffff:0:169.254.169.254', 'fd00:ec2::23', 'fd00:ec2::123'])
    assert.match(operator.address(address) ?? '', /never contacted/, address);
});

test('a name of this cluster leads a tenant only to addresses that are allowed, also where Services have public ones', () => {
  for (const name of [
    'hook',
    'hook.other.svc',
    'hook.other.svc.cluster.local',
    'hook.other.svc.cluster.local.',
    'db.internal',
  ]) {
    assert.match(tenant.address('34.118.224.1', name) ?? '', /name of this cluster/, name);
    assert.equal(tenant.address('10.1.2.3', name), undefined, name);
    assert.equal(operator.address('34.118.224.1', name), undefined, name);
  }
  for (const name of ['hooks.slack.com', 'svc.example.com', 'local.example.org'])
    assert.equal(tenant.address('34.118.224.1', name), undefined, name);
});

test('an address of this cluster is refused to a tenant wherever its range is, unless a CIDR allows it', () => {
  const services = new Networks(['34.118.224.0/20', '2600:1900::/64']);
  const ownerOf = (address: string): string | undefined => (services.has(address) ? 'a Service' : undefined);
  const vet = createVet({ cidrs: ['34.118.225.0/24'], allPrivate: false }, ownerOf);
  for (const address of ['34.118.224.1', '34.118.239.255', '2600:1900::7', '::ffff:34.118.224.1'])
    assert.match(vet.address(address) ?? '', /a Service of this cluster; allow it/, address);
  for (const address of ['34.118.225.9', '34.118.240.1']) assert.equal(vet.address(address), undefined, address);
  assert.equal(createVet({ cidrs: [], allPrivate: true }, ownerOf).address('34.118.224.1'), undefined);
});

test('a proxy is not asked for names of this host or cluster on behalf of a tenant', () => {
  for (const name of [
    'localhost',
    'localhost.',
    'a.localhost',
    'kubernetes',
    'hook.shop.svc',
    'x.svc.cluster.local.',
    'PRINTER.LOCAL',
  ]) {
    assert.ok(tenant.proxiedName(name), name);
    assert.equal(operator.proxiedName(name), undefined, name);
  }
  assert.ok(operator.proxiedName('metadata.google.internal.'));
  assert.equal(tenant.proxiedName('hooks.slack.com'), undefined);
});

test('names of metadata services are refused before they are resolved', () => {
  for (const name of ['metadata.google.internal', 'METADATA.google.internal.', 'metadata'])
    assert.match(operator.name(name) ?? '', /metadata service/);
  assert.equal(operator.name('hooks.example.com'), undefined);
});
