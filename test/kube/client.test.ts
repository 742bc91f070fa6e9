import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { realClock } from './support/real-clock.ts';

test('a request carries the User-Agent and the token, and its parsed answer comes back', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push([request.headers['user-agent'], request.headers.authorization, request.url]);
    response.end('{"kind":"PodList"}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const config = fixedClusterConfig({ server: `http://127.0.0.1:${port}`, token: 't' });
  const client = createApiClient(config, { clock: realClock, version: '1.2.3' });
  assert.deepEqual(await client.json({ path: '/api/v1/pods', query: { limit: 1, x: undefined } }), { kind: 'PodList' });
  assert.deepEqual(seen, [['Tocsin/1.2.3 (kubernetes incident operator)', 'Bearer t', '/api/v1/pods?limit=1']]);
  await client.close();
  server.close();
});
