/** What is remembered of incidents that are over, and for how long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Incident } from '../../../src/model/incident.ts';
import type { Memo } from '../../../src/model/memo.ts';
import type { Notification } from '../../../src/model/notification.ts';
import { refOf } from '../../../src/model/ref.ts';
import { type Batch, emptyBatch } from '../../../src/model/turn.ts';
import { History, rememberedMs } from '../../../src/runtime/saving/history.ts';
import { incident, now, words } from '../../server/page-stage.ts';
import { noEffects } from '../helpers.ts';

const root = refOf('Deployment', 'shop', 'api');
const told: Notification['excerpt'] = { source: 'log of api-1', lines: ['FATAL no route to db'] };

const turn = (save: Partial<Batch>) => ({ ...noEffects, save: { ...emptyBatch, ...save } });
const created = (most?: number): History => new History({ words }, 'tocsin', most);

/** A message about an incident that quotes a log, to an AlertProvider of a namespace. */
function message(of: Incident, namespace: string): Batch['enqueue'][number] {
  const provider = refOf('AlertProvider', namespace, 'oncall');
  return {
    ...{ id: `d-${of.id}`, stream: of.id, alertKey: of.id, provider, providerUid: 'u', act: 'open', sequence: 1 },
    ...{ attemptKey: 'a', createdAt: now, notBefore: now },
    notification: { ...words(of), ...(told && { excerpt: told }) },
  };
}

/** From the first message to the end: what failed is healthy before it is over. Returns what is to be saved. */
function lived(history: History, one: Incident, { at = now, to = 'tocsin' } = {}): readonly Memo[] {
  const explanation = { ...one.explanation, confidence: 'unknown' as const, affected: [] };
  const ends = { ...one, explanation, clearSince: at - 60_000 };
  return [
    ...history.take(turn({ incidents: [one] }), at - 120_000),
    ...history.take(turn({ enqueue: [message(one, to)] }), at - 110_000),
    ...history.take(turn({ incidents: [{ ...ends, state: 'Recovering' }] }), at - 60_000),
    ...history.take(turn({ incidents: [{ ...ends, state: 'Resolved', resolvedAt: at }] }), at),
  ];
}

test('what is over is read about in the words of while it was open, with the log that was quoted', () => {
  const history = created();
  const one = incident('a', { root, hits: [refOf('Pod', 'shop', 'api-1')] });
  lived(history, one);
  const past = history.get('a');
  assert.equal(past?.words.lead, words(one).lead);
  assert.deepEqual(past?.words.excerpt, told);
  assert.equal(past?.incident.resolvedAt, now);
});

test('what fails again in another way is read about in the words of its last failure', () => {
  const history = created();
  const pulls = incident('a', { root });
  const crashes = { ...pulls, explanation: { ...pulls.explanation, reason: 'CrashLoopBackOff' as const } };
  history.take(turn({ incidents: [pulls] }), now - 240_000);
  history.take(turn({ incidents: [{ ...pulls, state: 'Recovering', clearSince: now - 200_000 }] }), now - 200_000);
  lived(history, crashes);
  const past = history.get('a');
  assert.notEqual(words(crashes).title, words(pulls).title);
  assert.equal(past?.words.title, words(crashes).title);
});

test('what only people of a namespace were told quotes nothing to others', () => {
  const history = created();
  lived(history, incident('a', { root }), { to: 'shop' });
  assert.equal(history.get('a')?.words.excerpt, undefined);
});

test('the next process remembers what was saved; what cannot be read is forgotten', () => {
  const history = created();
  const memos = lived(history, incident('a', { root }));
  assert.deepEqual(
    memos.map(({ key }) => key),
    ['a'],
  );
  const next = created();
  next.restore([...memos, { topic: 'history', key: 'b', value: 'AAAA' }, { topic: 'audit', key: 'c', value: 1 }], now);
  assert.deepEqual(next.get('a'), history.get('a'));
  assert.deepEqual(next.take(turn({}), now), [{ topic: 'history', key: 'b' }]);
});

test('it is found by object, reason, cause, namespace, time and text, each word of a search', () => {
  const history = created();
  lived(history, incident('a', { root, severity: 'critical' }));
  lived(history, incident('b', { root: refOf('Node', '', 'n1') }), { at: now + 1 });
  const found = (search: string): readonly string[] => history.find({ search }).map(({ id }) => id);
  assert.deepEqual(found(''), ['b', 'a'], 'what ended last is first');
  assert.deepEqual(found('deployment/shop/api'), ['a']);
  assert.deepEqual(found('object:n1'), ['b']);
  assert.deepEqual(found('reason:NODENOTREADY api'), ['a']);
  assert.deepEqual(found('namespace:shop'), ['a']);
  assert.deepEqual(found('"no route" fatal'), []);
  assert.deepEqual(found('FATAL route severity:critical'), ['a']);
  assert.deepEqual(
    history.find({ since: now + 1 }).map(({ id }) => id),
    ['b'],
  );
  assert.deepEqual(
    history.find({ until: now - 3_600_000 }).map(({ id }) => id),
    [],
  );
  assert.deepEqual(history.find({ state: 'open' }), []);
});

test('one that fails again is not over any more', () => {
  const history = created();
  const one = incident('a', { root });
  lived(history, one);
  assert.deepEqual(history.take(turn({ incidents: [one] }), now + 1), [{ topic: 'history', key: 'a' }]);
  assert.equal(history.get('a'), undefined);
});

test('what ended more than 30 days ago is forgotten, and what ended first where there are too many', () => {
  const history = created(2);
  for (const [index, id] of ['a', 'b', 'c'].entries()) lived(history, incident(id, { root }), { at: now + index });
  assert.deepEqual(
    history.find({}).map(({ id }) => id),
    ['c', 'b'],
  );
  assert.equal(history.oldest, now + 1);
  const forgotten = history.take(turn({}), now + 2 + rememberedMs);
  assert.deepEqual(
    forgotten.map(({ key, value }) => [key, value]),
    [['b', undefined]],
  );
});
