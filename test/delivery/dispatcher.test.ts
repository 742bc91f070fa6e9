import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery, Outcome } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { openSecret, Secret } from '../../src/model/secret.ts';
import type { SecretSource } from '../../src/model/secret-source.ts';
import { type AwsIdentity, LookUpFailed, TransportError } from '../../src/providers/provider.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { settled } from './clock.ts';
import { arrived, batch, broken, delivery, provider, refused, stage } from './stage.ts';

const oncall = provider('oncall');
const mail = provider('mail');
const minute = 60_000;

/** A promise to be resolved by the test. */
function gate(): { readonly opened: Promise<Outcome>; open(outcome: Outcome): void } {
  let open: (outcome: Outcome) => void = () => undefined;
  const opened = new Promise<Outcome>((resolve) => {
    open = resolve;
  });
  return { opened, open: (outcome) => open(outcome) };
}

test('nothing is sent before it is committed and kicked, and then once', async () => {
  const { clock, store, dispatcher, seen, reports } = stage({ providers: [oncall], script: () => arrived });
  await clock.advance(minute);
  store.commit(batch({ enqueue: [delivery(oncall, 'open', 1, { now: clock.now() })] }));
  await settled();
  assert.equal(seen.length, 0);
  dispatcher.kick();
  dispatcher.kick();
  await clock.advance(minute);
  assert.deepEqual(
    seen.map(({ act }) => act),
    ['open'],
  );
  assert.deepEqual(
    reports.map(({ ended, attempts }) => [ended, attempts]),
    [['delivered', 1]],
  );
  assert.deepEqual(store.outbox(), []);
});

test('a stream runs in order, one at a time, while other streams and providers go on', async () => {
  const first = gate();
  const { clock, seen, enqueue } = stage({
    providers: [oncall, mail],
    script: ({ delivery: { stream, act } }, all) =>
      stream === 'inc-1' && act === 'open' && all.filter((entry) => entry.provider === 'oncall').length === 1
        ? first.opened
        : arrived,
  });
  const now = clock.now();
  enqueue(
    delivery(oncall, 'open', 1, { now }),
    delivery(mail, 'open', 1, { now }),
    delivery(oncall, 'open', 1, { now, stream: 'inc-2' }),
  );
  await settled();
  enqueue(delivery(oncall, 'resolve', 3, { now }));
  await clock.advance(1000);
  assert.deepEqual(
    seen.map((entry) => `${entry.provider} ${entry.stream} ${entry.act}`),
    ['oncall inc-1 open', 'mail inc-1 open', 'oncall inc-2 open'],
  );
  first.open(arrived);
  await clock.advance(1000);
  assert.equal(seen.at(-1)?.act, 'resolve');
});

test('behind what a product has accepted and not yet made, the next act of the incident waits, also at the end', async () => {
  for (const ending of [false, true]) {
    const first = gate();
    const { clock, seen, dispatcher, enqueue } = stage({
      providers: [oncall],
      script: (_, all) => (all.length === 1 ? first.opened : arrived),
      type: { settlesAfterMs: 3_000 },
    });
    const now = clock.now();
    enqueue(delivery(oncall, 'open', 1, { now }));
    await settled();
    enqueue(delivery(oncall, 'resolve', 2, { now }), delivery(oncall, 'open', 1, { now, stream: 'inc-2' }));
    await settled();
    let stopped = false;
    if (ending) void dispatcher.stop(minute).then(() => (stopped = true));
    first.open({ is: 'delivered' });
    await clock.advance(2_999);
    assert.deepEqual(
      seen.map(({ act }) => act),
      ['open', 'open'],
    );
    assert.equal(stopped, false);
    await clock.advance(1);
    assert.equal(seen.at(-1)?.act, 'resolve');
    assert.equal(stopped, ending);
  }
});

test('an attempt that never ends is given up and does not hold its lane for ever', async () => {
  const { clock, seen, reports, enqueue } = stage({
    providers: [oncall],
    script: (_, all) => (all.length === 1 ? new Promise<Outcome>(() => undefined) : arrived),
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(3 * minute);
  assert.equal(seen.length, 2);
  assert.deepEqual(
    reports.map(({ ended, failure }) => [ended, failure?.code]),
    [
      ['pending', 'Timeout'],
      ['delivered', undefined],
    ],
  );
  assert.equal(reports[1]?.mayHaveArrived, true);
});

test('failures are retried with doubling waits, at most five minutes apart once they are long, until 24 h are over', async () => {
  const { clock, seen, reports, store, enqueue } = stage({ providers: [oncall], script: () => broken });
  const start = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now: start }));
  await clock.advance(24 * 60 * minute - 1);
  const gaps = seen.slice(1).map(({ at }, index) => (at - (seen[index]?.at ?? 0)) / 1000);
  assert.deepEqual(gaps.slice(0, 8), [5, 10, 20, 40, 80, 160, 300, 300]);
  assert.equal(Math.max(...gaps), 300);
  assert.equal(store.outbox().length, 1);
  await clock.advance(5 * minute);
  assert.equal(store.outbox().length, 0);
  assert.equal(reports.at(-1)?.ended, 'failed');
  assert.equal(reports.at(-1)?.failure?.code, 'Expired');
  assert.match(store.deadLetters()[0]?.failure.message ?? '', /not delivered within 24 h: HTTP 503/);
});

