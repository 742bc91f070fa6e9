import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailureCode } from '../../src/model/delivery.ts';
import { testStream } from '../../src/model/delivery.ts';
import type { ProviderView } from '../../src/model/provider-view.ts';
import type { Redelivery } from '../../src/model/redelivery.ts';
import type { ProviderSettings } from '../../src/model/settings.ts';
import type { RequestState } from '../../src/operator/annotation-requests.ts';
import type { ProviderCheck } from '../../src/operator/check.ts';
import { providerStatus } from '../../src/operator/provider-status.ts';
import type { DesiredStatus } from '../../src/operator/status-writer.ts';
import { provider as settingsOf } from '../delivery/stage.ts';
import { brief, conditionsOf, noFacts, provider } from './objects.ts';

const now = Date.parse('2026-11-20T09:00:00.700Z');
const well: ProviderCheck = { generation: 1, invalid: false, secrets: 'found', secretsVersion: 'v1', problems: [] };
const failure = (code: FailureCode) => ({
  time: now,
  stream: 'inc-1',
  act: 'open' as const,
  class: 'permanent' as const,
  code,
  message: 'no',
});

function statusOf(more: {
  readonly object?: ReturnType<typeof provider>;
  readonly check?: Partial<ProviderCheck>;
  readonly active?: ProviderSettings['active'];
  readonly facts?: Partial<ProviderView>;
  readonly test?: RequestState;
  readonly redelivery?: { readonly request?: RequestState; readonly result?: Redelivery };
  readonly fallback?: ProviderCheck['problems'];
  readonly now?: number;
}) {
  return providerStatus(more.object ?? provider('oncall'), {
    check: { ...well, ...more.check },
    fallback: more.fallback ?? [],
    settings: settingsOf('oncall', more.active ? { active: more.active } : {}),
    routes: undefined,
    facts: { ...noFacts, ...more.facts },
    requests: { test: more.test, redelivery: more.redelivery?.request },
    redelivery: more.redelivery?.result,
    now: more.now ?? now,
  });
}

test('conditions say what is so, one row per case', () => {
  const cases: readonly [string, Parameters<typeof statusOf>[0], readonly string[]][] = [
    [
      'well',
      {},
      [
        'Ready=True/Accepted',
        'Stalled=False/NotStalled',
        'Active=True/Selected',
        'Delivering=Unknown/NothingDelivered',
      ],
    ],
    ['Secrets not read', { check: { secrets: 'unread' } }, ['Ready=Unknown/Pending', 'Reconciling=True/Waiting']],
    [
      'Secret missing',
      { check: { secrets: 'missing', problems: [{ reason: 'SecretNotFound', message: 'no Secret' }] } },
      ['Ready=False/Invalid', 'Reconciling=False/Settled', 'Stalled=True/SecretNotFound'],
    ],
    [
      'no fallback',
      { fallback: [{ reason: 'FallbackCycle', message: 'a → a' }] },
      ['Ready=False/Invalid', 'Stalled=True/FallbackCycle'],
    ],
    [
      'suspended',
      { object: provider('oncall', { spec: { suspend: true } }), active: { is: false, reason: 'Suspended' } },
      ['Ready=True/Suspended', 'Active=False/Suspended'],
    ],
    [
      'another is active',
      { active: { is: false, reason: 'CommunityLimit' } },
      ['Ready=True/Accepted', 'Active=False/CommunityLimit'],
    ],
    ['fallback only', { active: { is: false, reason: 'FallbackOnly' } }, ['Active=False/FallbackOnly']],
    ['invalid', { active: { is: false, reason: 'Invalid' } }, ['Active=False/Invalid']],
    [
      'delivered',
      { facts: { lastDelivery: { time: now, stream: 's', act: 'open', attempts: 1, durationMs: 3 } } },
      ['Delivering=True/Delivered'],
    ],
    [
      'delivered, though not as it was asked',
      {
        facts: {
          delivered: 1,
          lastDelivery: { time: now, stream: 'inc-1', act: 'open', attempts: 1, durationMs: 1, remark: 'UTC' },
        },
      },
      ['Delivering=True/OwnWordsNotUsed'],
    ],
    [
      'delivered, though nobody hears who acknowledges',
      {
        facts: {
          delivered: 1,
          lastDelivery: { time: now, stream: 'inc-1', act: 'open', attempts: 1, durationMs: 1 },
          readBackFailure: 'HTTP 403',
        },
      },
      ['Delivering=True/NotReadBack'],
    ],
    [
      'refused',
      { facts: { failing: true, lastFailure: failure('AuthFailed'), readBackFailure: 'x' } },
      ['Delivering=False/AuthFailed'],
    ],
    [
      'fallback used',
      { facts: { failing: true, lastFailure: failure('Timeout'), fallbackInUse: 'AlertProvider/tocsin/mail' } },
      ['Delivering=False/FallbackInUse'],
    ],
  ];
  for (const [what, parts, expected] of cases) {
    const conditions = brief(statusOf(parts));
    for (const each of expected)
      assert.ok(conditions.includes(each), `${what}: ${each} not in ${conditions.join(' ')}`);
  }
});

