import assert from 'node:assert/strict';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { addressesInHosts, candidateNames, parseSearchRules } from '../../src/delivery/resolv-conf.ts';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createSender } from '../../src/delivery/send.ts';
import { realClock, settled, virtualClock } from './clock.ts';
import { type NameServer, startNameServer } from './name-server.ts';

/** What a kubelet writes for a Pod in the namespace `tocsin`. */
const podResolvConf = `# Kubernetes-managed
nameserver 10.96.0.10
search tocsin.svc.cluster.local svc.cluster.local cluster.local corp.example
options ndots:5 timeout:2
`;
const podHosts = `# Kubernetes-managed hosts file.
127.0.0.1\tlocalhost
::1\tlocalhost ip6-localhost
10.1.2.3\ttocsin-7d4f
192.168.7.7 relay.corp.example relay # HostAliases
`;

let server: NameServer;
let resolver: Resolver;
before(async () => {
  server = await startNameServer({
    'hook.tocsin.svc.cluster.local': ['10.96.4.4'],
    'hook.shop.svc.cluster.local': ['10.96.5.5'],
    'api.example.com': ['198.51.100.7', '2001:db8:0:0:0:0:0:7'],
    'six.example.com': ['2001:db8:0:0:0:0:0:6'],
    'broken.example.com': 'broken',
    'flaky.tocsin.svc.cluster.local': 'broken',
    'flaky.svc.cluster.local': ['10.96.6.6'],
    'loop.example.com': ['127.0.0.1'],
    'many.example.com': Array.from({ length: 60 }, (_, index) => `10.9.0.${index}`),
    ...Object.fromEntries(
      Array.from(
        { length: 40 },
        (_, index) => [`${index}.silent.example.com.tocsin.svc.cluster.local`, 'silent'] as const,
      ),
    ),
  });
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-names-'));
  writeFileSync(join(folder, 'hosts'), podHosts);
  writeFileSync(join(folder, 'resolv.conf'), podResolvConf);
  resolver = new Resolver({
    clock: realClock,
    hostsFile: join(folder, 'hosts'),
    resolvConf: join(folder, 'resolv.conf'),
    servers: [server.address],
  });
});
after(() => server[Symbol.asyncDispose]());

const addresses = async (name: string): Promise<readonly string[]> =>
  (await resolver.resolve(name)).map(({ address }) => address);

test('search domains and ndots are read as resolv.conf(5) has them, within bounds', () => {
  assert.deepEqual(parseSearchRules(podResolvConf), {
    domains: ['tocsin.svc.cluster.local', 'svc.cluster.local', 'cluster.local', 'corp.example'],
    ndots: 5,
  });
  assert.deepEqual(parseSearchRules(''), { domains: [], ndots: 1 });
  assert.deepEqual(parseSearchRules('domain a.b c\nsearch x. .\noptions ndots:99 ndots:x'), {
    domains: ['x'],
    ndots: 15,
  });
  const long = Array.from({ length: 99 }, (_, index) => `d${index}`).join(' ');
  assert.equal(parseSearchRules(`search ${long}`).domains.length, 32);
});

test('names are completed before or after they are tried as they are, by their dots; never with a dot at the end', () => {
  const rules = { domains: ['a.local', 'local'], ndots: 2 };
  assert.deepEqual(candidateNames('hook', rules), ['hook.a.local', 'hook.local', 'hook']);
  assert.deepEqual(candidateNames('x.y.example', rules), ['x.y.example', 'x.y.example.a.local', 'x.y.example.local']);
  assert.deepEqual(candidateNames('hook.', rules), ['hook']);
});

test('a hosts file gives every address of a name, whatever its case, and nothing for comments', () => {
  assert.deepEqual(addressesInHosts(podHosts, 'LOCALHOST.'), ['127.0.0.1', '::1']);
  assert.deepEqual(addressesInHosts(podHosts, 'relay'), ['192.168.7.7']);
  assert.deepEqual(addressesInHosts(podHosts, 'HostAliases'), []);
  assert.deepEqual(addressesInHosts('nonsense relay\n999.1.1.1 relay', 'relay'), []);
});

test('names resolve as the Pod resolves them: hosts file, Services by short name, names of the internet, IPv4 first', async () => {
  assert.deepEqual(await addresses('relay'), ['192.168.7.7']);
  assert.deepEqual(await addresses('hook'), ['10.96.4.4']);
  assert.deepEqual(await addresses('hook.shop'), ['10.96.5.5']);
  assert.deepEqual(await addresses('hook.shop.svc'), ['10.96.5.5']);
  assert.deepEqual(await addresses('hook.shop.svc.cluster.local.'), ['10.96.5.5']);
  assert.deepEqual(await addresses('api.example.com'), ['198.51.100.7', '2001:db8::7']);
  assert.deepEqual(await addresses('six.example.com'), ['2001:db8::6']);
  assert.deepEqual(await addresses('anything.localhost'), ['127.0.0.1', '::1']);
  assert.deepEqual(await addresses('203.0.113.9'), ['203.0.113.9']);
});

test('a domain whose server fails is passed over; what does not exist and what is not known are told apart', async () => {
  assert.deepEqual(await addresses('flaky'), ['10.96.6.6']);
  await assert.rejects(resolver.resolve('nowhere.example.com'), { code: 'ENOTFOUND' });
  await assert.rejects(resolver.resolve('broken.example.com'), { code: 'EAI_AGAIN' });
});

test('of a name with many addresses a bounded number is looked at', async () => {
  assert.equal((await addresses('many.example.com')).length, 32);
});

test('lookups of one name at the same time are one question', async () => {
  const before = server.asked.length;
  await Promise.all(Array.from({ length: 50 }, () => resolver.resolve('api.example.com.')));
  assert.equal(server.asked.length - before, 2);
});

for (const stuck of [4, 40])
  test(`${stuck} deliveries to hosts whose name server is silent delay no healthy provider and no file`, async () => {
    const product = createServer((_, response) => response.end('ok'));
    await new Promise<void>((done) => product.listen(0, '127.0.0.1', done));
    // A TCP server's address is an AddressInfo.
    const { port } = product.address() as AddressInfo;
    const settings = () => ({ timeoutMs: 500, allowedPrivateDestinations: [] });
    const clock = virtualClock();
    const sender = createSender({ clock, version: 'test', resolver, settings });
    const send = sender.for({ allPrivate: true });
    let givenUp = 0;
    const silent = Array.from({ length: stuck }, async (_, index) => {
      await assert.rejects(send({ method: 'POST', url: `http://${index}.silent.example.com/` }), { code: 'Timeout' });
      givenUp += 1;
    });
    try {
      // Time stands still: nobody has given up yet.
      assert.equal((await send({ method: 'POST', url: `http://loop.example.com:${port}/` })).status, 200);
      await readFile(import.meta.filename);
      await clock.advance(500);
      await settled();
      assert.equal(givenUp, stuck, 'what was given up is waited for');
      await Promise.all(silent);
    } finally {
      await sender.close();
      product.close();
    }
  });
