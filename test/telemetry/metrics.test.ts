import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricTable } from '../../src/telemetry/metric-table.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';

test('every metric of the table is exposed with its help, and delivery ones begin with tocsin_delivery_', async () => {
  const text = await createMetrics({ process: false }).text();
  for (const [name, { kind, help }] of Object.entries(metricTable)) {
    assert.match(name, /^tocsin_[a-z_]+$/);
    assert.ok(text.includes(`# HELP ${name} ${help}`), name);
    assert.ok(text.includes(`# TYPE ${name} ${kind}`), name);
  }
  assert.equal(Object.keys(metricTable).filter((name) => name.startsWith('tocsin_delivery_')).length, 5);
});

test('counters, gauges and histograms show what was recorded', async () => {
  const metrics = createMetrics({ process: false });
  metrics.add('tocsin_api_requests_total', { verb: 'GET', code: '200' }, 2);
  metrics.set('tocsin_lease_held', {}, 1);
  metrics.observe('tocsin_turn_duration_seconds', {}, 0.003);
  metrics.count([
    { name: 'tocsin_decisions_total', labels: { action: 'open', disposition: 'Delivered', severity: 'high' }, by: 3 },
  ]);
  const text = await metrics.text();
  assert.match(text, /tocsin_api_requests_total\{verb="GET",code="200"\} 2/);
  assert.match(text, /tocsin_lease_held 1/);
  assert.match(text, /tocsin_turn_duration_seconds_bucket\{le="0.005"\} 1/);
  assert.match(text, /tocsin_decisions_total\{action="open",disposition="Delivered",severity="high"\} 3/);
});

test('a counter that is not in the table is a loud error', () => {
  const metrics = createMetrics({ process: false });
  assert.throws(() => metrics.count([{ name: 'tocsin_other_total', labels: {}, by: 1 }]), /tocsin_other_total/);
});

test('label values are bounded in length and number', async () => {
  const metrics = createMetrics({ process: false });
  for (let index = 0; index < 2100; index += 1)
    metrics.add('tocsin_api_requests_total', { verb: `verb-${index}`, code: 'x'.repeat(1000) });
  const lines = (await metrics.text()).split('\n').filter((line) => line.startsWith('tocsin_api_requests_total{'));
  assert.equal(lines.length, 2001);
  assert.ok(lines.some((line) => line === 'tocsin_api_requests_total{verb="other",code="other"} 100'));
  assert.ok(lines.every((line) => line.length < 250));
});

test('gauges can be filled at each scrape, and what is gone does not linger', async () => {
  const metrics = createMetrics({ process: false });
  let sources = ['pods', 'nodes'];
  metrics.beforeScrape(() => {
    metrics.reset('tocsin_source_objects');
    for (const source of sources) metrics.set('tocsin_source_objects', { source }, 1);
  });
  assert.match(await metrics.text(), /source="nodes"/);
  sources = ['pods'];
  const text = await metrics.text();
  assert.match(text, /source="pods"/);
  assert.doesNotMatch(text, /source="nodes"/);
});

test('the process itself is measured under our prefix', async () => {
  assert.match(await createMetrics().text(), /^tocsin_process_resident_memory_bytes \d/m);
});
