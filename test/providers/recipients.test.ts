import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Outcome } from '../../src/model/delivery.ts';
import { phoneNumbers, senderOf, senderPattern, splitPhoneNumbers } from '../../src/providers/kit/phone.ts';
import { tellEach } from '../../src/providers/kit/recipients.ts';
import { TransportError } from '../../src/providers/provider.ts';
import { deliveryOf, notifications } from './notifications.ts';

describe('phone numbers', () => {
  const pattern = new RegExp(phoneNumbers.json.pattern ?? '');

  test('are taken as people write them, and sent as digits', () => {
    const lists: readonly [string, readonly string[]][] = [
      ['+14155550101', ['14155550101']],
      ['4915112345678', ['4915112345678']],
      [' +1 (415) 555-0101 , +49.151.1234 5678', ['14155550101', '4915112345678']],
      ['+14155550101,1 415 555 0101', ['14155550101']],
    ];
    for (const [list, numbers] of lists) {
      assert.match(list, pattern);
      assert.deepEqual(splitPhoneNumbers(list), numbers);
    }
  });

  test('that no product would take are refused when they are written', () => {
    const twentyOne = Array.from({ length: 21 }, (_, index) => `+1415555${1_000 + index}`).join(',');
    for (const list of [
      '',
      '0151 1234567',
      '+0049151',
      '1234',
      '+4915112345678901',
      'Lena',
      '+1415,',
      '+14155550101;+14155550102',
      '+14155550101<14155550102',
      twentyOne,
    ])
      assert.doesNotMatch(list, pattern);
  });
});

test('a sender is a number, a short code or a name', () => {
  const senders: readonly [string, ReturnType<typeof senderOf>][] = [
    ['+1 (415) 555-0100', { digits: '14155550100' }],
    ['38434', { digits: '38434' }],
    [' Tocsin ', { name: 'Tocsin' }],
    ['Ops 24', { name: 'Ops 24' }],
  ];
  for (const [from, sender] of senders) {
    assert.match(from, new RegExp(senderPattern));
    assert.deepEqual(senderOf(from), sender);
  }
  for (const from of ['', 'Twelve chars', 'whatsapp:+14155550100', 'Überwachung', '+1415555010012345'])
    assert.doesNotMatch(from, new RegExp(senderPattern));
});

describe('several recipients', () => {
  const delivery = deliveryOf(notifications.open);
  const { attemptKey: attempt } = delivery;
  const refused: Outcome = { is: 'permanent', reason: 'no such number', credential: false, code: 'Rejected' };
  /** Tells a, b and c; whoever is not in the script gets it. */
  async function tell(
    script: Readonly<Record<string, Outcome | TransportError>>,
    ref?: Readonly<Record<string, string>>,
  ): Promise<{ outcome: Outcome; asked: string }> {
    const asked: string[] = [];
    const outcome = await tellEach({ delivery, ...(ref && { ref }) }, ['a', 'b', 'c'], async (recipient) => {
      asked.push(recipient);
      const scripted = script[recipient] ?? { is: 'delivered' };
      if (scripted instanceof Error) throw scripted;
      return scripted;
    });
    return { outcome, asked: asked.join('') };
  }

  test('all get it, and nothing has to be remembered', async () => {
    assert.deepEqual(await tell({}), { outcome: { is: 'delivered' }, asked: 'abc' });
  });

  test('one who is refused keeps it from nobody, and the delivery fails', async () => {
    const { outcome, asked } = await tell({ b: refused });
    assert.equal(asked, 'abc');
    assert.deepEqual(outcome, {
      ...refused,
      reason: 'b: no such number',
      mayHaveArrived: true,
      ref: { attempt, done: 'a,c' },
    });
  });

  test('when nobody has it, it has not arrived', async () => {
    const { outcome } = await tell({ a: refused, b: refused, c: refused });
    assert.deepEqual(outcome, { ...refused, reason: 'a: no such number' });
  });

  test('one at whom the product fails keeps it from nobody, and is tried again alone', async () => {
    const failed: Outcome = { is: 'retryable', reason: 'status 77', code: 'ServerError', mayHaveArrived: false };
    const { outcome, asked } = await tell({ a: failed, b: refused });
    assert.equal(asked, 'abc');
    assert.deepEqual(outcome, { ...failed, reason: 'a: status 77', mayHaveArrived: true, ref: { attempt, done: 'c' } });
    const all = await tell({ a: refused, b: { ...failed, mayHaveArrived: true }, c: failed });
    assert.deepEqual(all.outcome, { ...failed, reason: 'b: status 77', mayHaveArrived: true });
  });

  test('three such errors in a row are those of the product: the others wait for the next attempt', async () => {
    const failed: Outcome = { is: 'retryable', reason: 'HTTP 500', code: 'ServerError', mayHaveArrived: false };
    const asked: string[] = [];
    const outcome = await tellEach({ delivery }, ['a', 'b', 'c', 'd', 'e', 'f'], async (recipient) => {
      asked.push(recipient);
      return recipient === 'b' ? { is: 'delivered' } : failed;
    });
    assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(outcome.ref, { attempt, done: 'b' });
  });

  test('what concerns all ends the attempt, and the next one is for those who have not got it', async () => {
    const ends: readonly (Outcome | TransportError)[] = [
      { is: 'rateLimited', afterMs: 5_000 },
      { is: 'retryable', reason: 'HTTP 408', code: 'Timeout', mayHaveArrived: false },
      { is: 'permanent', reason: 'HTTP 401', credential: true },
      new TransportError('Timeout', 'no whole answer', false),
    ];
    for (const end of ends) {
      const { outcome, asked } = await tell({ b: end });
      assert.equal(asked, 'ab');
      assert.ok(outcome.is !== 'delivered' && outcome.mayHaveArrived, 'a has it');
      assert.equal(outcome.is, 'is' in end ? end.is : 'retryable');
      assert.deepEqual(await tell({}, outcome.ref), { outcome: { is: 'delivered' }, asked: 'bc' });
    }
  });

  test('one who is refused is asked again with those who wait, so that the failure is not forgotten', async () => {
    const { outcome } = await tell({ a: refused, c: { is: 'rateLimited', afterMs: 1 } });
    assert.deepEqual(outcome.ref, { attempt, done: 'b' });
    const last = await tell({ a: refused }, outcome.ref);
    assert.equal(last.asked, 'ac');
    assert.equal(last.outcome.is, 'permanent');
  });

  test('what an earlier act kept is of no interest', async () => {
    assert.equal((await tell({}, { attempt: 'another', done: 'a,b,c' })).asked, 'abc');
  });

  test('an error of our own is not an answer', async () => {
    await assert.rejects(
      tellEach({ delivery }, ['a'], () => Promise.reject(new RangeError('a mistake'))),
      RangeError,
    );
  });
});
