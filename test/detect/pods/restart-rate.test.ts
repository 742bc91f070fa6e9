import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { at, cronJob, ended, job, node, pod, stamp, status, workload } from '../../world/objects.ts';
import { story } from '../../world/story.ts';

const ref = 'Deployment/shop/api';
const owner = { kind: 'ReplicaSet', name: 'api-1' };
const shop = (replicas = 1): RawObject[] => [
  node('n1'),
  workload('Deployment', 'api', { replicas, createdAt: at(-900) }),
  workload('ReplicaSet', 'api-1', { replicas, createdAt: at(-900), owner: { kind: 'Deployment', name: 'api' } }),
];

/** A Pod of an old Deployment that has been restarted so often, the last time at an instant, after it had run for 50 min. */
const restarted = (restartCount: number, when: number, name = 'api-a'): RawObject =>
  pod(name, {
    ...{ owner, createdAt: at(-900) },
    statuses: [
      status('api', {
        ...{ restartCount, lastState: ended(when - 3_000_000, when, 143) },
        state: { running: { startedAt: stamp(when) } },
      }),
    ],
  });

/** Minutes of days and hours. */
const hours = (day: number, hour: number): number => (day * 24 + hour) * 60;

test('P4 fires: five restarts within 24 h, whatever the count was before', () => {
  const { put, found, finding, says } = story('Pro');
  put(at(0), ...shop(), restarted(400, at(-600)));
  for (const index of [1, 2, 3, 4]) put(at(index * 60), restarted(400 + index, at(index * 60)));
  assert.deepEqual(found(), []);
  put(at(300), restarted(405, at(300)));
  assert.deepEqual(found(), [`${ref} HighRestartCount`]);
  assert.equal(finding(ref, 'HighRestartCount').severity, 'low');
  assert.equal(says(ref, 'HighRestartCount'), 'Its containers were restarted 5 times in 24 hours.');
});

test('P4 is quiet: what is usual for it, Nodes that are started anew, a boot, and without a licence', () => {
  const usual = story('Pro');
  usual.put(at(0), ...shop(), restarted(0, at(-600)));
  usual.world.expire(at(0));
  let count = 0;
  const restart = (day: number, hour: number): void => {
    const when = at(hours(day, hour));
    usual.wait(when);
    usual.world.expire(when);
    count += 1;
    usual.put(when, restarted(count, when));
  };
  for (let day = 0; day < 6; day += 1) for (const hour of [0, 4, 8, 12, 16, 20]) restart(day, hour);
  for (let hour = 0; hour < 20; hour += 4) restart(6, hour);
  assert.deepEqual(usual.found(), [], 'six a day');
  for (const minute of [1, 2, 3, 4, 5]) {
    const when = at(hours(6, 20) + minute * 10);
    count += 1;
    usual.put(when, restarted(count, when));
  }
  assert.deepEqual(usual.found(), [`${ref} HighRestartCount`], 'but not twelve');
  assert.match(usual.says(ref, 'HighRestartCount'), /; 6 a day is usual\.$/);

  const names = ['a', 'b', 'c', 'd', 'e', 'f'].map((each) => `api-${each}`);
  const reboot = story('Pro');
  reboot.put(at(0), ...shop(6), ...names.map((name) => restarted(0, at(-600), name)));
  reboot.put(at(10), ...names.map((name) => restarted(1, at(10), name)));
  const boot = story('Pro');
  const fresh = (restartCount: number): RawObject =>
    pod('api-a', { owner, statuses: [status('api', { restartCount })] });
  boot.put(at(0), ...shop(), fresh(0));
  for (const minute of [1, 2, 3, 4, 5, 6]) boot.put(at(minute), fresh(minute));
  const free = story();
  free.put(at(0), ...shop(), restarted(0, at(-600)));
  for (const index of [1, 2, 3, 4, 5]) free.put(at(index * 60), restarted(index, at(index * 60)));
  assert.deepEqual([reboot.found(), boot.found(), free.found()], [[], [], []]);
});

test('P4 clears: fewer than five within the last 24 h', () => {
  const { put, found, wait, world } = story('Pro');
  put(at(0), ...shop(), restarted(0, at(-600)));
  for (const index of [1, 2, 3, 4, 5]) put(at(index * 60), restarted(index, at(index * 60)));
  world.expire(at(hours(1, 1) - 1));
  wait(at(hours(1, 1) - 1));
  assert.equal(found().length, 1);
  world.expire(at(hours(1, 1)));
  wait(at(hours(1, 1)));
  assert.deepEqual(found(), []);
});

test('W15 is quiet: ten runs of the week took as long, although their Jobs are gone', () => {
  const run = (name: string, began: number, seconds?: number): RawObject =>
    job(name, {
      ...{ createdAt: began, owner: { kind: 'CronJob', name: 'report', apiVersion: 'batch/v1' } },
      status: {
        ...(seconds === undefined ? { active: 1 } : { completionTime: stamp(began + seconds * 1000), succeeded: 1 }),
        startTime: stamp(began),
      },
    });
  const longest = (edition: 'Pro' | 'Community') => {
    const told = story(edition);
    told.put(at(0), cronJob('report'));
    for (let index = 0; index < 10; index += 1) {
      const began = at(index * 600);
      told.wait(began);
      told.put(began, run(`report-${index}`, began));
      told.put(began + 5 * 3_600_000, run(`report-${index}`, began, 5 * 3600));
      told.gone(began + 5 * 3_600_000, run(`report-${index}`, began, 5 * 3600));
    }
    told.put(at(6000), run('report-x', at(6000)));
    told.wait(at(6000 + 14 * 60));
    return told;
  };
  const isLong = ({ found }: ReturnType<typeof story>) => found().some((each) => each.endsWith('JobRunningLong'));
  assert.equal(isLong(longest('Community')), true);
  const known = longest('Pro');
  assert.equal(isLong(known), false);
  known.wait(at(6000 + 15 * 60));
  assert.equal(isLong(known), true);
});
