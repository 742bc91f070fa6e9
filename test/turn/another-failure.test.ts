import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { app, crashing as crashed, long, outage, podOf, twoNodes } from '../explain/proof.ts';
import { said, saying } from '../explain/said.ts';
import { endpointSlice, service } from '../world/network-objects.ts';
import { at, condition, ended, node, pod, start, status, waiting } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const put = (raw: RawObject): Input => ({
  kind: 'objects',
  source: sourceOf(raw),
  events: [{ is: 'put', raw }],
});
const unready = [condition('PodScheduled', 'True', at(0)), condition('Ready', 'False', at(1), 'ContainersNotReady')];
const unpulled = pod('api', { phase: 'Pending', conditions: unready, statuses: [waiting('api', 'ImagePullBackOff')] });
const crashing = pod('api', {
  conditions: unready,
  statuses: [
    status('api', {
      ready: false,
      restartCount: 5,
      state: { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 2m40s restarting failed container' } },
      lastState: ended(at(20) - 2_000, at(20)),
    }),
  ],
});

/** A core that has seen some objects. */
function begun(...objects: readonly RawObject[]) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const seen = everyKind.map(
    ({ source, kind }): Input => ({
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false },
    }),
  );
  const settings = { ...defaultSettings, providers: [provider('oncall')] };
  core.turn([...seen, { kind: 'settings', settings }, ...objects.map(put), { kind: 'baseline' }], start);

  /** Turns until something is to be sent. */
  const told = (inputs: readonly Input[], from: number): { readonly effects: Effects; readonly now: number } => {
    let now = from;
    let effects = core.turn(inputs, now);
    for (let turns = 0; turns < 50 && effects.save.enqueue.length === 0; turns += 1) {
      now = Math.max(now + 1, effects.wakeAt ?? now + 60_000);
      effects = core.turn([{ kind: 'wake' }], now);
    }
    return { effects, now };
  };
  return { core, told };
}

test('the log of another failure that is told of an open incident is read for its message, and quoted', () => {
  const { core, told } = begun(node('n1'));
  const opening = told([put(unpulled)], at(1)).effects.save.enqueue[0]?.notification;
  assert.equal(opening?.act, 'open');

  const { effects, now } = told([put(crashing)], at(20));
  const [update] = effects.save.enqueue;
  assert.deepEqual([update?.act, update?.notification.incident?.reason], ['update', 'CrashLoopBackOff']);
  const [request] = effects.fetch;
  assert.ok(request, 'its log is read');
  const { previous: _, lines: __, ...run } = request;
  const evidence = { ...run, source: 'last log lines', lines: ['FATAL setting currency is missing'] };
  const [replaced] = core.turn([{ kind: 'evidence', evidence }], now + 200).save.replace;
  assert.equal(replaced?.id, update?.id);
  assert.match(JSON.stringify(replaced?.notification), /FATAL setting currency is missing/);
});

test('so is that of what goes down while strangers say something else of it', () => {
  const [labels, team] = [{ app: 'db' }, { namespace: 'team-a' }];
  const strangers = ['api', 'web'];
  const { told } = begun(
    ...[...twoNodes, service('db', { selector: labels, createdAt: long }), endpointSlice('db', { ready: 1 })],
    ...[...app('db', { labels, replicas: 1 }), podOf('db', 'a', { labels })],
    ...strangers.flatMap((name) => [...app(name, team), podOf(name, 'a', team)]),
  );
  const lying = { ...team, ...saying(long, at(1), said.rejected('db.shop.svc')) };
  const opening = told(
    strangers.map((name) => put(podOf(name, 'a', lying))),
    at(1),
  ).effects.save.enqueue[0]?.notification;
  assert.deepEqual([opening?.act, opening?.incident?.reason], ['open', 'ServiceRefusing']);

  const down = [
    ...app('db', { labels, replicas: 1, ...outage(at(3)) }),
    podOf('db', 'a', { labels, ...crashed(long, at(3)) }),
  ];
  const { effects } = told(down.map(put), at(3));
  const [update] = effects.save.enqueue;
  assert.deepEqual([update?.act, update?.notification.incident?.reason], ['update', 'CrashLoopBackOff']);
  assert.deepEqual(
    effects.fetch.map((request) => request.pod),
    ['Pod/shop/db-a'],
    'its log is read',
  );
});
