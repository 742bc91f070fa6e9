import assert from 'node:assert/strict';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { realClock } from '../delivery/clock.ts';
import { commit, contents, explained, incident, start, temporaryDirectory, told, until } from './stage.ts';

test('a damaged file is kept aside with what belongs to it, told of, and three of them at most are kept', async (t) => {
  const directory = temporaryDirectory(t);
  for (let round = 0; round < 5; round += 1) {
    for (const name of ['state.db', 'state.db-wal'])
      writeFileSync(join(directory, name), `nonsense ${round} `.repeat(500));
    const clock = { ...realClock, now: () => Date.UTC(2026, 10, 22, 7, round) };
    const { state, store, found } = await start(t, directory, { clock });
    assert.equal(found.aside, `state.db.corrupt-20261122T070${round}00Z`);
    assert.deepEqual([found.is, found.saved?.incidents, found.problem], ['read', [], undefined]);
    commit(store, { incidents: [incident('a')] });
    await state.close(5000);
    const next = await start(t, directory);
    assert.equal(next.found.saved?.incidents.length, 1);
    await next.state.close(5000);
  }
  const kept = readdirSync(directory).filter((name) => name.includes('corrupt'));
  assert.deepEqual(
    kept.filter((name) => !name.endsWith('-wal')),
    [2, 3, 4].map((round) => `state.db.corrupt-20261122T070${round}00Z`),
  );
  assert.ok(readFileSync(join(directory, 'state.db.corrupt-20261122T070400Z'), 'utf8').startsWith('nonsense 4'));
});

test('a file that is damaged in one page only is noticed at the start', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  commit(first.store, { incidents: Array.from({ length: 50 }, (_, index) => incident(`inc-${index}`)) });
  await first.state.close(5000);
  const file = join(directory, 'state.db');
  const bytes = readFileSync(file);
  bytes.fill(0x55, bytes.length - 4096);
  writeFileSync(file, bytes);
  const second = await start(t, directory);
  assert.match(second.found.aside ?? '', /^state\.db\.corrupt-/);
});

test('the file of a newer version and of another program is left alone, and there is no hope that this passes', async (t) => {
  const prepare: Readonly<Record<string, (database: DatabaseSync) => void>> = {
    'schema version is 99': (database) => database.exec('PRAGMA user_version = 99'),
    'not written by Tocsin': (database) => database.exec('PRAGMA application_id = 5'),
  };
  for (const [words, spoil] of Object.entries(prepare)) {
    const directory = temporaryDirectory(t);
    const first = await start(t, directory);
    commit(first.store, { incidents: [incident('a')] });
    await first.state.close(5000);
    const file = join(directory, 'state.db');
    const database = new DatabaseSync(file);
    spoil(database);
    database.close();
    const before = readFileSync(file);
    const second = await start(t, directory);
    assert.deepEqual([second.found.is, second.found.saved, second.told], ['unread', undefined, ['ForeignFile']]);
    assert.match(second.found.problem?.message ?? '', new RegExp(words));
    commit(second.store, { incidents: [incident('b')], enqueue: [told('b', 'open', 1)] });
    assert.equal(second.store.durable(), undefined, 'deliveries do not wait');
    await second.state.close(5000);
    assert.ok(readFileSync(file).equals(before));
    assert.deepEqual(readdirSync(directory).sort(), ['lock.db', 'state.db']);
  }
});

test('where nothing can be written, what was saved is read all the same, and nobody waits', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  commit(first.store, { incidents: [incident('a')], enqueue: [told('a', 'open', 1)] });
  await first.state.close(5000);
  const files = readdirSync(directory).map((name) => join(directory, name));
  for (const file of files) chmodSync(file, 0o444);
  chmodSync(directory, 0o555);
  // Root may write everywhere, so it becomes somebody else.
  process.seteuid?.(process.getuid?.() === 0 ? 65_534 : (process.getuid?.() ?? 0));
  t.after(() => process.seteuid?.(process.getuid?.() ?? 0));
  const second = await start(t, directory);
  assert.deepEqual([second.state.lock.state.is, second.found.is], ['unavailable', 'read']);
  assert.deepEqual([second.found.problem?.code, second.told], ['ReadOnly', ['ReadOnly']]);
  assert.deepEqual(contents(second.store), contents(first.store));
  commit(second.store, { enqueue: [told('b', 'open', 1)] });
  assert.equal(second.store.durable(), undefined);
  process.seteuid?.(process.getuid?.() ?? 0);
  for (const file of [directory, ...files]) chmodSync(file, 0o755);
  await until(() => second.told.includes('none'));
  await second.state.close(5000);
  const third = await start(t, directory);
  assert.deepEqual(contents(third.store), contents(second.store), 'once it can be written, everything is');
});

test('a full disk is a problem and no obstacle: what changed meanwhile is written once there is room', async (t) => {
  const directory = temporaryDirectory(t);
  const size = { target: 1024 * 1024, limit: 1024 * 1024 };
  const { state, store, told: heard } = await start(t, directory, { size });
  commit(store, { incidents: [incident('kept')] });
  await store.durable();
  commit(store, {
    incidents: Array.from({ length: 30 }, (_, index) =>
      incident(`big-${index}`, { explanation: explained(`big-${index}`, 300) }),
    ),
  });
  await until(() => heard.includes('DiskFull'));
  assert.equal(store.durable(), undefined);
  commit(store, { incidents: [incident('later')], forget: Array.from({ length: 25 }, (_, index) => `big-${index}`) });
  await until(() => heard.includes('none'));
  await state.close(5000);
  const next = await start(t, directory);
  assert.deepEqual(contents(next.store), contents(store));
  assert.deepEqual([heard, next.found.aside], [['DiskFull', 'none'], undefined]);
});

