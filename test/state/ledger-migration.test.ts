/** A file of the version that knew whom an incident was told, brought to the ledger of what each provider heard. */
import assert from 'node:assert/strict';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { expected } from '../../src/model/hearing.ts';
import { StateDatabase } from '../../src/state/database.ts';
import { Reading } from '../../src/state/reading.ts';
import { temporaryDirectory } from './stage.ts';

const fixture = join(import.meta.dirname, 'fixtures', 'schema-1.db');

/** What the old file says of an incident. */
type Old = {
  readonly id: string;
  readonly toldTo: readonly string[];
  readonly endToldTo?: readonly string[];
  readonly endOwedTo?: readonly string[];
  readonly listedIn?: readonly { readonly provider: string }[];
};

test('whoever was told of an incident knows of it after the migration, whoever was told its end knows that, and nobody else', (t) => {
  const path = join(temporaryDirectory(t, true), 'state.db');
  copyFileSync(fixture, path);
  const raw = new DatabaseSync(path);
  const old = new Map<string, Old>(
    raw
      .prepare('SELECT value FROM incidents')
      .all()
      .map(({ value }) => JSON.parse(String(value)) as Old)
      .map((incident) => [incident.id, incident]),
  );
  raw.close();
  const database = new StateDatabase(path, 0);
  const reading = new Reading();
  reading.take([...database.read()]);
  const { incidents, outbox } = reading.finish();
  assert.equal(database.setAside, undefined, 'every row fits');
  database.close();
  assert.equal(incidents.length, old.size);
  let heard = 0;
  for (const { id, hearings } of incidents) {
    const { toldTo, endToldTo = [] } = old.get(id) ?? assert.fail(id);
    for (const [uid, hearing] of Object.entries(hearings)) {
      const { knows, told } = expected(hearing);
      const wanted = !toldTo.includes(uid) ? 'nothing' : endToldTo.includes(uid) ? 'over' : 'open';
      assert.equal(knows, wanted, `${id} at ${uid}`);
      if (wanted !== 'nothing') {
        assert.ok(told, `what ${uid} was told of ${id}`);
        heard += 1;
      }
    }
    for (const uid of toldTo) assert.ok(hearings[uid], `${id} was told ${uid}`);
  }
  assert.ok(heard > 3, `${heard} hearings`);
  // What waits to be sent is not taken for heard: it may still be refused.
  for (const { delivery } of outbox) {
    const hearing = incidents.find(({ id }) => id === delivery.stream)?.hearings[delivery.providerUid];
    if (hearing && delivery.act !== 'update') assert.ok(hearing.sending?.some(({ act }) => act === delivery.act));
  }
});
