/** What is read at the start and does not fit is set aside, row by row; everything else is gone on from. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { defaultSettings, type Settings } from '../../src/model/settings.ts';
import type { Saved } from '../../src/model/store.ts';
import type { Input } from '../../src/model/turn.ts';
import { restoredFrom } from '../../src/runtime/saving/restored.ts';
import { StateDatabase } from '../../src/state/database.ts';
import { MemoryStore } from '../../src/state/memory.ts';
import { Reading } from '../../src/state/reading.ts';
import { tableNames } from '../../src/state/tables.ts';
import { Core } from '../../src/turn/core.ts';
import { realClock } from '../delivery/clock.ts';
import { provider } from '../delivery/stage.ts';
import { fc } from '../fast-check.ts';
import { coverage } from '../runtime/helpers.ts';
import { commit, explained, incident, type StateProcess, start, temporaryDirectory, told } from './stage.ts';

/** A directory in which a process has saved something, and whose file was then changed. */
async function spoiled(t: TestContext, spoil: (database: DatabaseSync) => void): Promise<string> {
  const directory = temporaryDirectory(t);
  const { store, state } = await start(t, directory);
  commit(store, {
    incidents: [incident('a'), incident('b', { left: { shop: explained('b', 1) } }), incident('c')],
    enqueue: [told('a', 'open', 1), told('b', 'open', 1)],
    memos: [
      { topic: 'storms', key: 'shop', value: 1 },
      { topic: 'storms', key: 'web', value: 2 },
    ],
  });
  await state.close(5000);
  const database = new DatabaseSync(join(directory, 'state.db'));
  spoil(database);
  database.close();
  return directory;
}

const drop = (table: string, key: string, path: string) => (database: DatabaseSync) =>
  void database.prepare(`UPDATE ${table} SET value = json_remove(value, ?) WHERE key = ?`).run(path, key);

const ids = ({ found }: StateProcess): (string | undefined)[] => found.saved?.incidents.map(({ id }) => id) ?? [];

test('what a newer version has decided in a word of its own is decided anew, and the rest of the incident stands', async (t) => {
  const said = { disposition: 'ToldByTomorrow', at: 5 };
  const directory = await spoiled(t, (database) =>
    database
      .prepare("UPDATE incidents SET value = json_set(value, '$.standings', json(?)) WHERE key = 'b'")
      .run(JSON.stringify({ '': said, shop: { ...said, disposition: 'Delivered' } })),
  );
  const { found } = await start(t, directory);
  assert.equal(found.setAside, undefined);
  const [, b] = found.saved?.incidents ?? [];
  assert.deepEqual([b?.id, b?.standings], ['b', { shop: { disposition: 'Delivered', at: 5 } }]);
});

test('a row that lacks what the core reads is set aside with the reason, and the others are gone on from', async (t) => {
  const directory = await spoiled(t, drop('incidents', 'b', '$.standings'));
  const process = await start(t, directory, {
    clock: { ...realClock, now: () => 77 },
  });
  assert.deepEqual(ids(process), ['a', 'c']);
  const { rows, lastAt, latest } = process.found.setAside ?? assert.fail();
  // With it its two explanations.
  assert.deepEqual([rows, lastAt, latest], [3, 77, 'incidents b: standings is missing, not an object']);
  assert.equal(process.found.saved?.outbox.length, 2, 'what was decided is delivered');
  await process.store.durable();
  await process.state.close(5000);
  const database = new DatabaseSync(join(directory, 'state.db'));
  const kept = database.prepare('SELECT source, key, value, why, at FROM quarantine ORDER BY position').all();
  database.close();
  assert.deepEqual(
    kept.map(({ source, key, why, at }) => [source, key, why, at]),
    [
      ['incidents', 'b', 'standings is missing, not an object', 77],
      ['explanations', 'b', 'its incident is set aside', 77],
      ['explanations', 'b|shop', 'its incident is set aside', 77],
    ],
  );
  assert.equal(JSON.parse(String(kept[0]?.value)).alertKey, 'key-b');
  const next = await start(t, directory);
  assert.deepEqual([next.found.setAside, ids(next)], [{ rows: 3, lastAt: 77 }, ['a', 'c']], 'it is said once');
});

test('each table is checked: one row that does not fit is one row less', async (t) => {
  const id = told('a', 'open', 1).id;
  const cases: readonly [(database: DatabaseSync) => void, string][] = [
    [drop('explanations', 'a', '$.trace'), 'explanations a: trace is missing, not a list'],
    [
      drop('explanations', 'a', '$.members[1].subject.ref'),
      'explanations a: members[1].subject.ref is missing, not the ref of an object',
    ],
    [(database) => database.exec(`DELETE FROM explanations WHERE key = 'a'`), 'incidents a: it has no explanation'],
    [
      (database) => database.exec(`UPDATE incidents SET value = '{"id":' WHERE key = 'a'`),
      'incidents a: it is not JSON',
    ],
    [
      drop('outbox', id, '$.delivery.notification.lead'),
      `outbox ${id}: delivery.notification.lead is missing, not a text`,
    ],
    [
      (database) =>
        database.exec(`UPDATE outbox SET value = json_set(value, '$.delivery.act', 'shout') WHERE key = '${id}'`),
      `outbox ${id}: delivery.act is none of open, update, resolve, reopen, digest, startup, overview, test`,
    ],
    [drop('memos', 'storms|shop', '$.value'), 'memos storms|shop: value is missing, not there'],
    [
      (database) => database.exec(`INSERT INTO streams VALUES (9, 's', '{"stream":"s","references":[]}')`),
      'streams s: references is a list, not an object',
    ],
    [
      (database) => database.exec(`INSERT INTO dead_letters VALUES (9, 'd', '{"delivery":null}')`),
      'dead_letters d: delivery is null, not an object',
    ],
    [
      (database) => database.exec(`INSERT INTO ended VALUES (9, 'e', '{}')`),
      'ended e: the row is of type object, not a flag that is set',
    ],
  ];
  for (const [spoil, says] of cases) {
    const { found } = await start(t, await spoiled(t, spoil));
    assert.equal(found.setAside?.latest, says);
  }
});

