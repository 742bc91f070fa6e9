import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { Lease } from '../../src/kube/lease.ts';
import type { Clock } from '../../src/model/clock.ts';
import { fc } from '../fast-check.ts';
import { eventually } from './support/eventually.ts';
import { type FakeApi, type Seen, sendJson, sendStatus, startFakeApi } from './support/fake-api.ts';
import { type VirtualClock, virtualClock } from './support/virtual-clock.ts';

type LeaseObject = { metadata: { resourceVersion: string; [field: string]: unknown }; spec: Record<string, unknown> };

/** A server that holds one Lease and refuses writes of an old version, as the real one does. */
type LeaseServer = {
  readonly api: FakeApi;
  readonly clock: VirtualClock;
  lease: LeaseObject | undefined;
  /** Answers nothing while it is true. */
  hangs: boolean;
  /** Identities whose writes are not answered. */
  readonly deaf: Set<string>;
  contender(identity: string, own?: Partial<Clock>): { lease: Lease; told: string[] };
  /** Lets time pass with moments for the sockets. */
  pass(milliseconds: number): Promise<void>;
};

const path = '/apis/coordination.k8s.io/v1/namespaces/tocsin/leases';

async function withLeases(run: (server: LeaseServer) => Promise<void>): Promise<void> {
  const clock = virtualClock();
  let version = 1;
  const refused = (code: number, reason: string): [number, unknown] => [code, { kind: 'Status', code, reason }];
  const stored = (status: number, next: LeaseObject): [number, unknown] => {
    server.lease = { ...next, metadata: { ...next.metadata, resourceVersion: String(++version) } };
    return [status, server.lease];
  };
  const answer = (request: Seen): [number, unknown] => {
    const { lease } = server;
    if (request.method === 'GET') return lease ? [200, lease] : refused(404, 'NotFound');
    const body = JSON.parse(request.body) as LeaseObject;
    if (request.method === 'POST') return lease ? refused(409, 'AlreadyExists') : stored(201, body);
    if (lease === undefined) return refused(404, 'NotFound');
    const newest = body.metadata.resourceVersion === lease.metadata.resourceVersion;
    return newest ? stored(200, body) : refused(409, 'Conflict');
  };
  const api = await startFakeApi((request, response) => {
    const writes = request.method === 'GET' ? undefined : (JSON.parse(request.body) as LeaseObject).spec.holderIdentity;
    if (!server.hangs && !server.deaf.has(String(writes))) sendJson(response, ...answer(request));
  });
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });
  const leases: Lease[] = [];
  const server: LeaseServer = {
    api,
    clock,
    lease: undefined,
    hangs: false,
    deaf: new Set(),
    contender(identity, own = {}) {
      const told: string[] = [];
      const lease = new Lease({
        client,
        namespace: 'tocsin',
        name: 'tocsin',
        identity,
        clock: { ...clock, ...own },
        random: () => 0.5,
        onHeld: () => told.push('held'),
        onExpired: () => told.push('expired'),
        onTaken: (by) => told.push(`taken by ${by}`),
        onWaiting: ({ identity: other, since, renews }) =>
          told.push(`${other} since ${since}${renews ? ', renews' : ''}`),
      });
      leases.push(lease);
      return { lease, told };
    },
    async pass(milliseconds) {
      const until = clock.now() + milliseconds;
      while (clock.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 6));
        await clock.advance(Math.max(1, Math.min(clock.untilNext(), 500, until - clock.now())));
      }
      await new Promise((resolve) => setTimeout(resolve, 6));
    },
  };
  try {
    await run(server);
  } finally {
    server.hangs = false;
    server.deaf.clear();
    let stopped = false;
    const stopping = Promise.all(leases.map((lease) => lease.stop())).finally(() => {
      stopped = true;
    });
    // A request that hangs is waited for until its deadline.
    for (let step = 0; step < 60 && !stopped; step++) await server.pass(500);
    await stopping;
    await client.close();
    await api.close();
  }
}

test('a free lease is created with microsecond times and a 15 s duration', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    assert.equal(lease.held(), false);
    lease.start();
    await eventually('it is held', () => lease.held());
    assert.deepEqual(told, ['held']);
    assert.equal(lease.otherHolder(), undefined);
    assert.equal(server.api.seen.at(-1)?.path, path);
    assert.deepEqual(server.lease?.spec, {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 0,
    });
  }));

test('the holder renews every 2 s with one request and keeps its time of acquisition', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    const before = server.api.seen.length;
    await server.pass(20_000);
    const requests = server.api.seen.slice(before);
    assert.ok(requests.length >= 9 && requests.length <= 11, `${requests.length} renewals in 20 s`);
    assert.ok(requests.every((request) => request.method === 'PUT'));
    assert.equal(server.lease?.spec.acquireTime, '2026-01-01T00:00:00.000000Z');
    assert.notEqual(server.lease?.spec.renewTime, '2026-01-01T00:00:00.000000Z');
    assert.deepEqual(told, ['held']);
  }));

