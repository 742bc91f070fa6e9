/** Files of earlier versions open with these sources; steps from one version to the next do all or nothing. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { Saved } from '../../src/model/store.ts';
import { restoredFrom } from '../../src/runtime/saving/restored.ts';
import { migrations } from '../../src/state/migrations.ts';
import { migrate, numberOf, schemaVersion } from '../../src/state/schema.ts';
import { Core } from '../../src/turn/core.ts';
import { commit, contents, incident, start, temporaryDirectory, told } from './stage.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

/**
 * A directory with the file of an earlier version. In it: an incident of before the start, open ones of which one came back
 * and one was just told, one that recovers and resolved ones, of which one opened at a fallback; ends and openings that wait
 * for a product that does not answer, dead letters of one that refuses, threads, and what is remembered besides.
 */
function ofVersion(t: Parameters<typeof temporaryDirectory>[0], version: number): string {
  const directory = temporaryDirectory(t);
  copyFileSync(join(fixtures, `schema-${version}.db`), join(directory, 'state.db'));
  return directory;
}

const summary = (saved: Saved | undefined) => ({
  incidents: saved?.incidents.map(({ state, explanation: { root } }) => `${state} ${root.ref}`),
  outbox: saved?.outbox.map(({ delivery: { act, provider }, attempts }) => `${act} ${provider} ${attempts}`),
  rest: [saved?.streams.length, saved?.deadLetters.length, saved?.ended.length, (saved?.memos.length ?? 0) > 25],
});

test('a file of version 1 is gone on from as a whole: every row fits, and the next start finds the same', async (t) => {
  const directory = ofVersion(t, 1);
  const first = await start(t, directory);
  assert.deepEqual([first.found.is, first.found.setAside, first.found.problem], ['read', undefined, undefined]);
  assert.deepEqual(summary(first.found.saved), {
    incidents: [
      'Open Pod/shop/from-before',
      'Open Pod/shop/comes-back',
      'Resolved Pod/shop/ended',
      'Resolved Pod/shop/recovers',
      'Recovering Pod/shop/stays',
      'Resolved Pod/shop/to-fallback',
      'Open Pod/shop/just-told',
    ],
    outbox: [
      'resolve AlertProvider/tocsin/mail 8',
      'resolve AlertProvider/shop/tenant 5',
      'resolve AlertProvider/tocsin/mail 4',
      'open AlertProvider/tocsin/mail 0',
      'open AlertProvider/shop/tenant 0',
    ],
    rest: [8, 3, 41, true],
  });
  await first.store.durable();
  await first.state.close(5000);
  const file = new DatabaseSync(join(directory, 'state.db'));
  assert.equal(numberOf(file, 'PRAGMA user_version'), schemaVersion);
  file.close();
  const second = await start(t, directory);
  assert.deepEqual(contents(second.store), contents(first.store));
});

/**
 * In the file of version 3: two failures that the cluster's own provider and that of a namespace were told of, and a registry that the hub had told,
 * of which the provider of the namespace is still to hear.
 */
test('a file of version 3 is gone on from as it is: what was told, by the hub as well, and what is owed', async (t) => {
  const { found } = await start(t, ofVersion(t, 3));
  assert.deepEqual([found.is, found.setAside, found.problem], ['read', undefined, undefined]);
  const standings = found.saved?.incidents.map(
    ({ explanation: { root }, standings: { '': own, shop } }) => `${root.ref} ${own?.disposition} ${shop?.disposition}`,
  );
  assert.deepEqual(standings, [
    'Deployment/shop/before Delivered Delivered',
    'Deployment/shop/between Delivered Delivered',
    'Registry//registry.example.com ToldByHub Delivered',
  ]);
  assert.deepEqual(summary(found.saved).outbox, ['open AlertProvider/shop/team 4']);
});

test('the core goes on from what a file of version 1 holds', async (t) => {
  const { found } = await start(t, ofVersion(t, 1));
  const left = found.saved && restoredFrom(found.saved);
  assert.ok(left);
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  core.turn([{ kind: 'restored', saved: left }, { kind: 'baseline' }], left.savedAt + 60_000);
  for (let minute = 2; minute < 90; minute += 1) core.turn([{ kind: 'wake' }], left.savedAt + minute * 60_000);
  const states = [...core.view.incidents()].map(({ state }) => state);
  assert.equal(states.filter((state) => state === 'Resolved').length, 3, states.join());
});

