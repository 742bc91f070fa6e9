import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DeliveryReport } from '../../../src/model/delivery.ts';
import type { Decision } from '../../../src/model/incident.ts';
import { type Effects, emptyBatch, type Input } from '../../../src/model/turn.ts';
import { Trail } from '../../../src/runtime/recording/trail.ts';

const nothing: Effects = { save: emptyBatch, fetch: [], events: [], statuses: [], counters: [] };

const decided = (incident: string, second: number): Decision => ({
  ...{ time: new Date(second * 1000).toISOString(), incident, action: 'update', from: 'Open', to: 'Open' },
  ...{ audience: '', disposition: 'Delivered', reasonCode: 'SeverityRaised', root: 'Node//n1' },
  ...{ reason: 'NodeNotReady', severity: 'high', confidence: 'high', affected: 0, trace: [] },
});

const report = (more: Partial<DeliveryReport>): Input => ({
  kind: 'outcome',
  report: {
    ...{ delivery: 'd1', stream: 'a', provider: 'AlertProvider/tocsin/oncall', providerUid: 'u', act: 'open' },
    ...{ ended: 'delivered', attempts: 1, mayHaveArrived: false, sequence: 1, durationMs: 1, at: 5_000, ...more },
  },
});

test('it keeps the newest steps of an incident and counts the others', () => {
  const trail = new Trail();
  for (let second = 0; second < 100; second += 1)
    trail.take([], { ...nothing, save: { ...emptyBatch, audit: [decided('a', second)] } });
  const { steps, forgotten } = trail.of('a');
  assert.equal(steps.length + forgotten, 100);
  assert.equal(steps.at(-1)?.at, 99_000);
  assert.ok(steps.length <= 60);
});

test('it forgets the incidents that nothing has happened to for longest', () => {
  const trail = new Trail(2);
  for (const [index, id] of ['a', 'b', 'a', 'c'].entries())
    trail.take([], { ...nothing, save: { ...emptyBatch, audit: [decided(id, index)] } });
  assert.equal(trail.of('a').steps.length, 2);
  assert.equal(trail.of('b').steps.length, 0);
});

test('the answer of a fallback stands beside the failure that led to it', () => {
  const trail = new Trail();
  const failure = { class: 'permanent', code: 'AuthFailed', message: 'HTTP 401' } as const;
  trail.take([report({ ended: 'failed', failure })], nothing);
  trail.take([report({ delivery: 'd2', provider: 'AlertProvider/tocsin/spare', at: 6_000 })], nothing);
  assert.deepEqual(
    trail.of('a').deliveries.map(({ provider, ended, failure: why }) => [provider, ended, why?.code]),
    [
      ['AlertProvider/tocsin/oncall', 'failed', 'AuthFailed'],
      ['AlertProvider/tocsin/spare', 'delivered', undefined],
    ],
  );
  assert.deepEqual(trail.summaries(), []);
});

test('messages about no single incident are a list of their own', () => {
  const trail = new Trail();
  trail.take([report({ stream: 'start', act: 'startup' })], nothing);
  trail.take([report({ stream: 'start', act: 'resolve', delivery: 'd2', at: 9_000 })], nothing);
  assert.deepEqual(
    trail.summaries().map(({ act }) => act),
    ['startup', 'resolve'],
  );
});
