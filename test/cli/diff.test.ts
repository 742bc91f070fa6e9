import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { DiffArguments } from '../../src/cli/diff/arguments.ts';
import { Messages } from '../../src/cli/diff/messages.ts';
import { runDiff } from '../../src/cli/diff/run.ts';
import type { Settings } from '../../src/model/settings.ts';
import { RecordedRun } from '../../src/runtime/recording/departure.ts';
import { replay, replayStream } from '../../src/runtime/recording/replay.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { readLog } from '../scenarios/kit/log.ts';
import { recordedNames } from '../scenarios/kit/recorded.ts';
import { recordedRun as runOf } from './recorded-run.ts';
import { type Printed, printed } from './streams.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-diff-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const [oncall] = replaySettings.providers;
assert.ok(oncall);
const pro: Settings = {
  ...replaySettings,
  edition: 'Pro',
  silences: [
    {
      ref: 'Silence/tocsin/nobody',
      namespace: 'tocsin',
      selector: { namespaces: ['nowhere'] },
      startsAt: 0,
      endsAt: Number.MAX_SAFE_INTEGER,
    },
  ],
};

/** What a run of the operator records while this scenario happens. */
const recordedRun = (name: string, settings: Settings): readonly string[] =>
  runOf(readLog(name).lines, settings, { path: join(folder, 'recorded.jsonl') }).lines;

const scenarios = recordedNames('labelled');
const some = scenarios.filter((_, index) => index % 25 === 0).slice(0, 5);

function fileOf(name: string, content: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `${content.join('\n')}\n`);
  return file;
}

const diff = (asked: Partial<DiffArguments>): Promise<Printed> =>
  printed((streams) =>
    runDiff({ recording: '', settings: [], without: [], namespace: 'tocsin', output: 'text', ...asked }, streams),
  );