test('maxAttempts counts retries after the first try, and delay is the first wait', async () => {
  const once = provider('oncall', { retry: { maxAttempts: 2, delayMs: 1000 } });
  const { clock, seen, reports, enqueue } = stage({ providers: [once], script: () => broken });
  enqueue(delivery(once, 'open', 1, { now: clock.now() }));
  await clock.advance(60 * minute);
  assert.deepEqual(
    seen.slice(1).map(({ at }, index) => at - (seen[index]?.at ?? 0)),
    [1000, 2000],
  );
  assert.deepEqual(
    reports.map(({ ended, attempts }) => [ended, attempts]),
    [
      ['pending', 1],
      ['pending', 2],
      ['failed', 3],
    ],
  );
});

test('a permanent refusal ends at once: that is for the turn to tell a fallback of', async () => {
  const first = provider('oncall', { fallback: mail.ref });
  const { clock, seen, reports, view, enqueue } = stage({ providers: [first, mail], script: () => refused });
  enqueue(delivery(first, 'open', 1, { now: clock.now() }));
  await clock.advance(1000);
  assert.deepEqual(
    seen.map((entry) => entry.provider),
    ['oncall'],
  );
  assert.deepEqual(
    reports.map((report) => [report.provider, report.ended]),
    [[first.ref, 'failed']],
  );
  assert.equal(view(first.ref).failing, true);
});

test('with a fallback five failures make a delivery overdue, and it is tried on', async () => {
  const first = provider('oncall', { fallback: mail.ref });
  for (const [settings, overdue] of [
    [first, [5, 6]],
    [oncall, []],
  ] as const) {
    const { clock, seen, reports, enqueue } = stage({
      providers: [settings, mail],
      script: (_, all) => (all.length < 7 ? broken : arrived),
    });
    enqueue(delivery(settings, 'open', 1, { now: clock.now() }));
    await clock.advance(10 * minute);
    assert.deepEqual(
      reports.filter((report) => report.overdue).map(({ attempts }) => attempts),
      overdue,
    );
    assert.equal(reports.at(-1)?.ended, 'delivered');
    assert.ok(seen.every((entry) => entry.provider === 'oncall'));
  }
});

test('a test message stays with the provider it tests', async () => {
  const first = provider('oncall', { fallback: mail.ref });
  const { clock, seen, view, enqueue } = stage({ providers: [first, mail], script: () => refused });
  enqueue(delivery(first, 'test', 1, { now: clock.now(), stream: 'test-1' }));
  await clock.advance(minute);
  assert.deepEqual(
    seen.map((entry) => entry.provider),
    ['oncall'],
  );
  const { lastTest } = view(first.ref);
  assert.deepEqual([lastTest?.stream, lastTest?.delivered, lastTest?.message], ['test-1', false, 'HTTP 400: no']);
});

test('a test that cannot be delivered ends within a minute, with the reason of the last attempt', async () => {
  const { clock, view, enqueue } = stage({ providers: [oncall], script: () => broken });
  enqueue(delivery(oncall, 'test', 1, { now: clock.now(), stream: 'test-1' }));
  await clock.advance(minute);
  const { lastTest, pending } = view(oncall.ref);
  assert.deepEqual([lastTest?.delivered, pending], [false, 0]);
  assert.match(lastTest?.message ?? '', /within a minute: HTTP 503/);
});

test('waiting as a product asks spends no attempt, holds the whole provider, and is at most 15 minutes', async () => {
  const { clock, seen, reports, enqueue } = stage({
    providers: [provider('oncall', { retry: { maxAttempts: 0 } })],
    script: (_, all) => (all.length <= 3 ? { is: 'rateLimited', afterMs: 3_600_000 } : arrived),
  });
  const start = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now: start }));
  await clock.advance(minute);
  enqueue(delivery(oncall, 'open', 1, { now: start, stream: 'inc-2' }));
  await clock.advance(60 * minute);
  assert.deepEqual([...new Set(seen.map(({ at }) => (at - start) / minute))], [0, 15, 30]);
  assert.deepEqual(
    reports.filter(({ ended }) => ended === 'delivered').map(({ attempts }) => attempts),
    [1, 1],
  );
});

test('"too many requests" without a wait is not asked again at once', async () => {
  const { clock, seen, enqueue } = stage({ providers: [oncall], script: () => ({ is: 'rateLimited', afterMs: 0 }) });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(10_000);
  assert.equal(seen.length, 11);
});

test('a refused credential is tried once more if the Secret changed meanwhile, and ends at once if not', async () => {
  for (const rotated of [true, false]) {
    const asked: boolean[] = [];
    const secrets: SecretSource = {
      async open(_, fresh) {
        asked.push(fresh);
        const version = fresh && rotated ? '2' : '1';
        return { values: new Map([['token', new Secret(`token-${version}`)]]), version };
      },
    };
    const { clock, seen, reports, enqueue } = stage({
      providers: [oncall],
      secrets,
      script: (_, all) =>
        all.length === 2
          ? arrived
          : { is: 'permanent', reason: 'HTTP 401', credential: true, ref: { item: '7', told: 'half' } },
    });
    enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
    await clock.advance(60 * minute);
    assert.deepEqual(asked, [false, true]);
    const far = { item: '7', told: 'half' };
    assert.deepEqual(
      seen.map(({ attempt }) => attempt.ref),
      rotated ? [undefined, far] : [undefined],
      'how far it came is not forgotten',
    );
    assert.equal(reports.at(-1)?.ended, rotated ? 'delivered' : 'failed');
    if (!rotated) assert.equal(reports.at(-1)?.failure?.code, 'AuthFailed');
  }
});

