import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { createLease, type Lease } from '../../src/kube/lease.ts';
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
  contender(identity: string): { lease: Lease; told: string[] };
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
    if (!server.hangs) sendJson(response, ...answer(request));
  });
  const client = createApiClient(fixedClusterConfig({ server: api.url }), { clock, version: '0' });
  const leases: Lease[] = [];
  const server: LeaseServer = {
    api,
    clock,
    lease: undefined,
    hangs: false,
    contender(identity) {
      const told: string[] = [];
      const lease = createLease({
        client,
        namespace: 'tocsin',
        name: 'tocsin',
        identity,
        clock,
        random: () => 0.5,
        onHeld: () => told.push('held'),
        onLost: (why) => told.push(why),
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
    assert.equal(lease.holder(), 'a');
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
        renewTime: '2025-01-01T00:00:00.000000Z',
        leaseTransitions: 3,
      },
    };
    const { lease, told } = server.contender('b');
    lease.start();
    await server.pass(14_500);
    assert.equal(lease.held(), false);
    assert.equal(lease.holder(), 'old');
    await server.pass(5_500);
    assert.equal(lease.held(), true);
    assert.equal(server.lease?.spec.leaseTransitions, 4);
    assert.deepEqual(told, ['held']);
  }));

test('two contenders: one holds it as long as it renews', () =>
  withLeases(async (server) => {
    const [a, b] = [server.contender('a'), server.contender('b')];
    a.lease.start();
    b.lease.start();
    await server.pass(60_000);
    assert.equal(Number(a.lease.held()) + Number(b.lease.held()), 1);
    assert.equal(a.told.length + b.told.length, 1);
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
    assert.deepEqual(told, ['held', 'taken']);
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
    assert.deepEqual(told, ['held', 'expired', 'taken']);
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
