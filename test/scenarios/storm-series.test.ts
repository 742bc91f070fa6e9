import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { isRecorded } from './kit/recorded.ts';
import { run } from './kit/run.ts';
import { setOf } from './kit/sets.ts';
import { stories } from './kit/stories.ts';

/** Series that all storms together may have left behind: reasons, dispositions and severities, but nobody's name. */
const mostSeries = 100;

test('a storm is counted and not named: all storms together leave a bounded number of series, and no object in them', async () => {
  const storms = [...(await stories())].filter(([name]) => setOf(name) === 'storm' && isRecorded(name));
  assert.ok(storms.length >= 5, `${storms.length} storms`);
  const metrics = createMetrics({ process: false });
  const names = new Set<string>();
  for (const { played } of storms.map((each) => run(...each))) {
    metrics.count(played.counters);
    for (const { notification } of played.messages) if (notification.incident) names.add(notification.incident.id);
  }
  const text = await metrics.text();
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  assert.ok(names.size > 0 && series.length > 10);
  assert.ok(series.length <= mostSeries, `${series.length} series:\n${series.join('\n')}`);
  for (const name of names) assert.ok(!text.includes(name), name);
});