async function* asStream(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test('what a run of its own under the same settings sends is what was sent, to the byte', async () => {
  let total = 0;
  for (const name of some) {
    const lines = recordedRun(name, pro);
    const [was, is] = [new Messages(), new Messages()];
    const recorded = new RecordedRun();
    for (const turn of replay(lines)) {
      was.take(turn.effects);
      recorded.take(turn);
    }
    const departure = { settings: (settings: Settings) => settings, recorded };
    for await (const { effects } of replayStream(asStream(lines), departure)) is.take(effects);
    assert.deepEqual(is.all(), was.all(), name);
    total += was.all().length;
  }
  assert.ok(total >= some.length, `${total} messages`);
});

test('what other settings send is what a run under them sends', async () => {
  const detection = { ...pro.detection, overrides: [{ selector: {}, severity: 'low' as const }] };
  for (const settings of [
    { ...pro, detection },
    { ...pro, incidents: { ...pro.incidents, holdSeconds: 600 } },
  ])
    for (const name of some.slice(0, 3)) {
      const [live, is] = [new Messages(), new Messages()];
      for (const { effects } of replay(recordedRun(name, settings))) live.take(effects);
      const lines = recordedRun(name, pro);
      const recorded = new RecordedRun();
      for (const turn of replay(lines)) recorded.take(turn);
      for await (const { effects } of replayStream(asStream(lines), { settings: () => settings, recorded }))
        is.take(effects);
      const words = (messages: Messages): readonly object[] =>
        messages.all().map(({ provider, act, notification: { title, lead, severity } }) => {
          return { provider, act, title, lead, severity };
        });
      assert.deepEqual(words(is), words(live), name);
    }
});

const image = scenarios.find((name) => name.includes('image')) ?? scenarios[0] ?? '';

test('a Silence takes its messages away, and names each', async () => {
  const recording = fileOf('run.jsonl', recordedRun(image, pro));
  const all = fileOf('silence.yaml', [
    'apiVersion: tocsin.dev/v1alpha1',
    'kind: Silence',
    'metadata: { name: all, namespace: tocsin }',
    'spec: { selector: { namespaces: ["*"] }, durationSeconds: 604800 }',
  ]);
  const { code, out, err } = await diff({ recording, settings: [all] });
  assert.deepEqual([code, err], [1, '']);
  assert.match(
    out,
    /^(\d+) messages? as it was, 0 with these settings \(times are UTC\)\.\n\nNot sent any more \(\1\)\n/,
  );
  assert.match(out, /\n {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}tocsin\/oncall {2}\S/);
  const { differences } = JSON.parse((await diff({ recording, settings: [all], output: 'json' })).out) as {
    differences: { is: string; before: { sentAt: string; lead: string } }[];
  };
  assert.ok(differences.every(({ is, before }) => is === 'gone' && before.sentAt !== '' && before.lead !== ''));
});

test('what changes nothing says so and is 0', async () => {
  const recording = fileOf('same.jsonl', recordedRun(image, pro));
  const { code, out } = await diff({ recording, without: ['Silence/tocsin/nobody'] });
  assert.equal(code, 0);
  assert.match(out, /All of them are the same to the byte\.\n$/);
});

test('a second AlertProvider is sent besides', async () => {
  const recording = fileOf('second.jsonl', recordedRun(image, pro));
  const chat = fileOf('chat.yaml', [
    'apiVersion: tocsin.dev/v1alpha1',
    'kind: AlertProvider',
    'metadata: { name: chat, namespace: tocsin }',
    'spec: { type: webhook, webhook: { url: { value: "https://chat.example.com/hook" } } }',
  ]);
  const { code, out } = await diff({ recording, settings: [chat] });
  assert.equal(code, 1);
  assert.match(out, /Sent besides \(\d+\)\n {2}\S+ \S+ {2}tocsin\/chat/);
  assert.ok(!out.includes('Not sent any more'), out);
});

const mended = scenarios.find((name) => name.endsWith('image-tag-missing')) ?? assert.fail();

test('who wants to hear of no ends is not sent them', async () => {
  const recording = fileOf('ends.jsonl', recordedRun(mended, pro));
  const provider = fileOf('ends.yaml', [
    'apiVersion: tocsin.dev/v1alpha1',
    'kind: AlertProvider',
    'metadata: { name: oncall, namespace: tocsin }',
    'spec: { type: webhook, webhook: { url: { value: "https://chat.example.com/hook" } }, sendResolved: false }',
  ]);
  const { out } = await diff({ recording, settings: [provider], output: 'json' });
  const { differences } = JSON.parse(out) as { differences: { is: string; before?: { act: string } }[] };
  assert.deepEqual(
    differences.map(({ is, before }) => `${is} ${before?.act}`),
    ['gone resolve'],
  );
});

test('what cannot be compared is 2 and says what to do', async () => {
  const recording = fileOf('wrong.jsonl', recordedRun(image, pro));
  const bad = fileOf('bad.yaml', [
    'apiVersion: tocsin.dev/v1alpha1',
    'kind: Silence',
    'metadata: { name: all, namespace: tocsin }',
    'spec: { selector: { namespace: ["*"] }, durationSeconds: 60 }',
  ]);
  const rows: readonly (readonly [Partial<DiffArguments>, RegExp])[] = [
    [{ recording }, /say what is to be different: --settings FILE, --without/],
    [{ recording, settings: [bad] }, /namespace[\s\S]*nothing was compared: correct the settings first/],
    [{ recording, without: ['quiet'] }, /--without "quiet" names no object: write Kind\/namespace\/name/],
    [{ recording, without: ['Silence/tocsin/quiet'] }, /Silence\/tocsin\/quiet: the recording has no such object/],
    [{ recording: '-', without: ['Silence/tocsin/nobody'] }, /cannot be standard input: name a file/],
    [{ recording: join(folder, 'absent'), without: ['Silence/tocsin/nobody'] }, /there is no file/],
    [{ recording: fileOf('empty.jsonl', []), without: ['Silence/tocsin/nobody'] }, /the file is empty/],
    [{ recording, settings: [fileOf('other.yaml', ['kind: Pod', 'apiVersion: v1'])] }, /holds no AlertConfig/],
  ];
  for (const [asked, message] of rows) {
    const { code, out, err } = await diff(asked);
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, message);
  }
});
