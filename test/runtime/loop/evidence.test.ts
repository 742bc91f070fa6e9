import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../src/kube/api-client.ts';
import type { Evidence, EvidenceRequest } from '../../../src/model/turn.ts';
import { EvidenceFetcher, type ReadLog } from '../../../src/runtime/loop/evidence.ts';
import { settle, virtualClock } from '../../kube/support/virtual-clock.ts';

const run = { pod: 'Pod/shop/api-1', uid: 'u', container: 'app', ended: true } as const;
const request = (attempt = 4): EvidenceRequest => ({ ...run, attempt, previous: true, lines: 2 });

function stage(readLog: ReadLog = () => Promise.resolve('one\ntwo\n\nthree\n')) {
  const clock = virtualClock();
  const calls: { readonly at: number; readonly previous: boolean; readonly deadlineMs: number }[] = [];
  const found: Evidence[] = [];
  const failed: number[] = [];
  const start = clock.now();
  const fetcher = new EvidenceFetcher({
    readLog(asked) {
      calls.push({ at: clock.now() - start, previous: asked.previous, deadlineMs: asked.deadlineMs });
      return readLog(asked);
    },
    clock,
    found: (evidence) => found.push(evidence),
    failed: ({ attempt }) => failed.push(attempt),
  });
  return { clock, calls, found, failed, fetcher };
}

test('the last lines of the run that ended, without empty ones, and where they are from', async () => {
  const { found, fetcher } = stage();
  fetcher.request(request());
  await settle();
  assert.deepEqual(found, [
    { ...run, attempt: 4, source: 'last log lines of the previous container app in api-1', lines: ['two', 'three'] },
  ]);
});

test('lines are redacted as a whole and free of control characters', async () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----';
  const { found, fetcher } = stage(() => Promise.resolve(`${key}\n\u001b[31mpassword=hunter22\u001b[0m\n`));
  fetcher.request({ ...request(), lines: 10 });
  await settle();
  assert.deepEqual(found[0]?.lines, ['***', 'password=***']);
});

for (const status of [400, 404])
  test(`where there is no run before the present one (${status}), its present log is read within the same deadline`, async () => {
    const { clock, calls, found, fetcher } = stage(({ previous }) =>
      previous
        ? new Promise((_, reject) =>
            clock.after(2_000, () => reject(new ApiError(status, 'BadRequest', 'no such run'))),
          )
        : Promise.resolve('starting'),
    );
    fetcher.request(request());
    await clock.advance(2_000);
    await settle();
    assert.deepEqual(
      calls.map(({ previous, deadlineMs }) => [previous, deadlineMs]),
      [
        [true, 5_000],
        [false, 3_000],
      ],
    );
    assert.match(found[0]?.source ?? '', /of the container app/);
  });

test('any other failure is answered with nothing, and nobody is asked again', async () => {
  const { calls, found, failed, fetcher } = stage(() => Promise.reject(new ApiError(403, 'Forbidden', 'no')));
  fetcher.request(request());
  await settle();
  assert.deepEqual([calls.length, found[0]?.lines, failed], [1, [], [4]]);
});

test('a burst of ten at once, then five calls a second; everybody is answered', async () => {
  const { clock, calls, found, fetcher } = stage();
  for (let attempt = 0; attempt < 40; attempt += 1) fetcher.request(request(attempt));
  await clock.advance(10_000);
  await settle();
  assert.deepEqual(
    calls.slice(8, 13).map(({ at }) => at),
    [0, 0, 200, 400, 600],
  );
  assert.deepEqual([calls.length, found.length], [40, 40]);
  assert.ok(found.every(({ lines }) => lines.length > 0));
});

test('a hundred requests at once: never more than ten calls under way', async () => {
  let [inFlight, most] = [0, 0];
  const { clock, calls, found, fetcher } = stage(() => {
    inFlight += 1;
    most = Math.max(most, inFlight);
    return new Promise((resolve) =>
      clock.after(4_000, () => {
        inFlight -= 1;
        resolve('slow');
      }),
    );
  });
  for (let attempt = 0; attempt < 100; attempt += 1) fetcher.request(request(attempt));
  for (let second = 0; second < 60; second += 1) {
    await clock.advance(1_000);
    await settle();
  }
  assert.equal(most, 10);
  assert.equal(found.length, 100, 'everybody is answered');
  assert.equal(found.filter(({ lines }) => lines.length > 0).length, calls.length);
  assert.ok(
    calls.every(({ at }) => at < 30_000),
    'what would come too late is answered without a call',
  );
});

test('at most a hundred wait; what comes beyond is answered at once with nothing', () => {
  const { found, fetcher } = stage(() => new Promise(() => undefined));
  for (let attempt = 0; attempt < 120; attempt += 1) fetcher.request(request(attempt));
  assert.equal(found.length, 10);
});

test('one namespace that brings more than can be read costs no other a log: each is read by turns', async () => {
  const { clock, found, fetcher } = stage(() => new Promise((resolve) => clock.after(50, () => resolve('why'))));
  const ask = (namespace: string, attempt: number) =>
    fetcher.request({ ...request(attempt), pod: `Pod/${namespace}/p-${attempt}` });
  for (let attempt = 0; attempt < 120; attempt += 1) ask('team-a', attempt);
  for (let second = 0; second < 60; second += 1) {
    for (let n = 0; n < 5; n += 1) ask('team-a', 1_000 + second * 5 + n);
    if (second % 10 === 0) ask('shop', second);
    await clock.advance(1_000);
    await settle();
    if (second % 10 !== 0) continue;
    const last = found.findLast(({ pod }) => pod.startsWith('Pod/shop/'));
    assert.deepEqual([last?.attempt, last?.lines], [second, ['why']], 'read within a second');
  }
});

test('after a stop nobody is asked and no timer is left', async () => {
  const { clock, calls, fetcher } = stage();
  for (let attempt = 0; attempt < 30; attempt += 1) fetcher.request(request(attempt));
  fetcher.stop();
  fetcher.request(request(30));
  await clock.advance(5_000);
  assert.deepEqual([calls.length, clock.pending()], [10, 0]);
});