test('another waits a full lease from the last change it saw by its own clock, whatever the times in the object say', () =>
  withLeases(async (server) => {
    // Renewed, it claims, a year ago: clocks differ, so that means nothing.
    server.lease = {
      metadata: { resourceVersion: '1' },
      spec: {
        holderIdentity: 'old',
        leaseDurationSeconds: 15,
        acquireTime: '2024-12-31T00:00:00.000000Z',
        renewTime: '2025-01-01T00:00:00.000000Z',
        leaseTransitions: 3,
      },
    };
    const { lease, told } = server.contender('b');
    lease.start();
    await server.pass(14_500);
    assert.equal(lease.held(), false);
    assert.equal(lease.otherHolder()?.identity, 'old');
    await server.pass(5_500);
    assert.equal(lease.held(), true);
    assert.equal(server.lease?.spec.leaseTransitions, 4);
    assert.deepEqual(told, ['old since 2024-12-31T00:00:00.000000Z', 'held']);
  }));

test('two contenders: one holds it as long as it renews', () =>
  withLeases(async (server) => {
    const [a, b] = [server.contender('a'), server.contender('b')];
    a.lease.start();
    b.lease.start();
    await server.pass(60_000);
    assert.equal(Number(a.lease.held()) + Number(b.lease.held()), 1);
    const [holder, waiter] = a.lease.held() ? [a, b] : [b, a];
    assert.deepEqual(holder.told, ['held']);
    const name = a.lease.held() ? 'a' : 'b';
    const since = '2026-01-01T00:00:00.000000Z';
    assert.deepEqual(
      waiter.told,
      [`${name} since ${since}`, `${name} since ${since}, renews`],
      'who holds it is told once, and once more when it is seen to be alive',
    );
  }));

test('whatever is done to the time of either host, the holder keeps the lease, and the next has it 15 s after it died', async () => {
  const step = fc.record({
    whose: fc.nat(1),
    afterMs: fc.nat(5_000),
    byMs: fc.integer({ min: -86_400_000, max: 86_400_000 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 6 }), (steps) =>
      withLeases(async (server) => {
        const offsets = [0, 0];
        const hostOf = (whose: number) => ({ now: () => server.clock.now() + (offsets[whose] ?? 0) });
        const holder = server.contender('a', hostOf(0));
        holder.lease.start();
        await eventually('it is held', () => holder.lease.held());
        const next = server.contender('b', hostOf(1));
        next.lease.start();
        const stepAll = async (): Promise<void> => {
          for (const { whose, afterMs, byMs } of steps) {
            await server.pass(afterMs);
            offsets[whose] = (offsets[whose] ?? 0) + byMs;
          }
        };
        await stepAll();
        await server.pass(4_000);
        assert.deepEqual([holder.told, holder.lease.held(), next.lease.held()], [['held'], true, false]);
        server.deaf.add('a');
        const diedAt = server.clock.now();
        await stepAll();
        for (let halves = 0; halves < 120 && !next.lease.held(); halves++) await server.pass(500);
        const tookMs = server.clock.now() - diedAt;
        assert.ok(tookMs >= 13_000 && tookMs <= 21_000, `taken after ${tookMs} ms`);
        assert.equal(holder.lease.held(), false);
      }),
    ),
    { numRuns: 6, seed: 20_261_122, endOnFailure: true },
  );
});

test('a holder that was suspended knows that it holds nothing before any of its timers has run, and asks before it goes on', () =>
  withLeases(async (server) => {
    let suspendedMs = 0;
    const { lease, told } = server.contender('a', { monotonic: () => server.clock.monotonic() + suspendedMs });
    lease.start();
    await eventually('it is held', () => lease.held());
    suspendedMs = 9_000;
    assert.equal(lease.held(), true);
    suspendedMs = 60_000;
    assert.equal(lease.held(), false);
    await server.pass(3_000);
    assert.deepEqual(told, ['held', 'expired', 'held'], 'nobody has held it meanwhile');
    suspendedMs = 120_000;
    server.lease = {
      metadata: { resourceVersion: '99' },
      spec: { holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 },
    };
    assert.equal(lease.held(), false);
    await server.pass(3_000);
    assert.equal(lease.held(), false);
    assert.equal(told.at(-1), 'taken by b');
  }));

test('a Lease that was deleted, taken by another and released again is known to have changed hands', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    server.lease = {
      metadata: { uid: 'made anew', resourceVersion: '99' },
      spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 0 },
    };
    await server.pass(3_000);
    assert.deepEqual(told, ['held', 'taken by someone, released since']);
  }));

