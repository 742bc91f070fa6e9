import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './support/eventually.ts';
import { sendJson, sendStatus } from './support/fake-api.ts';
import { bookmark, pod, podList, withHarness } from './support/reflector-harness.ts';

test('a watch asks for bookmarks and ends by itself after 300 to 600 s', () =>
  withHarness(async (harness) => {
    const randoms = [0, 0.999];
    harness.start({ random: () => randoms[0] ?? 0 });
    await eventually('it watches', () => harness.watches.length === 1);
    assert.equal(harness.watches[0]?.query.get('allowWatchBookmarks'), 'true');
    assert.equal(harness.watches[0]?.query.get('timeoutSeconds'), '300');
    randoms.shift();
    harness.watches[0]?.send('BOOKMARK', bookmark('11'));
    harness.watches[0]?.response.end();
    await eventually('it watches again', () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('timeoutSeconds'), '599');
  }));

test('the version advances on every event and bookmark', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    const versions = ['10'];
    const steps: [string, unknown, string][] = [
      ['ADDED', pod('a', '11'), '11'],
      ['MODIFIED', pod('a', '12'), '12'],
      ['DELETED', pod('a', '13'), '13'],
      ['BOOKMARK', bookmark('20'), '20'],
    ];
    for (const [index, [type, object, version]] of steps.entries()) {
      await eventually('it watches', () => harness.watches.length === index + 1);
      harness.watches[index]?.send(type, object);
      harness.watches[index]?.response.end();
      versions.push(version);
    }
    await eventually('it watches', () => harness.watches.length === 5);
    assert.deepEqual(
      harness.watches.map((watch) => watch.query.get('resourceVersion')),
      versions,
    );
    assert.deepEqual(told.events(), ['put shop/a', 'put shop/a', 'gone shop/a']);
    assert.equal(harness.lists().length, 1);
    assert.equal(told.reflector.stats().objects, 0);
  }));

test('a server that goes away: the version is kept, nothing is listed again, the watch is back within 5 s of it', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('a', '42'));
    await eventually('the event has come', () => told.events().length === 1);
    await harness.api.kill();
    await harness.passUntil('it is said', 10_000, () => told.states().at(-1) === 'Failing ConnectionLost');
    await harness.passUntil('a minute has passed', 60_000, () => false).catch(() => undefined);
    await harness.api.revive();
    const backMs = await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.ok(backMs <= 5_000);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '42');
    assert.equal(harness.lists().length, 1);
    await eventually('it is in sync', () => told.states().at(-1) === 'Watching Synced');
    assert.deepEqual(told.states(), [
      'Syncing InitialList',
      'Watching Synced',
      'Failing ConnectionLost',
      'Watching Synced',
    ]);
  }));

test('429 on the watch: the version is kept, Retry-After is obeyed, nothing is listed again', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    harness.onWatch = (_, response) => sendStatus(response, 429, 'TooManyRequests', 'no', { 'retry-after': '7' });
    harness.watches[0]?.send('BOOKMARK', bookmark('33'));
    harness.watches[0]?.response.end();
    await eventually('it is sent away', () => harness.watchRequests().length === 2);
    harness.onWatch = harness.open;
    await harness.clock.advance(6_900);
    assert.equal(harness.watches.length, 1);
    await harness.passUntil('it watches again', 1_200, () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '33');
    assert.equal(harness.lists().length, 1);
  }));

test('429 without Retry-After, also as an ERROR event: backs off, keeps the version', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    harness.watches[0]?.send('BOOKMARK', bookmark('33'));
    harness.watches[0]?.send('ERROR', { kind: 'Status', code: 429, reason: 'TooManyRequests' });
    await harness.passUntil('it watches again', 1_000, () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '33');
    assert.equal(harness.lists().length, 1);
  }));

test('a watch that ends within 1 s without events counts as an error, longer ones do not', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    await harness.clock.advance(1_500);
    harness.watches[0]?.response.end();
    await eventually('it watches again at once', () => harness.watches.length === 2);
    harness.onWatch = (_, response) => void response.end();
    harness.watches[1]?.response.end();
    // 0.4, 0.8, 1.6, 3.2, 6.4, 12.8 s with this random.
    await harness.passUntil('30 s have passed', 30_000, () => false).catch(() => undefined);
    const count = harness.watchRequests().length;
    assert.ok(count >= 6 && count <= 10, `${count} watches in 30 s`);
    assert.ok(harness.lists().length <= 2, 'listed again at most once, when there have been many');
  }));

