import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Fault, Faults } from '../../src/model/faults.ts';
import { redact } from '../../src/model/redact.ts';
import { notJudged, reportFaults } from '../../src/runtime/faults.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

const fault = (step: Fault['step'], about: Fault['about'], by = ''): Fault => ({
  ...{ step, about, by },
  error: new TypeError('token=hunter2secret is not iterable'),
});

test('what is set aside is logged once with its error, without secrets, and counted', async () => {
  const faults = new Faults();
  faults.setAside();
  const lines: string[] = [];
  const metrics = createMetrics({ process: false });
  const log = createLogger({ level: 'error', redact, stream: { write: (line: string) => void lines.push(line) } });
  for (let turn = 0; turn < 3; turn += 1) {
    faults.begin(turn);
    faults.note(fault('judge', 'Pod/shop/api', 'crash-loop'));
    reportFaults(faults, { log, metrics });
  }
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /"step":"judge","object":"Pod\/shop\/api","by":"crash-loop"/);
  assert.match(lines[0] ?? '', /is not iterable/);
  assert.doesNotMatch(lines[0] ?? '', /hunter2secret/);
  assert.match(await metrics.text(), /^tocsin_set_aside_total\{step="judge"\} 1$/m);
});

test('objects that are not judged are counted by kind, each once', () => {
  const counts = notJudged([
    fault('judge', 'Pod/shop/api', 'crash-loop'),
    fault('judge', 'Pod/shop/api', 'image'),
    fault('take', 'Service/shop/api'),
    fault('tell', 'Pod/shop/web'),
  ]);
  assert.deepEqual(
    [...counts],
    [
      ['Pod', 1],
      ['Service', 1],
    ],
  );
});

test('a thousand are kept at most, and what is not set aside again when it is tried is over', () => {
  const faults = new Faults();
  faults.setAside();
  faults.begin(0);
  for (let pod = 0; pod < 3_000; pod += 1) faults.note(fault('judge', `Pod/shop/p${pod}`));
  assert.deepEqual([[...faults.all()].length, faults.takeFresh().length, faults.wakeAt()], [1_000, 1_000, 600_000]);
  assert.deepEqual(faults.begin(599_999), []);
  assert.equal(faults.begin(600_000).length, 1_000);
  faults.note(fault('judge', 'Pod/shop/p7'));
  faults.begin(600_001);
  assert.deepEqual(
    Array.from(faults.all(), ({ about }) => about),
    ['Pod/shop/p7'],
  );
  assert.deepEqual(faults.takeFresh(), []);
});