test('certificates that cannot be used are tried once more if the Secret changed; connections are made with them, as whoever the provider may be', async () => {
  const texts = ['old', 'new'];
  let reads = 0;
  const made: (string | undefined)[] = [];
  const identity: AwsIdentity = { keys: () => assert.fail() };
  const { enqueue, reports, seen, clock } = stage({
    providers: [provider('a')],
    secrets: {
      async open() {
        const values = new Map([['tls.clientKey', new Secret(texts[reads] ?? 'new')]]);
        reads += 1;
        return { values, version: String(reads) };
      },
    },
    ways: {
      send: (_provider, _type, tls) => {
        const key = tls?.clientKey && openSecret(tls.clientKey);
        made.push(key);
        return async () => {
          throw new TransportError('InvalidCertificate', `made with ${key}`, false);
        };
      },
      aws: () => identity,
    },
    async script({ send, aws }) {
      assert.equal(aws, identity);
      await send({ method: 'POST', url: 'https://a.example/' });
      return arrived;
    },
  });
  enqueue(delivery(provider('a'), 'open', 1, { now: clock.now() }));
  await settled();
  assert.deepEqual([made, seen.length], [['old', 'new'], 2]);
  assert.deepEqual(
    reports.map(({ ended, failure }) => [ended, failure?.code]),
    [['failed', 'AuthFailed']],
  );
});

test('a look-up that is refused for its credential is made once more as well if the Secret changed', async () => {
  const secrets: SecretSource = { open: async (_, fresh) => ({ values: new Map(), version: fresh ? '2' : '1' }) };
  let looked = 0;
  const { clock, seen, reports, enqueue } = stage({
    providers: [oncall],
    secrets,
    script: () => arrived,
    type: {
      async find() {
        looked += 1;
        if (looked > 1) return { issue: '9' };
        throw new LookUpFailed({ is: 'permanent', reason: 'HTTP 401', credential: true });
      },
    },
  });
  enqueue(delivery(oncall, 'update', 2, { now: clock.now() }));
  await settled();
  assert.deepEqual([looked, seen[0]?.attempt.ref, reports.at(-1)?.ended], [2, { issue: '9' }, 'delivered']);
});

test('a Secret that is rotated by deleting and creating it is waited for, with how far the delivery came', async () => {
  const far = { item: '7', told: 'half' };
  let exists = true;
  let version = '1';
  const secrets: SecretSource = {
    async open(_, fresh) {
      if (fresh && version === '1') exists = false;
      return exists ? { values: new Map(), version } : { missing: 'Secret/tocsin/chat' };
    },
  };
  const { clock, seen, reports, dispatcher, enqueue } = stage({
    providers: [oncall],
    secrets,
    script: () => (version === '2' ? arrived : { is: 'permanent', reason: 'HTTP 401', credential: true, ref: far }),
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(60 * minute);
  assert.deepEqual(
    [seen.length, new Set(reports.map(({ ended }) => ended)), reports.at(-1)?.failure?.code],
    [1, new Set(['pending']), 'SecretNotFound'],
  );
  exists = true;
  version = '2';
  dispatcher.providerChanged(oncall.ref);
  await settled();
  assert.deepEqual([seen.length, seen[1]?.attempt.ref, reports.at(-1)?.ended], [2, far, 'delivered']);
});

test('a missing Secret makes deliveries wait without an attempt, told once, and its arrival releases them', async () => {
  let exists = false;
  const secrets: SecretSource = {
    open: async () => (exists ? { values: new Map(), version: '1' } : { missing: 'Secret/tocsin/chat', key: 'token' }),
  };
  const { clock, seen, reports, dispatcher, enqueue } = stage({ providers: [oncall], secrets, script: () => arrived });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(10 * minute);
  assert.equal(seen.length, 0);
  assert.deepEqual(
    reports.map(({ ended, attempts, failure }) => [ended, attempts, failure?.code]),
    [['pending', 0, 'SecretKeyMissing']],
  );
  assert.match(reports[0]?.failure?.message ?? '', /Secret tocsin\/chat has no key "token"/);
  exists = true;
  dispatcher.providerChanged(oncall.ref);
  await settled();
  assert.equal(seen.length, 1);
});

test('a missing Secret for 24 h ends each delivery, without an attempt and with the reason', async () => {
  const secrets: SecretSource = { open: async () => ({ missing: 'Secret/tocsin/chat' }) };
  const { clock, seen, reports, view, enqueue } = stage({ providers: [oncall], secrets, script: () => arrived });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now(), stream: 'inc-1' }));
  await clock.advance(60 * minute);
  enqueue(delivery(oncall, 'open', 1, { now: clock.now(), stream: 'inc-2' }));
  await clock.advance(23 * 60 * minute - minute);
  assert.ok(!reports.some(({ ended }) => ended === 'failed'), 'within a day it may be created');
  await clock.advance(61 * minute);
  assert.equal(seen.length, 0);
  const failed = reports.filter(({ ended }) => ended === 'failed');
  assert.deepEqual(
    failed.map(({ stream, attempts, failure }) => [stream, attempts, failure?.code]),
    ['inc-1', 'inc-2'].map((stream) => [stream, 0, 'Expired']),
  );
  for (const { failure } of failed)
    assert.match(failure?.message ?? '', /24 h: Secret tocsin\/chat does not exist: create it/);
  assert.equal(view(oncall.ref).pending, 0);
});

test('after five failures a provider is probed by one delivery at a time, and the others wait without an attempt', async () => {
  let up = false;
  const { clock, seen, store, view, enqueue } = stage({
    providers: [oncall],
    script: () => (up ? arrived : broken),
  });
  const start = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now: start, stream: 'inc-0' }));
  await clock.advance(80_000);
  assert.equal(seen.length, 5);
  assert.equal(view(oncall.ref).probing, true);
  const before = seen.length;
  enqueue(
    ...Array.from({ length: 20 }, (_, index) => delivery(oncall, 'open', 1, { now: clock.now(), stream: `i${index}` })),
  );
  await clock.advance(2 * minute);
  assert.ok(seen.length - before <= 6, `${seen.length - before} probes in two minutes`);
  assert.equal(store.outbox().length, 21);
  up = true;
  await clock.advance(6 * minute);
  assert.equal(store.outbox().length, 0);
  assert.equal(view(oncall.ref).probing, false);
});

