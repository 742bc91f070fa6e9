import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { ClusterAddresses } from '../../../src/runtime/watching/cluster-addresses.ts';

const node = (name: string, addresses: readonly string[], podCIDRs: readonly string[] = []): RawObject => ({
  metadata: { name },
  spec: { podCIDRs },
  status: { addresses: addresses.map((address) => ({ type: 'ExternalIP', address })) },
});
const pod = (name: string, ...ips: readonly string[]): RawObject => ({
  metadata: { name, namespace: 'shop' },
  status: { podIPs: ips.map((ip) => ({ ip })) },
});

function cluster(): ClusterAddresses & {
  put(source: string, raw: RawObject): void;
  gone(source: string, raw: RawObject): void;
} {
  const addresses = new ClusterAddresses(() => serviceCidrs);
  const tell =
    (is: 'put' | 'gone') =>
    (source: string, raw: RawObject): void =>
      addresses.take({ kind: 'objects', source, events: [{ is, raw }] });
  return Object.assign(addresses, { put: tell('put'), gone: tell('gone') });
}
let serviceCidrs: readonly string[] = [];

test('addresses of Nodes, ranges of their Pods and addresses of Pods are the cluster’s, as long as they are there', () => {
  const known = cluster();
  known.put('nodes', node('n1', ['34.90.1.2', 'n1.example', '10.0.0.1'], ['44.7.0.0/24', '2a05:d014::/64']));
  known.put('pods', pod('api', '2600:1f18:0:0::9'));
  for (const address of ['34.90.1.2', '44.7.0.9', '2a05:d014::5', '2600:1f18::9'])
    assert.match(known.ownerOf(address) ?? '', /^a (?:Node|Pod)$/, address);
  assert.equal(known.ownerOf('34.90.1.2'), 'a Node');
  assert.equal(known.ownerOf('44.7.0.9'), 'a Pod');
  for (const address of ['34.90.1.3', '44.7.1.9', '2600:1f18::a', '8.8.8.8'])
    assert.equal(known.ownerOf(address), undefined, address);

  known.put('nodes', node('n1', ['34.90.1.3']));
  known.gone('pods', { metadata: { name: 'api', namespace: 'shop' } });
  for (const address of ['34.90.1.2', '44.7.0.9', '2600:1f18::9'])
    assert.equal(known.ownerOf(address), undefined, address);
  assert.equal(known.ownerOf('34.90.1.3'), 'a Node');
});

test('an address that two objects have is the cluster’s until both have lost it', () => {
  const known = cluster();
  known.put('nodes', node('n1', ['34.90.1.2']));
  known.put('pods', pod('host-network', '34.90.1.2'));
  known.gone('nodes', node('n1', []));
  assert.notEqual(known.ownerOf('34.90.1.2'), undefined);
  known.gone('pods', pod('host-network'));
  assert.equal(known.ownerOf('34.90.1.2'), undefined);
});

test('a range of Services that is added later counts from then on', () => {
  const known = cluster();
  serviceCidrs = [];
  assert.equal(known.ownerOf('34.118.224.1'), undefined);
  serviceCidrs = ['34.118.224.0/20'];
  assert.equal(known.ownerOf('34.118.224.1'), 'a Service');
});

test('what an object claims in the wrong form is passed over, and of one that claims very much a part is kept', () => {
  const known = cluster();
  const many = Array.from({ length: 1_000 }, (_, index) => `34.1.${index >> 8}.${index & 255}`);
  known.put('nodes', node('n1', many, ['44.7.0.0/99', 'nonsense']));
  known.put('nodes', {
    metadata: { name: 'n2' },
    spec: { podCIDRs: '44.8.0.0/16' },
    status: { addresses: [null, 7, {}] },
  });
  known.put('pods', { metadata: { name: 'p' }, status: 'x' });
  assert.equal(known.ownerOf('34.1.0.0'), 'a Node');
  assert.equal(known.ownerOf('34.1.3.0'), undefined);
  assert.equal(known.ownerOf('44.7.0.1'), undefined);
});
