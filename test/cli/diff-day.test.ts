/** Two settings compared over a recorded day: what `tocsin diff` says would have been sent is what a live run under the others sends, to the byte. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { after, test } from 'node:test';
import { proposalOf } from '../../src/api/proposal.ts';
import { type Message, Messages } from '../../src/cli/diff/messages.ts';
import { runDiff } from '../../src/cli/diff/run.ts';
import { readSources } from '../../src/cli/lint/files.ts';
import { gather } from '../../src/cli/lint/gather.ts';
import type { Settings } from '../../src/model/settings.ts';
import { RecordedRun as DepartedFrom } from '../../src/runtime/recording/departure.ts';
import { replay, replayStream } from '../../src/runtime/recording/replay.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { recordedDay, slotMs } from './recorded-day.ts';
import { type RecordedRun, recordedRun } from './recorded-run.ts';
import { printed } from './streams.ts';

/** The hours of the day that are played: `DAY_HOURS=24` plays all of it, with 40 outages. */
const hours = Number(process.env.DAY_HOURS ?? 6);
const start = Date.parse('2026-11-20T00:00:00Z');
const outages = Math.floor((hours * 3_600_000) / slotMs);
const all = recordedNames('labelled');
const names = all.filter((_, index) => index % Math.floor(all.length / 40) === 3).slice(0, outages);

const folder = mkdtempSync(join(tmpdir(), 'tocsin-diff-day-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const held: Settings = { ...replaySettings, edition: 'Pro' };
const of = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'tocsin.dev/v1alpha1', kind, metadata: { name, namespace: 'tocsin' }, spec });
/** Settings as they might be: of each kind one that changes what is sent. */
const proposals: Readonly<Record<string, readonly string[]>> = {
  'a Silence, and somebody who reads what is bad': [
    of('Silence', 'shop', {
      selector: { namespaces: ['shop'] },
      startsAt: '2026-11-20T01:00:00Z',
      durationSeconds: 7_200,
    }),
    of('AlertProvider', 'chat', {
      ...{ type: 'slack', slack: { webhook: { value: 'https://hooks.slack.com/services/T0/B0/x' } } },
      routes: [{ selector: { severities: ['critical', 'high'] } }],
    }),
  ],
  'longer patience, and less that is bad': [
    of('AlertConfig', 'default', {
      incidents: { holdSeconds: 600 },
      detection: { overrides: [{ selector: { namespaces: ['shop', 'data'] }, severity: 'low' }] },
    }),
  ],
  'a window, and somebody else': [
    of('MaintenanceWindow', 'night', {
      ...{ selector: { namespaces: ['*'] }, schedule: '10 2 * * *', durationSeconds: 5_400 },
    }),
  ],
};

const day = [...recordedDay(names, start)];
const run = (settings: Settings, name: string, lateMs = 0): RecordedRun =>
  recordedRun(day, settings, { path: join(folder, name), lateMs });

const recorded = run(held, 'held.jsonl');
const sent = recorded.sent.all();

/** What was sent by the end of a recording: of what comes later it knows nothing. */
function untilEnd({ sent: all }: RecordedRun, { lines }: RecordedRun): readonly Message[] {
  const { now } = JSON.parse(lines.at(-1) ?? '') as { readonly now: number };
  return all.all().filter(({ at }) => at <= now);
}

async function settingsOf(file: string): Promise<Settings> {
  const { manifests } = gather(await readSources([file], process.stdin), 'tocsin');
  return proposalOf(manifests, { since: start })(held, start);
}

type Named = { readonly is: string; readonly provider: string; readonly act: string } & Record<
  'before' | 'after',
  object | null
>;

/** A message as the comparison names it. */
const named = ({ provider, act, at, notification }: Message): string =>
  JSON.stringify([provider, act, { sentAt: new Date(at).toISOString(), ...notification }]);

/** What is sent once what a comparison names is done to what was sent. */
function changed(differences: readonly Named[]): readonly string[] {
  const left = sent.map(named);
  for (const { provider, act, before, after } of differences) {
    if (before !== null) {
      const at = left.indexOf(JSON.stringify([provider, act, before]));
      assert.ok(at >= 0, JSON.stringify(before));
      left.splice(at, 1);
    }
    if (after !== null) left.push(JSON.stringify([provider, act, after]));
  }
  return left;
}

/** What is in one list and not in the other, the begin of each. */
function others(some: readonly string[], more: readonly string[]): readonly string[] {
  const [are, would] = [new Set(some), new Set(more)];
  const different = [...some.filter((one) => !would.has(one)), ...more.filter((one) => !are.has(one))];
  if (different.length === 0) assert.equal(some.length, more.length);
  return different.map((one) => one.slice(0, 300)).slice(0, 8);
}

test(`${hours} hours with ${outages} outages are told, and a replay tells the same`, () => {
  const again = new Messages();
  for (const { effects } of replay(recorded.lines)) again.take(effects);
  assert.deepEqual(others(again.all().map(named), sent.map(named)), []);
  assert.ok(sent.length > outages, `${sent.length} messages`);
});

const fileOf = (name: string): string => {
  const file = join(folder, `${name.replaceAll(' ', '-')}.yaml`);
  writeFileSync(file, (proposals[name] ?? []).join('\n---\n'));
  return file;
};

for (const name of Object.keys(proposals))
  test(`${name}: every message that changes is named, and is what a live run sends, to the byte`, async () => {
    const file = fileOf(name);
    const live = untilEnd(run(await settingsOf(file), 'live.jsonl'), recorded);
    assert.notDeepEqual(others(sent.map(named), live.map(named)), []);

    const { code, out, err } = await printed((streams) =>
      runDiff(
        { recording: join(folder, 'held.jsonl'), settings: [file], without: [], namespace: 'tocsin', output: 'json' },
        streams,
      ),
    );
    assert.deepEqual([code, err], [1, '']);
    const { messages, differences } = JSON.parse(out) as { messages: object; differences: readonly Named[] };
    assert.deepEqual(messages, { before: sent.length, after: live.length });
    assert.deepEqual(others(changed(differences), live.map(named)), []);
  });

test('where a busy machine wakes late, the instants alone are others', async () => {
  const file = fileOf('longer patience, and less that is bad');
  const settings = await settingsOf(file);
  const lateMs = 7;
  const before = run(held, 'late.jsonl', lateMs);
  const live = untilEnd(run(settings, 'live.jsonl', lateMs), before);
  const known = new DepartedFrom();
  for (const turn of replay(before.lines)) known.take(turn);
  const predicted = new Messages();
  const lines = Readable.from(before.lines) as AsyncIterable<string>;
  for await (const { effects } of replayStream(lines, { settings: () => settings, recorded: known }))
    predicted.take(effects);
  // Their ids are made of when they began.
  const words = (message: Message): string =>
    named(message).replaceAll(/"(?:at|updatedAt|resolvedAt|sentAt|id)":[^,}]+/g, '');
  assert.deepEqual(others(predicted.all().map(words), live.map(words)), []);
  predicted.all().forEach(({ at }, index) => {
    assert.ok(Math.abs(at - (live[index]?.at ?? 0)) <= 2 * lateMs, new Date(at).toISOString());
  });
});