test('a file that is damaged while it is in use is kept aside, and a new one holds all there is', async (t) => {
  const directory = temporaryDirectory(t);
  const { state, store, told: heard } = await start(t, directory);
  const many = (revision: number) =>
    // More than SQLite keeps in memory.
    Array.from({ length: 200 }, (_, index) =>
      incident(`inc-${index}`, { revision, explanation: explained(`inc-${index}`, 90) }),
    );
  commit(store, { incidents: many(1) });
  await store.durable();
  const file = join(directory, 'state.db');
  for (const name of [file, `${file}-wal`]) writeFileSync(name, Buffer.alloc(statSync(name).size, 0x55));
  for (let round = 0; heard.length === 0 && round < 50; round += 1) {
    commit(store, {
      incidents: Array.from({ length: 200 }, (_, index) => incident(`inc-${index}`, { revision: 2 + round })),
    });
    await store.durable();
  }
  await until(() => heard.includes('none'));
  assert.ok(
    heard.some((each) => each.startsWith('state.db.corrupt-')),
    heard.join(),
  );
  await state.close(5000);
  const next = await start(t, directory);
  assert.deepEqual(contents(next.store), contents(store));
});

test('a file that is too large loses resolved incidents and dead letters, the oldest first, and nothing that is open', async (t) => {
  const directory = temporaryDirectory(t);
  const size = { target: 1024 * 1024, limit: 64 * 1024 * 1024 };
  const { state, store, told: heard } = await start(t, directory, { size });
  commit(store, {
    incidents: [incident('open'), incident('resolved-first', { state: 'Resolved' })],
    enqueue: [told('open', 'open', 1)],
  });
  const many = Array.from({ length: 600 }, (_, index) =>
    incident(`resolved-${index}`, { state: 'Resolved', explanation: explained(`r-${index}`, 8) }),
  );
  commit(store, { incidents: many });
  commit(store, { incidents: [incident('resolved-last', { state: 'Resolved' })] });
  await state.close(5000);
  assert.ok(heard.length > 0 && heard.every((each) => each.startsWith('trimmed')), heard.join());
  assert.ok(statSync(join(directory, 'state.db')).size < 2 * size.target);
  const { found } = await start(t, directory);
  const left = new Set(found.saved?.incidents.map(({ id }) => id));
  assert.deepEqual(
    ['open', 'resolved-first', 'resolved-last'].map((id) => left.has(id)),
    [true, false, true],
  );
  assert.equal(found.setAside, undefined);
  assert.equal(found.saved?.outbox.length, 1);
});

test('a store that is left leaves nothing in the file, and one that is followed again all there is', async (t) => {
  const directory = temporaryDirectory(t);
  const { state, store } = await start(t, directory);
  commit(store, { incidents: [incident('canary-4711')] });
  await store.durable();
  state.journal.leave();
  commit(store, { incidents: [incident('another')] });
  assert.equal(store.durable(), undefined);
  await state.journal.settle(5000);
  const files = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'latin1'));
  assert.ok(files.every((text) => !text.includes('canary-4711')));
  state.journal.follow(store);
  await store.durable();
  await state.close(5000);
  const next = await start(t, directory);
  assert.deepEqual(contents(next.store), contents(store));
});

test('a directory that vanishes is a problem, and made anew', async (t) => {
  const directory = join(temporaryDirectory(t), 'state');
  const { store, told: heard } = await start(t, directory);
  commit(store, { incidents: [incident('a')] });
  await store.durable();
  rmSync(directory, { recursive: true });
  commit(store, { incidents: [incident('b')] });
  await store.durable();
  assert.deepEqual(heard, []);
});

test('what the file holds already is not written anew at a start: what comes next is, in its place', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  const many = Array.from({ length: 200 }, (_, index) => incident(`inc-${index}`, { explanation: explained('a', 3) }));
  commit(first.store, { incidents: many, enqueue: [told('inc-0', 'open', 1), told('inc-1', 'open', 1)] });
  commit(first.store, { forget: ['inc-5'] });
  const [under] = first.store.outbox();
  assert.ok(under);
  first.store.begin(under.delivery.id);
  await first.state.close(5000);
  const second = await start(t, directory);
  await second.store.durable();
  assert.deepEqual(second.state.journal.figures, { transactions: 0, bytes: 0, lastMs: 0 });
  // Nobody knows whether what was under way arrived, now and at every later start.
  assert.deepEqual(
    second.store.outbox().map(({ inFlight, mayHaveArrived }) => [inFlight, mayHaveArrived]),
    [
      [false, true],
      [false, false],
    ],
  );
  commit(second.store, { incidents: [incident('inc-7', { state: 'Resolved' }), incident('new')], forget: ['inc-3'] });
  await second.store.durable();
  assert.ok(second.state.journal.figures.bytes < 20_000);
  const before = contents(second.store);
  await second.state.close(5000);
  const third = await start(t, directory);
  assert.deepEqual(contents(third.store), before);
  assert.deepEqual(third.found.saved?.incidents.map(({ id }) => id).slice(-2), ['inc-199', 'new']);
});
