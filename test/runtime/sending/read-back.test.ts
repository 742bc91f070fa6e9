import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/kube/api-client.ts';
import type { Incident } from '../../../src/model/incident.ts';
import { Secret } from '../../../src/model/secret.ts';
import type { ProviderSettings } from '../../../src/model/settings.ts';
import type { AnyProvider } from '../../../src/providers/kit/define.ts';
import { opsgenie } from '../../../src/providers/opsgenie.ts';
import type { Look, Seen } from '../../../src/providers/provider.ts';
import { ReadBack } from '../../../src/runtime/sending/read-back.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { explanation, provider } from '../../incident/helpers.ts';

const pager = (name: string, more: Partial<ProviderSettings> = {}): ProviderSettings =>
  provider(name, {
    ...{ type: 'opsgenie', config: { region: 'us', actions: { readBack: true } } },
    ...{ secrets: { apiKey: { secret: 'pager', key: 'apiKey' } }, ...more },
  });

function incident(id: string, more: Partial<Incident> = {}): Incident {
  return {
    ...{ id, alertKey: `key-${id}`, state: 'Open', explanation: explanation('Deployment/shop/api'), startedAt: 0 },
    ...{ revision: 1, recoveries: [], standings: {}, hearings: { pager: { knows: 'open' } } },
    ...more,
  };
}

const nobody: Seen = { outcome: { is: 'delivered' } };
const ada: Seen = { outcome: { is: 'delivered' }, taken: { by: 'Ada', since: Date.parse('2026-11-20T12:00:00Z') } };
const minute = 60_000;