/** An empty file that is brought to a version by steps. */
function file(steps: typeof migrations, database = new DatabaseSync(':memory:')): DatabaseSync {
  migrate(database, 5, steps);
  return database;
}

const rowsOf = (database: DatabaseSync, table: string): unknown[] =>
  database
    .prepare(`SELECT key, value FROM ${table} ORDER BY position`)
    .all()
    .map(({ key, value }) => `${key} ${value}`);

test('a step changes rows in their places, takes some out, adds others, and makes tables', () => {
  const database = file(migrations);
  for (const name of ['a', 'b', 'c'])
    database
      .prepare('INSERT INTO incidents (key, value) VALUES (?, ?)')
      .run(name, JSON.stringify({ name, toldTo: ['x'] }));
  file(
    [
      ...migrations,
      (migrated) => {
        migrated.execute('CREATE TABLE ledgers (position INTEGER PRIMARY KEY, key TEXT UNIQUE, value TEXT) STRICT');
        for (const { key } of migrated.rows('incidents')) migrated.put('ledgers', key, ['x']);
        migrated.change('incidents', (value, key) =>
          key === 'b' ? undefined : { ...Object(value), toldTo: undefined },
        );
      },
    ],
    database,
  );
  assert.deepEqual(rowsOf(database, 'incidents'), ['a {"name":"a"}', 'c {"name":"c"}']);
  assert.deepEqual(rowsOf(database, 'ledgers'), ['a ["x"]', 'b ["x"]', 'c ["x"]']);
  assert.equal(numberOf(database, 'PRAGMA user_version'), migrations.length + 1);
});

test('a row that a step cannot change is set aside, and the others are changed all the same', () => {
  const database = file(migrations);
  for (const name of ['a', 'b', 'c'])
    database.prepare('INSERT INTO incidents (key, value) VALUES (?, ?)').run(name, name === 'b' ? '7' : '{"list":[]}');
  const step: (typeof migrations)[number] = (migrated) =>
    migrated.change('incidents', (value) => {
      if (typeof value !== 'object') throw new TypeError('no object');
      return { is: 'changed' };
    });
  file([...migrations, step], database);
  assert.deepEqual(rowsOf(database, 'incidents'), ['a {"is":"changed"}', 'c {"is":"changed"}']);
  assert.deepEqual(database.prepare('SELECT source, key, value, why, at FROM quarantine').all(), [
    Object.assign(Object.create(null), {
      ...{ source: 'incidents', key: 'b', value: '7', at: 5 },
      why: 'it could not be migrated: no object',
    }),
  ]);
});

test('a step that fails leaves the file as it was', () => {
  const database = file(migrations);
  database.prepare('INSERT INTO memos (key, value) VALUES (?, ?)').run('a', '1');
  const steps: typeof migrations = [
    ...migrations,
    (migrated) => {
      migrated.remove('memos', 'a');
      throw new Error('broken step');
    },
  ];
  assert.throws(() => file(steps, database), /broken step/);
  assert.deepEqual(rowsOf(database, 'memos'), ['a 1']);
  assert.equal(numberOf(database, 'PRAGMA user_version'), migrations.length);
});

test('an older Tocsin leaves the file of a newer one as it is, goes on from memory, and the newer one finds it again', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  commit(first.store, { incidents: [incident('a')], enqueue: [told('a', 'open', 1)] });
  await first.state.close(5000);
  const path = join(directory, 'state.db');
  const set = (version: number): void => {
    const database = new DatabaseSync(path);
    database.exec(`PRAGMA user_version = ${version}`);
    database.close();
  };
  set(schemaVersion + 1);
  const before = readFileSync(path);
  const older = await start(t, directory);
  assert.deepEqual([older.found.is, older.found.saved], ['unread', undefined]);
  assert.match(
    older.found.problem?.message ?? '',
    /schema version is \d+.*run the newer Tocsin again, or move the file away/,
  );
  commit(older.store, { incidents: [incident('b')] });
  await older.state.close(5000);
  assert.ok(readFileSync(path).equals(before));
  set(schemaVersion);
  const newer = await start(t, directory);
  assert.deepEqual(contents(newer.store), contents(first.store));
});
