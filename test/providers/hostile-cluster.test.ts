/** Objects and log lines of any kind through the core and every product: nothing breaks, nobody is mentioned, no secret leaves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../../src/model/notification.ts';
import { cleanText, redact } from '../../src/model/redact.ts';
import type { Settings } from '../../src/model/settings.ts';
import type { Evidence, Input } from '../../src/model/turn.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { Core } from '../../src/turn/core.ts';
import { outsideCode } from '../message/render/outside-code.ts';
import { canaries, chance, hostileText, spoil } from '../turn/hostile.ts';
import { toldStories } from '../turn/told-stories.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { assertWithin, lookUp, textsOf } from './conformance/expect.ts';
import { type Call, lineOf } from './oracles/calls.ts';
import { judges } from './oracles/judges.ts';
import { type Product, productsOf, sentTo } from './well-product.ts';

/** Objects and log lines in `make test`; ten thousand with `HOSTILE_RUNS=10000`. */
const wanted = Number(process.env.HOSTILE_RUNS ?? 1_500);
/** To how many products each message goes: to all of them where there is time. */
const isWhole = wanted >= 10_000;
const productsOfEach = isWhole ? Number.POSITIVE_INFINITY : 6;

/** Processor time (ms): how busy the machine is does not count. */
const spentMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
/** The most that one turn, or one message to one product, may take (ms of processor time, with what collecting garbage takes). */
const mostMs = 1_500;
/** The most that one message may hold (characters of JSON). */
const mostCharacters = 60_000;

const products = productsOf(isWhole ? undefined : 1);

const audiences = ['tocsin', 'shop'];
const settings: Settings = {
  ...replaySettings,
  edition: 'Pro',
  operatorNamespace: 'tocsin',
  providers: audiences.flatMap((namespace) =>
    replaySettings.providers.map((one) => ({ ...one, namespace, ref: `AlertProvider/${namespace}/p`, uid: namespace })),
  ),
};

/** What may not be in any text that people read: control characters, and what changes the order of others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are looked for
const unreadable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/** The texts of a message that come from the cluster; identities stay as the API server took them. */
function textsIn({ incident, list, links, ...told }: Notification): readonly string[] {
  const { title, lead, evidence, impact, note, excerpt, facts, nextStep } = told;
  const texts = textsOf([
    title,
    lead,
    evidence,
    impact,
    note,
    excerpt,
    facts,
    nextStep,
    incident?.cause,
    incident?.labels,
  ]);
  return [...texts, ...textsOf(list?.entries.map(({ says }) => says)), ...links.map((link) => link.title)];
}

function assertClean(notification: Notification): void {
  const whole = JSON.stringify(notification);
  for (const canary of canaries) assert.ok(!whole.includes(canary), `a secret is told: ${whole.slice(0, 2_000)}`);
  assert.ok(whole.length <= mostCharacters, `${whole.length} characters`);
  for (const text of textsIn(notification)) {
    assert.ok(text.isWellFormed(), 'half a character');
    assert.doesNotMatch(text, unreadable);
  }
}

/** Log lines as they are captured: redacted as a whole. */
const linesOf = (text: string): readonly string[] =>
  redact(text)
    .split('\n')
    .map((line) => cleanText(line))
    .filter((line) => line.trim() !== '')
    .slice(-50);

/** What one cluster made people read, and the longest turn (ms). */
function play(seed: number) {
  const next = chance(seed);
  const story = toldStories[seed % toldStories.length];
  assert.ok(story);
  const how = next() < 0.6 ? 'texts' : 'anything';
  const core = new Core({ clusterId: 'c', version: '1', traits: new Map() });
  const told: Notification[] = [];
  let [spoilt, longest, wakeAt]: [number, number, number | undefined] = [0, 0, undefined];
  let now = (story.steps[0]?.at ?? 0) - 1_000;
  const turn = (at: number, ...inputs: readonly Input[]): void => {
    now = Math.max(now, at);
    const before = spentMs();
    const effects = core.turn(inputs, now);
    longest = Math.max(longest, spentMs() - before);
    wakeAt = effects.wakeAt;
    JSON.stringify(effects);
    for (const { notification } of [...effects.save.enqueue, ...effects.save.replace]) told.push(notification);
    const answers = effects.fetch.map(({ previous: _, lines: __, ...run }): Input => {
      spoilt += 1;
      const evidence: Evidence = { ...run, source: 'last log lines', lines: linesOf(hostileText(next, true)) };
      return { kind: 'evidence', evidence };
    });
    if (answers.length > 0) turn(now, ...answers);
  };
  const sources = everyKind.map(({ kind, source }): Input => {
    const coverage = { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: true } as const;
    return { kind: 'source', coverage };
  });
  turn(now, ...sources, { kind: 'settings', settings }, { kind: 'baseline' });
  const until = (instant: number): void => {
    for (let turns = 0; turns < 40 && wakeAt !== undefined && wakeAt <= instant; turns += 1)
      turn(wakeAt, { kind: 'wake' });
  };
  for (const { at, events } of story.steps) {
    until(at);
    spoilt += events.length;
    const inputs = events.map(({ is, raw }): Input => {
      const event = { is, raw: spoil(raw, how, next) };
      return { kind: 'objects', source: sourceOf(raw), events: [event] };
    });
    turn(at, ...(inputs.length > 0 ? inputs : [{ kind: 'wake' } as const]));
  }
  until(now + 20 * 60_000);
  return { told, spoilt, longest };
}