test('while a probe hangs the others wait for it without spinning', async () => {
  let asked = 0;
  const { clock, seen, store, enqueue, view } = stage({
    providers: [oncall],
    script: (_, all) => (all.length <= 5 ? broken : new Promise<Outcome>(() => undefined)),
    holdsLock() {
      asked += 1;
      return true;
    },
  });
  enqueue(
    ...Array.from({ length: 8 }, (_, index) => delivery(oncall, 'open', 1, { now: clock.now(), stream: `i${index}` })),
  );
  await clock.advance(30_000);
  assert.equal(view(oncall.ref).probing, true);
  const begun = seen.length;
  asked = 0;
  await clock.advance(60_000);
  assert.equal(seen.length, begun);
  assert.equal(store.outbox().length, 8);
  assert.ok(asked < 100, `${asked} looks`);
});

test('with a fallback what waits 15 minutes behind a product that wants to be left alone is overdue, once', async () => {
  for (const outcome of [
    { is: 'rateLimited', afterMs: 10 * minute },
    { is: 'retryable', reason: 'HTTP 503', mayHaveArrived: false, afterMs: 14 * minute },
  ] as const) {
    const first = provider('oncall', { fallback: mail.ref });
    const { clock, reports, enqueue } = stage({ providers: [first, mail], script: () => outcome });
    enqueue(delivery(first, 'open', 1, { now: clock.now() }));
    await clock.advance(14 * minute);
    assert.ok(!reports.some(({ overdue }) => overdue));
    await clock.advance(2 * minute);
    assert.deepEqual(
      reports.filter(({ overdue }) => overdue).map(({ failure }) => failure?.class),
      [outcome.is],
    );
    const alone = stage({ providers: [oncall], script: () => outcome });
    alone.enqueue(delivery(oncall, 'open', 1, { now: alone.clock.now() }));
    await alone.clock.advance(60 * minute);
    assert.ok(!alone.reports.some(({ overdue }) => overdue), 'without one nobody is to be told');
  }
});

test('with a fallback all that waits behind a provider that is down is overdue within minutes', async () => {
  const first = provider('oncall', { fallback: mail.ref });
  const { clock, reports, store, enqueue } = stage({ providers: [first, mail], script: () => broken });
  enqueue(
    ...Array.from({ length: 30 }, (_, index) => delivery(first, 'open', 1, { now: clock.now(), stream: `i${index}` })),
  );
  await clock.advance(4 * minute);
  assert.equal(new Set(reports.filter(({ overdue }) => overdue).map(({ stream }) => stream)).size, 30);
  assert.equal(store.outbox().length, 30, 'and goes on waiting');
});

test('what is more severe goes first, then whoever has had fewer turns, then what was made first', async () => {
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: () => arrived,
    type: { pacing: { perSecond: 1, burst: 1 } },
  });
  const now = clock.now();
  const about = (stream: string, severity: 'critical' | 'high', namespace: string): Delivery => {
    const made = delivery(oncall, 'open', 1, { now, stream });
    const incident = { root: `Pod/${namespace}/x` } as NonNullable<Notification['incident']>;
    return { ...made, notification: { ...made.notification, severity, incident } };
  };
  enqueue(...['a1', 'a2', 'a3', 'a4'].map((stream) => about(stream, 'high', 'a')));
  enqueue(about('b1', 'high', 'b'), about('b2', 'high', 'b'), about('c1', 'critical', 'c'));
  await clock.advance(7_000);
  assert.deepEqual(
    seen.map(({ stream }) => stream),
    ['a1', 'c1', 'a2', 'b1', 'a3', 'b2', 'a4'],
  );
});

test('nothing starves behind what is more severe: each eighth turn is of what has waited longest', async () => {
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: () => arrived,
    type: { pacing: { perSecond: 1, burst: 1 } },
  });
  const severe = (stream: string): Delivery => {
    const made = delivery(oncall, 'open', 1, { now: clock.now(), stream });
    return { ...made, notification: { ...made.notification, severity: 'critical' } };
  };
  enqueue(severe('first'), delivery(oncall, 'open', 1, { now: clock.now(), stream: 'mild' }));
  for (let second = 0; second < 20; second += 1) {
    enqueue(severe(`c${second}`));
    await clock.advance(1000);
  }
  const turn = seen.findIndex(({ stream }) => stream === 'mild');
  assert.ok(turn > 0 && turn <= 8, `turn ${turn}`);
});

test('an opening under a key is never overtaken by the end of an earlier incident under it', async () => {
  let isDown = true;
  const { clock, seen, enqueue } = stage({ providers: [oncall], script: () => (isDown ? broken : arrived) });
  const under = { alertKey: 'k' };
  enqueue(delivery(oncall, 'resolve', 7, { now: clock.now(), stream: 'first', ...under }));
  await clock.advance(minute);
  enqueue(delivery(oncall, 'open', 1, { now: clock.now(), stream: 'second', ...under }));
  await clock.advance(minute);
  isDown = false;
  seen.length = 0;
  await clock.advance(10 * minute);
  assert.deepEqual(
    seen.map(({ stream, act }) => `${stream} ${act}`),
    ['first resolve', 'second open'],
  );
});

