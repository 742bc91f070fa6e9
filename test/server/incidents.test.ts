/** Incidents of now and of the past over HTTP: found, by address, and each as far as whoever asks may read. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { get, request as post } from 'node:http';
import { after, before, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { narrate } from '../../src/message/narrate.ts';
import type { Incident } from '../../src/model/incident.ts';
import { refOf } from '../../src/model/ref.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { emptyBatch } from '../../src/model/turn.ts';
import { History } from '../../src/runtime/saving/history.ts';
import { cutFor } from '../../src/server/audience.ts';
import { type RunningServer, startServer } from '../../src/server/server.ts';
import type { AgentCall, StatusView } from '../../src/server/views.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { noEffects } from '../runtime/helpers.ts';
import { health, hostile, incident, now, viewOf, words } from './page-stage.ts';

const finding = (ref: `${string}/${string}/${string}`): Incident['explanation']['members'][number] => ({
  ...{ subject: { ref, labels: {} }, reason: 'NodeNotReady', since: now, severity: 'high', conclusive: false },
  ...{ facts: {}, names: [] },
});

/** A lost Node that hits two namespaces, something of one of them alone, and two that are over. */
const shared = incident('shared', {
  explanation: {
    ...incident('x').explanation,
    members: [finding('Node//n1'), finding('Pod/shop/api-1'), finding('Pod/bank/ledger-1')],
    affected: ['Pod/shop/api-1', 'Pod/bank/ledger-1'].map((ref) => ({ ref: ref as `Pod/${string}/x`, labels: {} })),
    workloads: [refOf('Deployment', 'shop', 'api'), refOf('Deployment', 'bank', 'ledger')],
  },
});
const ofShop = incident('ofshop', { root: refOf('Deployment', 'shop', 'web'), severity: 'low' });
const known = [shared, ofShop];
const history = new History({ words }, 'tocsin');
for (const [index, id] of ['earlier', 'later'].entries()) {
  const root = refOf('Deployment', 'bank', id);
  const open = incident(id, { root, startedAt: now - 7_200_000 });
  const over: Incident = { ...open, state: 'Resolved', resolvedAt: now - 3_600_000 + index };
  for (const one of [open, over]) history.take({ ...noEffects, save: { ...emptyBatch, incidents: [one] } }, now);
}

/** As the operator shows it to an audience. */
function viewFor(audience = ''): StatusView {
  const cut = (one: Incident): Incident[] => [cutFor(audience, one, defaultSettings) ?? []].flat();
  const narrated = (one: Incident) =>
    narrate(
      { act: 'open', incident: one, reasonCode: 'Asked', audience, providers: [] },
      { settings: defaultSettings, now, version: '1' },
    );
  return {
    ...viewOf(...known.flatMap(cut)),
    words: narrated,
    history: {
      find: (asked) => history.find(audience === '' ? asked : { ...asked, namespace: audience }),
      get: (id) => [history.get(id) ?? []].flat().find(({ incident: one }) => cut(one).length > 0),
      ...(history.oldest !== undefined && { oldest: history.oldest }),
    },
  };
}

let server: RunningServer;
const asked: { call: AgentCall; audience: string | undefined }[] = [];
before(async () => {
  server = await startServer({
    ...{ port: 0, host: '127.0.0.1', metrics: createMetrics({ process: false }) },
    log: createLogger({ level: 'silent' }),
    views: {
      ...{ alive: () => true, ready: () => ({ checks: [] }), health: () => health, metricsGuard: () => undefined },
      status: () => ({
        ...{ allowPlainHTTP: true, why: () => ({ unclear: 'x' }), report: () => ({ unclear: 'x' }) },
        authorize: async (token) => (token === 'admin' ? 'allowed' : token === 'x' ? 'unauthenticated' : 'forbidden'),
        authorizeIn: async (token, namespace) => (token === `of-${namespace}` ? 'allowed' : 'forbidden'),
        view: viewFor,
        agents: async (call, audience) => {
          asked.push({ call, audience });
          return { status: 200, type: 'application/json', text: '{}' };
        },
      }),
      now: () => now,
    },
  });
});
after(() => server?.close());

type Answer = { readonly status: number; readonly body: string };

/** Asks as a port-forward does, or with a token as the network does. */
function ask(path: string, token?: string, accept = 'application/json'): Promise<Answer> {
  const headers = { accept, ...(token !== undefined && { 'x-forwarded-for': '1', authorization: `Bearer ${token}` }) };
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port: server.port, path, headers, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    }).on('error', reject);
  });
}

const ids = ({ body }: Answer): readonly string[] =>
  JSON.parse(body).incidents.listed.map(({ id }: { readonly id: string }) => id);

