import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { runReplay } from '../../src/cli/replay/run.ts';
import type { Decision } from '../../src/model/incident.ts';
import { replayStream } from '../../src/runtime/recording/replay.ts';
import { replaySettings } from '../../src/runtime/recording/replay-settings.ts';
import { parseLog, readLog } from '../scenarios/kit/log.ts';
import { play } from '../scenarios/kit/play.ts';
import { logFileOf, logText, recordedNames } from '../scenarios/kit/recorded.ts';
import { type Printed, printed } from './streams.ts';

const folder = mkdtempSync(join(tmpdir(), 'tocsin-replay-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const start = Date.parse('2026-11-20T09:00:00Z');
const header = JSON.stringify({ tocsinLog: 1, clusterId: 'c', version: '1.0.0' });
const turn = (seconds: number, ...inputs: readonly object[]): string =>
  JSON.stringify({ now: start + seconds * 1000, inputs });
const watching = {
  kind: 'source',
  coverage: { source: 'nodes', kind: 'Node', state: 'Watching', reason: 'Synced', since: start, required: true },
};
/** A Node whose kubelet says that it is not ready since the start. */
const node = (ready: 'True' | 'False'): object => ({
  kind: 'objects',
  source: 'nodes',
  events: [
    {
      is: 'put',
      raw: {
        apiVersion: 'v1',
        kind: 'Node',
        metadata: { name: 'n1', uid: 'n1', creationTimestamp: '2026-01-01T00:00:00Z' },
        spec: {},
        status: {
          conditions: [
            {
              type: 'Ready',
              status: ready,
              reason: 'KubeletNotReady',
              message: '',
              lastTransitionTime: '2026-11-20T09:00:00Z',
            },
          ],
          nodeInfo: { kubeletVersion: 'v1.36.0' },
        },
      },
    },
  ],
});
const wake = { kind: 'wake' };
/** A recorded run: a Node fails, is told, and recovers. */
const recorded = [
  header,
  turn(0, { kind: 'settings', settings: replaySettings }, watching, node('True')),
  turn(1, { kind: 'baseline' }),
  turn(5, node('False')),
  ...[65, 125, 305].map((seconds) => turn(seconds, wake)),
  turn(400, node('True')),
  ...[580, 1300].map((seconds) => turn(seconds, wake)),
];

/** Replays lines from a file. */
function replayOf(lines: readonly string[], output: 'json' | 'text' = 'json'): Promise<Printed> {
  const file = join(folder, 'log.jsonl');
  writeFileSync(file, `${lines.join('\n')}\n`);
  return printed((streams) => runReplay({ file, output }, streams));
}

describe('a recorded run', () => {
  test('gives its decisions as JSON lines with reasons and traces', async () => {
    const { code, out, err } = await replayOf(recorded);
    assert.deepEqual([code, err], [0, '']);
    const decisions = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Decision);
    assert.deepEqual(
      decisions.map(({ action, disposition, root, reason }) => [action, disposition, root, reason]),
      [
        ['open', 'Delivered', 'Node//n1', 'NodeNotReady'],
        ['recover', 'Delivered', 'Node//n1', 'NodeNotReady'],
        ['resolve', 'Delivered', 'Node//n1', 'NodeNotReady'],
      ],
    );
    assert.ok(decisions.every(({ reasonCode, trace }) => reasonCode !== '' && Array.isArray(trace)));
  });
  test('gives the same bytes again', async () => {
    assert.equal((await replayOf(recorded)).out, (await replayOf(recorded)).out);
  });
  test('for people is a line for each decision', async () => {
    const { out } = await replayOf(recorded, 'text');
    const [first] = out.split('\n');
    assert.match(
      first ?? '',
      /^2026-11-20T09:0\d:\d\d\.000Z {2}open {6}Delivered {4}\w+ +NodeNotReady Node n1: Settled$/,
    );
  });
  test('compressed by gzip or zstd is the same; one that is cut off says so', async () => {
    const name = 'labelled/image-tag-missing';
    const replayed = (file: string): Promise<Printed> =>
      printed((streams) => runReplay({ file, output: 'json' }, streams));
    const [plain, packed] = [join(folder, 'plain.jsonl'), join(folder, 'packed.jsonl.gz')];
    writeFileSync(plain, logText(name));
    writeFileSync(packed, gzipSync(logText(name)));
    const expected = await replayed(plain);
    assert.ok(expected.out.length > 0);
    assert.deepEqual(await replayed(packed), expected);
    assert.deepEqual(await replayed(logFileOf(name)), expected);
    writeFileSync(packed, gzipSync(logText(name)).subarray(0, 2_000));
    const { code, err } = await replayed(packed);
    assert.equal(code, 1);
    assert.match(err, /packed\.jsonl\.gz: unexpected end of file/);
  });
  test('from standard input is the same', async () => {
    const piped = await printed((streams) => runReplay({ file: '-', output: 'json' }, streams), recorded.join('\n'));
    assert.equal(piped.out, (await replayOf(recorded)).out);
  });
});

test('the log of a scenario gives the decisions that the scenario is judged by', async () => {
  const names = recordedNames('labelled').slice(0, 8);
  assert.ok(names.length > 0);
  let some = 0;
  for (const name of names) {
    // A stream knows no later than it has read: what could be read of containers stands before all that happens.
    const [head = '', ...lines] = logText(name).trimEnd().split('\n');
    const parsed = lines.map((line) => JSON.parse(line));
    const logs = { now: parsed[0].now, inputs: [], logs: parsed.flatMap((line) => line.logs ?? []) };
    const ahead = [head, ...[logs, ...parsed.map(({ logs: _, ...line }) => line)].map((line) => JSON.stringify(line))];
    const { out } = await printed((streams) => runReplay({ file: '-', output: 'json' }, streams), ahead.join('\n'));
    const expected = play(readLog(name)).decisions.map((decision) => `${JSON.stringify(decision)}\n`);
    some += expected.length;
    assert.equal(out, expected.join(''), name);
  }
  assert.ok(some > 0, 'no decision in any of them');
});

test('a restart in the log of a scenario forgets what was known: the end of what was there is not told', async () => {
  const restart = JSON.stringify({ ...JSON.parse(turn(600, watching, node('False'))), restart: true });
  const lines = [
    JSON.stringify({ ...JSON.parse(header), turns: 'events' }),
    turn(0, watching, node('True')),
    turn(1, { kind: 'baseline' }),
    turn(5, node('False')),
    restart,
    turn(601, { kind: 'baseline' }),
    turn(900, node('True')),
  ];
  const actions = async (log: readonly string[]): Promise<readonly string[]> =>
    (await replayOf(log)).out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .map(({ action, disposition }: Decision) => `${action} ${disposition}`);
  const expected = play(parseLog(lines.join('\n'))).decisions.map(
    ({ action, disposition }) => `${action} ${disposition}`,
  );
  assert.deepEqual(await actions(lines), expected);
  assert.ok(!(await actions(lines)).includes('resolve Delivered'));
  const without = lines.map((line) => (line === restart ? turn(600, node('False')) : line));
  assert.ok((await actions(without)).includes('resolve Delivered'));
});

test('a bad file is 1 and names the line', async () => {
  const rows = [
    [[''], /the file is empty/],
    [['{"kind":"List"}'], /line 1 is not the header of a Tocsin log/],
    [['{"tocsinLog":1,"clusterId":"c","version":"1","turns":"some"}'], /line 1: "turns" is "some"/],
    [[header, turn(0, watching), '{"now":'], /line 3 is not JSON/],
    [[header, '', turn(0, watching), '[]'], /line 4 is not a turn: expected \{"now":…,"inputs":\[…\]\}/],
    [[header, '5'], /line 2 is not a JSON object/],
    [[header, turn(0, { kind: 'settings', settings: {} })], /line 2 cannot be replayed: /],
  ] as const;
  for (const [lines, message] of rows) {
    const { code, err } = await replayOf(lines);
    assert.equal(code, 1, String(message));
    assert.match(err, message);
  }
});

test('a file that is not there is 2', async () => {
  const { code, err } = await printed((streams) =>
    runReplay({ file: join(folder, 'absent'), output: 'json' }, streams),
  );
  assert.equal(code, 2);
  assert.match(err, /there is no file ".*absent"/);
});

test('a folder is said to be no log', async () => {
  assert.equal((await printed((streams) => runReplay({ file: folder, output: 'json' }, streams))).code, 1);
});

test('a log is read no further than its decisions are taken', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<string> {
    for (const line of recorded) yield line;
    for (; read < 1_000_000; read += 1) yield turn(2000 + read, wake);
  }
  for await (const { effects } of replayStream(endless())) if (effects.save.audit.length > 0) break;
  assert.equal(read, 0);
});
