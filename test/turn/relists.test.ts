import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CoverageState } from '../../src/model/coverage.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { sourceOf as sourceOfRow } from '../../src/model/resource.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { heldKinds } from '../../src/world/kinds/kinds.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { nameOf } from './any-cluster.ts';
import { settingsOf } from './lives.ts';
import { toldStories } from './told-stories.ts';

/** Sources whose objects are listed; Events are only watched. */
const listed = heldKinds.filter((row) => !row.startsNow).map(sourceOfRow);

const source = (name: string, state: CoverageState): Input => {
  const kind = everyKind.find((row) => row.source === name)?.kind ?? '';
  return { kind: 'source', coverage: { source: name, kind, state, reason: 'Synced', since: 0, required: false } };
};
const put = (raw: RawObject): Input => ({ kind: 'objects', source: sourceOf(raw), events: [{ is: 'put', raw }] });

/** The core after a story, what there is then, and when it is. */
function after({ steps }: (typeof toldStories)[number]) {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const there = new Map<string, RawObject>();
  const [began = 0] = steps.map(({ at }) => at);
  let now = began;
  let wakeAt: number | undefined;
  const turn = (when: number, ...inputs: readonly Input[]) => {
    now = when;
    const effects = core.turn(inputs, now);
    ({ wakeAt } = effects);
    return effects;
  };
  const wait = (until: number): void => {
    for (let turns = 0; turns < 1000 && wakeAt !== undefined && wakeAt <= until; turns += 1)
      turn(wakeAt, { kind: 'wake' });
  };
  const seen = everyKind.map((row) => source(row.source, 'Watching'));
  turn(now, { kind: 'settings', settings: settingsOf() }, ...seen, { kind: 'baseline' });
  for (const { at, events } of steps) {
    const when = Math.max(now, at);
    wait(when);
    for (const { is, raw } of events) {
      if (is === 'put') there.set(nameOf(raw), raw);
      else there.delete(nameOf(raw));
      turn(when, { kind: 'objects', source: sourceOf(raw), events: [{ is, raw }] });
    }
  }
  turn(now, { kind: 'wake' });
  return { core, turn, now, there: [...there.values()] };
}

test('a relist with everything repeated changes nothing, in the story of any reason: no finding moves, nobody is told', () => {
  for (const told of toldStories) {
    const { core, turn, now, there } = after(told);
    const state = () => ({
      findings: [...core.view.findings()],
      changes: there.map((raw) =>
        core.view.world.changes(`${raw.kind}/${raw.metadata.namespace ?? ''}/${raw.metadata.name}`, 0),
      ),
      incidents: [...core.view.incidents()],
    });
    const before = state();
    for (const name of listed) {
      const own = there.filter((raw) => sourceOf(raw) === name);
      const turns = [
        turn(now, source(name, 'Syncing')),
        ...own.map((raw) => turn(now, put(raw), put(raw))),
        turn(now, source(name, 'Watching')),
      ];
      const what = `${told.reason}: ${name}`;
      for (const { save, events } of turns) {
        assert.deepEqual([save.enqueue, save.replace, save.incidents, save.audit, events], [[], [], [], [], []], what);
        assert.deepEqual(save.memos, [], what);
      }
    }
    assert.deepEqual(state(), before, told.reason);
  }
});
