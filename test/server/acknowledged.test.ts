import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { runIncidents } from '../../src/cli/running/incidents.ts';
import { narrate } from '../../src/message/narrate.ts';
import { lifeInWords } from '../../src/message/sentences/why.ts';
import type { Acknowledged } from '../../src/model/acknowledgement.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { providerTraits } from '../../src/runtime/sending/provider-types.ts';
import { statusPage } from '../../src/server/page/page.ts';
import { statusBody } from '../../src/server/status.ts';
import { printed } from '../cli/streams.ts';
import { health, hostile, incident, now, viewOf } from './page-stage.ts';

const acknowledged: Acknowledged = {
  ...{ by: 'ada', via: 'Telegram', at: now - 60_000 },
  ...{ severity: 'high', reason: 'NodeNotReady' },
};
const taken = incident('taken', { acknowledged });
const free = incident('free', { root: 'Node//n2' });

const compiled = (name: string) => {
  const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
  addFormats.default(ajv);
  const schema = (file: string) => JSON.parse(readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8'));
  ajv.addSchema(schema('health.schema.json'));
  return ajv.compile(schema(name));
};

test('the page says who has taken it on and since when, in its row, its card and its time line', () => {
  const [page, other] = [taken, free].map((one) => [...statusPage(viewOf(one), health, now)].join(''));
  assert.ok(page?.includes('acknowledged · '), 'the row');
  assert.ok(page?.includes('Acknowledged 08:59 UTC by ada via Telegram'), 'the card');
  assert.ok(page?.includes('Acknowledged by ada via Telegram'), 'the time line');
  assert.ok(!other?.toLowerCase().includes('acknowledged'));
  const evil = incident('evil', { acknowledged: { ...acknowledged, by: hostile, via: hostile } });
  assert.ok(![...statusPage(viewOf(evil), health, now)].join('').includes('<script>alert'));
});

test('the JSON says it by its schema, and nothing of who is in nobody’s hand', () => {
  const text = JSON.stringify(statusBody(viewOf(taken, free), health, now));
  const fits = compiled('status.schema.json');
  assert.ok(fits(JSON.parse(text)), JSON.stringify(fits.errors));
  const rows = JSON.parse(text).incidents.worst.map((row: { readonly id: string; readonly acknowledged?: unknown }) => [
    row.id,
    row.acknowledged,
  ]);
  assert.deepEqual(Object.fromEntries(rows), {
    taken: { by: 'ada', via: 'Telegram', at: new Date(now - 60_000).toISOString() },
    free: undefined,
  });
});

test('`tocsin incidents` shows it beside who was notified', async () => {
  const body = JSON.stringify(statusBody(viewOf(taken), health, now));
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${Object(server.address()).port}`;
  try {
    const asked = { url, tocsinNamespace: 'tocsin', output: 'text' } as const;
    const { out } = await printed((streams) => runIncidents(asked, streams, now));
    assert.match(out, /Acknowledged 08:59 UTC by ada; /);
  } finally {
    server.close();
  }
});

test('`tocsin why` says what follows from it, as long as it is not over', () => {
  const says = / It was acknowledged at 08:59 UTC by ada via Telegram: nobody is reminded of it, what is new is told\./;
  assert.match(lifeInWords(taken, undefined, now), says);
  assert.match(lifeInWords({ ...taken, state: 'Recovering', clearSince: now }, undefined, now), says);
  assert.doesNotMatch(lifeInWords({ ...taken, state: 'Resolved', resolvedAt: now }, undefined, now), says);
});

test('a message names it as a fact, and an edit for it alone rings nobody', () => {
  const told = (reasonCode: string, one = taken) =>
    narrate(
      { act: 'update', incident: one, reasonCode, audience: '', providers: [] },
      { settings: defaultSettings, now, version: '1' },
    );
  const update = told('Acknowledged');
  assert.deepEqual(update.facts[0], { name: 'Acknowledged', value: '08:59 UTC by ada via Telegram' });
  assert.match(update.title, /^Acknowledged — /);
  assert.equal(update.incident?.ring, undefined);
  const back = told('AcknowledgementWithdrawn', free);
  assert.ok(back.facts.every(({ name }) => name !== 'Acknowledged'));
  assert.match(back.lead, /nobody has acknowledged it any more/i);
  assert.equal(back.incident?.ring, undefined);
});

test('chats that edit their message are told, and with what; the others are not', () => {
  const edits = [...providerTraits].flatMap(([type, traits]) => (traits.edits ? [[type, traits.edits] as const] : []));
  assert.deepEqual(Object.fromEntries(edits), {
    ...{ discord: [], matrix: [], mattermost: ['token'], rocketchat: ['token'], signal: [], slack: ['token'] },
    ...{ telegram: [], webex: [] },
  });
});
