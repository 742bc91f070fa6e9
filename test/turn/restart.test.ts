import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { DeadLetter, Saved } from '../../src/model/store.ts';
import { isOfCluster } from '../../src/runtime/saving/restored.ts';
import { provider } from '../delivery/stage.ts';
import { toldTo } from '../incident/helpers.ts';
import { at, crashing, healthy, instant, life, nextLife, objects, settingsOf, source, withoutPods } from './lives.ts';

/** A process that told of the crash loop of `api` and was killed at 300 s. */
function toldOfApi(): Saved {
  const before = life();
  before.start(0, settingsOf(), objects('pods', healthy('api', -900), healthy('web', -900)));
  before.turn(100, objects('pods', crashing('api', 99)));
  before.until(300);
  before.turn(300, { kind: 'wake' });
  assert.deepEqual(before.told, ['open Pod/shop/api']);
  return before.kill();
}

test('what is still open goes on silently: no summary, no second message, the same incident', () => {
  const saved = toldOfApi();
  const after = nextLife(saved, 600);
  after.start(600, settingsOf(), objects('pods', crashing('api', 590), healthy('web', -900)));
  after.until(2_000);
  assert.deepEqual(after.told, []);
  assert.deepEqual(
    [...after.core.view.incidents()].map(({ id, state }) => [id, state]),
    saved.incidents.map(({ id }) => [id, 'Open']),
  );
});

test('what is exactly as it was goes on silently too, although no finding is another', () => {
  const after = nextLife(toldOfApi(), 600);
  after.start(600, settingsOf(), objects('pods', crashing('api', 99), healthy('web', -900)));
  after.until(2_000);
  assert.deepEqual([after.told, after.incidents()], [[], ['Open Pod/shop/api']]);
});

test('what ended meanwhile is told as resolved, in words that claim no more than is known', () => {
  const after = nextLife(toldOfApi(), 3_600);
  after.start(3_600, settingsOf(), objects('pods', healthy('api', 1_800), healthy('web', -900)));
  assert.deepEqual(after.incidents(), ['Recovering Pod/shop/api']);
  after.until(4_000);
  assert.deepEqual(after.told, ['resolve Pod/shop/api']);
  assert.match(
    after.leads[0] ?? '',
    /It began at 09:01 UTC and ended between 09:05 and 10:00 UTC, while Tocsin was not running\.$/,
  );
});

test('what ended and began again before its end was told is not said to have ended unseen', () => {
  const after = nextLife(toldOfApi(), 3_600);
  after.start(3_600, settingsOf(), objects('pods', healthy('api', 1_800)));
  after.turn(3_650, objects('pods', crashing('api', 3_649)));
  after.turn(3_900, objects('pods', healthy('api', 3_899)));
  after.until(7_000);
  assert.deepEqual(after.told, ['resolve Pod/shop/api']);
  assert.doesNotMatch(after.leads[0] ?? '', /not running/);
});

test('what began meanwhile is told by itself, however long ago it began', () => {
  const after = nextLife(toldOfApi(), 3_600);
  after.start(3_600, settingsOf(), objects('pods', crashing('api', 590), crashing('web', 1_000)));
  assert.deepEqual(after.told, ['open Pod/shop/web']);
});

test('a source that is not in sight after the restart neither ends nor begins anything', () => {
  const after = nextLife(toldOfApi(), 600);
  after.start(600, settingsOf(), source('pods', 'Failing'));
  after.until(5_000);
  assert.deepEqual(after.told, []);
  assert.deepEqual(after.incidents(), ['Open Pod/shop/api']);
  after.turn(5_000, objects('pods', crashing('api', 4_999)), source('pods', 'Watching'));
  after.until(6_000);
  assert.deepEqual(after.told, [], 'it is still so');
});

test('once it is in sight, what is gone has ended, and what began meanwhile is told', () => {
  const after = nextLife(toldOfApi(), 600);
  after.start(600, settingsOf(), source('pods', 'Failing'));
  after.turn(5_000, objects('pods', crashing('web', 700)), source('pods', 'Watching'));
  after.until(6_000);
  assert.deepEqual(after.told, ['open Pod/shop/web', 'resolve Pod/shop/api']);
});

