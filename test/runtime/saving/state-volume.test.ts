import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { redact } from '../../../src/model/redact.ts';
import { exposeState } from '../../../src/runtime/saving/state-gauges.ts';
import { StateVolume } from '../../../src/runtime/saving/state-volume.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createMetrics } from '../../../src/telemetry/metrics.ts';
import { realClock } from '../../delivery/clock.ts';
import { commit, incident, start, temporaryDirectory } from '../../state/stage.ts';

test('a row that is set aside is said once in the log, in /health for a day, and in a metric from then on', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, directory);
  commit(first.store, { incidents: [incident('a'), incident('b')] });
  await first.state.close(5000);
  const database = new DatabaseSync(join(directory, 'state.db'));
  database.exec(`UPDATE incidents SET value = json_remove(value, '$.hearings') WHERE key = 'a'`);
  database.close();

  let now = Date.UTC(2026, 10, 23);
  const lines: string[] = [];
  const volume = new StateVolume({
    path: directory,
    clock: { ...realClock, now: () => now },
    log: createLogger({ level: 'error', redact, stream: { write: (line: string) => void lines.push(line) } }),
    mayTell: () => true,
    crashed: assert.fail,
  });
  t.after(() => volume.close());
  const { saved } = await volume.open();
  assert.deepEqual(
    saved?.incidents.map(({ id }) => id),
    ['b'],
  );
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"rows":2,"latest":"incidents a: hearings is missing, not an object"/);
  assert.deepEqual(volume.view().setAside, { rows: 2, isNews: true });
  const metrics = createMetrics({ process: false });
  exposeState(metrics, volume);
  assert.match(await metrics.text(), /^tocsin_state_rows_set_aside 2$/m);
  now += 24 * 3_600_000;
  assert.deepEqual(volume.view().setAside, { rows: 2, isNews: false });
});
