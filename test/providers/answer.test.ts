import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readAnswer, retryAfterMs } from '../../src/providers/kit/answer.ts';
import { failureOfCode } from '../../src/providers/kit/codes.ts';
import type { Answer, Reading } from '../../src/providers/provider.ts';

function answer(status: number, headers: Answer['headers'] = {}, body = ''): Answer {
  const self: Answer = {
    status,
    headers,
    body,
    json: () => (body === '' ? undefined : JSON.parse(body)),
    outcome: (reading, ref) => readAnswer(self, reading, ref),
  };
  return self;
}

describe('the table of status classes', () => {
  const rows = [
    [200, { is: 'delivered' }],
    [204, { is: 'delivered' }],
    [301, { is: 'permanent', code: 'Rejected', credential: false }],
    [400, { is: 'permanent', code: 'Rejected', credential: false }],
    [401, { is: 'permanent', code: 'AuthFailed', credential: true }],
    [403, { is: 'permanent', code: 'AuthFailed', credential: true }],
    [404, { is: 'permanent', code: 'Rejected', credential: false }],
    [408, { is: 'retryable', code: 'Timeout', mayHaveArrived: false }],
    [410, { is: 'permanent', code: 'Rejected', credential: false }],
    [425, { is: 'retryable', code: 'ServerError', mayHaveArrived: false }],
    [429, { is: 'rateLimited', afterMs: 30_000 }],
    [500, { is: 'retryable', code: 'ServerError', mayHaveArrived: true }],
    [502, { is: 'retryable', code: 'ServerError', mayHaveArrived: true }],
    [503, { is: 'retryable', code: 'ServerError', mayHaveArrived: false }],
    [599, { is: 'retryable', code: 'ServerError', mayHaveArrived: true }],
  ] as const;
  for (const [status, expected] of rows)
    test(`${status} is ${expected.is}`, () => {
      const { reason: _reason, ...outcome } = { reason: '', ...readAnswer(answer(status)) };
      assert.deepEqual(outcome, expected);
    });
});

describe("a product's exceptions", () => {
  const reading: Reading = {
    errors: { 400: 'retryable', 409: 'delivered', 403: 'rateLimited', 503: 'permanent', 500: 'retryable' },
    failure: (given) =>
      given.body.includes('invalid_auth')
        ? { is: 'permanent', reason: 'invalid_auth', credential: true, code: 'AuthFailed' }
        : undefined,
  };
  test('a status may have another class', () => {
    const classes = [400, 409, 403, 503, 404].map((status) => readAnswer(answer(status), reading).is);
    assert.deepEqual(classes, ['retryable', 'delivered', 'rateLimited', 'permanent', 'permanent']);
  });

  test('an exception that agrees with the table keeps what the table knows', () => {
    const outcome = readAnswer(answer(500), reading);
    assert.ok(outcome.is === 'retryable' && outcome.mayHaveArrived);
  });

  test('an error inside of a 200 counts, and what it refers to is kept', () => {
    const outcome = readAnswer(answer(200, {}, '{"ok":false,"error":"invalid_auth"}'), reading, { ts: '1' });
    assert.deepEqual(outcome, {
      ref: { ts: '1' },
      is: 'permanent',
      reason: 'invalid_auth',
      credential: true,
      code: 'AuthFailed',
    });
    assert.deepEqual(readAnswer(answer(200), reading, { ts: '1' }), { ref: { ts: '1' }, is: 'delivered' });
  });

  test('a wait in the body is used where the product says so, up to 15 minutes', () => {
    const inBody: Reading = { retryAfterMs: ({ body }) => Number(body) };
    assert.deepEqual(readAnswer(answer(429, { 'retry-after': '1' }, '2500'), inBody), {
      is: 'rateLimited',
      afterMs: 2500,
    });
    assert.deepEqual(readAnswer(answer(429, {}, '99999999'), inBody), { is: 'rateLimited', afterMs: 900_000 });
  });
});

describe('Retry-After', () => {
  test('seconds', () => assert.equal(retryAfterMs({ 'retry-after': ' 120 ' }), 120_000));
  test('at most 15 minutes', () => assert.equal(retryAfterMs({ 'retry-after': '86400' }), 900_000));
  test('a date is read against the Date of the answer, whatever the clock here says', () => {
    const headers = { 'retry-after': 'Fri, 20 Nov 2026 09:01:00 GMT', date: 'Fri, 20 Nov 2026 09:00:30 GMT' };
    assert.equal(retryAfterMs(headers, 0), 30_000);
  });
  test('a date without a Date is read against now', () => {
    const headers = { 'retry-after': 'Fri, 20 Nov 2026 09:01:00 GMT' };
    assert.equal(retryAfterMs(headers, Date.parse('2026-11-20T09:00:50Z')), 10_000);
    assert.equal(retryAfterMs(headers), undefined);
  });
  test('a date in the past means now, and nonsense means nothing', () => {
    assert.equal(retryAfterMs({ 'retry-after': 'Fri, 20 Nov 2026 09:01:00 GMT' }, Date.parse('2027-01-01')), 0);
    for (const text of ['', 'soon', '-5'])
      assert.equal(retryAfterMs({ 'retry-after': text }, undefined), undefined, text);
  });
  test('a 503 that names a wait stays retryable and carries it', () => {
    const outcome = readAnswer(answer(503, { 'retry-after': '20' }));
    assert.ok(outcome.is === 'retryable' && outcome.afterMs === 20_000);
  });
});

describe('the reason people read', () => {
  const reason = (...given: Parameters<typeof answer>): string => {
    const outcome = readAnswer(answer(...given));
    return 'reason' in outcome ? outcome.reason : '';
  };
  test('quotes the first words of the body without control characters', () => {
    assert.equal(reason(400, {}, 'no\u001b[31m such\r\n channel'), 'HTTP 400: no such channel');
    assert.ok(reason(400, {}, 'x'.repeat(10_000)).length < 250);
  });
  test('leaves pages of HTML out', () => assert.equal(reason(502, {}, '<html>Bad gateway</html>'), 'HTTP 502'));
  test('names the host of a redirect and nothing else of it', () => {
    const text = reason(302, { location: 'https://login.example/a?token=T0KEN' });
    assert.match(text, /login\.example/);
    assert.doesNotMatch(text, /T0KEN/);
  });
  test('holds no password that the product echoes', () => {
    assert.doesNotMatch(reason(400, {}, '{"error":"bad","password":"hunter2hunter2"}'), /hunter2/);
  });
});

describe('a code that is a word like any other', () => {
  test('is said as it is, without advice that the table does not have', () => {
    const failure = failureOfCode(answer(400), 'constructor', new Map([['constructor', 'refused']]), {
      other: 'mend it',
    });
    assert.deepEqual(failure, {
      is: 'permanent',
      reason: 'HTTP 400: constructor',
      credential: false,
      code: 'Rejected',
    });
  });
});
