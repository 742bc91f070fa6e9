import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from './support/eventually.ts';
import { sendJson, sendStatus } from './support/fake-api.ts';
import { bookmark, type Harness, pod, podList, withHarness } from './support/reflector-harness.ts';

/** Refuses every watch, streaming lists too, and lists `a` at a version of its own. */
function refuse(harness: Harness, code: number): void {
  harness.onWatch = (_, response) => sendStatus(response, code, 'Whatever');
  harness.onStreamingList = harness.onWatch;
  harness.onList = (_, response) => sendJson(response, 200, podList('50', [pod('a', '42')]));
}

for (const code of [400, 409, 418, 500, 501, 503])
  test(`a watch that is refused with ${code}, and with it every stream: what there is is listed within 30 s`, () =>
    withHarness(async (harness) => {
      const told = harness.start();
      await told.synced();
      refuse(harness, code);
      harness.watches[0]?.response.destroy();
      await harness.passUntil('it is listed', 30_000, () => told.events().includes('put shop/a'));
      harness.onWatch = harness.open;
      await harness.passUntil('it watches again', 35_000, () => harness.watches.length === 2);
      assert.equal(harness.watches[1]?.query.get('resourceVersion'), '50');
      await told.synced();
    }));

test('a server that streams lists and then refuses every watch with 500 is listed in pages within 30 s', () =>
  withHarness(async (harness) => {
    harness.onStreamingList = harness.open;
    const told = harness.start();
    await eventually('the streaming list is open', () => harness.watches.length === 1);
    harness.watches[0]?.send('BOOKMARK', bookmark('10', true));
    await told.synced();
    refuse(harness, 500);
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it is listed', 60_000, () => told.events().includes('put shop/a'));
  }));

test('a version that the server does not know, as no number is one, is forgotten: the list is of the newest state', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('a', 'abc'));
    await eventually('the event has come', () => told.events().length === 1);
    const judge = harness.open;
    harness.onWatch = (request, response) =>
      request.query.get('resourceVersion') === 'abc'
        ? sendStatus(response, 400, 'BadRequest', 'invalid resource version')
        : judge(request, response);
    harness.onList = (request, response) =>
      request.query.get('resourceVersion') === 'abc'
        ? sendStatus(response, 400, 'BadRequest', 'invalid resource version')
        : sendJson(response, 200, podList('60', [pod('a', '55'), pod('b', '56')]));
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it watches again', 10_000, () => harness.watches.length === 2);
    assert.deepEqual([...told.world.keys()], ['shop/a', 'shop/b']);
    assert.equal(harness.watches[1]?.query.get('resourceVersion'), '60');
  }));

test('refused from the version of the list as well: the second list asks for the newest state, and lists go on', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    refuse(harness, 500);
    harness.watches[0]?.response.destroy();
    const lists = (): string[] => harness.lists().map(({ query }) => query.toString());
    await harness.passUntil('it is listed thrice', 240_000, () => lists().length === 4);
    assert.deepEqual(lists().slice(1, 3), ['resourceVersion=10', 'limit=250']);
    await harness.passUntil('and again', 240_000, () => lists().length === 5);
    assert.deepEqual(told.world, new Map([['shop/a', 'uid-a']]));
  }));

test('lists that stand in for a watch that is refused do not end the trouble: it has one begin', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    refuse(harness, 500);
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it is said', 30_000, () => told.states().at(-1) === 'Failing ServerError');
    const { since } = told.coverage.at(-1) ?? {};
    await harness.passUntil('it is listed twice more', 240_000, () => harness.lists().length === 4);
    assert.deepEqual([told.states().at(-1), told.coverage.at(-1)?.since], ['Failing ServerError', since]);
  }));

test('watches that are accepted and end at once, again and again, are listed for and not taken for watching', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    refuse(harness, 500);
    harness.onWatch = (_, response) => void response.end();
    harness.watches[0]?.response.destroy();
    await harness.passUntil('it is listed', 240_000, () => told.events().includes('put shop/a'));
    await harness.passUntil('it is said', 60_000, () => told.states().at(-1) === 'Failing ServerError');
    const { since } = told.coverage.at(-1) ?? {};
    const before = harness.watchRequests().length;
    await harness.passUntil('more of them', 240_000, () => harness.watchRequests().length > before + 2);
    assert.equal(told.coverage.at(-1)?.since, since);
    harness.onWatch = harness.open;
    await harness.passUntil('it watches', 60_000, () => harness.watches.length === 2);
    harness.watches[1]?.send('BOOKMARK', bookmark('70'));
    await told.synced();
  }));