test('what is open comes first, then what ended last; as its schema says', async () => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const schema = JSON.parse(readFileSync(new URL('../../docs/incidents.schema.json', import.meta.url), 'utf8'));
  const [isList, isOne] = [
    ajv.compile(schema),
    ajv.compile({ $ref: 'https://tocsin.dev/schemas/incidents.json#/$defs/incident' }),
  ];
  const answer = await ask('/status/incidents');
  assert.deepEqual(ids(answer), ['shared', 'ofshop', 'later', 'earlier']);
  assert.ok(isList(JSON.parse(answer.body)), JSON.stringify(isList.errors));
  const one = JSON.parse((await ask('/status/incidents/later')).body);
  const { state, resolvedAt } = one;
  assert.ok(isOne(one), JSON.stringify(isOne.errors));
  assert.deepEqual([state, resolvedAt], ['Resolved', new Date(now - 3_600_000 + 1).toISOString()]);
  const { reasons, rememberedSince } = JSON.parse(answer.body);
  assert.deepEqual(reasons, [{ reason: 'NodeNotReady', count: 4, medianSeconds: 3_600 }]);
  assert.equal(rememberedSince, new Date(now - 3_600_000).toISOString());
});

test('it is searched by words, time, state and namespace, and bounded', async () => {
  for (const [query, found] of [
    ['search=object:bank/later', ['later']],
    ['search=ledger', ['shared']],
    ['state=over&limit=1', ['later']],
    ['since=30m', ['shared', 'ofshop']],
    ['until=2026-11-20T08:00:00Z', ['later', 'earlier']],
    ['namespace=bank', ['shared', 'later', 'earlier']],
    ['search=nothing-like-it', []],
  ] as const)
    assert.deepEqual(ids(await ask(`/status/incidents?${query}`)), found, query);
  for (const query of ['since=yesterday', 'limit=0', 'limit=501', 'state=gone', 'search=a&search=b'])
    assert.equal((await ask(`/status/incidents?${query}`)).status, 400, query);
});

test('the page of an incident keeps its address when it is over; one that nobody knows is said to be unknown', async () => {
  const over = await ask('/status/incidents/earlier', undefined, 'text/html');
  assert.equal(over.status, 200);
  assert.match(over.body, /<h2 class="headline good"[^>]*>Deployment bank\/earlier: NodeNotReady · resolved</);
  assert.match(over.body, /lasted 1 h/);
  const gone = await ask('/status/incidents/gone', undefined, 'text/html');
  assert.equal(gone.status, 404);
  assert.match(gone.body, /This incident is not known/);
  assert.equal((await ask('/status/incidents/gone')).status, 404);
  const odd = await ask(`/status/incidents/${encodeURIComponent(hostile)}`, undefined, 'text/html');
  assert.doesNotMatch(odd.body, /<img|alert\(1\)/);
});

test('the page of the past says what was looked for, and nothing in it is markup', async () => {
  const page = await ask(`/status/incidents?since=7d&search=${encodeURIComponent(hostile)}`, undefined, 'text/html');
  assert.match(page.body, /No incident fits/);
  assert.doesNotMatch(page.body, /<img|<script>alert/);
  assert.match(page.body, /<option value="7d" selected>/);
  const all = await ask('/status/incidents', undefined, 'text/html');
  assert.match(all.body, /<a href="incidents\/later">Link to this incident<\/a>/);
});

test('a token of a namespace reads what concerns it, and nothing of another', async () => {
  const own = await ask('/status/incidents?namespace=shop', 'of-shop');
  assert.deepEqual(ids(own), ['shared', 'ofshop']);
  assert.doesNotMatch(own.body, /bank|ledger/);
  assert.doesNotMatch((await ask('/status/incidents/shared?namespace=shop', 'of-shop')).body, /bank|ledger/);
  for (const path of [
    '/status/incidents?namespace=bank',
    '/status/incidents',
    '/status?namespace=shop',
    '/status/why?object=api&namespace=shop',
    '/status/report?namespace=shop',
  ])
    assert.equal((await ask(path, 'of-shop')).status, 403, path);
  assert.equal((await ask('/status/incidents/later?namespace=shop', 'of-shop')).status, 404);
  assert.equal((await ask('/status/incidents?namespace=shop', 'x')).status, 401);
  assert.deepEqual(ids(await ask('/status/incidents?namespace=bank', 'admin')), ['shared', 'later', 'earlier']);
});

/** Posts what an agent would. */
function call(headers: Readonly<Record<string, string>>, body = '{}', path = '/status/mcp'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = post(
      { host: '127.0.0.1', port: server.port, path, method: 'POST', headers, agent: false },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(body);
  });
}

test('agents post JSON of bounded size, with a token as anybody; pages in browsers may not', async () => {
  const json = { 'content-type': 'application/json' };
  assert.equal(await call(json), 200);
  assert.deepEqual(asked.splice(0), [{ call: { headers: json, body: '{}' }, audience: undefined }]);
  const network = { ...json, 'x-forwarded-for': '1' };
  assert.equal(await call({ ...network, authorization: 'Bearer of-shop' }, '{}', '/status/mcp?namespace=shop'), 200);
  assert.equal(asked.splice(0)[0]?.audience, 'shop');
  assert.equal(await call({ ...network, authorization: 'Bearer of-shop' }), 403);
  assert.equal(await call(network), 401);
  assert.equal(await call({ ...json, origin: 'https://evil.example' }), 403);
  assert.equal(await call({ 'content-type': 'text/plain' }), 415);
  assert.equal(await call(json, `"${'x'.repeat(70_000)}"`), 413);
  assert.equal(await call(json, '{}', '/status'), 405);
  assert.equal((await ask('/status/mcp')).status, 405);
  assert.deepEqual(asked, []);
});
