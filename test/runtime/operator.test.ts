import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crdOf } from '../../src/api/crd.ts';
import { resources } from '../../src/api/resources.ts';
import { redact } from '../../src/model/redact.ts';
import { type Runtime, startRuntime } from '../../src/runtime/runtime.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { startFakeApi } from '../kube/support/fake-api.ts';
import { address, broken, hasStarted, hasty, type Stage, startStage, webhook } from './stage.ts';

const collection = '/apis/tocsin.dev/v1alpha1/namespaces/tocsin/alertproviders';
const lease = '/apis/coordination.k8s.io/v1/namespaces/tocsin/leases/tocsin';

/** In the metrics: one delivery waits for the provider. */
const waiting = /queue_depth\{provider="[^"]*oncall"[^}]*\} 1/;

/** Runs a story on a stage that is taken down whatever happens. */
async function on(options: Parameters<typeof startStage>[0], story: (stage: Stage) => Promise<void>): Promise<void> {
  const stage = await startStage(options);
  try {
    await story(stage);
  } finally {
    await stage.stop();
  }
}

const ready = (stage: Stage) => stage.until('ready', () => hasStarted(stage));
/** Workloads whose opening arrived. While the watches come back one after the other, the root may be its ReplicaSet. */
const openings = ({ receiver }: Stage) =>
  receiver.messages
    .filter(({ type }) => type === 'incident.opened')
    .map(({ incident }) => incident?.root.name.split('-')[0]);

/** Reasons of the Events in the operator's namespace. */
async function eventsOf({ client }: Stage): Promise<string[]> {
  const list = await client.json<{ items: { reason: string }[] }>({ path: '/api/v1/namespaces/tocsin/events' });
  return list.items.map(({ reason }) => reason);
}

test('bad input is refused or said on the object, keeps nobody else from working, and is mended without a restart', async () => {
  // The disk of the recording is full from the start: that must not matter either.
  await on({ record: '/dev/full' }, async (stage) => {
    const { client, conditions, create, until, receiver } = stage;
    await assert.rejects(
      client.json({ method: 'POST', path: collection, body: { ...webhook('pigeon'), spec: { type: 'pigeon' } } }),
      { status: 422 },
    );
    await create(hasty, address('broken', 'ftp://files.example/in'), webhook('broken'), webhook('oncall'));
    await until('one is invalid', () =>
      /Stalled=True\/InvalidDestination Active=False\/Invalid/.test(conditions('alertproviders', 'broken')),
    );
    await until('the other is chosen and lacks its Secret', () =>
      /Stalled=True\/SecretNotFound Active=True\/Selected/.test(conditions('alertproviders', 'oncall')),
    );
    await ready(stage);
    await create(broken('cart'));
    await until('a message waits', async () => waiting.test((await stage.get('/metrics')).text));
    await until('and that is said', () =>
      /Delivering=False\/SecretNotFound/.test(conditions('alertproviders', 'oncall')),
    );
    assert.equal(receiver.messages.length, 0);
    await create(address('oncall', receiver.url));
    await until('repaired', () => /Ready=True\/Accepted .*Stalled=False/.test(conditions('alertproviders', 'oncall')));
    await until('what waited is delivered', () => receiver.messages.length > 0);
    await until('and that is said', () => /Delivering=True\/Delivered/.test(conditions('alertproviders', 'oncall')));
    assert.deepEqual(openings(stage), ['cart']);
    await until('that deliveries work again is an Event', async () =>
      (await eventsOf(stage)).includes('DeliveryRecovered'),
    );
    assert.deepEqual(
      stage.log.filter((line) => /cannot write (status|Event)/.test(line)),
      [],
    );
    assert.equal(stage.log.filter((line) => line.includes('cannot write the recording')).length, 1);
    const metrics = (await stage.get('/metrics')).text;
    assert.match(metrics, /tocsin_source_state\{source="pods",state="Watching"\} 1/);
    assert.match(metrics, /tocsin_source_objects\{source="pods"\} 1/);
    assert.match(metrics, /tocsin_incidents\{severity="high",disposition="Delivered"\} 1/);
    assert.match(metrics, /tocsin_detection_lag_seconds_count\{severity="high"\} 1/);
  });
});

test('where AlertConfig asks for tokens, the network needs one to read /metrics, and a port-forward does not', async () => {
  await on({}, async (stage) => {
    // As a proxy in the Pod hands a request of the network on.
    const fromNetwork = async (): Promise<number> => {
      const headers = { 'x-forwarded-for': '10.0.0.7' };
      return (await fetch(`http://127.0.0.1:${stage.runtime.port}/metrics`, { headers })).status;
    };
    assert.equal(await fromNetwork(), 200);
    await stage.create({ ...hasty, spec: { metricsEndpoint: { authentication: 'Token' } } });
    await stage.until('it asks for a token', async () => (await fromNetwork()) === 401);
    assert.equal((await stage.get('/metrics')).status, 200);
  });
});