test('other errors back off further and further, and a watch that lives resets that', () =>
  withHarness(async (harness) => {
    await harness.start().synced();
    harness.onWatch = (_, response) => sendStatus(response, 500, 'InternalError');
    await harness.clock.advance(2_000);
    harness.watches[0]?.response.end();
    // Half of 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30 and 30 s with this random.
    const slow = await harness.passUntil('the eighth error', 60_000, () => harness.watchRequests().length === 9);
    assert.ok(slow >= 40_000, `eight errors within ${slow} ms`);
    harness.onWatch = harness.open;
    await harness.passUntil('it watches again', 31_000, () => harness.watches.length === 2);
    harness.onWatch = (_, response) => sendStatus(response, 500, 'InternalError');
    await harness.clock.advance(11_000);
    const before = harness.watchRequests().length;
    harness.watches[1]?.response.end();
    await harness.passUntil('two errors soon', 3_000, () => harness.watchRequests().length === before + 2);
  }));

test('bookmarks 120 s apart keep a quiet watch alive: nothing is asked again', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    for (let n = 0; n < 5; n++) {
      await harness.clock.advance(120_000);
      harness.watches[0]?.send('BOOKMARK', bookmark(String(20 + n)));
      const now = harness.clock.now();
      await eventually('the bookmark has come', () => told.reflector.stats().lastSignOfLife === now);
    }
    const lists = harness.lists().filter(({ query }) => query.get('limit') !== '1');
    assert.deepEqual([harness.watches.length, lists.length], [1, 1], 'it is counted, and not listed');
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced']);
  }));

test('a watch that is accepted and never fed: after 180 s a list finds what it kept back, and the row says so', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('50', [pod('a', '42')]));
    await harness.clock.advance(179_000);
    assert.deepEqual([harness.watches.length, harness.lists().length], [1, 1]);
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    assert.equal(harness.lists()[1]?.query.toString(), 'limit=250', 'the newest state, not what a stale cache holds');
    assert.deepEqual(told.events(), ['put shop/a']);
    assert.equal(told.states().at(-1), 'Failing WatchSilent', 'an open watch alone is no proof');
    await eventually('the old connection is closed', () => harness.watches[0]?.response.destroyed === true);
    harness.watches[1]?.send('BOOKMARK', bookmark('51'));
    await told.synced();
    assert.deepEqual(told.states(), [
      'Syncing InitialList',
      'Watching Synced',
      'Failing WatchSilent',
      'Watching Synced',
    ]);
  }));

test('a silent watch is checked by a list in pages even where lists are streamed: streams may be what is broken', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    const told = harness.start();
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    harness.watches[0]?.send('BOOKMARK', bookmark('10', true));
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('50', [pod('a', '42')]));
    await harness.passUntil('it watches again', 190_000, () => harness.watches.length === 2);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '50');
    assert.deepEqual(told.events(), ['put shop/a']);
    harness.watches[1]?.send('ERROR', { kind: 'Status', code: 410, reason: 'Expired' });
    await harness.passUntil('the next list is streamed', 5_000, () => harness.watches.length === 3);
    assert.equal(harness.watches[2]?.query.get('sendInitialEvents'), 'true');
  }));

test('a deletion that a silent watch kept back is found too, and the row stays so while the watch stays silent', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendJson(response, 200, podList('10', [pod('a')]));
    const told = harness.start();
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('50', []));
    await harness.passUntil('it watches again', 190_000, () => harness.watches.length === 2);
    assert.deepEqual(told.events(), ['put shop/a', 'gone shop/a']);
    await harness.clock.advance(170_000);
    assert.equal(told.states().at(-1), 'Failing WatchSilent');
  }));

test('a kind that never changes on a server without bookmarks stays Watching: the list shows that nothing was missed', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendJson(response, 200, podList('10', [pod('a', '9')]));
    const told = harness.start();
    await told.synced();
    // The version of the list moves with what happens to other kinds.
    harness.onList = (_, response) => sendJson(response, 200, podList('5000', [pod('a', '9')]));
    for (let n = 2; n < 4; n++)
      await harness.passUntil('it watches again', 190_000, () => harness.watches.length === n);
    assert.equal(harness.lists().length, 3);
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced']);
  }));

test('what is no event keeps nothing alive and ends the watch', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    await harness.clock.advance(100_000);
    harness.watches[0]?.raw('\n\n');
    await harness.clock.advance(79_000);
    assert.equal(harness.watches.length, 1);
    harness.watches[0]?.raw('noise that is no event\n');
    await harness.passUntil('it is replaced', 1_000, () => harness.watches.length === 2);
    assert.equal(told.reflector.stats().malformedLines, 1);
  }));