test('a kind that is seen for the first time after the restart has its own summary; what began meanwhile is told', () => {
  const before = life();
  before.start(0, settingsOf(), source('deployments.apps', 'Denied'), objects('pods', healthy('api', -900)));
  before.until(700);
  before.turn(1_000, objects('pods', healthy('web', -900)));
  const after = nextLife(before.kill(), 1_200);
  const old = withoutPods('old', 1);
  const conditions = [{ type: 'Available', status: 'False', lastTransitionTime: '2026-11-20T08:00:00Z' }];
  after.start(
    1_200,
    settingsOf(),
    objects('deployments.apps', {
      ...old,
      status: { ...(old.status as object), availableReplicas: 0, readyReplicas: 0, conditions },
    }),
    objects('pods', crashing('api', 1_050), healthy('web', -900)),
  );
  after.until(1_500);
  assert.deepEqual(after.told.toSorted(), ['open Pod/shop/api', 'startup 1 listed']);
});

test('who knows what is open is not told again; a provider made anew meanwhile reads one summary', () => {
  const saved = toldOfApi();
  const known = nextLife(saved, 600);
  known.start(600, settingsOf([provider('oncall', { credentialVersion: '2' })]), objects('pods', crashing('api', 590)));
  assert.deepEqual(known.told, []);
  const anew = nextLife(saved, 600);
  anew.start(600, settingsOf([provider('oncall', { uid: 'another' })]), objects('pods', crashing('api', 590)));
  assert.deepEqual(anew.told, ['startup 1 listed']);
});

test('a failure of which no turn had heard when the process was killed is heard after the restart, once', () => {
  const saved = toldOfApi();
  const [stored] = saved.outbox;
  assert.ok(stored);
  const letter: DeadLetter = {
    ...{ delivery: stored.delivery, endedAt: instant(200), attempts: 1, mayHaveArrived: false },
    failure: { class: 'permanent', code: 'AuthFailed', message: 'no' },
  };
  const after = nextLife({ ...saved, outbox: [], deadLetters: [letter] }, 600);
  after.start(600, settingsOf([provider('oncall')]), objects('pods', crashing('api', 590)));
  assert.deepEqual([...after.core.view.incidents()].flatMap(toldTo), []);
  // Its credentials are mended, and it is told; the letter is of another time now.
  after.turn(700, { kind: 'settings', settings: settingsOf([provider('oncall', { credentialVersion: '2' })]) });
  assert.deepEqual(after.told, ['startup 1 listed']);
  const third = nextLife({ ...after.kill(), outbox: [] }, 900);
  third.start(900, settingsOf([provider('oncall', { credentialVersion: '2' })]), objects('pods', crashing('api', 890)));
  assert.deepEqual([...third.core.view.incidents()].flatMap(toldTo), ['uid-oncall']);
});

test('after a long absence the same failure of another Pod is told anew, and the old one as ended', () => {
  const saved = toldOfApi();
  const after = nextLife(saved, 100_000);
  const again = crashing('api', 90_000, 'made-anew');
  after.start(100_000, settingsOf(), objects('pods', { ...again, metadata: { ...again.metadata, name: 'api-2' } }));
  after.until(101_000);
  assert.deepEqual(after.told, ['open Pod/shop/api-2', 'resolve Pod/shop/api']);
});

test('after a long absence the same Pod that still fails goes on silently', () => {
  const after = nextLife(toldOfApi(), 300_000);
  after.start(300_000, settingsOf(), objects('pods', crashing('api', 299_900)));
  after.until(301_000);
  assert.deepEqual(after.told, []);
});

test('what is known only by having watched outlives the restart: a workload that is short without a Pod that says so', () => {
  const before = life();
  before.start(0, settingsOf());
  before.turn(10, objects('deployments.apps', withoutPods('quota')));
  before.until(900);
  assert.deepEqual(before.told, ['open Deployment/shop/quota']);
  const after = nextLife(before.kill(), 960);
  after.start(960, settingsOf(), objects('deployments.apps', withoutPods('quota')));
  after.until(3_000);
  assert.deepEqual(after.told, []);
  assert.deepEqual(after.incidents(), ['Open Deployment/shop/quota']);
});

test('what failed on a Node of which nothing is heard any more is not taken for ended', () => {
  const node = (status: 'True' | 'Unknown', since: number) => ({
    ...{
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: 'n1', uid: 'n1', creationTimestamp: at(-90_000) },
      spec: {},
    },
    status: { conditions: [{ type: 'Ready', status, reason: 'NodeStatusUnknown', lastTransitionTime: at(since) }] },
  });
  const before = life();
  before.start(0, settingsOf(), objects('nodes', node('True', -90_000)), objects('pods', healthy('api', -900)));
  // It runs now and then, so that only what was found says that it keeps crashing.
  before.turn(100, objects('pods', crashing('api', 99)));
  before.until(300);
  assert.deepEqual(before.told, ['open Pod/shop/api']);
  const stale = healthy('api', 310);
  const after = nextLife(before.kill(), 600);
  after.start(600, settingsOf(), objects('nodes', node('Unknown', 320)), objects('pods', stale));
  after.until(1_500);
  assert.deepEqual(
    after.told.filter((line) => line.includes('Pod/shop/api')),
    [],
  );
  assert.equal(
    [...after.core.view.incidents()].find(({ explanation }) =>
      explanation.members.some(({ subject }) => subject.ref === 'Pod/shop/api'),
    )?.state,
    'Open',
  );
});