test('every problem is in the message, the first one is the reason', () => {
  const problems = [
    { reason: 'InvalidSpec', message: 'first' },
    { reason: 'InvalidDestination', message: 'second' },
  ] as const;
  const stalled = conditionsOf(statusOf({ check: { problems } })).find(({ type }) => type === 'Stalled');
  assert.equal(stalled?.reason, 'InvalidSpec');
  assert.equal(stalled?.message, 'first; second');
});

test('lastTransitionTime moves only with the status, in whole seconds; the message may change alone', () => {
  const first = statusOf({ facts: { failing: true, lastFailure: failure('Timeout') } });
  const object = provider('oncall', { status: { conditions: [...conditionsOf(first)] } });
  const parts = { object, now: now + 60_000 };
  const find = (desired: ReturnType<typeof statusOf>) =>
    conditionsOf(desired).find(({ type }) => type === 'Delivering');
  const second = find(statusOf({ ...parts, facts: { failing: true, lastFailure: failure('ServerError') } }));
  assert.equal(second?.lastTransitionTime, '2026-11-20T09:00:00Z');
  assert.equal(second?.reason, 'ServerError');
  const third = find(
    statusOf({
      ...parts,
      facts: { lastDelivery: { time: now, stream: 's', act: 'open', attempts: 1, durationMs: 3 } },
    }),
  );
  assert.equal(third?.lastTransitionTime, '2026-11-20T09:01:00Z');
});

test('after a restart what was delivered and failed last is still known; the counters begin anew', () => {
  const lastDelivery = { time: '2026-11-19T09:00:00Z', act: 'open', attempts: 2, durationMs: 5 } as const;
  const condition = {
    type: 'Delivering',
    status: 'True',
    reason: 'Delivered',
    message: 'x',
    lastTransitionTime: '2026-11-19T09:00:00Z',
  } as const;
  const object = provider('oncall', { status: { delivered: 7, lastDelivery, conditions: [condition] } });
  const desired = statusOf({ object });
  assert.deepEqual(desired.status.lastDelivery, lastDelivery);
  assert.equal(desired.status.delivered, 0);
  assert.ok(brief(desired).includes('Delivering=True/Delivered'));
});

test('a test message is pending until its own delivery ends, then says how; a refused one says why', () => {
  const stream = testStream('uid-oncall', 'two');
  const asked = { nonce: 'two', requestedAt: now };
  const result = (of: string, delivered: boolean) => ({
    lastTest: { time: now, stream: of, delivered, message: delivered ? '' : 'refused' },
  });
  const outcome = (parts: Parameters<typeof statusOf>[0]) =>
    (statusOf(parts).status.lastTest as { outcome: string }).outcome;
  assert.equal(outcome({ test: asked }), 'Pending');
  assert.equal(
    outcome({ test: asked, facts: result(testStream('uid-oncall', 'one'), true) }),
    'Pending',
    'that was another test',
  );
  assert.equal(outcome({ test: asked, facts: result(stream, true) }), 'Delivered');
  assert.equal(outcome({ test: asked, facts: result(stream, false) }), 'Failed');
  assert.deepEqual(statusOf({ test: { ...asked, refused: 'x'.repeat(5000) } }).status.lastTest, {
    ...{ nonce: 'two', time: '2026-11-20T09:00:00Z', outcome: 'Failed' },
    message: `${'x'.repeat(1023)}…`,
  });
});

