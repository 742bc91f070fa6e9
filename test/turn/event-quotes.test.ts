import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Finding } from '../../src/model/finding.ts';
import type { Notification } from '../../src/model/notification.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { at, condition, eventOf, node, pod, start, waiting } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';

const put = (raw: RawObject): Input => ({ kind: 'objects', source: sourceOf(raw), events: [{ is: 'put', raw }] });

/** What somebody is told first of objects that are as they are from one minute on, and what was found by then. */
function told(objects: readonly RawObject[], events: boolean): { first: Notification; findings: readonly Finding[] } {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const evidence = { ...defaultSettings.evidence, events };
  const seen = everyKind.map(({ source, kind }): Input => {
    return {
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false },
    };
  });
  const settings = { ...defaultSettings, providers: [provider('oncall')], evidence };
  core.turn([...seen, { kind: 'settings', settings }, put(node('n1')), { kind: 'baseline' }], start);
  let now = at(1);
  let effects = core.turn(objects.map(put), now);
  for (let turns = 0; turns < 50 && effects.save.enqueue.length === 0; turns += 1) {
    now = Math.max(now + 1, effects.wakeAt ?? at(60));
    effects = core.turn([{ kind: 'wake' }], now);
  }
  const first = effects.save.enqueue[0]?.notification;
  assert.ok(first, 'nobody was told');
  return { first, findings: [...core.view.findings()] };
}

const lost = 'MountVolume.SetUp failed for volume "media" : rpc error: code = Internal desc = token-4711 was refused';
const creating = pod('api-1', {
  phase: 'Pending',
  statuses: [waiting('api', 'ContainerCreating')],
  conditions: [condition('PodScheduled', 'True', at(1)), condition('Ready', 'False', at(1), 'ContainersNotReady')],
});
const unmounted = [creating, eventOf(creating, 'FailedMount', lost, at(1), { count: 4 })];

test('a message quotes the Event that proves it, unless Events are not to be quoted', () => {
  const quoting = told(unmounted, true);
  assert.match(JSON.stringify(quoting.first), /token-4711/);
  assert.deepEqual(
    quoting.findings.map(({ reason, eventQuotes }) => `${reason} ${eventQuotes?.join() ?? ''}`),
    ['FailedMount detail'],
  );
  const { first, findings } = told(unmounted, false);
  assert.doesNotMatch(JSON.stringify(first), /token-4711|says:/);
  assert.equal(`${first.title}: token-4711 was refused`, quoting.first.title);
  assert.deepEqual(findings, quoting.findings, 'it explains as before');
});

test('what a status says is quoted either way', () => {
  const image = 'Failed to apply default image tag "app:": couldn\'t parse image name "app:"';
  const wrong = pod('api-1', { phase: 'Pending', statuses: [waiting('api', 'InvalidImageName', image)] });
  const [quoting, without] = [true, false].map((events) => JSON.stringify(told([wrong], events).first));
  assert.match(quoting ?? '', /couldn't parse image name/);
  assert.equal(without, quoting);
});

test('a name that an Event gives is what was found, no quotation', () => {
  const text = 'System OOM encountered, victim process: java, pid: 4711';
  const { first } = told([eventOf(node('n1'), 'SystemOOM', text, at(1))], false);
  assert.equal(first.title, 'Node n1 ran out of memory: the kernel killed java');
  assert.doesNotMatch(JSON.stringify(first), /4711/);
});