test('what waits behind an overdue act under the same key is overdue as well: its opening is news to the fallback', async () => {
  const first = provider('oncall', { fallback: mail.ref });
  const { clock, reports, enqueue } = stage({ providers: [first, mail], script: () => broken });
  const under = { alertKey: 'k' };
  enqueue(delivery(first, 'resolve', 7, { now: clock.now(), stream: 'first', ...under }));
  await clock.advance(20 * minute);
  enqueue(delivery(first, 'open', 1, { now: clock.now(), stream: 'second', ...under }));
  await clock.advance(20 * minute);
  assert.deepEqual(
    [...new Set(reports.filter(({ overdue }) => overdue).map(({ stream }) => stream))],
    ['first', 'second'],
  );
});

test('deliveries are paced to what the product publishes', async () => {
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: () => arrived,
    type: { pacing: { perSecond: 1, burst: 3 } },
  });
  enqueue(
    ...Array.from({ length: 10 }, (_, index) => delivery(oncall, 'open', 1, { now: clock.now(), stream: `i${index}` })),
  );
  await settled();
  assert.equal(seen.length, 3);
  await clock.advance(4000);
  assert.equal(seen.length, 7);
});

test('a message waits for its evidence, and a replacement releases it', async () => {
  const { clock, seen, store, dispatcher, enqueue } = stage({ providers: [oncall], script: () => arrived });
  const now = clock.now();
  const waiting = delivery(oncall, 'open', 1, { now, notBefore: now + 5000 });
  enqueue(waiting, delivery(oncall, 'open', 1, { now, notBefore: now + 5000, stream: 'inc-2' }));
  await clock.advance(2000);
  assert.equal(seen.length, 0);
  store.commit(
    batch({ replace: [delivery(oncall, 'open', 1, { now, notBefore: clock.now(), text: 'With log lines.' })] }),
  );
  dispatcher.kick();
  await settled();
  assert.equal(seen[0]?.attempt.notification.lead, 'With log lines.');
  await clock.advance(3000);
  assert.equal(seen.length, 2);
});

test('references are handed to later acts, kept from failed acts too, and looked up when lost', async () => {
  const found: string[] = [];
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { act, stream } }) => {
      if (stream === 'lost') return arrived;
      return act === 'open' ? { ...refused, ref: { thread: '7' } } : arrived;
    },
    type: {
      async find({ delivery: { stream, alertKey } }) {
        found.push(`${stream} ${alertKey}`);
        return { thread: '9' };
      },
    },
  });
  const now = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now }));
  await settled();
  enqueue(delivery(oncall, 'resolve', 2, { now }), delivery(oncall, 'resolve', 2, { now, stream: 'lost' }));
  await settled();
  assert.deepEqual(
    seen.map(({ attempt: { ref } }) => ref),
    [undefined, { thread: '7' }, { thread: '9' }],
  );
  assert.deepEqual(found, ['lost key-of-lost']);
});

test('a look-up that fails is tried again, and nothing is told meanwhile', async () => {
  let asked = 0;
  const { clock, seen, enqueue, reports } = stage({
    providers: [oncall],
    script: () => arrived,
    type: {
      async find() {
        asked += 1;
        if (asked > 1) return { issue: '9' };
        throw new LookUpFailed({ is: 'rateLimited', afterMs: 20_000 });
      },
    },
  });
  enqueue(delivery(oncall, 'update', 2, { now: clock.now() }));
  await settled();
  assert.deepEqual([asked, seen.length, reports[0]?.failure?.class], [1, 0, 'rateLimited']);
  await clock.advance(20_000);
  assert.deepEqual([asked, seen[0]?.attempt.ref], [2, { issue: '9' }]);
});

test('a look-up that got no answer leaves nothing in doubt, since it told nothing', async () => {
  const failing = [
    new TransportError('Timeout', 'no answer', true),
    new LookUpFailed({ is: 'retryable', reason: 'HTTP 502', mayHaveArrived: true }),
  ];
  const { clock, reports, enqueue } = stage({
    providers: [oncall],
    script: () => arrived,
    type: {
      async find() {
        const error = failing.shift();
        if (error) throw error;
        return undefined;
      },
    },
  });
  enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
  await clock.advance(minute);
  assert.deepEqual(
    reports.map(({ ended, mayHaveArrived }) => `${ended} ${mayHaveArrived}`),
    ['pending false', 'pending false', 'delivered true'],
  );
});

test('an opening, startup summary or test that may have arrived is looked for before it is repeated, one that was refused is not', async () => {
  const found: string[] = [];
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { stream } }, all) => {
      if (all.length > 4) return arrived;
      if (stream !== 'refused') throw new TransportError('Timeout', 'no answer', true);
      return { is: 'retryable', reason: 'busy', code: 'ServerError', mayHaveArrived: false };
    },
    type: {
      async find({ delivery: { stream } }) {
        found.push(stream);
        return { issue: '9' };
      },
    },
  });
  const now = clock.now();
  enqueue(
    delivery(oncall, 'open', 1, { now, stream: 'unknown' }),
    delivery(oncall, 'open', 1, { now, stream: 'refused' }),
    delivery(oncall, 'startup', 1, { now, stream: 'summary' }),
    delivery(oncall, 'test', 1, { now, stream: 'test-1' }),
  );
  await clock.advance(minute);
  assert.deepEqual(found.toSorted(), ['summary', 'test-1', 'unknown']);
  assert.deepEqual(
    seen
      .slice(4)
      .map(
        ({
          attempt: {
            delivery: { stream },
            ref,
          },
        }) => [stream, ref],
      )
      .toSorted(),
    [
      ['refused', undefined],
      ['summary', { issue: '9' }],
      ['test-1', { issue: '9' }],
      ['unknown', { issue: '9' }],
    ],
  );
});

