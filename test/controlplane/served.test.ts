import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { discover } from '../../src/kube/discovery.ts';
import { loadClusterConfig } from '../../src/kube/load-config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { watchedKinds } from '../../src/world/kinds/kinds.ts';
import { type ControlPlane, startControlPlane } from './cluster.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/install.md'), 'utf8');
/** Kinds that no API server has by itself: they come with somebody's definitions, or with a feature that is off. */
const brought =
  /^(gateway\.networking|autoscaling|snapshot\.storage)\.k8s\.io$|^certificates\.k8s\.io PodCertificateRequest$/;

let plane: ControlPlane;
before(async () => {
  plane = await startControlPlane({ controllerManager: false, scheduler: false });
});
after(() => plane.stop());

test('docs/install.md says of this version what it does not serve, and whether it streams lists', async () => {
  const version = JSON.parse(await plane.kubectl(['version', '--output', 'json'])) as {
    readonly serverVersion: { readonly minor: string };
  };
  const minor = Number.parseInt(version.serverVersion.minor, 10);
  const row = page.split('\n').find((line) => line.startsWith(`| 1.${minor} |`));
  assert.ok(row, `docs/install.md has no row for 1.${minor}`);
  const [, , documented = '', lists = ''] = row.split('|').map((cell) => cell.trim());

  const config = await loadClusterConfig({ kubeconfig: plane.admin.kubeconfigPath, env: {}, clock: systemClock });
  const client = createApiClient(config, { clock: systemClock, version: '0' });
  try {
    const found = await discover(client, watchedKinds, 0);
    const unserved = found
      .filter(({ is, resource: { group, kind } }) => {
        return is === 'unwatchable' && !brought.test(group) && !brought.test(`${group} ${kind}`);
      })
      .map(({ resource }) => resource.kind);
    assert.deepEqual(unserved.sort(), documented === '' ? [] : documented.split(', '));
  } finally {
    await client.close();
  }
  const stream = '/api/v1/configmaps?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=1';
  const isStreamed = await plane.kubectl(['get', '--raw', `${stream}&allowWatchBookmarks=true`]).then(
    () => true,
    () => false,
  );
  assert.equal(lists, isStreamed ? 'streamed' : 'in pages');
});
