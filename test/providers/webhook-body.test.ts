/** Bodies that people make themselves: what an expression can do, and what it can never do. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { Secret } from '../../src/model/secret.ts';
import { ownBody } from '../../src/providers/webhook/body.ts';
import { bodyFlaws } from '../../src/providers/webhook/flaws.ts';
import { sampleEvents } from '../../src/providers/webhook/samples.ts';
import { webhook } from '../../src/providers/webhook.ts';
import { runs } from '../runs.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

const opening = sampleEvents().get('an opening') ?? assert.fail();
const made = (source: string, event = opening) => ownBody(source, event);

describe('what an expression makes', () => {
  const rows: readonly (readonly [string, unknown])[] = [
    ['{"a": event.severity}', { a: 'high' }],
    ['[event.incident.affected.count, 2.5, true, null]', [2, 2.5, true, null]],
    ['{"pods": event.incident.pods.map(p, p.name)}', { pods: ['payments-2-f'] }],
    [
      '{"all": event.incident.affected.sample.map(o, o.kind + "/" + o.name).join(", ")}',
      { all: 'Pod/payments-2-f, Pod/payments-2-g' },
    ],
    ['{"none": event.incident.pods.filter(p, p.node == "x")}', { none: [] }],
    ['{"team": has(event.incident.labels.team) ? event.incident.labels["team"] : "nobody"}', { team: 'checkout' }],
    ['{"short": event.title.substring(0, 6).upperAscii()}', { short: 'SHOP/P' }],
    ['{"ends": timestamp(event.incident.startedAt) + duration("4h")}', { ends: '2026-11-20T16:11:00.000Z' }],
    ['{"text": json({"n": event.incident.affected.count})}', { text: '{"n":2}' }],
    ['event', opening],
  ];
  for (const [source, expected] of rows)
    test(source, () => {
      const result = made(source);
      assert.ok('body' in result, JSON.stringify(result));
      assert.deepEqual(JSON.parse(result.body), JSON.parse(JSON.stringify(expected)));
    });
});

describe('what it cannot do is said in a few words', () => {
  const doubled = Array.from({ length: 25 }).reduce<string>(
    (list) => `${list}.map(m, {"k": m.k + m.k})`,
    '[{"k": event.message}]',
  );
  const pods = 'event.incident.pods';
  const rows: readonly (readonly [string, RegExp])[] = [
    ['', /./],
    ['{"a":', /Unexpected token/],
    ['{"a": event.nope}', /No such key: nope/],
    ['{"a": events.title}', /there is no `events`/],
    ['"text"', /makes no map and no list/],
    ['null', /makes no map and no list/],
    ['{"a": 1 / 0}', /division by zero/],
    ['{"a": event.message.matches("(a+)+$")}', /`matches` is not available/],
    ['{"a": bytes(event.message)}', /`bytes` is not available/],
    ['{"a": duration("1h")}', /JSON does not have/],
    ['{"a": event.constructor}', /No such key/],
    [`{"a": size(${doubled}[0].k)}`, /could come to \d+ (?:steps|characters)/],
    [`{"a": ${pods}.map(a, ${pods}.map(b, ${pods}.map(c, a.name + b.name + c.name)))}`, /could come to/],
    ['{"a": event.message.split("").map(x, event.message)}', /could come to/],
    ['{"a": event.message.split("").join(event.message)}', /could come to/],
    [`{"a": ${'('.repeat(500)}1${')'.repeat(500)}}`, /depth|nest/i],
    [`{"a": "${'x'.repeat(9_000)}"}`, /longer than 8192/],
  ];
  for (const [source, says] of rows)
    test(source.slice(0, 80), () => {
      const result = made(source);
      assert.ok('problem' in result, JSON.stringify(result).slice(0, 200));
      assert.match(result.problem, says);
      assert.ok(result.problem.length <= 300 && !/\n/.test(result.problem));
    });
});

/** Megabytes of live objects that telling all of them may take; of them a third is the process itself. */
const memoryMegabytes = 96;

test('of 10,000 hostile expressions each goes out as a message, soon, within bounded memory', async () => {
  const worker = new Worker(new URL('./hostile-bodies.ts', import.meta.url), {
    workerData: runs(10_000),
    resourceLimits: { maxOldGenerationSizeMb: memoryMegabytes, maxYoungGenerationSizeMb: 16 },
  });
  const [used] = await once(worker, 'message');
  assert.ok(used > runs(1_000), `only ${used} could be used`);
  await worker.terminate();
});

test('what is not used is a remark on the delivery, and has the headers of our own body', async () => {
  const config = {
    url: new Secret('https://receiver.example/x'),
    headers: {},
    method: 'PUT',
    contentType: 'application/vnd.kafka.json.v2+json',
  } as const;
  const good = await sent(webhook, { ...config, body: '{"a": event.severity}' }, notifications.open);
  assert.deepEqual(good.outcome, { is: 'delivered' });
  assert.deepEqual(
    [good.requests[0]?.method, good.requests[0]?.headers?.['content-type']],
    ['PUT', 'application/vnd.kafka.json.v2+json'],
  );
  const bad = await sent(webhook, { ...config, body: '{"a": event.nope}' }, notifications.open);
  assert.equal(bad.outcome.is, 'delivered');
  assert.match(
    ('remark' in bad.outcome && bad.outcome.remark) || '',
    /own body, since `body` could not be used: No such key: nope/,
  );
  assert.equal(bad.requests[0]?.headers?.['content-type'], 'application/json; charset=utf-8');
});

test('a signature is of the body that is sent', async () => {
  const signingSecret = new Secret(`whsec_${Buffer.alloc(32, 7).toString('base64')}`);
  const config = {
    url: new Secret('https://receiver.example/x'),
    headers: {},
    method: 'POST',
    signingSecret,
  } as const;
  const [ours, theirs] = [
    await sent(webhook, config, notifications.open),
    await sent(webhook, { ...config, body: '[event.id]' }, notifications.open),
  ];
  const signature = ({ requests }: typeof ours) => requests[0]?.headers?.['webhook-signature'];
  assert.match(String(signature(theirs)), /^v1,/);
  assert.notEqual(signature(ours), signature(theirs));
});

test('lint tries an expression on a message of each kind, and says for which it fails', () => {
  assert.deepEqual(bodyFlaws(undefined), []);
  assert.deepEqual(bodyFlaws('{"a": event.title}'), []);
  const [flaw, ...others] = bodyFlaws('{"a": event.incident.id}');
  assert.deepEqual(others, []);
  assert.match(
    flaw?.says ?? '',
    /for a digest, the summary of a start, a test, which would be sent in Tocsin's own form: /,
  );
  assert.match(bodyFlaws('{"a":')[0]?.says ?? '', /for any message/);
  assert.match(
    bodyFlaws('{"a": event.incident == null ? "" : event.incident.cause + "!"}')[0]?.says ?? '',
    /for an incident without a cause/,
  );
});
