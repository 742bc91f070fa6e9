import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { runIncidents } from '../../src/cli/running/incidents.ts';
import type { ClusterRow, HubView } from '../../src/model/hub.ts';
import { statusPage } from '../../src/server/page/page.ts';
import { statusBody } from '../../src/server/status.ts';
import { printed } from '../cli/streams.ts';
import { health, hostile, incident, now, viewOf } from './page-stage.ts';

const row = (name: string, more: Partial<ClusterRow> = {}): ClusterRow => ({
  ...{ cluster: `id-${name}`, name, version: '1.0.0', heardAt: now - 5_000 },
  open: { critical: 1, high: 2, medium: 0, low: 3 },
  worst: [{ severity: 'critical', reason: 'OOMKilled', title: 'shop/api was killed', since: now - 600_000 }],
  ...more,
});
const quiet = row('prod-us', { open: { critical: 0, high: 0, medium: 0, low: 0 }, worst: [], heardAt: now - 600_000 });
const free = incident('free');
const viewOfHub = (...clusters: readonly ClusterRow[]) => ({ ...viewOf(free), clusters });
const viewOfMember = (hub: HubView) => ({ ...viewOf(free), hub });
const pageOf = (view: ReturnType<typeof viewOf>) => [...statusPage(view, health, now)].join('');

const fits = () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const schema = (file: string) => JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));
  ajv.addSchema(schema('health.schema.json'));
  return ajv.compile(schema('status.schema.json'));
};

test('the page of a hub lists its members, those that are not heard of marked, and whatever they say is text', () => {
  const page = pageOf(viewOfHub(row('prod-eu'), quiet));
  assert.match(page, /<h2 id="clusters-title">Clusters<\/h2>/);
  assert.match(page, /<tr class="bad"><th scope="row">prod-us<\/th>/);
  assert.ok(page.includes('shop/api was killed'));
  const [worst] = row('').worst;
  const evil = row(hostile, { version: hostile, worst: worst ? [{ ...worst, title: hostile }] : [] });
  assert.ok(!pageOf(viewOfHub(evil)).includes('<script>alert'));
  assert.match(pageOf(viewOfHub()), /No member has been heard of yet/);
});

test('the page of a member says how it stands with its hub; without one neither is there', () => {
  assert.match(pageOf(viewOfMember({ is: 'answering', name: 'central' })), /The hub central answers\./);
  assert.match(
    pageOf(viewOfMember({ is: 'failing', why: `it answered 401: ${hostile}` })),
    /The hub does not answer, so this cluster tells everything itself: it answered 401/,
  );
  assert.ok(!pageOf(viewOfMember({ is: 'failing', why: hostile })).includes('<script>alert'));
  assert.doesNotMatch(pageOf(viewOf(free)), /id="hub"|id="clusters"/);
});

test('the JSON has both by its schema, and neither where there is no hub', () => {
  const check = fits();
  for (const view of [
    viewOfHub(row('prod-eu'), quiet),
    viewOfMember({ is: 'pending' }),
    viewOfMember({ is: 'failing', why: 'it answered 503' }),
    viewOf(free),
  ])
    assert.ok(check(JSON.parse(JSON.stringify(statusBody(view, health, now)))), JSON.stringify(check.errors));
  const body = JSON.parse(JSON.stringify(statusBody(viewOfHub(row('prod-eu')), health, now)));
  assert.deepEqual(body.clusters[0].open, { critical: 1, high: 2, medium: 0, low: 3 });
  assert.deepEqual(
    Object.keys(statusBody(viewOf(free), health, now)).filter((key) => key === 'hub' || key === 'clusters'),
    [],
  );
});

test('what the hub tells is said to be told by it, and `tocsin incidents` lists the members of a hub', async () => {
  const told = incident('told', { standings: { '': { disposition: 'ToldByHub', by: 'Hub//central', at: now } } });
  assert.match(pageOf(viewOf(told)), /1 open[\s\S]*The hub central has told it for all clusters that it hits/);
  const body = JSON.stringify(statusBody({ ...viewOf(told), clusters: [row('prod-eu'), quiet] }, health, now));
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  try {
    const asked = { url, tocsinNamespace: 'tocsin', output: 'text' } as const;
    const { out } = await printed((streams) => runIncidents(asked, streams, now));
    assert.match(out, /Told by the hub central/);
    assert.match(out, /CLUSTER +HEARD OF +CRITICAL +HIGH +MEDIUM +LOW +WORST/);
    assert.match(out, /prod-eu +5 s ago +1 +2 +0 +3 +shop\/api was killed/);
  } finally {
    server.close();
  }
});