test('an opening is handed what the incident of the same problem before it left', async () => {
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { stream } }) => ({ is: 'delivered', ref: { issue: stream } }),
  });
  const now = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now, stream: 'first' }));
  await settled();
  enqueue(
    delivery(oncall, 'open', 1, { now, stream: 'second', previous: 'first' }),
    delivery(oncall, 'open', 1, { now, stream: 'third', previous: 'forgotten' }),
  );
  await settled();
  assert.deepEqual(
    seen.map(({ attempt: { before, ref } }) => [before, ref]),
    [
      [undefined, undefined],
      [{ issue: 'first' }, undefined],
      [undefined, undefined],
    ],
  );
});

test('nothing is begun while the lock is not held, and everything goes on after', async () => {
  const { clock, seen, dispatcher, enqueue } = stage({ providers: [oncall], script: () => arrived, paused: true });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await clock.advance(minute);
  assert.equal(seen.length, 0);
  dispatcher.resume();
  await settled();
  assert.equal(seen.length, 1);
  dispatcher.pause();
  enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
  await clock.advance(minute);
  assert.equal(seen.length, 1);
});

test('a product that refuses single messages works for the others: nine refusals delay nobody', async () => {
  const { clock, seen, view, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { stream } }) => (stream.startsWith('bad') ? refused : arrived),
  });
  for (let index = 0; index < 9; index += 1) {
    enqueue(delivery(oncall, 'open', 1, { now: clock.now(), stream: `bad-${index}` }));
    await clock.advance(1000);
  }
  assert.equal(view(oncall.ref).probing, false);
  const asked = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now: asked, stream: 'good' }));
  await settled();
  assert.deepEqual([seen.at(-1)?.stream, seen.at(-1)?.at], ['good', asked]);
});

test('refused credentials are a failure of the product, and its Secret’s change ends the probing', async () => {
  let works = false;
  const { clock, seen, dispatcher, view, enqueue } = stage({
    providers: [oncall],
    script: () => (works ? arrived : { is: 'permanent', reason: 'HTTP 401', credential: true }),
  });
  const now = clock.now();
  for (let index = 0; index < 6; index += 1) enqueue(delivery(oncall, 'open', 1, { now, stream: `s-${index}` }));
  await settled();
  assert.equal(view(oncall.ref).probing, true);
  works = true;
  dispatcher.providerChanged(oncall.ref);
  await settled();
  assert.deepEqual([view(oncall.ref).probing, seen.at(-1)?.at, view(oncall.ref).pending], [false, now, 0]);
});

