/** What `kubectl describe` shows of a product that works every other minute: the real path from the attempt to the API server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AlertProviderStatus } from '../../src/api/alert-provider.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { EventRecorder } from '../../src/kube/events.ts';
import type { Outcome } from '../../src/model/delivery.ts';
import type { ProviderView } from '../../src/model/provider-view.ts';
import { ProviderAnnouncer } from '../../src/operator/provider-events.ts';
import { providerStatus } from '../../src/operator/provider-status.ts';
import { delivery, provider as settingsOf, stage } from '../delivery/stage.ts';
import { sendJson, startFakeApi } from '../kube/support/fake-api.ts';
import { provider } from './objects.ts';

const minute = 60_000;
const mail = settingsOf('mail');

/** What a product answers that fails when `isDown`; its words are never the same twice. */
type Failure = (count: number) => Outcome;
const stories: readonly (readonly [
  what: string,
  failure: Failure,
  hasFallback: boolean,
  expected: readonly string[],
])[] = [
  [
    'fails',
    (count) => ({ is: 'retryable', reason: `HTTP 503: request ${count}`, mayHaveArrived: false }),
    false,
    ['DeliveryFailed', 'DeliveryRecovered'],
  ],
  [
    'refuses, so that the fallback tells,',
    (count) => ({ is: 'permanent', reason: `HTTP 400: request ${count}`, credential: false }),
    true,
    ['DeliveryRecovered', 'FallbackUsed'],
  ],
];

for (const [what, failure, hasFallback, expected] of stories)
  test(`a product that ${what} every other minute for two hours is a handful of Events, and the last one says how it is`, async () => {
    const settings = settingsOf('oncall', hasFallback ? { fallback: mail.ref } : {});
    let isDown = true;
    const { clock, enqueue, view } = stage({
      providers: [settings, mail],
      script: (_, all) => (isDown && all.at(-1)?.provider === 'oncall' ? failure(all.length) : { is: 'delivered' }),
    });
    const api = await startFakeApi((request, response) => sendJson(response, 201, JSON.parse(request.body)));
    const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });
    const recorder = new EventRecorder({ client, clock, component: 'tocsin', instance: 'tocsin-0' });
    const announcer = new ProviderAnnouncer((event) => recorder.record(event));
    let status: AlertProviderStatus = {};
    let changes = 0;
    const seen = (): ProviderView => {
      const known = view(settings.ref);
      return known.failing && hasFallback ? { ...known, fallbackInUse: mail.ref } : known;
    };
    const write = async (): Promise<void> => {
      const object = { ...provider('oncall'), status };
      const before = status.conditions?.find(({ type }) => type === 'Delivering')?.status;
      status = providerStatus(object, {
        check: { generation: 1, invalid: false, secrets: 'found', secretsVersion: '1', problems: [] },
        ...{ fallback: [], settings, routes: undefined, facts: seen() },
        ...{ requests: { test: undefined, redelivery: undefined }, redelivery: undefined, now: clock.now() },
      }).status;
      if (status.conditions?.find(({ type }) => type === 'Delivering')?.status !== before) changes += 1;
      announcer.written(settings.ref, object, status);
      await recorder.drain();
    };
    try {
      for (let count = 0; count < 120; count += 1) {
        isDown = count % 2 === 0;
        enqueue(delivery(settings, 'open', 1, { now: clock.now(), stream: `inc-${count}` }));
        await clock.advance(minute);
        await write();
      }
      assert.ok(changes >= 119, `it changed ${changes} times`);
      await clock.advance(5 * minute);
      await recorder.drain();
      const written = api.seen.map(({ method, body }) => ({ method, ...JSON.parse(body) }));
      const created = written.filter(({ method }) => method === 'POST');
      assert.deepEqual(created.map(({ reason }) => reason).sort(), expected);
      assert.ok(written.length <= 80, `${written.length} writes`);
      const latest = new Map(written.map((event, index) => [api.seen[index]?.path, event]));
      const counts = new Map(
        created.map(({ metadata, reason }) => [
          `${reason}`,
          latest.get(`/api/v1/namespaces/tocsin/events/${metadata.name}`),
        ]),
      );
      const [recovered, failed] = [
        'DeliveryRecovered',
        expected.find((reason) => reason !== 'DeliveryRecovered') ?? '',
      ].map((reason) => counts.get(reason));
      assert.deepEqual([recovered?.count, failed?.count], [60, 60]);
      assert.ok(Date.parse(recovered?.lastTimestamp) > Date.parse(failed?.lastTimestamp), 'it works now');
    } finally {
      await client.close();
      await api.close();
    }
  });
