import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failingChecks } from '../../../src/kube/api-server-health.ts';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { Edition } from '../../../src/model/edition.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import { ApiServerChecks } from '../../../src/runtime/watching/api-server-checks.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { startFakeApi } from '../../kube/support/fake-api.ts';
import { start } from '../../world/objects.ts';
import { realRequests } from '../real-requests.ts';

// As k8s.io/apiserver, server/healthz writes it.
const ready = '[+]ping ok\n[+]log ok\n[+]etcd ok\nreadyz check passed\n';
const unready = '[+]ping ok\n[-]etcd failed: reason withheld\n[+]informer-sync ok\nreadyz check failed\n';

type Answer = { readonly code: number; readonly body: string };

/** Somebody who asks an API server of which each test says what it answers; one round is 30 s. */
async function stage(edition: Edition = 'Pro') {
  let answer: Answer = { code: 200, body: ready };
  const asked: string[] = [];
  const api = await startFakeApi((request, response) => {
    asked.push(request.path);
    const says = request.path === '/version' ? { code: 200, body: '{"gitVersion":"v1.36.3"}' } : answer;
    response.writeHead(says.code, { 'content-type': 'text/plain' }).end(says.body);
  });
  const { client, rest } = realRequests(api.url);
  const clock = virtualClock(start);
  const coverage: Coverage[] = [];
  const told: RawObject[] = [];
  const checks = new ApiServerChecks({
    ...{ client, clock, log: createLogger({ level: 'silent' }) },
    settings: () => ({ ...defaultSettings, edition }),
    see: (row) => coverage.push(row),
    push: (input) => void (input.kind === 'objects' && told.push(...input.events.map(({ raw }) => raw))),
  });
  checks.start();
  await rest();
  return {
    asked,
    told,
    state: () => coverage.at(-1) && `${coverage.at(-1)?.source} ${coverage.at(-1)?.state} ${coverage.at(-1)?.reason}`,
    async says(next: Answer, rounds = 1): Promise<void> {
      answer = next;
      for (let round = 0; round < rounds; round += 1) {
        await clock.advance(30_000);
        await rest();
      }
    },
    async end(): Promise<void> {
      await checks.stop();
      await client.close();
      await api.close();
    },
  };
}

test('what fails is handed on with since when and in how many answers, and that nothing does any more', async () => {
  const { says, told, state, end } = await stage();
  assert.equal(state(), 'apiservers Watching Synced');
  assert.deepEqual([told.length, told[0]?.version, told[0]?.failing], [1, 'v1.36.3', undefined]);
  await says({ code: 500, body: unready }, 5);
  const since = new Date(start + 30_000).toISOString();
  const failing = (answers: number) => ({ checks: [{ name: 'etcd' }], since, answers });
  // From the third answer on nothing is new.
  assert.deepEqual(
    told.slice(1).map((raw) => raw.failing),
    [failing(1), failing(2), failing(3)],
  );
  await says({ code: 200, body: ready });
  assert.equal(told.at(-1)?.failing, undefined);
  assert.equal(told.length, 5);
  await end();
});

test('refused, throttled, a proxy in between: nothing is said, and what was said stands', async () => {
  const { says, told, state, end } = await stage();
  await says({ code: 500, body: unready }, 3);
  const { length } = told;
  for (const answer of [
    { code: 429, body: '' },
    { code: 500, body: 'no healthy upstream' },
    { code: 503, body: '[-]etcd failed: reason withheld' },
    { code: 200, body: '<html>Sign in</html>' },
  ])
    await says(answer);
  assert.deepEqual([told.length, state()], [length, 'apiservers Watching Synced']);
  await says({ code: 403, body: '{"kind":"Status"}' });
  assert.deepEqual([told.length, state()], [length, 'apiservers Denied Forbidden']);
  // Once it may be asked again, it is told anew.
  await says({ code: 200, body: ready });
  assert.deepEqual([told.length, state()], [length + 1, 'apiservers Watching Synced']);
  await end();
});

test('without a licence its version alone is asked, every 10 minutes', async () => {
  const { asked, says, told, end } = await stage('Community');
  await says({ code: 500, body: unready }, 21);
  assert.deepEqual(asked, ['/version', '/version']);
  assert.equal(told.length, 1);
  await end();
});

test('failing checks are read with their reason where it is not withheld, and of no answer but its own', () => {
  assert.deepEqual(failingChecks(ready), []);
  assert.deepEqual(failingChecks('ok'), []);
  assert.deepEqual(failingChecks(unready), [{ name: 'etcd' }]);
  assert.deepEqual(failingChecks('[-]kms-provider-0 failed: rpc error\nreadyz check failed'), [
    { name: 'kms-provider-0', why: 'rpc error' },
  ]);
  assert.equal(failingChecks('[-]etcd failed: reason withheld\n'), undefined);
  assert.equal(failingChecks('upstream connect error'), undefined);
});