test('fields that these sources do not know are no reason to set a row aside', async (t) => {
  const directory = await spoiled(t, (database) =>
    database.exec(`UPDATE incidents SET value = json_set(value, '$.ledger', 'x'), position = position`),
  );
  const process = await start(t, directory);
  assert.deepEqual([ids(process), process.found.setAside], [['a', 'b', 'c'], undefined]);
});

test('what is set aside is bounded: the newest 200 rows, and 8 MiB', async (t) => {
  const directory = await spoiled(t, (database) => {
    for (let row = 0; row < 300; row += 1)
      database.prepare('INSERT INTO memos (key, value) VALUES (?, ?)').run(`m${row}`, 'nonsense');
  });
  const { state, store, found } = await start(t, directory);
  assert.equal(found.setAside?.rows, 300);
  await store.durable();
  await state.close(5000);
  const next = await start(t, directory);
  assert.equal(next.found.setAside?.rows, 200);
  await next.state.close(5000);
  const database = new DatabaseSync(join(directory, 'state.db'));
  database.prepare('INSERT INTO memos (key, value) VALUES (?, ?)').run('large', `x${'y'.repeat(7 * 1024 * 1024)}`);
  database.prepare('INSERT INTO memos (key, value) VALUES (?, ?)').run('larger', `x${'y'.repeat(2 * 1024 * 1024)}`);
  database.close();
  const last = await start(t, directory);
  await last.store.durable();
  await last.state.close(5000);
  const { found: end } = await start(t, directory);
  assert.equal(end.setAside?.rows, 1);
});

test('on Community nothing is left of what was set aside', async (t) => {
  const directory = await spoiled(t, drop('incidents', 'b', '$.standings'));
  const { state } = await start(t, directory);
  state.journal.leave();
  await state.journal.settle(5000);
  await state.close(5000);
  const { found } = await start(t, directory);
  assert.deepEqual([found.setAside, found.saved?.incidents], [undefined, []]);
});

/** Every place in a value, as the properties that lead there. */
function* placesIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  yield path;
  if (typeof value === 'object' && value !== null)
    for (const [name, inner] of Object.entries(value)) yield* placesIn(inner, [...path, name]);
}

/** A value with something else, or nothing, at one place. */
function changedAt(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (typeof value !== 'object' || value === null) return value;
  const inner = changedAt(Reflect.get(value, name), rest, by);
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === name ? inner : item));
  return { ...value, [name]: inner };
}

/** An hour of a core, its store and whoever reads its incidents, from what was saved. */
function goOnFor(saved: Saved & { readonly savedAt: number }): void {
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const store = new MemoryStore(saved);
  const providers = ['chat', 'pager', 'mail'].map((name) => provider(name));
  const settings: Settings = { ...defaultSettings, edition: 'Pro', providers };
  const restored = restoredFrom(saved) ?? assert.fail();
  const turn = (seconds: number, ...inputs: readonly Input[]): void =>
    store.commit(core.turn(inputs, saved.savedAt + seconds * 1000).save);
  turn(1, { kind: 'settings', settings }, { kind: 'restored', saved: restored });
  turn(2, { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } }, { kind: 'baseline' });
  for (let minute = 1; minute <= 60; minute += 5) turn(minute * 60, { kind: 'wake' });
  for (const incident of core.view.incidents()) core.view.words(incident, saved.savedAt + 3_600_000);
}

const instead = fc.constantFrom<unknown>(undefined, null, 7, 'word', true, [], {}, [null], { a: null });

test('whatever is changed in a row of a saved file, the core goes on for an hour from the rest', async (t) => {
  const fixture = join(import.meta.dirname, 'fixtures', 'schema-1.db');
  const directory = temporaryDirectory(t, true);
  let runs = 0;
  let aside = 0;
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(), fc.nat(), instead), { minLength: 1, maxLength: 4 }), (changes) => {
      runs += 1;
      const path = join(directory, `${runs}.db`);
      copyFileSync(fixture, path);
      const raw = new DatabaseSync(path);
      for (const [row, place, by] of changes) {
        const rows = tableNames.flatMap((table) =>
          raw
            .prepare(`SELECT key, value FROM ${table}`)
            .all()
            .map(({ key, value }) => ({ table, key, value })),
        );
        const { table, key, value } = rows[row % rows.length] ?? assert.fail();
        const parsed: unknown = JSON.parse(String(value));
        const places = [...placesIn(parsed)];
        const changed = changedAt(parsed, places[place % places.length] ?? [], by);
        raw.prepare(`UPDATE ${table} SET value = ? WHERE key = ?`).run(JSON.stringify(changed) ?? 'null', key ?? '');
      }
      raw.close();
      const database = new StateDatabase(path, 0);
      const reading = new Reading();
      reading.take([...database.read()]);
      const saved = { ...reading.finish(), savedAt: Date.UTC(2026, 0, 1, 0, 41) };
      aside += database.setAside === undefined ? 0 : 1;
      database.close();
      goOnFor(saved);
    }),
    { numRuns: 150 },
  );
  assert.ok(aside > runs / 3, `${aside} of ${runs} set something aside`);
});
