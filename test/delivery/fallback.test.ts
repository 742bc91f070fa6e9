import assert from 'node:assert/strict';
import { test } from 'node:test';
import { copyFor, fallbackOf, untoldBy } from '../../src/delivery/fallback.ts';
import type { DispatchedType } from '../../src/delivery/types.ts';
import { handedOver } from '../../src/message/handover.ts';
import type { Delivery, DeliveryReport } from '../../src/model/delivery.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { StoredDelivery } from '../../src/model/store.ts';
import { arrived, delivery, provider } from './stage.ts';

const type: DispatchedType = {
  ...{ type: 'scripted', product: 'Scripted', plain: 'native', pacing: { perSecond: 1, burst: 1 } },
  join: (config) => config,
  deliver: async () => arrived,
};
const waiting = (delivered: Delivery, mayHaveArrived = false): StoredDelivery => ({
  ...{ delivery: delivered, attempts: 1, nextAttemptAt: 0, mayHaveArrived, inFlight: false },
});
const handOver = (from: StoredDelivery, name: string, now: number): Delivery =>
  copyFor(provider(name), from, { is: 'failed', code: 'Rejected', message: 'no' }, { handedOver, now });
const to = (name: string): { readonly fallback: ProviderSettings['ref'] } => ({
  fallback: `AlertProvider/tocsin/${name}`,
});
function next(
  from: ProviderSettings,
  others: readonly ProviderSettings[],
  failed: readonly ProviderSettings[] = [],
): string | undefined {
  const providers = new Map([from, ...others].map((settings) => [settings.ref, settings]));
  const via = failed.map(({ ref, uid }) => ({ provider: ref, providerUid: uid, mayHaveArrived: false }));
  return fallbackOf(delivery(from, 'open', 1, { now: 0, via }), { providers: () => providers, types: () => type })?.uid;
}

test('a chain is followed past providers that cannot receive, and ends where it is a cycle', () => {
  const a = provider('a', to('b'));
  const held = provider('b', { ...to('c'), suspended: true });
  const invalid = provider('c', { ...to('d'), active: { is: false, reason: 'Invalid' } });
  assert.equal(next(a, [held, invalid, provider('d')]), 'uid-d');
  assert.equal(next(a, [held, provider('c', { ...to('a'), suspended: true })]), undefined);
  assert.equal(next(provider('a', to('a')), []), undefined);
  assert.equal(next(a, []), undefined);
  assert.equal(next(provider('a'), []), undefined);
});

test('a pager takes the summary of a start over where something of it is urgent, and no greeting', () => {
  const chat = provider('chat', to('pager'));
  const pager = { ...provider('pager', to('mail')), type: 'pager' };
  const providers = new Map([chat, pager, provider('mail')].map((settings) => [settings.ref, settings]));
  const types = (name: string): DispatchedType => ({ ...type, plain: name === 'pager' ? 'alert' : 'native' });
  const uids = (['critical', 'high', 'medium', 'low'] as const).map((severity) => {
    const startup = delivery(chat, 'startup', 1, { now: 0 });
    const told = { ...startup, notification: { ...startup.notification, severity } };
    return fallbackOf(told, { providers: () => providers, types })?.uid;
  });
  assert.deepEqual(uids, ['uid-pager', 'uid-pager', 'uid-mail', 'uid-mail']);
});

test('who failed to deliver it before is not asked again', () => {
  assert.equal(next(provider('b', to('a')), [provider('a')], [provider('a')]), undefined);
});

test('a second remark is added to the first, and the age begins anew', () => {
  const first = handOver(waiting(delivery(provider('a'), 'open', 1, { now: 0 })), 'b', 1000);
  const second = handOver(waiting(first, true), 'c', 2000);
  const because = 'failed (Rejected: no)';
  assert.equal(second.notification.note, `via b because a ${because}; via c because b ${because}`);
  assert.deepEqual(second.via, [
    { provider: 'AlertProvider/tocsin/a', providerUid: 'uid-a', mayHaveArrived: false },
    { provider: 'AlertProvider/tocsin/b', providerUid: 'uid-b', mayHaveArrived: true },
  ]);
  assert.deepEqual([second.createdAt, second.providerUid], [2000, 'uid-c']);
});

test('when the last of a chain is refused, nobody has been told but whoever may have got it after all', () => {
  const first = handOver(waiting(delivery(provider('a'), 'open', 1, { now: 0 })), 'b', 1);
  const second = handOver(waiting(first, true), 'c', 2);
  const untold = (ended: DeliveryReport['ended'], mayHaveArrived = false) =>
    untoldBy(second, { ended, mayHaveArrived }).map(({ providerUid }) => providerUid);
  assert.deepEqual(untold('failed'), ['uid-a', 'uid-c']);
  assert.deepEqual(untold('dropped'), ['uid-a', 'uid-c']);
  assert.deepEqual([untold('failed', true), untold('pending'), untold('delivered', true)], [[], [], []]);
});
