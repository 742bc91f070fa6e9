/** How an incident is told as an item of a tracker when attempts break off half-way: what no single answer of a product shows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Outcome, Reference } from '../../src/model/delivery.ts';
import type { Notification } from '../../src/model/notification.ts';
import { isMarked, marker } from '../../src/providers/kit/marker.ts';
import { type Item, type Tracker, tellTracker } from '../../src/providers/kit/tracker.ts';
import { LookUpFailed, TransportError } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';

const done: Outcome = { is: 'delivered' };
const broken: Outcome = { is: 'retryable', reason: 'HTTP 502', code: 'ServerError', mayHaveArrived: true };
const refused: Outcome = { is: 'permanent', reason: 'HTTP 400', code: 'Rejected', credential: false };
const lost = async (): Promise<never> => {
  throw new TransportError('Timeout', 'no answer', true);
};

/** A tracker that does everything at once, and writes down what it was asked; `own` replaces some of it. */
function stage(own: Partial<Tracker> = {}): {
  tell(notification: Notification, ref?: Reference, before?: Reference): Promise<Outcome>;
  asked(): readonly string[];
} {
  let said: string[] = [];
  const note =
    <A, T>(name: string, answer: (about: A) => Promise<T>) =>
    (about: A): Promise<T> => {
      said.push(about === undefined ? name : `${name} ${Object(about).item ?? about}`);
      return answer(about);
    };
  const wrap = <A>(name: string, given: ((about: A) => Promise<Outcome>) | undefined, usual: Outcome) =>
    note<A, Outcome>(name, given ?? (async () => usual));
  const tracker: Tracker = {
    create: wrap('create after', own.create, { is: 'delivered', ref: { item: 'new' } }),
    async comment(item) {
      said.push(`comment ${item.item}`);
      return own.comment ? own.comment(item) : done;
    },
    async find(sought) {
      said.push(`find ${sought}`);
      return own.find?.(sought);
    },
    restate: wrap('restate', own.restate, done),
    close: wrap('close', own.close, done),
    endTest: wrap('end', own.endTest, done),
    ...(own.reopen && { reopen: note('reopen', own.reopen) }),
  };
  const unused = () => Promise.reject(new Error('nothing is sent here'));
  return {
    async tell(notification, ref, before) {
      said = [];
      const delivery = deliveryOf(notification);
      const attempt = {
        notification,
        delivery,
        config: {},
        now: 0,
        send: unused,
        mail: { send: unused, check: unused },
      };
      return tellTracker({ ...attempt, ...(ref && { ref }), ...(before && { before }) }, tracker);
    },
    asked: () => said,
  };
}

const { open, update, resolve, reopen, startup, test: trial } = notifications;
const item: Item = { item: '7', url: 'https://x.example/7' };
const key = (notification: Notification): string => deliveryOf(notification).attemptKey;

test('an opening makes an item, and nothing when it is there already', async () => {
  const { tell, asked } = stage();
  for (const notification of [open, startup]) {
    assert.deepEqual(await tell(notification), { is: 'delivered', ref: { item: 'new' } });
    assert.deepEqual(asked().slice(-1), ['create after']);
    assert.deepEqual(await tell(notification, item), { is: 'delivered', ref: item });
    assert.deepEqual(asked(), []);
  }
});

test('an opening of a problem that was there before links the item of that time', async () => {
  const { tell, asked } = stage();
  await tell(notifications.open, undefined, { item: 'earlier' });
  assert.deepEqual(asked(), ['create after earlier']);
});

test('the summary of a start goes on in that of an earlier one, as long as it is open', async () => {
  const { tell, asked } = stage({ find: async () => item });
  assert.deepEqual(await tell(startup), { is: 'delivered', ref: item });
  assert.deepEqual(asked(), ['find alert', 'comment 7', 'restate 7']);
  const none = stage();
  await none.tell(startup);
  assert.deepEqual(none.asked(), ['find alert', 'create after']);
});

