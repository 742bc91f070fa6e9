import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Effects, Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { at, condition, ended, node, pod, start, status, waiting } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const put = (raw: ReturnType<typeof pod>): Input => ({
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

test('the log of another failure that is told of an open incident is read for its message, and quoted', () => {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const seen = everyKind.map(
    ({ source, kind }): Input => ({
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false },
    }),
  );
  const settings = { ...defaultSettings, providers: [provider('oncall')] };
  core.turn([...seen, { kind: 'settings', settings }, put(node('n1')), { kind: 'baseline' }], start);

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
