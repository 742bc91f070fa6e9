import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { unreachable } from '../runtime/hub/fleet.ts';

const start = Date.UTC(2026, 0, 1);
const settings = {
  ...defaultSettings,
  providers: [provider('oncall')],
  hub: { ...defaultSettings.hub, url: 'https://hub.example.com' },
};
const seen: Input = {
  kind: 'source',
  coverage: { source: 'pods', kind: 'Pod', state: 'Watching', reason: 'Synced', since: 0, required: false },
};
const pods: Input = {
  ...{ kind: 'objects', source: 'pods' },
  events: unreachable(start).map((raw) => ({ is: 'put', raw })),
};

/** A core that goes by its own wake-ups, and what it has told. */
function running() {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const told: { readonly act: string; readonly at: number }[] = [];
  let due: number | undefined;
  const turn = (inputs: readonly Input[], now: number): void => {
    const effects = core.turn(inputs, now);
    due = effects.wakeAt;
    for (const { act } of effects.save.enqueue) told.push({ act, at: (now - start) / 1000 });
  };
  const until = (now: number): void => {
    while (due !== undefined && due <= now) turn([{ kind: 'wake' }], due);
  };
  return { core, told, turn, until };
}

const word = (now: number, id: string): Input => ({
  kind: 'hub',
  word: { name: 'central', awaitedUntil: now + 60_000, told: { [id]: now + 60_000 }, declined: [] },
});

/** An incident that the hub tells, as it is saved. */
function saved() {
  const first = running();
  first.turn([seen, { kind: 'settings', settings }, { kind: 'baseline' }], start);
  first.turn([{ kind: 'hub', word: { name: 'central', awaitedUntil: start + 90_000, told: {}, declined: [] } }], start);
  first.turn([pods], start + 1_000);
  first.until(start + 80_000);
  const [incident] = first.core.view.incidents();
  first.turn([word(start + 80_000, incident?.id ?? '')], start + 80_000);
  const incidents = [...first.core.view.incidents()];
  assert.equal(incidents[0]?.standings['']?.disposition, 'ToldByHub');
  assert.deepEqual(first.told, []);
  return incidents;
}

/** Goes on from it ten seconds later. */
function restarted() {
  const incidents = saved();
  const next = running();
  const savedAt = start + 80_000;
  next.turn([{ kind: 'restored', saved: { incidents, memos: [], savedAt, reports: [] } }], start + 90_000);
  next.turn([seen, pods, { kind: 'settings', settings }, { kind: 'baseline' }], start + 90_000);
  return { ...next, id: incidents[0]?.id ?? '' };
}

test('after a restart what the hub had told is told by nobody, once the hub confirms it', () => {
  const { told, turn, until, core, id } = restarted();
  turn([word(start + 95_000, id)], start + 95_000);
  until(start + 150_000);
  assert.deepEqual(told, []);
  assert.equal([...core.view.incidents()][0]?.standings['']?.disposition, 'ToldByHub');
});

test('after a restart without a word of the hub it is told after ten seconds', () => {
  const { told, until } = restarted();
  until(start + 150_000);
  assert.deepEqual(told, [{ act: 'open', at: 100 }]);
});
