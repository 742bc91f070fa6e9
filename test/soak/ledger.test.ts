import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Taken } from './faulty-receiver.ts';
import { auditOf, quantile } from './ledger.ts';
import { slopePerHour } from './memory.ts';

const message = (at: number, type: string, name: string, incident = name): Taken => ({
  ...{ at, id: `${at}`, type, title: `${type} ${name}` },
  incident: { id: incident, root: { kind: 'Deployment', name } },
});

test('what was broken and told, open and resolved, is in order', () => {
  const audit = auditOf(
    [
      { deployment: 'a', brokenAt: 1_000, mendedAt: 50_000 },
      { deployment: 'a', brokenAt: 200_000, mendedAt: 250_000 },
    ],
    [
      message(11_000, 'incident.opened', 'a', 'i1'),
      message(80_000, 'incident.resolved', 'a', 'i1'),
      message(205_000, 'incident.reopened', 'a', 'i1'),
      message(300_000, 'incident.resolved', 'a', 'i1'),
    ],
  );
  assert.deepEqual([audit.neverOpened, audit.neverResolved, audit.falseAlarms, audit.repeats], [[], [], [], 0]);
  assert.deepEqual(
    [audit.openLags, audit.resolveLags],
    [
      [5, 10],
      [30, 50],
    ],
  );
});

test('a break nobody was told of is lost, and so is a resolution of another incident', () => {
  const audit = auditOf(
    [
      { deployment: 'a', brokenAt: 1_000, mendedAt: 50_000 },
      { deployment: 'b', brokenAt: 1_000, mendedAt: 50_000 },
    ],
    [message(11_000, 'incident.opened', 'b', 'i1'), message(80_000, 'incident.resolved', 'b', 'i2')],
  );
  assert.equal(audit.neverOpened.length, 1);
  assert.match(audit.neverOpened[0] ?? '', /^a /);
  assert.equal(audit.neverResolved.length, 2);
});

test('an opening about nothing that was broken is a false alarm, one that came twice a repeat', () => {
  const opened = message(11_000, 'incident.opened', 'a');
  const audit = auditOf(
    [{ deployment: 'a', brokenAt: 1_000 }],
    [opened, { ...opened, at: 12_000 }, message(13_000, 'incident.opened', 'web-1')],
  );
  assert.equal(audit.repeats, 1);
  assert.equal(audit.falseAlarms.length, 1);
  assert.match(audit.falseAlarms[0] ?? '', /web-1/);
});

test('the slope is bytes per hour, and quantiles are of sorted values', () => {
  const readings = [0, 1, 2, 3].map((hours) => ({ at: hours * 3_600_000, bytes: 100 + hours * 7 }));
  assert.ok(Math.abs(slopePerHour(readings) - 7) < 1e-9);
  assert.equal(slopePerHour(readings.slice(0, 1)), 0);
  assert.deepEqual([quantile([1, 2, 3, 4], 0.5), quantile([1, 2, 3, 4], 1), quantile([5], 0)], [3, 4, 5]);
});