test('a provider made anew under its name gets nothing that was meant for the old one, and none of its references', async () => {
  let up = true;
  const { clock, seen, reports, providers, dispatcher, view, enqueue } = stage({
    providers: [oncall],
    script: () => (up ? { is: 'delivered', ref: { thread: '1' } } : broken),
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await settled();
  up = false;
  enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
  await settled();
  const anew = provider('oncall', { uid: 'uid-anew', fallback: mail.ref });
  providers.set(anew.ref, anew);
  providers.set(mail.ref, mail);
  up = true;
  dispatcher.providerChanged(anew.ref);
  await clock.advance(minute);
  assert.deepEqual(
    reports.map(({ act, ended, failure, providerUid }) => [act, ended, failure?.code, providerUid]).at(-1),
    ['resolve', 'failed', 'ProviderDeleted', 'uid-oncall'],
  );
  enqueue(
    delivery(anew, 'open', 3, { now: clock.now() }),
    delivery(anew, 'resolve', 4, { now: clock.now(), stream: 'inc-2' }),
  );
  await clock.advance(minute);
  const later = seen.slice(-2);
  assert.deepEqual(
    later.map(({ act, attempt }) => [act, attempt.ref]),
    [
      ['open', undefined],
      ['resolve', undefined],
    ],
  );
  assert.deepEqual([view(anew.ref).delivered, view(anew.ref).failed], [2, 0]);
});

test('deleting a provider ends its deliveries; a suspended one keeps them', async () => {
  const held = provider('mail', { suspended: true });
  const { clock, reports, seen, providers, dispatcher, store, enqueue } = stage({
    providers: [oncall, held],
    script: () => arrived,
  });
  const now = clock.now();
  providers.delete(oncall.ref);
  enqueue(delivery(oncall, 'open', 1, { now }), delivery(held, 'open', 1, { now }));
  await clock.advance(60 * minute);
  assert.deepEqual(
    reports.map(({ ended, failure }) => [ended, failure?.code]),
    [['failed', 'ProviderDeleted']],
  );
  assert.equal(store.outbox().length, 1);
  providers.set(held.ref, mail);
  dispatcher.providerChanged(held.ref);
  await settled();
  assert.equal(seen.length, 1);
});

test('an opening that was refused for sure goes together with its resolve; where it may have arrived only its end is sent', async () => {
  for (const mayHaveArrived of [false, true]) {
    let up = false;
    const { clock, seen, reports, enqueue } = stage({
      providers: [oncall],
      script: () => (up ? arrived : { is: 'retryable', reason: 'HTTP 502', mayHaveArrived }),
    });
    enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
    await settled();
    enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
    up = true;
    await clock.advance(minute);
    assert.deepEqual(
      seen.map(({ act }) => act),
      mayHaveArrived ? ['open', 'resolve'] : ['open'],
    );
    assert.deepEqual(
      reports.slice(1).map(({ act, ended }) => `${act} ${ended}`),
      mayHaveArrived ? ['open dropped', 'resolve delivered'] : ['open dropped', 'resolve dropped'],
    );
  }
});

test('an opening that was under way when its incident ended is not tried again once it has failed', async () => {
  for (const mayHaveArrived of [false, true]) {
    const slow = gate();
    const { clock, seen, store, enqueue } = stage({
      providers: [oncall],
      script: (_, all) => (all.length === 1 ? slow.opened : arrived),
    });
    enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
    await settled();
    enqueue(delivery(oncall, 'update', 2, { now: clock.now() }), delivery(oncall, 'resolve', 3, { now: clock.now() }));
    slow.open({ is: 'retryable', reason: 'HTTP 502', mayHaveArrived });
    await clock.advance(10 * minute);
    assert.deepEqual(
      seen.map(({ act }) => act),
      mayHaveArrived ? ['open', 'resolve'] : ['open'],
    );
    assert.equal(store.outbox().length, 0);
  }
});

test('an opening that only some recipients got is told its end, whatever became of the others', async () => {
  const halves: readonly Outcome[] = [
    { is: 'permanent', reason: 'unknown number', credential: false, mayHaveArrived: true },
    { is: 'rateLimited', afterMs: 1_000, mayHaveArrived: true },
  ];
  for (const half of halves) {
    const { clock, seen, reports, enqueue } = stage({
      providers: [oncall],
      script: (_, all) => (all.length === 1 ? half : arrived),
    });
    enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
    await settled();
    assert.equal(reports[0]?.mayHaveArrived, true);
    enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
    await clock.advance(minute);
    assert.equal(seen.at(-1)?.act, 'resolve');
  }
});

test('an opening under way is not collapsed with its resolve', async () => {
  const slow = gate();
  const { clock, seen, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { act } }) => (act === 'open' ? slow.opened : arrived),
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await settled();
  enqueue(delivery(oncall, 'resolve', 2, { now: clock.now() }));
  slow.open(arrived);
  await settled();
  assert.deepEqual(
    seen.map(({ act }) => act),
    ['open', 'resolve'],
  );
});

test('stopping sends what is due, waits for what runs, and begins nothing after', async () => {
  const slow = gate();
  const { clock, seen, dispatcher, store, enqueue } = stage({
    providers: [oncall],
    script: ({ delivery: { stream } }) => (stream === 'slow' ? slow.opened : arrived),
  });
  const now = clock.now();
  enqueue(
    delivery(oncall, 'open', 1, { now, stream: 'slow' }),
    delivery(oncall, 'open', 1, { now, stream: 'evidence', notBefore: now + 5000 }),
  );
  await settled();
  let stopped = false;
  const stopping = dispatcher.stop(10_000).then(() => {
    stopped = true;
  });
  await settled();
  assert.deepEqual(
    seen.map(({ stream }) => stream),
    ['slow', 'evidence'],
  );
  assert.equal(stopped, false);
  slow.open(arrived);
  await settled();
  assert.equal(stopped, true);
  await stopping;
  enqueue(delivery(oncall, 'resolve', 2, { now }));
  await clock.advance(minute);
  assert.equal(seen.length, 2);
  assert.equal(store.outbox().length, 1);
});

test('stopping ends at its deadline when a provider hangs, and does not spin on a missing Secret', async () => {
  let asked = 0;
  const secrets: SecretSource = {
    async open(ref) {
      asked += 1;
      return ref === mail.ref ? { missing: 'Secret/tocsin/chat' } : { values: new Map(), version: '1' };
    },
  };
  const { clock, dispatcher, enqueue } = stage({
    providers: [oncall, mail],
    secrets,
    script: () => new Promise<Outcome>(() => undefined),
  });
  const now = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now }), delivery(mail, 'open', 1, { now }));
  await settled();
  let stopped = false;
  void dispatcher.stop(10_000).then(() => {
    stopped = true;
  });
  await clock.advance(9_999);
  assert.equal(stopped, false);
  await clock.advance(1);
  assert.equal(stopped, true);
  assert.ok(asked <= 3, `${asked} reads`);
});

test('a provider type that throws is a recorded failure, and its words are redacted everywhere', async () => {
  const { clock, reports, logged, enqueue, view } = stage({
    providers: [oncall],
    script: () => {
      throw new Error('cannot read https://u:hunter2@x of undefined');
    },
  });
  enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
  await settled();
  assert.equal(reports[0]?.failure?.code, 'Rejected');
  const everything = JSON.stringify([reports, view(oncall.ref), logged]);
  assert.ok(!everything.includes('hunter2'), everything);
  assert.ok(logged.length > 0);
});

test('attempts, failures, duration and the outbox are in the metrics', async () => {
  const { clock, metrics, enqueue } = stage({
    providers: [oncall, mail],
    script: ({ config }) => ((config as { name: string }).name === 'oncall' ? refused : broken),
  });
  const now = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now }), delivery(mail, 'open', 1, { now }));
  await clock.advance(2000);
  const text = await metrics.text();
  for (const line of [
    'tocsin_delivery_attempts_total{provider="AlertProvider/tocsin/oncall",type="scripted",outcome="permanent"} 1',
    'tocsin_delivery_failed_total{provider="AlertProvider/tocsin/oncall",type="scripted",reason="Rejected"} 1',
    'tocsin_delivery_queue_depth{provider="AlertProvider/tocsin/mail",type="scripted"} 1',
    'tocsin_delivery_oldest_seconds{provider="AlertProvider/tocsin/mail",type="scripted"} 2',
  ])
    assert.ok(text.includes(line), `${line}\n${text}`);
  assert.match(text, /tocsin_delivery_duration_seconds_count\{[^}]*oncall[^}]*\} 1/);
});