/** Reading back from a product that answers as the test says. */
function stage(providers: readonly ProviderSettings[], incidents: Incident[]) {
  const clock = virtualClock();
  const looks: Look<unknown>[] = [];
  const written: object[] = [];
  const log: string[] = [];
  const changed: string[] = [];
  const state: { answer: (look: Look<unknown>) => Seen | Error; refusal?: ApiError } = { answer: () => nobody };
  const definition: AnyProvider = {
    ...(opsgenie as AnyProvider),
    async readBack(look) {
      looks.push(look);
      const answer = state.answer(look);
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  const readBack = new ReadBack({
    ...{ clock, namespace: 'tocsin', definitions: [definition], send: () => () => assert.fail('send') },
    client: {
      async json<T>({ body }: { readonly body?: unknown }): Promise<T> {
        if (state.refusal) throw state.refusal;
        written.push(Object(body).metadata.annotations);
        return {} as T;
      },
    },
    log: createLogger({ level: 'info', stream: { write: (line) => log.push(line) } }),
    secrets: {
      open: async () => ({ values: new Map([['apiKey', new Secret('CANARY-abcdef-012345')]]), version: '1' }),
    },
    incidents: () => incidents,
    reference: (id) => ({ item: id }),
    changed: (ref) => changed.push(ref),
  });
  const configure = (some: readonly ProviderSettings[]): void =>
    readBack.configure({ providers: some, operatorNamespace: 'tocsin' });
  configure(providers);
  readBack.resume();
  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= minute) {
      await clock.advance(Math.min(left, minute));
      for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return { readBack, configure, pass, looks, written, log, changed, state, incidents };
}

test('it asks once a minute, with what finds the alert, only of what is open, was told there and nobody has taken on', async () => {
  const acknowledged = { by: 'Bob', at: 1, severity: 'high', reason: 'CrashLoopBackOff' } as const;
  const { looks, pass, written } = stage(
    [pager('pager')],
    [
      incident('a'),
      incident('settling', { state: 'Settling' }),
      incident('over', { state: 'Resolved' }),
      incident('folded', { foldedInto: 'a' }),
      incident('taken', { acknowledged }),
      incident('untold', { hearings: {} }),
      incident('doubtful', { hearings: { pager: { knows: 'perhapsOpen' } } }),
      incident('elsewhere', { hearings: { other: { knows: 'open' } } }),
      incident('b', { state: 'Recovering' }),
    ],
  );
  await pass(59_000);
  assert.equal(looks.length, 0);
  await pass(1_000);
  assert.deepEqual(
    looks.map(({ delivery, ref }) => [delivery.alertKey, ref?.item]),
    [
      ['key-a', 'a'],
      ['key-b', 'b'],
    ],
  );
  await pass(5 * minute);
  assert.equal(looks.length, 12);
  assert.deepEqual(written, []);
});

test('what is found is written as people write it; while it is on its way, the same again', async () => {
  const { state, pass, written, log, incidents } = stage([pager('pager')], [incident('a')]);
  state.answer = () => ada;
  await pass(2 * minute);
  const annotation = { 'acknowledged.tocsin.dev/a': 'Ada via Opsgenie at 2026-11-20T12:00:00.000Z' };
  assert.deepEqual(written, [annotation, annotation]);
  assert.equal(log.filter((line) => line.includes('an acknowledgement was read back')).length, 2);
  const at = Date.parse('2026-11-20T12:30:00Z');
  incidents[0] = incident('a', { withdrawn: { by: 'Ada', via: 'Opsgenie', since: ada.taken?.since ?? 0, at } });
  await pass(2 * minute);
  assert.equal(written.length, 2, 'it was taken back here');
  state.answer = () => ({ ...ada, taken: { by: 'Ada', since: at + 1 } });
  await pass(minute);
  assert.equal(written.length, 3, 'she took it on again');
  incidents[0] = incident('a', { lapsed: { by: 'Ada', via: 'Opsgenie', since: at + 1 } });
  await pass(minute);
  assert.equal(written.length, 3, 'that was of its last time');
});

test('an acknowledgement without a time is known by its name', async () => {
  const { state, pass, written, incidents } = stage([pager('pager')], []);
  incidents.push(incident('a', { withdrawn: { by: 'Ada', via: 'Opsgenie', at: 1 } }));
  state.answer = () => ({ outcome: { is: 'delivered' }, taken: { by: 'Ada' } });
  await pass(2 * minute);
  assert.deepEqual(written, []);
  state.answer = () => ({ outcome: { is: 'delivered' }, taken: { by: 'Bob' } });
  await pass(minute);
  assert.deepEqual(written, [{ 'acknowledged.tocsin.dev/a': 'Bob via Opsgenie' }]);
});

test('what somebody takes on here during a round stays theirs', async () => {
  const { state, pass, written, incidents } = stage([pager('pager')], [incident('a')]);
  state.answer = () => {
    incidents[0] = incident('a', { acknowledged: { by: 'Bob', at: 1, severity: 'high', reason: 'CrashLoopBackOff' } });
    return ada;
  };
  await pass(minute);
  assert.deepEqual(written, []);
});

test('a round is bounded, and the next begins with those who were not asked about', async () => {
  const many = Array.from({ length: 50 }, (_, index) => incident(`i${String(index).padStart(2, '0')}`));
  const { pass, looks } = stage([pager('pager')], many);
  await pass(3 * minute);
  assert.equal(looks.length, 60);
  const first = looks.slice(0, 50).map(({ delivery }) => delivery.alertKey);
  assert.equal(new Set(first).size, 50);
});

test('after failures it asks less and less, at most as often as the product wants, and says so once, without secrets', async () => {
  const { state, pass, looks, log, readBack, changed } = stage([pager('pager')], [incident('a'), incident('b')]);
  state.answer = () => ({
    outcome: { is: 'permanent', reason: 'HTTP 403: CANARY-abcdef-012345 may not', credential: true },
  });
  await pass(4 * minute);
  assert.equal(looks.length, 3, 'after one, two and four minutes; the rest of a round is left out');
  assert.match(readBack.failure('pager') ?? '', /^HTTP 403: \*\*\* may not$/);
  assert.deepEqual(changed, ['AlertProvider/tocsin/pager']);
  await pass(60 * minute);
  assert.ok(looks.length < 12, `${looks.length}`);
  assert.equal(log.filter((line) => line.includes('cannot be read back')).length, 1);
  state.answer = () => new Error('a bug');
  await pass(16 * minute);
  assert.match(readBack.failure('pager') ?? '', /a bug/);
  state.answer = () => ({ outcome: { is: 'rateLimited', afterMs: 10 * minute } });
  await pass(16 * minute);
  state.answer = () => nobody;
  await pass(16 * minute);
  assert.equal(readBack.failure('pager'), undefined);
  assert.equal(changed.length, 4);
  assert.equal(log.join('').includes('CANARY'), false);
});

test('what cannot be written down is said, and tried again', async () => {
  const { state, pass, written, readBack } = stage([pager('pager')], [incident('a')]);
  state.answer = () => ada;
  state.refusal = new ApiError(403, 'Forbidden', 'no');
  await pass(minute);
  assert.match(
    readBack.failure('pager') ?? '',
    /acknowledged there by Ada\. Not done: Tocsin may not\. It needs `patch`/,
  );
  delete state.refusal;
  await pass(minute);
  assert.equal(written.length, 1);
  assert.equal(readBack.failure('pager'), undefined);
});

test('only providers that want it are asked, in Tocsin’s own namespace, while they work, and with the lock', async () => {
  const { pass, looks, readBack, configure } = stage(
    [
      ...[pager('pager', { config: { region: 'us' } }), pager('pager', { config: { actions: { readBack: false } } })],
      ...[
        pager('pager', { namespace: 'shop' }),
        pager('pager', { suspended: true }),
        pager('pager', { usable: false }),
      ],
      pager('pager', { active: { is: false, reason: 'CommunityLimit' } }),
    ],
    [incident('a')],
  );
  await pass(3 * minute);
  assert.equal(looks.length, 0);
  configure([pager('pager')]);
  readBack.pause();
  await pass(3 * minute);
  assert.equal(looks.length, 0);
  readBack.resume();
  await pass(minute);
  assert.equal(looks.length, 1);
  configure([]);
  await pass(3 * minute);
  assert.equal(looks.length, 1);
});