test('a half-open server that takes requests and never answers is given up after the deadline, and probed', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.onWatch = () => undefined;
    harness.onReady = () => undefined;
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it is said', 60_000, () => told.states().at(-1) === 'Failing ConnectionLost');
    harness.onWatch = harness.open;
    harness.onReady = (_, response) => void response.end('ok');
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
  }));

test('a handler that throws is counted and logged, and the stream goes on', () =>
  withHarness(async (harness) => {
    harness.onList = (_, response) => sendJson(response, 200, podList('10', [pod('a')]));
    const names: string[] = [];
    const logged: string[] = [];
    const told = harness.start({
      onEvents(events) {
        for (const { raw } of events) names.push(raw.metadata.name);
        throw new Error('broken handler');
      },
      onCoverage() {
        throw new Error('broken listener');
      },
      log: (level, message) => logged.push(`${level} ${message}`),
    });
    await eventually('it watches', () => harness.watches.length === 1);
    harness.watches[0]?.send('ADDED', pod('b', '11'));
    harness.watches[0]?.send('ADDED', pod('c', '12'));
    await eventually('all events have come', () => names.length === 3);
    assert.deepEqual(names, ['a', 'b', 'c']);
    assert.ok(told.reflector.stats().handlerErrors >= 4);
    assert.ok(logged.includes('error onEvents failed; the watch goes on'));
    assert.equal(harness.watches.length, 1);
  }));

for (const line of [
  '{"type":"ADDED","obj',
  '[]',
  '{"type":"ADDED","object":{}}',
  '{"type":"NEW","object":{"metadata":{}}}',
])
  test(`a line that cannot be read ends the watch at once, and its event comes with the next one: ${line}`, () =>
    withHarness(async (harness) => {
      const logged: string[] = [];
      const told = harness.start({ log: (level, message) => logged.push(`${level} ${message}`) });
      await told.synced();
      const added = JSON.stringify({ type: 'ADDED', object: pod('a', '11') });
      const after = JSON.stringify({ type: 'ADDED', object: pod('c', '13') });
      harness.watches[0]?.raw(`${added}\n${line}\n${after}\n`);
      await harness.passUntil('it watches again', 1_000, () => harness.watches.length === 2);
      assert.equal(harness.watches[1]?.query.get('resourceVersion'), '11', 'from before the line');
      assert.equal(harness.lists().length, 1);
      harness.watches[1]?.send('ADDED', pod('b', '12'));
      harness.watches[1]?.send('ADDED', pod('c', '13'));
      await eventually('all events have come', () => told.events().length === 3);
      assert.deepEqual(told.events(), ['put shop/a', 'put shop/b', 'put shop/c']);
      assert.equal(told.reflector.stats().malformedLines, 1);
      assert.equal(logged.filter((text) => text.startsWith('warn a line of the watch')).length, 1);
    }));

test('a line that cannot be read the second time either: a list in pages puts right what was lost', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.onList = (_, response) => sendJson(response, 200, podList('20', [pod('a', '11')]));
    harness.watches[0]?.raw('{"type":"ADDED","obj\n');
    await harness.passUntil('it watches again', 1_000, () => harness.watches.length === 2);
    assert.equal(harness.lists().length, 1);
    harness.watches[1]?.raw('{"type":"ADDED","obj\n');
    await harness.passUntil('it has listed again', 2_000, () => harness.watches.length === 3);
    assert.equal(harness.lists()[1]?.query.toString(), 'limit=250');
    assert.deepEqual(told.events(), ['put shop/a']);
    assert.equal(told.reflector.stats().malformedLines, 2);
  }));

test('coverage is emitted on change of state only, with the time of the change', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    const started = harness.clock.now();
    await eventually('it watches', () => harness.watches.length === 1);
    for (let n = 0; n < 4; n++) {
      await harness.clock.advance(5_000);
      harness.watches[n]?.send('BOOKMARK', bookmark(String(20 + n)));
      harness.watches[n]?.response.end();
      await eventually('it watches again', () => harness.watches.length === n + 2);
    }
    assert.deepEqual(told.coverage, [
      { source: 'pods', kind: 'Pod', state: 'Syncing', reason: 'InitialList', since: started, required: false },
      { source: 'pods', kind: 'Pod', state: 'Watching', reason: 'Synced', since: started, required: false },
    ]);
  }));

test('a watch that is cut and back within 5 s changes no coverage', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.watches[0]?.send('BOOKMARK', bookmark('11'));
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    await harness.clock.advance(20_000);
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Watching Synced']);
  }));

