/**
 * Hostile expressions as bodies, so many as the thread is asked for: each is told, soon, and is no larger than a receiver takes. A thread of
 * its own, whose memory is bounded.
 */
import assert from 'node:assert/strict';
import { parentPort, workerData } from 'node:worker_threads';
import { Secret } from '../../src/model/secret.ts';
import { webhook } from '../../src/providers/webhook.ts';
import { fc } from '../fast-check.ts';
import { notifications } from './notifications.ts';
import { sent } from './sent.ts';

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

/** The longest that an expression may take, in milliseconds of this thread on a slow processor; nearly all take less than one. */
const longest = 500;

/** Tells each; resolves with how many made a body of their own. */
async function tellAll(numRuns: number): Promise<number> {
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
      const began = process.threadCpuUsage();
      const { outcome, requests } = await sent(webhook, config, told);
      const { user, system } = process.threadCpuUsage(began);
      const took = (user + system) / 1000;
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
    { numRuns, seed: 11 },
  );
  return used;
}

parentPort?.postMessage(await tellAll(workerData));