test('a clock that was set back meanwhile holds up nothing', () => {
  const before = life();
  before.start(10_000, settingsOf(), objects('pods', healthy('api', -900)));
  before.turn(10_100, objects('pods', crashing('api', 10_099)));
  before.until(10_300);
  before.turn(10_400, objects('pods', healthy('api', 10_399)));
  const after = nextLife(before.kill(), 3_000);
  after.start(3_000, settingsOf(), objects('pods', healthy('api', -900)));
  after.until(3_400);
  assert.deepEqual(after.told, ['resolve Pod/shop/api']);
});

test('a restart that finds everything as it was writes that it was there, and nothing else', () => {
  const after = nextLife(toldOfApi(), 400);
  after.start(400, settingsOf(), objects('pods', crashing('api', 99), healthy('web', -900)));
  after.turn(410, { kind: 'wake' });
  assert.deepEqual(
    after.memos.filter((memo) => !memo.startsWith('notes/')),
    ['presence/seenAt'],
  );
});

test('what was saved by another version in another shape is forgotten, and nothing fails', () => {
  const saved = toldOfApi();
  const memos = saved.memos.map((memo) => ({ ...memo, value: { of: 'another version' } }));
  const after = nextLife({ ...saved, memos }, 600);
  after.start(600, settingsOf(), objects('pods', crashing('api', 590)));
  assert.deepEqual(after.told, []);
});

test('state of another cluster is known by its id', () => {
  const saved = toldOfApi();
  assert.equal(isOfCluster(saved, 'c'), true);
  assert.equal(isOfCluster(saved, 'another'), false);
  assert.equal(isOfCluster({ memos: [] }, 'another'), true);
});

/** A Pod that cannot start for want of a Secret since then. */
function withoutSecret(name: string, since: number): RawObject {
  const waiting = { reason: 'CreateContainerConfigError', message: 'secret "token" not found' };
  const raw = crashing(name, since);
  return {
    ...raw,
    status: {
      phase: 'Pending',
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: at(since) }],
      containerStatuses: [
        {
          name: 'app',
          image: 'registry.example/api:1',
          imageID: '',
          ready: false,
          restartCount: 0,
          state: { waiting },
        },
      ],
    },
  };
}

test('what Pods name and nobody may watch is over after a restart once they are healthy', () => {
  const before = life();
  before.start(0, settingsOf(), objects('pods', healthy('api', -900)));
  before.turn(100, objects('pods', withoutSecret('api', 99)));
  before.until(200);
  assert.deepEqual(before.told, ['open Secret/shop/token']);
  const after = nextLife(before.kill(), 210);
  after.start(210, settingsOf(), objects('pods', withoutSecret('api', 99)));
  after.turn(300, objects('pods', healthy('api', 299)));
  after.until(600);
  assert.deepEqual(after.told, ['resolve Secret/shop/token']);
});

/** A Deployment of which nothing is available any more since then: found only after a while. */
function down(since: number): RawObject {
  const { status: _, ...made } = withoutPods('web');
  const condition = { type: 'Available', status: 'False', lastTransitionTime: at(since), lastUpdateTime: at(since) };
  return { ...made, status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2, conditions: [condition] } };
}

for (const aheadSeconds of [600, 3_600, 7_000])
  test(`a clock that was ${aheadSeconds} s ahead and is right since the restart makes nobody healthy`, () => {
    const base = settingsOf();
    const settings = { ...base, incidents: { ...base.incidents, holdSeconds: 5 } };
    const one = life();
    one.start(aheadSeconds - 100, settings);
    one.turn(aheadSeconds, objects('deployments.apps', down(0)));
    one.until(aheadSeconds + 300);
    assert.deepEqual(one.told, ['open Deployment/shop/web']);
    const two = nextLife(one.kill(), 10);
    two.start(10, settings, objects('deployments.apps', down(0)));
    two.until(400);
    assert.deepEqual(two.told, []);
    two.turn(500, objects('deployments.apps', { ...withoutPods('web', 1) }));
    two.until(900);
    assert.deepEqual(two.told, ['resolve Deployment/shop/web']);
  });