test('a request to send again what failed: asked for, on the way, ended; what was not sent is counted with its reason', () => {
  const request = { nonce: 'mended', requestedAt: now };
  const result = (more: Partial<Redelivery>): Redelivery => ({
    ...{ nonce: 'mended', at: now, sent: 3, delivered: 0, failed: 0, left: {} },
    ...more,
  });
  const says = (redelivery: Parameters<typeof statusOf>[0]['redelivery']): string => {
    const { lastRedelivery: last } = statusOf({ ...(redelivery && { redelivery }) }).status;
    const { outcome, sent, message } = last as { outcome: string; sent: number; message: string };
    return `${outcome} ${sent}: ${message}`;
  };
  assert.equal(statusOf({}).status.lastRedelivery, undefined);
  assert.equal(says({ request }), 'Pending 0: Asked for.');
  assert.equal(
    says({ request, result: result({ nonce: 'earlier' }) }),
    'Pending 0: Asked for.',
    'that was another one',
  );
  assert.equal(says({ request, result: result({ delivered: 1 }) }), 'Pending 3: 1 of 3 arrived, 2 on the way.');
  assert.equal(says({ request, result: result({ delivered: 3 }) }), 'Delivered 3: 3 of 3 arrived.');
  assert.equal(
    says({ request, result: result({ delivered: 2, failed: 1, failure: 'HTTP 403' }) }),
    'Failed 3: 2 of 3 arrived, 1 failed again (HTTP 403).',
  );
  assert.equal(
    says({ request, result: result({ sent: 0, left: { over: 2, toldSince: 1 } }) }),
    'NothingToSend 0: Nothing is left to send again. Not sent again: 2 are over, 1 has been told since.',
  );
  assert.equal(says({ request: { ...request, refused: 'It is suspended.' } }), 'Failed 0: It is suspended.');
});

test('an end of a test is urgent, a counter is not', () => {
  const asked = { nonce: 'n', requestedAt: now };
  const before = statusOf({ test: asked }).urgent;
  assert.deepEqual(statusOf({ test: asked, facts: { delivered: 5 } }).urgent, before);
  const ended = { lastTest: { time: now, stream: testStream('uid-oncall', 'n'), delivered: true, message: '' } };
  assert.notDeepEqual(statusOf({ test: asked, facts: ended }).urgent, before);
});

test('routes that nobody applies on Community are said where their author looks', () => {
  const routes = [{ selector: { severities: ['critical' as const] } }];
  const conditions = conditionsOf(statusOf({ object: provider('oncall', { spec: { routes } }) }));
  assert.match(conditions.find(({ type }) => type === 'Active')?.message ?? '', /`spec\.routes` has no effect/);
});

test('a status has the fields of its schema and no others: these lines do not compile if it could have', () => {
  // @ts-expect-error: there is no such field
  const misspelt: DesiredStatus<'AlertProvider'>['status'] = { deliverd: 1 };
  // @ts-expect-error: a count is a number
  const mistyped: DesiredStatus<'Silence'>['status'] = { suppressed: '1' };
  const lastDelivery = { time: '2026-11-20T09:00:00Z', attempts: 1, durationMs: 1 };
  // @ts-expect-error: acts are those of notifications
  const misnamed: DesiredStatus<'AlertProvider'>['status'] = { lastDelivery: { ...lastDelivery, act: 'opened' } };
  assert.ok([misspelt, mistyped, misnamed].every((status) => typeof status === 'object'));
});
