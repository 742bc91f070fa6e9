import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import { recall } from '../../src/model/memory.ts';
import { isLedger, Ledgers } from '../../src/turn/ledgers.ts';

const report = (more: Partial<DeliveryReport>): DeliveryReport => ({
  ...{ delivery: 'd', stream: 'inc-1', provider: 'AlertProvider/tocsin/oncall', providerUid: 'uid', act: 'open' },
  ...{ ended: 'delivered', attempts: 1, mayHaveArrived: false, sequence: 1, durationMs: 12, at: 1_000 },
  ...more,
});
const failure = { class: 'permanent', code: 'AuthFailed', message: 'HTTP 401' } as const;
const fallback = 'AlertProvider/tocsin/mail' as const;

test('a failure is remembered until a delivery repairs it; what was dropped counts for nothing', () => {
  const ledgers = new Ledgers();
  ledgers.learn(report({ ended: 'pending', failure }));
  assert.deepEqual([ledgers.get('uid').failing, ledgers.get('uid').failed], [true, 0]);
  ledgers.learn(report({ ended: 'failed', failure }));
  ledgers.standsIn('uid', fallback);
  const { failing, failed, fallbackInUse, lastFailure } = ledgers.get('uid');
  assert.deepEqual([failing, failed, fallbackInUse, lastFailure?.code], [true, 1, fallback, 'AuthFailed']);
  ledgers.learn(report({ ended: 'dropped' }));
  assert.equal(ledgers.get('uid').failing, true);
  ledgers.learn(report({ at: 2_000 }));
  const mended = ledgers.get('uid');
  assert.deepEqual([mended.failing, mended.delivered, mended.fallbackInUse], [false, 1, undefined]);
  assert.deepEqual([mended.lastDelivery?.time, mended.lastFailure?.time], [2_000, 1_000]);
});

test('a fallback is in use only while what it stands in for fails', () => {
  const ledgers = new Ledgers();
  ledgers.standsIn('uid', fallback);
  assert.equal(ledgers.get('uid').fallbackInUse, undefined);
  ledgers.learn(report({ ended: 'pending', failure }));
  ledgers.standsIn('uid', fallback);
  ledgers.learn(report({ ended: 'pending', failure }));
  assert.equal(ledgers.get('uid').fallbackInUse, fallback, 'as long as it fails');
});

test('counters and last outcomes go on after a restart; what another version saved in another shape does not count', () => {
  const before = new Ledgers();
  before.learn(report({ ended: 'failed', failure }));
  before.learn(report({ act: 'test' }));
  const saved = new Map<string, unknown>(JSON.parse(JSON.stringify([...before.memory(), ['odd', { delivered: '3' }]])));
  const after = new Ledgers();
  after.restore(recall({ deliveries: saved }, 'deliveries', isLedger));
  assert.deepEqual(after.get('uid'), before.get('uid'));
  assert.deepEqual([after.get('uid').delivered, after.get('odd').delivered], [1, 0]);
  after.learn(report({}));
  assert.deepEqual([after.get('uid').delivered, after.get('uid').failed], [2, 1]);
});