test('a summary that could not be told in that of an earlier start is told when it is tried again', async () => {
  for (const failing of [{ comment: async () => broken }, { restate: async () => broken }]) {
    const { tell, asked } = stage({ find: async () => item, ...failing });
    const outcome = await tell(startup);
    assert.deepEqual(outcome, broken);
    await tell(startup, outcome.ref);
    assert.deepEqual(asked().slice(0, 2), ['find alert', 'comment 7']);
  }
});

test('a server that fails at making an item may have it all the same', async () => {
  const { tell } = stage({ create: async () => ({ ...broken, mayHaveArrived: false }) });
  for (const notification of [open, startup, update, trial]) assert.deepEqual(await tell(notification), broken);
  const limited: Outcome = { is: 'rateLimited', afterMs: 1000 };
  assert.deepEqual(await stage({ create: async () => limited }).tell(open), limited);
});

test('later acts comment; what changes the item comes after, and is asked for alone when it has to be repeated', async () => {
  const steps = { update: 'restate', resolve: 'close', reopen: 'reopen' } as const;
  for (const notification of [update, resolve, reopen])
    for (const failure of [async () => broken, lost]) {
      const step = steps[notification.act === 'update' || notification.act === 'resolve' ? notification.act : 'reopen'];
      let well = false;
      const failing = async (): Promise<Outcome> => (well ? done : failure());
      const { tell, asked } = stage({ reopen: async () => done, [step]: failing });
      const outcome = await tell(notification, item);
      assert.equal(outcome.is, 'retryable');
      assert.deepEqual(outcome.ref, { ...item, told: key(notification) });
      assert.deepEqual(asked(), ['comment 7', `${step} 7`]);
      well = true;
      assert.deepEqual(await tell(notification, outcome.ref), { is: 'delivered', ref: item });
      assert.deepEqual(asked(), [`${step} 7`]);
    }
});

test('what an earlier delivery had told is no reason to be silent', async () => {
  const { tell, asked } = stage();
  assert.deepEqual(await tell(resolve, { ...item, told: key(update) }), { is: 'delivered', ref: item });
  assert.deepEqual(asked(), ['comment 7', 'close 7']);
});

test('resolved twice and reopened twice is told each time, of the one item, and is no error', async () => {
  const { tell, asked } = stage({ reopen: async () => done });
  let ref: Reference | undefined = item;
  for (const [notification, step] of [
    [resolve, 'close'],
    [resolve, 'close'],
    [reopen, 'reopen'],
    [reopen, 'reopen'],
  ] as const) {
    const outcome: Outcome = await tell(notification, ref);
    assert.deepEqual([outcome.is, asked()], ['delivered', ['comment 7', `${step} 7`]]);
    ref = outcome.ref;
    assert.deepEqual(ref, item);
  }
});

test('a close that is refused is told as such; another severity that is refused is not', async () => {
  const { tell } = stage({ close: async () => refused, restate: async () => refused });
  assert.deepEqual(await tell(resolve, item), { ...refused, ref: { ...item, told: key(resolve) } });
  assert.deepEqual(await tell(update, item), { is: 'delivered', ref: item });
});

test('an update of the same severity changes nothing but the comments', async () => {
  const { tell, asked } = stage();
  await tell({ ...update, severity: 'high' }, item);
  assert.deepEqual(asked(), ['comment 7']);
});

test('without a setting a reopening is a new item that goes on from the old one', async () => {
  const { tell, asked } = stage();
  assert.deepEqual(await tell(reopen, item), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['create after 7']);
});

test('a new item that may be there already is looked for before it is made again', async () => {
  for (const create of [async () => broken, lost]) {
    let made: Item | undefined;
    const { tell, asked } = stage({ create, find: async () => made });
    const outcome = await tell(reopen, item);
    assert.deepEqual(outcome.ref, { ...item, sought: key(reopen) });
    made = { item: '8' };
    assert.deepEqual(await tell(reopen, outcome.ref), { is: 'delivered', ref: made });
    assert.deepEqual(asked(), ['find opening']);
    made = undefined;
    await tell(reopen, outcome.ref);
    assert.deepEqual(asked(), ['find opening', 'create after 7']);
  }
});

