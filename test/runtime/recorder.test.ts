import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { RawObject } from '../../src/model/raw-object.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import type { Input } from '../../src/model/turn.ts';
import { providerTraits } from '../../src/runtime/provider-types.ts';
import { createRecorder } from '../../src/runtime/recorder.ts';
import { replay } from '../../src/runtime/replay.ts';
import { createCore } from '../../src/turn/core.ts';
import { provider } from '../delivery/stage.ts';
import { coverage } from './helpers.ts';

const header = { clusterId: 'cluster', version: '1.0' };
const now = Date.parse('2026-11-20T09:00:00Z');

/** A Pod that holds a secret wherever one can be. */
const pod: RawObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    ...{ name: 'api', namespace: 'shop', uid: 'u1', creationTimestamp: '2026-11-20T08:00:00Z' },
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': '{"env":"hunter1"}',
      'objectset.example/applied': `H4sI${'x'.repeat(2_000)}hunter2`,
      team: 'payments',
    },
  },
  spec: {
    nodeName: 'n1',
    containers: [
      {
        ...{ name: 'app', image: 'registry.example/api:1' },
        args: ['--password=hunter3', '--verbose'],
        env: [
          { name: 'COLOUR', value: 'hunter4' },
          { name: 'FROM', valueFrom: { secretKeyRef: { name: 'api', key: 'k' } } },
        ],
        livenessProbe: { httpGet: { httpHeaders: [{ name: 'X-Key', value: 'hunter5' }] } },
      },
    ],
  },
  status: {
    phase: 'Pending',
    conditions: [
      { type: 'Ready', status: 'False', reason: 'ContainersNotReady', lastTransitionTime: '2026-11-20T08:00:00Z' },
    ],
    containerStatuses: [
      {
        ...{ name: 'app', image: 'registry.example/api:1', ready: false, restartCount: 0 },
        state: {
          waiting: {
            reason: 'ImagePullBackOff',
            message: 'Back-off pulling https://user:hunter6@registry.example/api:1',
          },
        },
      },
    ],
  },
};

const inputs: readonly Input[] = [
  { kind: 'source', coverage: { ...coverage('pods', 'Watching'), kind: 'Pod' } },
  { kind: 'objects', source: 'pods', events: [{ is: 'put', raw: pod }] },
  {
    kind: 'settings',
    settings: {
      ...defaultSettings,
      app: { ...defaultSettings.app, proxyURL: 'http://user:hunter7@proxy:3128' },
      providers: [provider('oncall')],
    },
  },
  { kind: 'baseline' },
];

function inFolder(run: (path: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'tocsin-recorder-'));
  try {
    run(join(folder, 'log.jsonl'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

test('what was recorded replays to the same effects, byte for byte', () => {
  inFolder((path) => {
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    const core = createCore({ ...header, traits: providerTraits });
    const ran = [inputs, [{ kind: 'wake' } as const]].map((each, turn) => {
      const at = now + turn * 120_000;
      return { now: at, effects: core.turn(record(each, at), at) };
    });
    const replayed = [...replay(readFileSync(path, 'utf8').split('\n'))];
    assert.equal(JSON.stringify(replayed), JSON.stringify(ran));
    assert.ok(
      ran.some(({ effects }) => effects.save.audit.length > 0),
      'something was decided',
    );
  });
});

test('nothing secret is in the log, what is no secret stays, and only its owner may read it', () => {
  inFolder((path) => {
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    const recorded = record(inputs, now);
    const text = readFileSync(path, 'utf8');
    assert.deepEqual(text.match(/hunter\d/g), null);
    for (const kept of ['payments', '--verbose', 'X-Key', 'ImagePullBackOff', 'COLOUR', '@proxy:3128', 'secretKeyRef'])
      assert.ok(text.includes(kept), kept);
    assert.equal(statSync(path).mode & 0o077, 0);
    assert.deepEqual((JSON.parse(text.split('\n')[1] ?? '') as { inputs: unknown }).inputs, recorded);
  });
});

test('a change of an environment value still shows', () => {
  inFolder((path) => {
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    const withValue = (value: string): RawObject => ({
      metadata: { name: 'x' },
      spec: { env: [{ name: 'A', value }] },
    });
    const put = (value: string): unknown =>
      record([{ kind: 'objects', source: 'pods', events: [{ is: 'put', raw: withValue(value) }] }], now);
    assert.deepEqual(put('one'), put('one'));
    assert.notDeepEqual(put('one'), put('two'));
  });
});

test('a disk that cannot be written is told once, and the run goes on with what it was given', () => {
  for (const path of ['/nonexistent/folder/log.jsonl', '/dev/full']) {
    const failures: unknown[] = [];
    const record = createRecorder({ path, header, failed: (error) => failures.push(error) });
    for (let turn = 0; turn < 3; turn += 1) assert.equal(record(inputs, now), inputs, path);
    assert.equal(failures.length, 1, path);
  }
});

test('a file that is no log is refused, naming the line', () => {
  const first = JSON.stringify({ tocsinLog: 1, ...header });
  const cases: readonly [readonly string[], RegExp][] = [
    [['{"tocsinLog":2}'], /line 1 is not the header/],
    [[first, 'oops'], /line 2 is not JSON/],
    [[first, '', '7'], /line 3 is not a JSON object/],
    [[first, '{"now":"soon"}'], /line 2 is not a turn/],
  ];
  for (const [lines, says] of cases) assert.throws(() => [...replay(lines)], says);
});
