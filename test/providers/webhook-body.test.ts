/** Bodies that people make themselves: what an expression can do, what it can never do, and the recipes. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import { lint } from '../../src/api/lint/lint.ts';
import { Secret } from '../../src/model/secret.ts';
import { ownBody } from '../../src/providers/webhook/body.ts';
import { bodyFlaws } from '../../src/providers/webhook/flaws.ts';
import { sampleEvents } from '../../src/providers/webhook/samples.ts';
import { webhook } from '../../src/providers/webhook.ts';
import { fc } from '../fast-check.ts';
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

/** Expressions of all that the language has, put together at random, most of which type-check. */
const { source } = fc.letrec<{ source: string; list: string }>((tie) => ({
  source: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    fc.constantFrom(
      'event',
      'event.message',
      'event.title',
      'event.incident',
      'event.incident.logs',
      'event.severity',
      '"x"',
      '1',
      'true',
      'null',
    ),
    fc.constantFrom('x', 'y', 'x.name', 'event.nope', 'event["message"]', `"${'y'.repeat(500)}"`),
    fc
      .tuple(tie('source'), fc.constantFrom('+', '==', '&&', '*', 'in', '<'), tie('source'))
      .map(([a, op, b]) => `(${a} ${op} ${b})`),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `{"a": ${a}, "b": ${b}}`),
    fc.tuple(tie('source'), tie('source'), tie('source')).map(([a, b, c]) => `(${a} == ${b} ? ${b} : ${c})`),
    fc
      .tuple(fc.constantFrom('string', 'json', 'size', 'dyn', 'int', 'timestamp'), tie('source'))
      .map(([name, a]) => `${name}(${a})`),
    fc
      .tuple(
        tie('source'),
        fc.constantFrom(
          '.upperAscii()',
          '.split("")',
          '.split(" ")',
          '.matches("(a|a)*$")',
          '.trim()',
          '[0]',
          '.a',
          '.k',
        ),
      )
      .map((parts) => parts.join('')),
    tie('list'),
  ),
  list: fc.oneof(
    { depthSize: 'medium' },
    fc.constantFrom(
      'event.incident.pods',
      'event.incident.affected.sample',
      '["a", "b", "c"]',
      'event.message.split("")',
    ),
    fc.tuple(tie('source'), tie('source')).map(([a, b]) => `[${a}, ${b}]`),
    fc
      .tuple(tie('list'), fc.constantFrom('x', 'y'), tie('source'))
      .map(([list, name, body]) => `${list}.map(${name}, ${body})`),
    fc
      .tuple(tie('list'), fc.constantFrom('x', 'y'))
      .map(([list, name]) => `${list}.map(${name}, {"k": ${name} + ${name}})`),
    fc.tuple(tie('list'), tie('source')).map(([list, by]) => `${list}.join(${by})`),
    fc.tuple(tie('list'), tie('list')).map(([a, b]) => `(${a} + ${b})`),
  ),
}));
const hostile = fc.oneof(
  { arbitrary: source.map((each) => `{"a": ${each}}`), weight: 6 },
  { arbitrary: source, weight: 3 },
  fc.string({ maxLength: 200 }),
);

/** The longest that an expression may take, in milliseconds of a busy machine; nearly all take less than one. */
const longest = 500;

