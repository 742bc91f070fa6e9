import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { Resolver } from '../../src/delivery/resolver.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { TransportError } from '../../src/providers/provider.ts';
import { providers } from '../../src/providers/registry.ts';
import { createOutbound } from '../../src/runtime/sending/outbound.ts';
import { dispatched } from '../../src/runtime/sending/provider-types.ts';
import { ServiceFinder } from '../../src/runtime/watching/service-finder.ts';
import { virtualClock } from '../delivery/clock.ts';
import { startNameServer } from '../delivery/name-server.ts';

const webhook = providers.find(({ type }) => type === 'webhook');
assert.ok(webhook);
const type = dispatched(webhook);

const providerOf = (namespace: string): ProviderSettings => ({
  ...{
    ref: `tocsin.dev/AlertProvider/${namespace}/hook`,
    uid: 'u',
    namespace,
    type: 'webhook',
    config: {},
    secrets: {},
  },
  ...{ retry: {}, suspended: false, active: { is: true, reason: 'Selected' }, usable: true, generation: 1 },
});

test('a provider of another namespace delivers to a Service there and to nothing else in the cluster', async () => {
  const sandbox = await startSandbox({});
  const server = createServer((_, response) => response.end('ok'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  // A TCP server's address is an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const names = ['hook.shop', 'hook.other', 'by-hand.shop', 'liar.shop'].map((name) => `${name}.svc.cluster.local`);
  await using nameServer = await startNameServer(Object.fromEntries(names.map((name) => [name, ['127.0.0.1']])));
  const add = (namespace: string, name: string, spec: object): unknown =>
    sandbox.objects.create({ apiVersion: 'v1', kind: 'Service', metadata: { namespace, name }, spec });
  for (const name of ['shop', 'other'])
    sandbox.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  const here = { type: 'ClusterIP', clusterIP: '127.0.0.1', clusterIPs: ['127.0.0.1'] };
  const elsewhere = { ...here, clusterIP: '127.0.0.2', clusterIPs: ['127.0.0.2'] };
  const ours = { selector: { app: 'hook' } };
  add('shop', 'hook', { ...here, ...ours });
  add('other', 'hook', { ...here, ...ours });
  add('shop', 'by-hand', here);
  add('shop', 'liar', { ...elsewhere, ...ours });

  const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0' });
  const clock = virtualClock();
  const services = new ServiceFinder(client, clock);
  const outbound = createOutbound({
    ...{ clock: systemClock, version: '0', namespace: 'tocsin' },
    settings: () => ({ ...defaultSettings, operatorNamespace: 'tocsin' }),
    findService: (namespace, name) => services.find(namespace, name),
    resolver: new Resolver({ clock: systemClock, servers: [nameServer.address] }),
  });
  /** `200`, or why not. */
  const send = async (host: string, namespace = 'shop'): Promise<string> => {
    try {
      const request = { method: 'POST', url: `http://${host}:${port}/`, json: {} } as const;
      return String((await outbound.send(providerOf(namespace), type, undefined)(request)).status);
    } catch (error) {
      assert.ok(error instanceof TransportError);
      return `${error.code}: ${error.message}`;
    }
  };
  try {
    assert.equal(await send('hook.shop.svc.cluster.local'), '200');
    assert.match(await send('hook.other.svc.cluster.local'), /^BlockedAddress: 127\.0\.0\.1 is a loopback/);
    assert.match(await send('127.0.0.1'), /^BlockedAddress/);
    assert.match(await send('by-hand.shop.svc.cluster.local'), /^BlockedAddress: .*has no selector/);
    assert.match(await send('liar.shop.svc.cluster.local'), /^BlockedAddress/);
    assert.match(await send('hook.shop.svc.cluster.local', 'other'), /^BlockedAddress/);
    assert.equal(await send('hook.shop.svc.cluster.local', 'tocsin'), '200');

    // What is known of a Service is forgotten after 30 s.
    await client.json({ method: 'DELETE', path: '/api/v1/namespaces/shop/services/hook' });
    assert.equal(await send('hook.shop.svc.cluster.local'), '200');
    await clock.advance(30_000);
    assert.match(await send('hook.shop.svc.cluster.local'), /^BlockedAddress/);
  } finally {
    await outbound.close();
    await client.close();
    await sandbox.stop();
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
