import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Gate } from '../../src/kube/gate.ts';
import { sendStatus } from './support/fake-api.ts';
import { pods, withHarness } from './support/reflector-harness.ts';

function spread(): () => number {
  let seed = 7;
  return () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

test('one prober for all: a probe every 1 to 2 s however many wait, and everyone is back within 5 s, not all at once', () =>
  withHarness(async (harness) => {
    const all = Array.from({ length: 12 }, (_, n) => harness.start({ resource: { ...pods, plural: `kind${n}` } }));
    for (const told of all) await told.synced();
    await harness.api.kill();
    const outage = 30_000;
    const probesBefore = harness.clock.now();
    await harness.passUntil('the outage has lasted', outage, () => false).catch(() => undefined);
    assert.equal(harness.clock.now() - probesBefore, outage);
    const backAt: number[] = [];
    const watched = harness.onWatch;
    harness.onWatch = (request, response) => {
      backAt.push(harness.clock.now());
      watched(request, response);
    };
    await harness.api.revive();
    const revivedAt = harness.clock.now();
    await harness.passUntil('all watch again', 5_000, () => backAt.length === 12);
    assert.ok(backAt.every((at) => at - revivedAt <= 5_000));
    assert.ok(new Set(backAt).size > 6, `woken at ${new Set(backAt).size} different times`);
    assert.equal(harness.probes().length, 1, 'the first good answer ends the probing');
    assert.equal(harness.lists().length, 12);
  }, spread()));

test('probes are 1 to 2 s apart while the server is down', () =>
  withHarness(async (harness) => {
    harness.onReady = (_, response) => void response.destroy();
    const waiting = new AbortController();
    const waits = Array.from({ length: 5 }, () => harness.prober.wait(waiting.signal).catch(() => 'ended'));
    await harness.passUntil('30 s have passed', 30_000, () => false).catch(() => undefined);
    // Every probe is a GET, sent twice when its connection is cut.
    const probes = harness.probes().length / 2;
    assert.ok(probes >= 15 && probes <= 31, `${probes} probes in 30 s`);
    waiting.abort();
    assert.deepEqual(
      await Promise.all(waits),
      Array.from({ length: 5 }, () => 'ended'),
    );
  }, spread()));

test('a server that answers but is not ready wakes nobody for 15 s, then it is worth a try', () =>
  withHarness(async (harness) => {
    harness.onReady = (_, response) => sendStatus(response, 500, 'InternalError');
    let awake = false;
    const waiting = harness.prober.wait(new AbortController().signal).then(() => {
      awake = true;
    });
    await harness.passUntil('it wakes', 14_000, () => awake).catch(() => undefined);
    assert.equal(awake, false);
    await harness.passUntil('it wakes', 5_000, () => awake);
    await waiting;
  }));

test('a server that starts is asked more often: it wakes everybody within 1.5 s of being ready', () =>
  withHarness(async (harness) => {
    harness.onReady = (_, response) => sendStatus(response, 500, 'InternalError');
    let awake = false;
    void harness.prober.wait(new AbortController().signal).then(() => {
      awake = true;
    });
    await harness.passUntil('5 s have passed', 5_000, () => false).catch(() => undefined);
    const probes = harness.probes().length;
    assert.ok(probes >= 10 && probes <= 22, `${probes} probes in 5 s`);
    harness.onReady = (_, response) => void response.end('ok');
    await harness.passUntil('it wakes', 1_500, () => awake);
  }, spread()));

test('a server that refuses the probe is up', () =>
  withHarness(async (harness) => {
    harness.onReady = (_, response) => sendStatus(response, 403, 'Forbidden');
    const signal = new AbortController().signal;
    let awake = false;
    void harness.prober.wait(signal).then(() => {
      awake = true;
    });
    await harness.passUntil('it wakes', 1_500, () => awake);
    assert.equal(await harness.prober.ready(signal), false, 'but that is no good /readyz');
  }));

test('the gate lets the next in when one leaves, in order, and forgets those who gave up', async () => {
  const gate = new Gate(1);
  const never = new AbortController().signal;
  const order: string[] = [];
  const leave = await gate.enter(never);
  const impatient = new AbortController();
  const first = gate.enter(impatient.signal).catch(() => order.push('gave up'));
  const second = gate.enter(never).then((out) => {
    order.push('second');
    out();
    out();
  });
  const third = gate.enter(never).then((out) => {
    order.push('third');
    out();
  });
  impatient.abort();
  await first;
  leave();
  leave();
  await Promise.all([second, third]);
  assert.deepEqual(order, ['gave up', 'second', 'third']);
  const last = await gate.enter(never);
  last();
});
