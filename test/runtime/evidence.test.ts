import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Evidence, EvidenceRequest } from '../../src/model/turn.ts';
import { EvidenceFetcher, type ReadLog } from '../../src/runtime/evidence.ts';
import { settle, virtualClock } from '../kube/support/virtual-clock.ts';

const request = (incident: string, previous = true): EvidenceRequest => ({
  ...{ incident, pod: 'Pod/shop/api-1', container: 'app', previous, lines: 2 },
});

function stage(readLog: ReadLog = () => Promise.resolve('one\ntwo\n\nthree\n')) {
  const clock = virtualClock();
  const calls: { readonly at: number; readonly previous: boolean; readonly deadlineMs: number }[] = [];
  const found: Evidence[] = [];
  const failed: string[] = [];
  const start = clock.now();
  const fetcher = new EvidenceFetcher({
    readLog(asked) {
      calls.push({ at: clock.now() - start, previous: asked.previous, deadlineMs: asked.deadlineMs });
      return readLog(asked);
    },
    clock,
    found: (evidence) => found.push(evidence),
    failed: ({ incident }) => failed.push(incident),
  });
  return { clock, calls, found, failed, fetcher };
}

test('the last lines of the previous container, without empty ones, and where they are from', async () => {
  const { found, fetcher } = stage();
  fetcher.request(request('a'));
  await settle();
  assert.deepEqual(found, [
    { incident: 'a', source: 'last log lines of the previous container app in api-1', lines: ['two', 'three'] },
  ]);
});

test('lines are redacted as a whole and free of control characters', async () => {
  const key = '-----BEGIN PRIVATE KEY-----\nMIIabc\n-----END PRIVATE KEY-----';
  const { found, fetcher } = stage(() => Promise.resolve(`${key}\n\u001b[31mpassword=hunter22\u001b[0m\n`));
  fetcher.request({ ...request('a'), lines: 10 });
  await settle();
  assert.deepEqual(found[0]?.lines, ['***', 'password=***']);
});

test('a container that has not restarted is asked for its present log, within the same deadline', async () => {
  const { clock, calls, found, fetcher } = stage(({ previous }) =>
    previous
      ? new Promise((_, reject) => clock.after(2_000, () => reject(new Error('no previous container'))))
      : Promise.resolve('starting'),
  );
  fetcher.request(request('a'));
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

test('when neither can be had it is answered with nothing, and nobody is asked after the deadline', async () => {
  const { clock, calls, found, failed, fetcher } = stage(
    () => new Promise((_, reject) => clock.after(5_000, () => reject(new Error('no answer')))),
  );
  fetcher.request(request('a'));
  await clock.advance(5_000);
  await settle();
  assert.deepEqual([calls.length, found[0]?.lines, failed], [1, [], ['a']]);
});

test('five calls a second; what would come too late for its message is answered without a call', async () => {
  const { clock, calls, found, fetcher } = stage();
  for (let index = 0; index < 40; index += 1) fetcher.request(request(`i${index}`));
  await clock.advance(10_000);
  await settle();
  assert.deepEqual(
    calls.slice(0, 4).map(({ at }) => at),
    [0, 200, 400, 600],
  );
  assert.equal(calls.length, 25, 'five seconds long');
  assert.equal(found.length, 40, 'everybody is answered');
  assert.equal(found.filter(({ lines }) => lines.length === 0).length, 15);
});

test('once per incident in ten minutes, and at most 50 waiting; the rest is answered at once', async () => {
  const { clock, calls, found, fetcher } = stage();
  fetcher.request(request('a'));
  fetcher.request(request('a'));
  await settle();
  assert.equal(calls.length, 1);
  assert.equal(found.length, 2);
  await clock.advance(600_000);
  fetcher.request(request('a'));
  await settle();
  assert.equal(calls.length, 2);
  for (let index = 0; index < 60; index += 1) fetcher.request(request(`i${index}`));
  assert.equal(found.filter(({ lines }) => lines.length === 0).length, 11);
});

test('after a stop nobody is asked and no timer is left', async () => {
  const { clock, calls, fetcher } = stage();
  for (const incident of ['a', 'b', 'c']) fetcher.request(request(incident));
  fetcher.stop();
  fetcher.request(request('d'));
  await clock.advance(5_000);
  assert.deepEqual([calls.length, clock.pending()], [1, 0]);
});
