import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { OwnSight } from '../../../src/runtime/watching/own-sight.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { start } from '../../world/objects.ts';
import { address, hasStarted, hasty, startStage, webhook } from '../stage.ts';

type Row = Pick<Coverage, 'state' | 'reason'> & { readonly required?: boolean };

function sight() {
  const clock = virtualClock(start);
  let rows: readonly Coverage[] = [];
  const told: RawObject[] = [];
  const synced = new Set<string>();
  const own = new OwnSight({
    ...{ clock, rows: () => rows, hasSynced: (source) => synced.has(source) },
    push: (input) => void (input.kind === 'objects' && told.push(...input.events.map(({ raw }) => raw))),
  });
  own.start();
  return {
    told,
    unseen: () => Object.values(told.at(-1) ?? {}).at(-1),
    async are(next: Readonly<Record<string, Row>>): Promise<void> {
      rows = Object.entries(next).map(([source, row]) => ({
        ...{ source, kind: source, since: clock.now(), required: false, ...row },
      }));
      for (const { source, state } of rows) if (state === 'Watching') synced.add(source);
      await clock.advance(10_000);
    },
  };
}
const watching: Row = { state: 'Watching', reason: 'Synced' };

test('what was watched and is not is unseen since then, also while it is listed again and fails again', async () => {
  const { are, unseen, told } = sight();
  await are({ pods: watching });
  assert.deepEqual(unseen(), []);
  await are({ pods: { state: 'Failing', reason: 'ServerError' } });
  const since = new Date(start + 10_000).toISOString();
  assert.deepEqual(unseen(), [{ source: 'pods', since, reason: 'ServerError', required: false }]);
  await are({ pods: { state: 'Syncing', reason: 'Relisting' } });
  await are({ pods: { state: 'Failing', reason: 'ServerError' } });
  assert.deepEqual(unseen(), [{ source: 'pods', since, reason: 'ServerError', required: false }]);
  const before = told.length;
  await are({ pods: { state: 'Failing', reason: 'ServerError' } });
  assert.equal(told.length, before, 'the same is not told again');
  await are({ pods: watching });
  assert.deepEqual(unseen(), []);
});

test('what fails once the API server is back is counted from then on, once', async () => {
  const { are, unseen } = sight();
  const sinceOf = (): string | undefined => (unseen() as readonly { since: string }[])[0]?.since;
  await are({ pods: watching });
  for (let n = 0; n < 9; n++) await are({ pods: { state: 'Failing', reason: 'ConnectionLost' } });
  assert.equal(sinceOf(), new Date(start + 10_000).toISOString());
  await are({ pods: { state: 'Failing', reason: 'ServerError' } });
  const back = new Date(start + 110_000).toISOString();
  assert.equal(sinceOf(), back);
  await are({ pods: { state: 'Failing', reason: 'ConnectionLost' } });
  await are({ pods: { state: 'Failing', reason: 'ServerError' } });
  assert.equal(sinceOf(), back);
});

test('while everything is listed anew after an API server was away it is unseen for that, and has the time of that', async () => {
  const { are, unseen } = sight();
  await are({ pods: watching });
  for (let n = 0; n < 9; n++) await are({ pods: { state: 'Failing', reason: 'ConnectionLost' } });
  await are({ pods: { state: 'Syncing', reason: 'Relisting' } });
  const since = new Date(start + 10_000).toISOString();
  assert.deepEqual(unseen(), [{ source: 'pods', since, reason: 'ConnectionLost', required: false }]);
  await are({ pods: watching });
  assert.deepEqual(unseen(), []);
});

test('a right that was taken is missed; what was never watched is not, unless it is required', async () => {
  const { are, unseen } = sight();
  await are({
    pods: watching,
    jobs: { state: 'Denied', reason: 'Forbidden' },
    crs: { state: 'NotServed', reason: 'NotServed' },
  });
  await are({
    pods: { state: 'Denied', reason: 'Forbidden' },
    jobs: { state: 'Denied', reason: 'Forbidden' },
    metrics: { state: 'Failing', reason: 'DiscoveryFailed' },
    nodes: { state: 'Failing', reason: 'ServerError', required: true },
    crs: { state: 'Disabled', reason: 'NotLicensed' },
  });
  const named = (unseen() as readonly { source: string }[]).map(({ source }) => source);
  assert.deepEqual(named, ['pods', 'nodes']);
});

test('a watch that is refused for a minute is told through the providers', async () => {
  const stage = await startStage({});
  try {
    const { create, until, receiver, sandbox } = stage;
    await create(hasty, address('oncall', receiver.url), webhook('oncall'));
    await until('ready', () => hasStarted(stage));
    void sandbox.inject({ resource: 'deployments.apps', does: { is: 'status', code: 500 } });
    sandbox.cutConnections();
    const told = () => receiver.messages.find(({ incident }) => incident?.root.name === 'tocsin');
    await until('it is told', () => told() !== undefined);
    assert.equal(told()?.type, 'incident.opened');
    assert.match(told()?.message ?? '', /^Tocsin cannot watch deployments\.apps: /m);
  } finally {
    await stage.stop();
  }
});
