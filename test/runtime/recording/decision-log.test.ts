import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { Decision } from '../../../src/model/incident.ts';
import { refOf } from '../../../src/model/ref.ts';
import { logBaseline, logDecisions } from '../../../src/runtime/recording/decision-log.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';

/** What is written at the level that an installation has. */
function lines(write: (log: ReturnType<typeof createLogger>) => void): readonly Readonly<Record<string, unknown>>[] {
  const written: string[] = [];
  write(createLogger({ level: 'info', stream: { write: (line) => written.push(line) } }));
  return written.map((line) => JSON.parse(line) as Record<string, unknown>);
}

const decision: Decision = {
  ...{ time: '2026-11-20T09:00:00Z', incident: 'i1', action: 'open', from: 'Pending', to: 'Open', audience: 'All' },
  ...{ disposition: 'Delivered', reasonCode: 'Settled', root: refOf('Deployment', 'shop', 'api') },
  ...{ reason: 'CrashLoopBackOff', severity: 'high', confidence: 'certain', affected: 1, trace: [] },
} as unknown as Decision;

test('who reads the log sees each incident open, change and end, with what became of it and why', () => {
  const steps = (['open', 'update', 'suppress', 'fold', 'recover', 'resolve'] as const).map((action) => ({
    ...decision,
    action,
  }));
  const written = lines((log) => logDecisions(steps, log));
  assert.deepEqual(
    written.map(({ msg }) => msg),
    ['incident opened', 'incident updated', 'incident held back', 'incident resolved'],
  );
  const { incident, root, reason, severity, disposition, why } = written[0] ?? {};
  assert.deepEqual(
    { incident, root, reason, severity, disposition, why },
    {
      ...{ incident: 'i1', root: refOf('Deployment', 'shop', 'api'), reason: 'CrashLoopBackOff', severity: 'high' },
      ...{ disposition: 'Delivered', why: 'Settled' },
    },
  );
});

test('the start is one line: how much is watched, and how much is not', () => {
  const row = (state: Coverage['state']) => ({ state }) as Coverage;
  const [only, ...more] = lines((log) => logBaseline([row('Watching'), row('Watching'), row('NotServed')], log));
  assert.deepEqual(more, []);
  assert.deepEqual([only?.watched, only?.NotServed], [2, 1]);
});