test('an item that cannot be reopened where it is now is commented once, and a new one goes on from it', async () => {
  let well = false;
  const { tell, asked } = stage({
    reopen: async () => 'gone',
    create: async () => (well ? { is: 'delivered', ref: { item: 'new' } } : refused),
  });
  const outcome = await tell(reopen, item);
  assert.deepEqual(outcome, { ...refused, ref: { ...item, told: key(reopen) } });
  assert.deepEqual(asked(), ['comment 7', 'reopen 7', 'create after 7']);
  well = true;
  assert.deepEqual(await tell(reopen, outcome.ref), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['reopen 7', 'create after 7']);
});

test('an item that is gone is made anew, without a link to it; what is over is let be', async () => {
  const { tell, asked } = stage({ comment: async () => 'gone', reopen: async () => done });
  assert.deepEqual(await tell(update, item), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['comment 7', 'find alert', 'create after']);
  assert.deepEqual(await tell(reopen, item), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['comment 7', 'find alert', 'create after']);
  assert.deepEqual(await tell(resolve, item), { is: 'delivered' });
  assert.deepEqual(asked(), ['comment 7', 'find alert']);
});

test('an item that is gone but has a successor is told there', async () => {
  const { tell, asked } = stage({
    comment: async ({ item: id }) => (id === '7' ? 'gone' : done),
    find: async () => ({ item: '9' }),
  });
  assert.deepEqual(await tell(resolve, item), { is: 'delivered', ref: { item: '9' } });
  assert.deepEqual(asked(), ['comment 7', 'find alert', 'comment 9', 'close 9']);
});

test('an index that still holds what is gone leads to no loop', async () => {
  const { tell, asked } = stage({ comment: async () => 'gone', find: async () => item });
  assert.deepEqual(await tell(update, item), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['comment 7', 'find alert', 'create after']);
});

test('without any item an update makes one, a resolve none', async () => {
  const { tell, asked } = stage();
  await tell(update);
  assert.deepEqual(asked(), ['create after']);
  assert.deepEqual(await tell(resolve), done);
  assert.deepEqual(asked(), []);
});

test('a look-up that fails ends the attempt', async () => {
  const find = (): never => {
    throw new LookUpFailed({ is: 'rateLimited', afterMs: 1000 });
  };
  const { tell } = stage({ comment: async () => 'gone', find });
  await assert.rejects(tell(update, item), LookUpFailed);
});

test('a test makes an item and puts it away; one that was made is only put away', async () => {
  let well = false;
  const { tell, asked } = stage({ endTest: async () => (well ? done : broken) });
  const outcome = await tell(trial);
  assert.deepEqual(outcome, { ...broken, ref: { item: 'new' } });
  assert.deepEqual(asked(), ['create after', 'end new']);
  well = true;
  assert.deepEqual(await tell(trial, outcome.ref), { is: 'delivered', ref: { item: 'new' } });
  assert.deepEqual(asked(), ['end new']);
});

test('a marker is found as the last of a text, by its problem or by its opening', () => {
  const keys = { alertKey: 'abc123#2', attemptKey: '0011223344556677' };
  assert.equal(marker(keys), 'tocsin:abc123-2/00112233');
  const text = `quoted tocsin:ffff/00112233\n\n<!-- ${marker(keys)} -->`;
  assert.ok(isMarked(text, keys, 'alert') && isMarked(text, keys, 'opening'));
  assert.ok(isMarked(text, { ...keys, attemptKey: 'another' }, 'alert'));
  assert.ok(!isMarked(text, { ...keys, attemptKey: 'another' }, 'opening'));
  assert.ok(!isMarked(text, { ...keys, alertKey: 'ffff' }, 'alert'), 'a quotation');
  assert.ok(!isMarked(text, { ...keys, alertKey: 'abc123' }, 'alert'), 'the first of two with one key');
  for (const none of [undefined, null, 7, '', '<!-- -->']) assert.ok(!isMarked(none, keys, 'alert'));
});