test('403 while the server is not ready: tried again, never Denied', () =>
  withHarness(async (harness) => {
    harness.onReady = (_, response) => sendStatus(response, 500, 'InternalError');
    harness.onStreamingList = (_, response) => sendStatus(response, 403, 'Forbidden');
    harness.onList = harness.onStreamingList;
    const told = harness.start();
    await harness.passUntil('several refusals', 30_000, () => harness.api.seen.length >= 8);
    assert.ok(!told.states().includes('Denied Forbidden'));
    harness.onList = (_, response) => sendJson(response, 200, podList('10', []));
    await harness.passUntil('it watches', 11_000, () => harness.watches.length === 1);
  }));

test('403 three times in 30 s while the server is ready: Denied, tried again soon, then every 5 minutes, and back when granted', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = (_, response) => sendStatus(response, 403, 'Forbidden', 'pods is forbidden');
    harness.onList = harness.onStreamingList;
    const told = harness.start();
    await harness.passUntil('it is denied', 30_000, () => told.states().at(-1) === 'Denied Forbidden');
    const asked = (): number => harness.api.seen.filter((request) => request.path !== '/readyz').length;
    assert.equal(asked(), 3);
    // 30, 60, 120 and 240 s, then 300 s, each less up to a fifth.
    for (const [index, seconds] of [30, 60, 120, 240, 300, 300].entries()) {
      await harness.clock.advance(seconds * 790);
      assert.equal(asked(), 3 + index);
      await harness.passUntil('it asks again', seconds * 220, () => asked() === 4 + index);
      // The next wait counts from the answer, which a busy machine may bring late.
      await eventually('it is refused again', () => told.reflector.stats().failures === 4 + index);
    }
    assert.deepEqual(told.states(), ['Syncing InitialList', 'Denied Forbidden']);
    harness.onList = (_, response) => sendJson(response, 200, podList('10', []));
    await harness.passUntil('it watches', 300_000, () => told.states().at(-1) === 'Watching Synced');
    assert.deepEqual(told.states().slice(2), ['Watching Synced']);
    assert.equal(harness.watches.length, 1);
  }));

test('a resource that is not served says so and is tried again', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = (_, response) => sendStatus(response, 404, 'NotFound');
    harness.onList = harness.onStreamingList;
    const told = harness.start();
    await harness.passUntil('it is said', 10_000, () => told.states().at(-1) === 'NotServed NotServed');
    harness.onList = (_, response) => sendJson(response, 200, podList('10', []));
    await harness.passUntil('it watches', 31_000, () => harness.watches.length === 1);
  }));

test('stop ends the request under way, the waits and the timers', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    await told.reflector.stop();
    await eventually('the connection is closed', () => harness.watches[0]?.response.destroyed === true);
    assert.equal(harness.clock.pending(), 0);
    await harness.clock.advance(600_000);
    assert.equal(harness.watchRequests().length, 1);
  }));

test('a watch cut at random bytes, again and again, loses nothing and repeats no list', () => {
  let seed = 20_260_101;
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return seed / 2_147_483_648;
  };
  return withHarness(async (harness) => {
    // What happens in the cluster: 60 events, each with the next version.
    const log: { version: number; line: string; name: string; type: string }[] = [];
    const truth = new Map<string, string>();
    for (let version = 11; version <= 70; version++) {
      const name = `p${Math.floor(random() * 8)}`;
      const type = !truth.has(`shop/${name}`) ? 'ADDED' : random() < 0.4 ? 'DELETED' : 'MODIFIED';
      if (type === 'DELETED') truth.delete(`shop/${name}`);
      else truth.set(`shop/${name}`, `uid-${name}`);
      log.push({ version, name, type, line: `${JSON.stringify({ type, object: pod(name, String(version)) })}\n` });
    }
    harness.onWatch = (request, response) => {
      const from = Number(request.query.get('resourceVersion'));
      const body = Buffer.from(log.flatMap((entry) => (entry.version > from ? [entry.line] : [])).join(''));
      harness.open(request, response);
      const cutAt = Math.floor(random() * 600);
      if (cutAt >= body.length) {
        response.write(body);
        return;
      }
      response.write(body.subarray(0, cutAt), () => setTimeout(() => response.destroy(), 1));
    };
    const told = harness.start();
    await harness.passUntil('all events have come', 600_000, () => told.events().length >= log.length);
    assert.deepEqual(
      told.events(),
      log.map((entry) => `${entry.type === 'DELETED' ? 'gone' : 'put'} shop/${entry.name}`),
    );
    assert.deepEqual(told.world, truth);
    assert.ok(harness.watches.length > 5, 'it was cut several times');
    assert.equal(harness.lists().length, 1);
  }, random);
});