/** Fields that hold HTML, wherever they are. */
const htmlFields = new Set(['html', 'formatted_body', 'Html']);

function* htmlIn(value: unknown, isHtml: boolean): Generator<string> {
  if (typeof value === 'string' && isHtml) yield value;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, item] of Object.entries(value)) yield* htmlIn(item, isHtml || htmlFields.has(name));
}

const tags = /<(?<close>\/?)(?<name>[a-z][a-z0-9-]*)(?: [^<>]*)?>|<!DOCTYPE html>|[<>]/g;
const alone = new Set(['br', 'hr', 'meta', 'img']);

/** Every tag is whole and closed where it must be: nothing of the cluster is one. */
function assertBalanced(html: string): void {
  const open: string[] = [];
  for (const { 0: text, groups = {} } of html.matchAll(tags)) {
    assert.ok(text.length > 1, `a bare ${text} in ${html.slice(0, 500)}`);
    const { name, close } = groups;
    if (name === undefined || alone.has(name)) continue;
    if (close === '') open.push(name);
    else assert.equal(open.pop(), name, html.slice(0, 2_000));
  }
  assert.deepEqual(open, []);
}

/** The fence that opens our own block of log lines: what stands first in it is not behind a fence of the cluster's. */
const ownFence = /(\*\*[^*\n]+\*\*:?\n)```\n/g;

/** The instants that we write for Slack ourselves, which say a time and nothing else. */
const ownTime =
  /<!date\^\d{9,11}\^\{(?:date_short_pretty\}, \{)?time\}\|(?:\d{1,2} [A-Z][a-z]{2} (?:\d{4} )?)?\d\d:\d\d UTC>/g;

function assertHarmless({ definition: { type }, mode }: Product, { body, parsed }: Call): void {
  assert.ok(body.isWellFormed(), `${type}: half a character`);
  for (const canary of canaries) assert.ok(!body.includes(canary), `${type}: a secret is sent`);
  for (const limit of mode.limits) assertWithin(limit, body, parsed);
  for (const html of htmlIn(parsed, type === 'telegram')) assertBalanced(html);
  const found = [mode.markupAt].flat().flatMap((place) => textsOf(lookUp(parsed, place.split('.'))));
  const texts = (mode.inertCode ? found.map(outsideCode) : found).map((text) =>
    text.replace(ownFence, '$1').replace(ownTime, ''),
  );
  for (const forbidden of mode.forbidden)
    for (const text of texts) {
      const at = text.indexOf(forbidden);
      assert.ok(at < 0, `${type}: ${forbidden} in …${text.slice(Math.max(0, at - 200), at + 200)}`);
    }
}

/** Vendors' code that reads payloads as they are described, before anything is signed or put into a mail. */
const readers: ReadonlySet<string> = new Set([
  ...['adaptivecards', '@atlaskit/adf-schema', '@mattermost/types', 'cloudevents'],
  ...['@aws-sdk/client-sns', '@aws-sdk/client-sesv2', '@sendgrid/helpers', 'resend'],
]);

/** Vendors' own code reads it: cards, documents, mails. Returns how many did. */
async function judge({ definition: { type } }: Product, call: Call): Promise<number> {
  let judged = 0;
  for (const row of judges[type] ?? []) {
    if (!('judge' in row) || !readers.has(row.by) || !row.of.test(lineOf(call))) continue;
    await row.judge(call);
    judged += 1;
  }
  return judged;
}

test(`${wanted} objects and log lines of any kind break nothing, mention nobody and tell no secret, whatever they are sent to`, async (t) => {
  let [spoilt, messages, sent, judged, longestTurn, longestSend] = [0, 0, 0, 0, 0, 0];
  const silent = new Set<string>();
  for (let seed = 0; spoilt < wanted; seed += 1) {
    const cluster = play(seed);
    spoilt += cluster.spoilt;
    longestTurn = Math.max(longestTurn, cluster.longest);
    if (cluster.told.length === 0) silent.add(String(seed));
    for (const notification of cluster.told) {
      assertClean(notification);
      messages += 1;
      for (let index = 0; index < Math.min(productsOfEach, products.length); index += 1) {
        const product = products[isWhole ? index : (messages * 7 + index * 11) % products.length];
        assert.ok(product);
        if (product.definition.plain === 'none' && notification.incident === undefined) continue;
        const before = spentMs();
        const calls = await sentTo(product, notification);
        longestSend = Math.max(longestSend, spentMs() - before);
        for (const call of calls) {
          assertHarmless(product, call);
          sent += 1;
          judged += await judge(product, call);
        }
      }
    }
  }
  t.diagnostic(
    `${spoilt} objects and log lines, ${messages} messages, ${sent} requests, ${judged} of them judged; the longest turn ${Math.round(longestTurn)} ms, the longest message ${Math.round(longestSend)} ms`,
  );
  assert.ok(messages > spoilt / 10, `${messages} messages of ${spoilt} objects, silent: ${[...silent].join()}`);
  assert.ok(judged > sent / 20, `${judged} judged`);
  assert.ok(longestTurn < mostMs && longestSend < mostMs, `${longestTurn} ms, ${longestSend} ms`);
  assert.equal(Reflect.get({}, 'polluted'), undefined);
});
