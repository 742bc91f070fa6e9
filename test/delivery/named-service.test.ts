import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type FindService, namedService } from '../../src/delivery/named-service.ts';
import { createVet } from '../../src/delivery/vet.ts';
import type { ServiceAddresses } from '../../src/model/service-addresses.ts';

const service: ServiceAddresses = { type: 'ClusterIP', clusterIPs: ['10.96.0.7', 'fd00:96::7'], selects: true };
const services: Readonly<Record<string, ServiceAddresses>> = {
  'shop/hook': service,
  'shop/headless': { ...service, clusterIPs: [] },
  'shop/elsewhere': { type: 'ExternalName', clusterIPs: [], selects: false },
  'shop/by-hand': { ...service, selects: false },
  'other/hook': { ...service, clusterIPs: ['10.96.0.8'] },
  'default/kubernetes': { ...service, clusterIPs: ['10.96.0.1'], selects: false },
};
const find: FindService = async (namespace, name) => services[`${namespace}/${name}`];
const away: FindService = () => Promise.reject(new Error('away'));

/** Why the tenant `shop` does not reach an address by a name; `undefined` when it does. */
async function refusal(host: string, address: string, { asked = find, cidrs = [] as string[] } = {}) {
  const named = await namedService({ host, tenant: 'shop', proxied: false }, asked);
  return createVet({ cidrs, allPrivate: false, service: named }).address(address, host);
}

test('a tenant reaches a Service of its own namespace by every name of it, and only at the addresses of that Service', async () => {
  for (const host of [
    ...[
      'hook.shop',
      'hook.shop.svc',
      'HOOK.shop.svc.',
      'hook.shop.svc.cluster.local',
      'hook.shop.svc.corp.example.com',
    ],
  ]) {
    for (const address of ['10.96.0.7', 'fd00:96::7', '::ffff:10.96.0.7'])
      assert.equal(await refusal(host, address), undefined, `${host} ${address}`);
    for (const address of ['10.96.0.8', '10.96.0.1', '127.0.0.1', '34.118.224.1', '169.254.169.254'])
      assert.ok(await refusal(host, address), `${host} ${address}`);
  }
});

test('a tenant reaches no Service of another namespace, and none of its own by another name', async () => {
  for (const host of [
    ...['hook.other.svc', 'hook.other.svc.cluster.local', 'kubernetes.default.svc', 'hook', 'a.hook.shop.svc'],
    ...['hook.example.com', 'hook.shop.example.com', 'absent.shop.svc', 'shop.hook.svc'],
  ])
    for (const address of ['10.96.0.7', '10.96.0.8', '10.96.0.1'])
      assert.match((await refusal(host, address)) ?? '', /allowedPrivateDestinations/, `${host} ${address}`);
});

test('a Service whose addresses prove nothing is refused with the reason, unless a CIDR allows it', async () => {
  const rows: readonly (readonly [name: string, why: RegExp])[] = [
    ['headless', /Service headless of shop is headless: .*; allow it in AlertConfig/],
    ['elsewhere', /Service elsewhere of shop is an ExternalName, /],
    ['by-hand', /Service by-hand of shop has no selector: /],
  ];
  for (const [name, why] of rows) {
    assert.match((await refusal(`${name}.shop.svc`, '10.96.0.7')) ?? '', why);
    assert.equal(await refusal(`${name}.shop.svc`, '10.96.0.7', { cidrs: ['10.0.0.0/8'] }), undefined);
  }
});

test('where the API server does not tell, nothing is allowed and nothing is decided', async () => {
  const named = await namedService({ host: 'hook.shop.svc', tenant: 'shop', proxied: false }, away);
  assert.deepEqual([named?.addresses, named?.undecided], [[], true]);
  assert.match((await refusal('hook.shop.svc', '10.96.0.7', { asked: away })) ?? '', /the API server does not tell/);
});

test('the API server is asked only for what may be a Service of the tenant', async () => {
  const asked: string[] = [];
  const noting: FindService = async (namespace, name) => void asked.push(`${namespace}/${name}`);
  for (const host of ['hooks.slack.com', 'ntfy.sh', '10.96.0.7', '[fd00::1]', 'hook.other.svc', 'hook', 'a_b.shop.svc'])
    await namedService({ host, tenant: 'shop', proxied: false }, noting);
  await namedService({ host: 'hook.shop.svc', proxied: false }, noting);
  await namedService({ host: 'hook.shop.svc', tenant: 'shop', proxied: true }, noting);
  assert.deepEqual(asked, []);
});

test('a proxy is not asked for a name of two labels that is a Service, whosever it is', async () => {
  const refused = async (host: string, asked = find): Promise<string | undefined> => {
    const named = await namedService({ host, tenant: 'shop', proxied: true }, asked);
    return createVet({ cidrs: [], allPrivate: false, service: named }).proxiedName(host);
  };
  for (const host of ['kubernetes.default', 'Kubernetes.default.', 'hook.shop', 'hook.other', 'headless.shop'])
    assert.match((await refused(host)) ?? '', /not asked of the proxy/, host);
  for (const host of ['ntfy.sh', 'discord.com', 'hooks.slack.com', 'absent.shop'])
    assert.equal(await refused(host), undefined, host);
  assert.equal(await refused('ntfy.sh', away), undefined);
});