test('a provider that is deleted ends what waits for it; one made anew is told what is open', async () => {
  await on({}, async (stage) => {
    const { create, remove, until, receiver } = stage;
    await create(hasty, webhook('oncall'));
    await ready(stage);
    await create(broken('cart'));
    const metric = (text: RegExp) => async () => text.test((await stage.get('/metrics')).text);
    await until('a message waits', metric(waiting));
    await remove(`${collection}/oncall`);
    await until('ended as deleted', metric(/failed_total\{[^}]*reason="ProviderDeleted"\} 1/));
    await create(address('oncall', receiver.url), webhook('oncall'));
    await until('a summary of what is open', () => receiver.messages.length > 0);
    assert.match(receiver.messages[0]?.message ?? '', /shop\/cart/);
    assert.deepEqual(openings(stage), []);
  });
});

test('without the lock nothing is sent and it is unready; with the lock again it goes on where it was', async () => {
  await on({}, async (stage) => {
    const { create, until, receiver, sandbox } = stage;
    const unready = async () => (await stage.get('/readyz')).status === 503;
    await create(hasty, address('oncall', receiver.url), webhook('oncall'), broken('old'));
    await ready(stage);
    await until('the start is summarized or told', () => receiver.messages.length > 0);
    const mend = sandbox.inject({ resource: 'leases.coordination.k8s.io', does: { is: 'status', code: 500 } });
    await until('unready', unready);
    assert.match((await stage.get('/readyz')).text, /\[-\]StateLock/);
    await create(broken('cart'));
    await until('it is queued', async () => waiting.test((await stage.get('/metrics')).text));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(openings(stage).includes('cart'), false, 'nothing is sent');
    mend();
    await until('delivered', () => openings(stage).includes('cart'));
    await sandbox.goDown();
    await until('unready without the API server too', unready);
    assert.equal((await stage.get('/healthz')).status, 200);
    await sandbox.comeBack();
    await ready(stage);
    await create(broken('mail'));
    await until('the next', () => openings(stage).includes('mail'));
    const plain = receiver.messages.filter(({ type }) => type === 'message.plain');
    assert.ok(plain.length <= 1, 'no second baseline');
    assert.deepEqual(
      openings(stage).filter((name) => name !== 'old'),
      ['cart', 'mail'],
      'nothing is told twice',
    );
  });
});

test('a lock that is lost in the middle of the start: it begins, and sends nothing until it has the lock again', async () => {
  const slow = { verb: 'get', resource: 'namespaces', name: 'kube-system', times: 1 } as const;
  const prepare: NonNullable<Parameters<typeof startStage>[0]['prepare']> = (sandbox) =>
    void sandbox.inject({ ...slow, does: { is: 'delay', milliseconds: 2_500 } });
  await on({ prepare }, async (stage) => {
    const { create, until, receiver, sandbox, log } = stage;
    const says = (text: string) => () => log.some((line) => line.includes(text));
    await create(hasty, address('oncall', receiver.url), webhook('oncall'), broken('cart'));
    await until('it has the lock', says('the state lock is held'));
    const mend = sandbox.inject({ resource: 'leases.coordination.k8s.io', does: { is: 'status', code: 500 } });
    await until('lost', says('the state lock is lost'));
    await until('a message waits', async () => waiting.test((await stage.get('/metrics')).text));
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(receiver.messages.length, 0);
    assert.equal(stage.conditions('alertproviders', 'oncall'), '', 'no status either');
    mend();
    await until('delivered', () => receiver.messages.length > 0);
    await until('said', () => /Delivering=True/.test(stage.conditions('alertproviders', 'oncall')));
  });
});

/** Another identity takes the lock from whoever holds it. */
async function take({ client, until }: Stage, identity: string): Promise<void> {
  await until('taken away', async () => {
    const held = await client.json<{ spec: { leaseTransitions: number } }>({ path: lease });
    const spec = { ...held.spec, holderIdentity: identity, leaseTransitions: held.spec.leaseTransitions + 1 };
    return client.json({ method: 'PUT', path: lease, body: { ...held, spec } }).then(
      () => true,
      () => false,
    );
  });
}

test('a holder that was suspended while another took the lock sends nothing when it wakes, not even what was due first', async () => {
  const product = await startFakeApi((_, response) => void response.writeHead(503, { 'retry-after': '12' }).end());
  await on({}, async (stage) => {
    const { clock, create, until, runtime } = stage;
    await create(hasty, address('oncall', product.url), webhook('oncall'));
    await ready(stage);
    await create(broken('cart'));
    await until('a first attempt fails; the next is due in 12 s', () => product.seen.length > 0);
    clock.suspend();
    product.handle((_, response) => void response.writeHead(204).end());
    await take(stage, 'another');
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    const before = product.seen.length;
    // Its sockets wake before its timers: the watch brings something to look at.
    await create(broken('mail'));
    await until('a turn has run', async () => /queue_depth\{[^}]*\} 2/.test((await stage.get('/metrics')).text));
    assert.equal((await stage.get('/readyz')).status, 503, 'it knows that it may not act');
    clock.wake();
    assert.match((await runtime.ended).message, /taken by another/);
    await runtime.stop();
    assert.equal(product.seen.length, before);
  }).finally(() => void product.close());
});