test('the view counts and remembers', async () => {
  let up = false;
  const { clock, view, enqueue } = stage({ providers: [oncall], script: () => (up ? arrived : broken) });
  const start = clock.now();
  enqueue(delivery(oncall, 'open', 1, { now: start }));
  await settled();
  const waiting = view(oncall.ref);
  assert.deepEqual(
    [waiting.pending, waiting.oldestPendingTime, waiting.failing, waiting.lastFailure?.code],
    [1, start, true, 'ServerError'],
  );
  up = true;
  await clock.advance(minute);
  const { delivered, failed, pending, failing, lastDelivery } = view(oncall.ref);
  assert.deepEqual([delivered, failed, pending, failing, lastDelivery?.attempts], [1, 0, 0, false, 2]);
});

test('an attempt that waits to be saved does not begin once the lock is lost or the process has ended', async () => {
  for (const end of ['lock', 'stop'] as const) {
    const saved = Promise.withResolvers<void>();
    const store = new MemoryStore();
    store.durable = () => saved.promise;
    const oncall = provider('oncall');
    let holds = true;
    const { enqueue, clock, dispatcher, seen } = stage({
      ...{ providers: [oncall], script: () => arrived, store, holdsLock: () => holds },
    });
    enqueue(delivery(oncall, 'open', 1, { now: clock.now() }));
    await clock.advance(1_000);
    if (end === 'lock') holds = false;
    else {
      const stopped = dispatcher.stop(5_000);
      await clock.advance(5_000);
      await stopped;
    }
    saved.resolve();
    await clock.advance(1_000);
    assert.deepEqual(seen, [], end);
    const [stored] = store.outbox();
    assert.deepEqual(
      [stored?.inFlight, stored?.mayHaveArrived],
      [false, false],
      'nothing was sent: the next process sends it',
    );
  }
});

test('an end for who wants none is not sent, takes what waits with it, and says nothing of the product', async () => {
  const quiet = provider('quiet');
  for (const mayHaveArrived of [false, true]) {
    const { clock, seen, reports, store, view, enqueue } = stage({
      providers: [quiet],
      script: () => ({ is: 'retryable', reason: 'HTTP 502', mayHaveArrived }),
    });
    enqueue(delivery(quiet, 'open', 1, { now: clock.now() }));
    await settled();
    enqueue(delivery(quiet, 'resolve', 2, { now: clock.now(), unsent: true }));
    await clock.advance(10 * minute);
    assert.deepEqual(
      seen.map(({ act }) => act),
      ['open'],
    );
    assert.deepEqual(
      reports.slice(1).map(({ act, ended }) => `${act} ${ended}`),
      ['open dropped', 'resolve dropped'],
    );
    assert.deepEqual(store.outbox(), []);
    assert.deepEqual([view(quiet.ref).delivered, view(quiet.ref).failing], [0, true]);
  }
});

test('an end for who wants none waits for the opening that is under way, and is not sent then', async () => {
  const quiet = provider('quiet');
  const slow = gate();
  const { clock, seen, reports, enqueue } = stage({ providers: [quiet], script: () => slow.opened });
  enqueue(delivery(quiet, 'open', 1, { now: clock.now() }));
  await settled();
  enqueue(delivery(quiet, 'resolve', 2, { now: clock.now(), unsent: true }));
  await settled();
  assert.deepEqual(reports, []);
  slow.open(arrived);
  await clock.advance(minute);
  assert.deepEqual(
    seen.map(({ act }) => act),
    ['open'],
  );
  assert.deepEqual(
    reports.map(({ act, ended }) => `${act} ${ended}`),
    ['open delivered', 'resolve dropped'],
  );
});

test('where a message is kept up to date, an end that is not wanted and a silent update are tried quietly', async () => {
  const quiet = provider('quiet', { sendResolved: false, silentUpdates: true });
  const incident = {
    id: 'inc-1',
    alertKey: 'k',
    revision: 1,
    status: 'open',
    reason: 'OOMKilled',
    root: 'Pod/a/b',
  } as const;
  const face = {
    ...incident,
    confidence: 'unknown',
    affected: { count: 0, sample: [] },
    pods: [],
    podCount: 0,
  } as const;
  const about = (act: Delivery['act'], more: object = {}): Notification => ({
    ...delivery(quiet, act, 1, { now: 0 }).notification,
    incident: { ...face, labels: {}, startedAt: 0, updatedAt: 0, ...more },
  });
  const { clock, seen, enqueue } = stage({
    providers: [quiet],
    script: () => ({ ...arrived, ref: { message: '1' } }),
    type: { edits: [] },
  });
  const acts = [
    ['open', {}],
    ['update', {}],
    ['update', { ring: true }],
    ['update', { previousSeverity: 'medium' }],
    ['resolve', {}],
  ] as const;
  for (const [index, [act, more]] of acts.entries()) {
    enqueue(delivery(quiet, act, index + 1, { now: clock.now(), notification: about(act, more) }));
    await clock.advance(minute);
  }
  assert.deepEqual(
    seen.map(({ act, attempt }) => `${act} ${attempt.quiet ?? false}`),
    ['open false', 'update true', 'update false', 'update false', 'resolve true'],
  );
});

test('a quiet act whose message nobody knows is told nowhere', async () => {
  const quiet = provider('quiet', { sendResolved: false });
  const { clock, seen, reports, enqueue } = stage({ providers: [quiet], script: () => arrived, type: { edits: [] } });
  enqueue(delivery(quiet, 'resolve', 1, { now: clock.now() }));
  await clock.advance(minute);
  assert.deepEqual(seen, []);
  assert.deepEqual(
    reports.map(({ ended }) => ended),
    ['delivered'],
  );
});
