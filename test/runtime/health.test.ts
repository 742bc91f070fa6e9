import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LicenseStanding, withoutLicense } from '../../src/model/license.ts';
import { withoutState } from '../../src/model/state-view.ts';
import { healthOf, readinessOf, type Vitals } from '../../src/runtime/health.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from './helpers.ts';

const well: Vitals = {
  ...{
    version: '1.0',
    lockHeld: true,
    stateLoaded: true,
    requiredSynced: true,
    configInvalid: false,
    auditFailing: false,
    turnStuck: false,
    clockDiffers: false,
  },
  license: withoutLicense,
  state: { directory: '/var/lib/tocsin', busy: false, durability: { is: 'durable' } },
  coverage: [coverage('pods', 'Watching'), coverage('jobs', 'Watching', false)],
  stats: new Map([['pods', { objects: 3, heardAt: 7 }]]),
  providers: [provider('oncall')],
  failing: () => false,
  faults: [],
};
const pro: LicenseStanding = { ...withoutLicense, edition: 'Pro', state: 'Valid' };
const idle = provider('idle', { active: { is: false, reason: 'CommunityLimit' } });

test('health: each reason code when it applies, and none when all is well', () => {
  const cases: readonly [Partial<Vitals>, readonly string[]][] = [
    [{}, []],
    [{ lockHeld: false }, ['LockNotHeld']],
    [{ stateLoaded: false }, ['StateNotLoaded']],
    [{ requiredSynced: false }, ['SourceNotSynced']],
    [{ coverage: [coverage('pods', 'Watching'), coverage('jobs', 'Denied', false)] }, ['SourceDenied']],
    [{ coverage: [coverage('pods', 'Watching'), coverage('jobs', 'Failing', false)] }, ['SourceFailing']],
    [{ coverage: [coverage('pods', 'Failing')] }, ['SourceFailing', 'ClusterUnreachable']],
    [{ coverage: [] }, []],
    [{ providers: [] }, ['NoActiveProvider']],
    [{ providers: [idle] }, ['NoActiveProvider']],
    [{ failing: ({ ref }) => ref.endsWith('/oncall') }, ['DeliveryFailing']],
    [{ providers: [provider('oncall', { usable: false })] }, ['DeliveryFailing']],
    [{ providers: [provider('oncall'), { ...idle, usable: false }] }, []],
    [{ providers: [provider('oncall'), idle], failing: ({ ref }) => ref.endsWith('/idle') }, []],
    [{ configInvalid: true }, ['ConfigInvalid']],
    [{ clockDiffers: true }, ['ClockDiffers']],
    [{ faults: [{ step: 'tell', about: 'Pod/shop/api', by: 'open', error: new Error('x') }] }, ['SetAside']],
    [{ state: { ...well.state, busy: true } }, ['StateLocked']],
    [{ state: { ...well.state, aside: 'state.db.corrupt-1' } }, ['StateDamaged']],
    [{ state: { ...well.state, setAside: { rows: 1, isNews: true } } }, ['StateIncomplete']],
    [{ state: { ...well.state, setAside: { rows: 1, isNews: false } } }, []],
    [{ license: pro, state: { ...well.state, problem: { code: 'DiskFull', message: 'full' } } }, ['StorageFailing']],
    [{ license: pro, state: withoutState }, ['StateNotDurable']],
    [{ license: pro, state: { ...well.state, durability: { is: 'unknown' } } }, []],
    // Community saves nothing, so there is nothing that could fail.
    [{ state: { ...withoutState, problem: { code: 'DiskFull', message: 'full' } } }, []],
  ];
  for (const [change, codes] of cases)
    assert.deepEqual(healthOf({ ...well, ...change }).reasons, codes, JSON.stringify(change));
});

test('health: coverage rows carry counts and the last sign of life where there is one', () => {
  assert.deepEqual(
    healthOf(well).coverage.map(({ source, objects, heardAt }) => [source, objects, heardAt]),
    [
      ['pods', 3, 7],
      ['jobs', 0, undefined],
    ],
  );
});

test('readiness: lock, state and required sources; what is missing is named with its remedy', () => {
  const failing = (change: Partial<Vitals>): string =>
    readinessOf({ ...well, ...change })
      .checks.filter(({ ok }) => !ok)
      .map(({ name, message }) => `${name}: ${message ?? ''}`)
      .join('\n');
  assert.equal(failing({}), '');
  assert.match(failing({ lockHeld: false }), /^StateLock: the Lease cannot be read or renewed/);
  const lockHolder = { identity: 'tocsin-abc_1', since: '2026-11-20T09:00:00.000000Z', renews: true };
  assert.equal(
    failing({ lockHeld: false, lockHolder }),
    'StateLock: the Lease is held by tocsin-abc_1 since 2026-11-20T09:00:00.000000Z',
  );
  assert.match(failing({ stateLoaded: false }), /^StateLoaded:/);
  assert.match(failing({ requiredSynced: false, coverage: [] }), /^Sources: .*discovery is under way$/);
  const missing = [coverage('silences.tocsin.dev', 'NotServed'), coverage('jobs', 'Denied', false)];
  const text = failing({ requiredSynced: false, coverage: missing });
  assert.match(text, /silences\.tocsin\.dev \(NotServed, NotServed\).*kubectl apply -k config\/crd/);
  assert.doesNotMatch(text, /jobs|config\/rbac/);
  const denied = failing({ requiredSynced: false, coverage: [coverage('pods', 'Denied')] });
  assert.match(denied, /pods \(Denied, Forbidden\).*config\/rbac/);
});