test('Retry-After of ten years is waited for 30 s at most, by lists and by watches', () =>
  withHarness(async (harness) => {
    const forTenYears = { 'retry-after': String(10 * 365 * 86_400) };
    harness.onList = (_, response) => sendStatus(response, 429, 'TooManyRequests', 'no', forTenYears);
    const told = harness.start();
    await eventually('it is sent away', () => harness.lists().length === 1);
    harness.onList = (_, response) => sendJson(response, 200, podList('10', []));
    await harness.passUntil('it watches', 31_500, () => harness.watches.length === 1);
    await told.synced();
    harness.onWatch = (_, response) => sendStatus(response, 429, 'TooManyRequests', 'no', forTenYears);
    harness.watches[0]?.send('BOOKMARK', bookmark('33'));
    harness.watches[0]?.response.end();
    await eventually('it is sent away', () => harness.watchRequests().length === 2);
    harness.onWatch = harness.open;
    await harness.passUntil('it watches again', 31_500, () => harness.watches.length === 2);
  }));

/** A watch that is fed bookmarks and nothing else for so many minutes. */
async function bookmarksFor(harness: Harness, minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    for (let step = 0; step < 12; step++) await harness.clock.advance(5_000);
    harness.watches.at(-1)?.send('BOOKMARK', bookmark(String(100 + minute)));
  }
}
const wholeLists = (harness: Harness): number =>
  harness.lists().filter(({ query }) => query.get('limit') !== '1').length;

test('a watch whose bookmarks come and whose events are swallowed: a count finds it, and a list what was kept back', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.onList = (request, response) => {
      const counted = podList('90', [pod('a', '42')], { continue: 'more', remainingItemCount: 1 });
      const whole = podList('90', [pod('a', '42'), pod('b', '43')]);
      sendJson(response, 200, request.query.get('limit') === '1' ? counted : whole);
    };
    await bookmarksFor(harness, 12);
    assert.deepEqual([...told.world.keys()], ['shop/a', 'shop/b']);
    assert.deepEqual([wholeLists(harness), harness.watches.length], [2, 2], 'once');
    assert.equal(told.states().at(-1), 'Watching Synced');
  }));

test('a server that has as many objects as its watch told of is not listed again, nor is one that counts nothing', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    harness.watches[0]?.send('ADDED', pod('a', '42'));
    await eventually('it has come', () => told.events().length === 1);
    harness.onList = (_, response) => sendJson(response, 200, podList('90', [pod('a', '42')]));
    await bookmarksFor(harness, 12);
    // An extension API server: there is more, it does not say how much.
    harness.onList = (_, response) => sendJson(response, 200, podList('90', [pod('z', '42')], { continue: 'more' }));
    await bookmarksFor(harness, 12);
    harness.onList = (_, response) => sendStatus(response, 500, 'InternalError');
    await bookmarksFor(harness, 12);
    assert.equal(wholeLists(harness), 1);
    assert.ok(harness.lists().length >= 4, 'it was counted');
    assert.equal(harness.watches.length, 1);
  }));

test('a count that differs once, as where Pods come and go, is made again before it is believed', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    let counts = 0;
    harness.onList = (_, response) =>
      sendJson(response, 200, podList('90', counts++ === 0 ? [pod('brief', '41')] : []));
    await bookmarksFor(harness, 12);
    assert.deepEqual([counts, wholeLists(harness)], [2, 1]);
  }));

test('of one object nothing older is believed within a watch; versions that are no numbers cannot be compared', () =>
  withHarness(async (harness) => {
    const told = harness.start();
    await told.synced();
    const watch = harness.watches[0];
    const names = (): string[] =>
      told.batches.flat().map(({ raw }) => `${raw.metadata.name} ${raw.metadata.resourceVersion}`);
    watch?.send('MODIFIED', pod('a', '100'));
    watch?.send('ADDED', pod('a', '99'));
    watch?.send('ADDED', pod('b', '98'));
    watch?.send('DELETED', pod('b', '102'));
    watch?.send('MODIFIED', pod('b', '101'));
    watch?.send('MODIFIED', pod('c', 'xyz'));
    watch?.send('MODIFIED', pod('c', 'abc'));
    watch?.send('ADDED', pod('b', '97', 'another-uid'));
    watch?.send('BOOKMARK', bookmark('103'));
    await eventually('all has come', () => names().length >= 6);
    assert.deepEqual(names(), ['a 100', 'b 98', 'b 102', 'c xyz', 'c abc', 'b 97']);
    assert.equal(told.reflector.stats().objects, 1, 'what does not count is not counted');
    // Storage that was set back begins lower, and its watches with it.
    watch?.response.end();
    await harness.passUntil('it watches again', 5_000, () => harness.watches.length === 2);
    harness.watches[1]?.send('MODIFIED', pod('a', '7'));
    await eventually('it is believed', () => names().at(-1) === 'a 7');
  }));