/** A second operator, as somebody starts it by hand. */
async function startSecond(stage: Stage, namespace: string): Promise<{ second: Runtime; log: readonly string[] }> {
  const log: string[] = [];
  const second = await startRuntime({
    ...{ client: stage.client, namespace, identity: 'them', version: '0', clock: stage.clock },
    ...{ listen: { host: '127.0.0.1', port: 0 }, random: Math.random, metrics: createMetrics({ process: false }) },
    licenseKeys: new Map(),
    log: createLogger({ redact, level: 'info', stream: { write: (line) => log.push(line) } }),
    secondHolder: 'refuse',
  });
  return { second, log };
}

test('who holds the lock is named, in the log once and in /readyz; a second one started by hand ends with that', async () => {
  await on({}, async (stage) => {
    await ready(stage);
    const { second, log } = await startSecond(stage, 'tocsin');
    await stage.until('it waits', () => log.some((line) => line.includes('is held by us; waiting')));
    const readiness = await (await fetch(`http://127.0.0.1:${second.port}/readyz`)).text();
    assert.match(readiness, /StateLock.*the Lease is held by us since 20\d\d-/);
    assert.match(
      (await second.ended).message,
      /another Tocsin runs: us holds the Lease tocsin\/tocsin since .* Stop it first/,
    );
    await second.stop();
    assert.equal(log.filter((line) => line.includes('is held by us')).length, 2, 'once, and once more as it is alive');
    assert.equal((await stage.get('/readyz')).status, 200, 'the one that runs goes on');
  });
});

test('one started by hand in another namespace ends too, before it writes anything; what a killed one left stops nobody', async () => {
  await on({}, async (stage) => {
    await ready(stage);
    const others = await startSecond(stage, 'shop');
    assert.match((await others.second.ended).message, /us holds the Lease tocsin\/tocsin since .* Stop it first/);
    await others.second.stop();
    assert.equal(stage.sandbox.objects.get('leases.coordination.k8s.io', 'shop', 'tocsin'), undefined);
    await stage.runtime.stop();
    const left = await stage.client.json<{ spec: object }>({ path: lease });
    const spec = { ...left.spec, holderIdentity: 'killed', leaseDurationSeconds: 15 };
    await stage.client.json({ method: 'PUT', path: lease, body: { ...left, spec } });
    const next = await startSecond(stage, 'shop');
    await stage.until('it has its lock', () => next.log.some((line) => line.includes('the state lock is held')));
    await next.second.stop();
  });
});

test('a lock that another identity has taken ends the process, and nothing more is sent', async () => {
  await on({}, async (stage) => {
    const { client, create, until, runtime, receiver } = stage;
    await create(hasty, address('oncall', receiver.url), webhook('oncall'));
    await ready(stage);
    await take(stage, 'another');
    assert.match((await runtime.ended).message, /taken by another/);
    await create(broken('cart'));
    await until('it is queued', async () => waiting.test((await stage.get('/metrics')).text));
    await runtime.stop();
    assert.equal(receiver.messages.length, 0);
    const left = await client.json<{ spec: { holderIdentity: string } }>({ path: lease });
    assert.equal(left.spec.holderIdentity, 'another', 'it is not ours to release');
  });
});

test('without its CRDs it is unready, says how to install them, and begins when they appear', async () => {
  await on({ crds: false }, async (stage) => {
    const { create, until, receiver, log } = stage;
    await until('said', async () => /NotServed.*kubectl apply -k config\/crd/.test((await stage.get('/readyz')).text));
    assert.equal((await stage.get('/readyz')).status, 503);
    assert.match(log.join(''), /install the CRDs/);
    await create(...Object.values(resources).map(crdOf));
    await create(hasty, address('oncall', receiver.url), webhook('oncall'));
    await ready(stage);
    await create(broken('cart'));
    await until('delivered', () => receiver.messages.length === 1);
  });
});

test('a stop in the middle of the start ends at once and leaves nothing running; a second stop is the same stop', async () => {
  const prepare: NonNullable<Parameters<typeof startStage>[0]['prepare']> = (sandbox) =>
    void sandbox.inject({ verb: 'get', resource: 'namespaces', name: 'kube-system', does: { is: 'hang' } });
  await on({ prepare }, async (stage) => {
    await stage.until('it has the lock', () => stage.log.some((line) => line.includes('the state lock is held')));
    const before = Date.now();
    const stopped = stage.runtime.stop();
    assert.equal(stage.runtime.stop(), stopped);
    await stopped;
    assert.ok(Date.now() - before < 5_000);
    const { spec } = await stage.client.json<{ spec: { holderIdentity?: string } }>({ path: lease });
    assert.equal(spec.holderIdentity ?? '', '', 'the lock is released');
  });
});