test('a clean stop releases the lease, and the next one takes it at once', () =>
  withLeases(async (server) => {
    const [a, b] = [server.contender('a'), server.contender('b')];
    a.lease.start();
    await eventually('it is held', () => a.lease.held());
    b.lease.start();
    await server.pass(3_000);
    await a.lease.stop();
    assert.equal(server.lease?.spec.holderIdentity, '');
    assert.equal(server.lease?.spec.leaseDurationSeconds, 1);
    assert.equal(a.lease.held(), false);
    await server.pass(4_500);
    assert.equal(b.lease.held(), true);
    assert.deepEqual(a.told, ['held'], 'stopping on purpose is no loss');
  }));

test('renewal that fails for 10 s: lost as expired, while a request still hangs', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    server.hangs = true;
    await server.pass(9_500);
    assert.deepEqual(told, ['held']);
    await server.pass(600);
    assert.deepEqual(told, ['held', 'expired']);
    assert.equal(lease.held(), false);
  }));

test('an API server that does not answer is told from any answer, and from not having asked', () =>
  withLeases(async (server) => {
    const minutes = 60_000;
    const { lease } = server.contender('a');
    assert.equal(lease.isUnanswered(5 * minutes), false, 'it was never held');
    lease.start();
    await eventually('it is held', () => lease.held());
    assert.equal(lease.isUnanswered(5 * minutes), false, 'it is held');
    await server.api.kill();
    await server.pass(11_000);
    assert.deepEqual([lease.held(), lease.isUnanswered(5 * minutes)], [false, true]);
    await server.pass(4.5 * minutes);
    assert.equal(lease.isUnanswered(5 * minutes), true);
    await server.pass(minutes);
    assert.equal(lease.isUnanswered(5 * minutes), false, 'for so long only');
    await server.api.revive();
    await server.pass(5_000);
    assert.equal(lease.held(), true);

    server.hangs = true;
    await server.pass(11_000);
    assert.equal(lease.isUnanswered(5 * minutes), true, 'a request that hangs is no answer');
    server.hangs = false;
    server.lease = { metadata: { resourceVersion: 'x' }, spec: { holderIdentity: 'b', leaseTransitions: 9 } };
    await server.pass(9_000);
    assert.equal(lease.isUnanswered(5 * minutes), false, 'another has it');
  }));

test('suspended while the API server is away: nobody knows who has the lease until it was asked for again', () =>
  withLeases(async (server) => {
    let suspended = 0;
    const own = { monotonic: () => server.clock.monotonic() + suspended };
    const { lease } = server.contender('a', own);
    lease.start();
    await eventually('it is held', () => lease.held());
    await server.api.kill();
    await server.pass(11_000);
    assert.equal(lease.isUnanswered(300_000), true);
    suspended = 60_000;
    assert.equal(lease.isUnanswered(300_000), false);
    await server.pass(3_000);
    assert.equal(lease.isUnanswered(300_000), true);
  }));

test('after an outage the lease is taken again when nobody else has held it', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    await server.api.kill();
    await server.pass(60_000);
    assert.deepEqual(told, ['held', 'expired']);
    await server.api.revive();
    await server.pass(5_000);
    assert.deepEqual(told, ['held', 'expired', 'held']);
    assert.equal(server.lease?.spec.leaseTransitions, 0);
  }));

test('another identity in the lease: lost as taken, and it is left alone', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    server.lease = {
      metadata: { resourceVersion: '99' },
      spec: { holderIdentity: 'b', leaseDurationSeconds: 15, leaseTransitions: 1 },
    };
    await server.pass(3_000);
    assert.deepEqual(told, ['held', 'taken by b']);
    const before = server.api.seen.length;
    await server.pass(60_000);
    assert.equal(server.api.seen.length, before);
    assert.equal(server.lease.spec.holderIdentity, 'b');
  }));

test('another identity that held it during our outage and released it again: lost as taken', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    server.hangs = true;
    await server.pass(12_000);
    server.lease = {
      metadata: { resourceVersion: '99' },
      spec: { holderIdentity: '', leaseDurationSeconds: 1, leaseTransitions: 1 },
    };
    server.hangs = false;
    await server.pass(12_000);
    assert.deepEqual(told, ['held', 'expired', 'taken by someone, released since']);
  }));

test('somebody who edits only the metadata of the Lease takes nothing', () =>
  withLeases(async (server) => {
    const { lease, told } = server.contender('a');
    lease.start();
    await eventually('it is held', () => lease.held());
    if (server.lease) server.lease = { ...server.lease, metadata: { resourceVersion: '99', labels: { x: 'y' } } };
    await server.pass(5_000);
    assert.deepEqual(told, ['held']);
    assert.deepEqual(server.lease?.metadata.labels, { x: 'y' });
  }));

test('errors of the server while waiting are tried again', () =>
  withLeases(async (server) => {
    const { lease } = server.contender('a');
    const good = server.api;
    good.handle((_, response) => sendStatus(response, 403, 'Forbidden'));
    lease.start();
    await server.pass(10_000);
    assert.equal(lease.held(), false);
    assert.ok(good.seen.length >= 2 && good.seen.length <= 6, `${good.seen.length} tries in 10 s`);
  }));