test('whatever stands there, a message goes out, soon, and no larger than a receiver takes', async () => {
  const large = 'line of a log with a word\n'.repeat(400);
  const { excerpt: _, ...open } = notifications.open;
  const told = { ...open, lead: large, excerpt: { source: 'log', lines: large.split('\n') } };
  let used = 0;
  await fc.assert(
    fc.asyncProperty(hostile, async (body) => {
      const config = {
        url: new Secret('https://receiver.example/x'),
        headers: {},
        method: 'POST',
        body,
      } as const;
      const began = performance.now();
      const { outcome, requests } = await sent(webhook, config, told);
      const took = performance.now() - began;
      assert.ok(took < longest, `${took} ms`);
      assert.equal(outcome.is, 'delivered');
      assert.equal(requests.length, 1);
      const [request] = requests;
      assert.ok(typeof request?.body === 'string');
      assert.ok(Buffer.byteLength(request.body) <= 256 * 1024);
      const sentBody = JSON.parse(request.body);
      const isOwn = !('remark' in outcome);
      if (isOwn) used += 1;
      else assert.equal(sentBody.version, '1');
      assert.equal(request.headers?.['ce-type'] === undefined, isOwn);
    }),
    { numRuns: runs(2_000), seed: 11 },
  );
  assert.ok(used > runs(200), `only ${used} could be used`);
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

const text = { type: 'string' };
const filled = { type: 'string', minLength: 1 };
/**
 * What the receivers take, from their own pages: docs.servicenow.com (Event field format for event collection), grafana.com (Formatted Webhook),
 * docs.rootly.com (Generic Webhook Alert Source: the mapping of the recipe), docs.firehydrant.com (Signals events data model), betterstack.com (incoming webhooks: the
 * mapping of the recipe), pagertree.com (webhook), Alertmanager's api/v2/openapi.yaml (postableAlerts), docs.confluent.io (REST Proxy API 2, produce JSON), docs.aws.amazon.com
 * (PutEventsRequestEntry).
 */
const schemas: Readonly<Record<string, object>> = {
  servicenow: {
    ...{ type: 'object', required: ['records'], additionalProperties: false },
    properties: {
      records: {
        ...{ type: 'array', minItems: 1 },
        items: {
          ...{
            type: 'object',
            additionalProperties: false,
            required: ['source', 'node', 'type', 'severity', 'message_key'],
          },
          properties: {
            ...{
              source: { ...filled, maxLength: 100 },
              event_class: text,
              node: { ...filled, maxLength: 100 },
              resource: { ...text, maxLength: 100 },
            },
            ...{
              metric_name: { ...text, maxLength: 100 },
              type: { ...filled, maxLength: 100 },
              message_key: { ...filled, maxLength: 1024 },
            },
            ...{
              severity: { enum: ['0', '1', '2', '3', '4', '5'] },
              description: { ...text, maxLength: 4_000 * 5 },
              additional_info: text,
            },
          },
        },
      },
    },
  },
  'grafana-irm': {
    ...{ type: 'object', required: ['alert_uid', 'title', 'state', 'message'] },
    properties: {
      alert_uid: filled,
      title: filled,
      state: { enum: ['ok', 'alerting'] },
      message: text,
      link_to_upstream_details: text,
      image_url: text,
    },
  },
  rootly: {
    ...{ type: 'object', required: ['summary', 'status', 'external_id'] },
    properties: {
      summary: filled,
      description: text,
      status: { enum: ['triggered', 'resolved'] },
      external_id: filled,
      external_url: text,
      labels: { type: 'object' },
    },
  },
  firehydrant: {
    ...{ type: 'object', required: ['summary', 'level', 'status', 'idempotency_key'], additionalProperties: false },
    properties: {
      ...{
        summary: filled,
        body: text,
        level: { enum: ['INFO', 'WARN', 'ERROR', 'FATAL'] },
        status: { enum: ['OPEN', 'CLOSED'] },
      },
      ...{
        idempotency_key: filled,
        tags: { type: 'array', items: { ...text, pattern: '^[^:]+:.+$' } },
        annotations: { type: 'object' },
      },
      links: {
        type: 'array',
        items: {
          type: 'object',
          required: ['href', 'text'],
          properties: { href: { ...text, format: 'uri' }, text: filled },
        },
      },
    },
  },
  betterstack: {
    ...{ type: 'object', required: ['alert_id', 'status', 'title'] },
    properties: {
      alert_id: filled,
      status: { enum: ['started', 'resolved'] },
      title: filled,
      description: text,
      started_at: { ...text, format: 'date-time' },
    },
  },
  pagertree: {
    ...{ type: 'object', required: ['event_type', 'id'], additionalProperties: false },
    properties: {
      ...{ event_type: { enum: ['create', 'acknowledge', 'resolve'] }, id: filled, title: filled, description: text },
      ...{
        urgency: { enum: ['silent', 'low', 'medium', 'high', 'critical'] },
        tags: { type: 'array', items: filled },
        meta: { type: 'object' },
      },
    },
  },
  alertmanager: {
    type: 'array',
    items: {
      ...{ type: 'object', required: ['labels'], additionalProperties: false },
      properties: {
        labels: {
          type: 'object',
          required: ['alertname'],
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' },
          additionalProperties: text,
        },
        annotations: {
          type: 'object',
          propertyNames: { pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' },
          additionalProperties: text,
        },
        ...{ startsAt: { ...text, format: 'date-time' }, endsAt: { ...text, format: 'date-time' } },
        generatorURL: { anyOf: [{ ...text, format: 'uri' }, { const: '' }] },
      },
    },
  },
  'kafka-rest': {
    ...{ type: 'object', required: ['records'], additionalProperties: false },
    properties: {
      records: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['value'],
          additionalProperties: false,
          properties: { key: filled, value: { type: 'object' }, partition: { type: 'integer' } },
        },
      },
    },
  },
  eventbridge: {
    ...{ type: 'object', required: ['Source', 'DetailType', 'Detail'], additionalProperties: false },
    properties: {
      Source: { ...filled, not: { pattern: '^aws\\.' } },
      DetailType: { ...filled, maxLength: 128 },
      Detail: { type: 'object' },
    },
  },
};

const folder = join(import.meta.dirname, '../../config/recipes');

describe('recipes', () => {
  const ajv = new Ajv({ allErrors: true });
  addFormats.default(ajv);
  const names = readdirSync(folder).flatMap((file) => (file.endsWith('.yaml') ? [file.replace(/\.yaml$/, '')] : []));
  test('each has a schema of its receiver', () => {
    assert.deepEqual(names.toSorted(), Object.keys(schemas).toSorted());
  });
  for (const name of names)
    test(`${name}: every kind of message is what the receiver takes, and lint has nothing to say`, () => {
      const manifest = parse(readFileSync(join(folder, `${name}.yaml`), 'utf8'));
      const validate = ajv.compile(schemas[name] ?? assert.fail(name));
      const bodies = new Map<string, string>();
      for (const [kind, event] of sampleEvents()) {
        const result = ownBody(manifest.spec.webhook.body, event);
        assert.ok('body' in result, `${kind}: ${JSON.stringify(result)}`);
        assert.ok(validate(JSON.parse(result.body)), `${kind}: ${ajv.errorsText(validate.errors)}`);
        bodies.set(kind, result.body);
      }
      assert.notEqual(bodies.get('an opening'), bodies.get('an end'));
      const { judged } = lint([{ kind: 'AlertProvider', value: manifest, where: name }], {
        operatorNamespace: 'tocsin',
        now: 0,
        secrets: () => 'unknown',
      });
      assert.deepEqual(judged[0]?.remarks, []);
    });
  test('Alertmanager knows an incident by the same labels until its end', () => {
    const { body } = parse(readFileSync(join(folder, 'alertmanager.yaml'), 'utf8')).spec.webhook;
    const alert = (kind: string) => {
      const result = ownBody(body, sampleEvents().get(kind) ?? assert.fail());
      return 'body' in result ? JSON.parse(result.body)[0] : assert.fail(result.problem);
    };
    assert.deepEqual(alert('an update').labels, alert('an opening').labels);
    assert.deepEqual(alert('an end').labels, alert('an opening').labels);
    assert.ok(Date.parse(alert('an end').endsAt) < Date.parse(alert('an opening').endsAt));
  });
});
