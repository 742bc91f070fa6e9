import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { createApiClient } from '../../../src/kube/client.ts';
import { fixedClusterConfig } from '../../../src/kube/config.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import { ServiceNetworks } from '../../../src/runtime/watching/service-networks.ts';
import { settled, virtualClock } from '../../delivery/clock.ts';

test('the networks of Services are asked of the cluster, again later, and a failure changes nothing', async () => {
  const sandbox = await startSandbox({});
  const add = (name: string, cidr: string): unknown =>
    sandbox.objects.create({
      ...{ apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name } },
      spec: { cidrs: [cidr] },
    });
  add('kubernetes', '34.118.224.0/20');
  const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0' });
  const clock = virtualClock();
  const networks = new ServiceNetworks(client, clock);
  const known = async (count: number): Promise<readonly string[]> => {
    for (let round = 0; round < 200 && networks.cidrs.length < count; round += 1) await settled();
    return networks.cidrs;
  };
  try {
    assert.deepEqual(await known(1), ['34.118.224.0/20']);
    add('more', '10.200.0.0/16');
    await settled();
    await clock.advance(60 * 60_000);
    assert.deepEqual([...(await known(2))].sort(), ['10.200.0.0/16', '34.118.224.0/20']);
    networks.stop();
    await clock.advance(60 * 60_000);
    assert.equal(networks.cidrs.length, 2);
  } finally {
    networks.stop();
    await client.close();
    await sandbox.stop();
  }
});
