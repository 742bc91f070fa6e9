import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Incident } from '../../../src/model/incident.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { defaultSettings } from '../../../src/model/settings.ts';
import type { Input } from '../../../src/model/turn.ts';
import { createRecorder } from '../../../src/runtime/recording/recorder.ts';
import { replay } from '../../../src/runtime/recording/replay.ts';
import { providerTraits } from '../../../src/runtime/sending/provider-types.ts';
import { Core } from '../../../src/turn/core.ts';
import { provider } from '../../delivery/stage.ts';
import { explanation, finding } from '../../incident/helpers.ts';
import { coverage } from '../helpers.ts';

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

/** What the turns of a recording come to when they are played again. */
const effectsOf = (text: string) => [...replay(text.split('\n'))].map(({ now: at, effects }) => ({ now: at, effects }));

test('what was recorded replays to the same effects, byte for byte', () => {
  inFolder((path) => {
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    const core = new Core({ ...header, traits: providerTraits });
    const ran = [inputs, [{ kind: 'wake' } as const]].map((each, turn) => {
      const at = now + turn * 120_000;
      return { now: at, effects: core.turn(record(each, at), at) };
    });
    assert.equal(JSON.stringify(effectsOf(readFileSync(path, 'utf8'))), JSON.stringify(ran));
    assert.ok(
      ran.some(({ effects }) => effects.save.audit.length > 0),
      'something was decided',
    );
  });
});

test('a run that goes on from saved state replays too; its ids and keys stay as they are, and its texts hold no secret', () => {
  inFolder((path) => {
    const explained = explanation('Pod/shop/api-1', {
      members: [finding('Pod/shop/api-1', { detail: 'cannot reach postgres://app:hunter9@db/shop' })],
    });
    const incident: Incident = {
      ...{ id: '0123456789abcdef01234567', alertKey: 'fedcba9876543210', state: 'Open', explanation: explained },
      ...{ startedAt: now, revision: 1, recoveries: [], standings: {}, hearings: { 'uid-oncall': { knows: 'open' } } },
    };
    const notes = { uid: 'u1', facets: [], restarts: [], pullErrors: [['app', 'https://u:hunter8@registry.example']] };
    const memos = [{ topic: 'notes', key: 'Pod/shop/api-1', value: notes }];
    const restored: Input = { kind: 'restored', saved: { incidents: [incident], memos, savedAt: now, reports: [] } };
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    const core = new Core({ ...header, traits: providerTraits });
    const turns = [[restored], inputs, [{ kind: 'wake' } as const]];
    const ran = turns.map((each, turn) => {
      const at = now + turn * 600_000;
      return { now: at, effects: core.turn(record(each, at), at) };
    });
    const text = readFileSync(path, 'utf8');
    assert.deepEqual(text.match(/hunter[89]/g), null);
    for (const kept of [incident.id, incident.alertKey, 'uid-oncall']) assert.ok(text.includes(kept), kept);
    assert.equal(JSON.stringify(effectsOf(text)), JSON.stringify(ran));
    assert.ok(ran.some(({ effects }) => effects.save.enqueue.some(({ act }) => act === 'resolve')));
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

/** Objects that hold a secret in every place that is named by its users; each is told apart by its number. */
const objectsWithSecrets: readonly RawObject[] = [
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      ...{ name: 'job', namespace: 'shop', uid: 'u2' },
      labels: { app: 'job', 'example.com/token': 'CANARY01', 'db-password': 'CANARY02' },
      annotations: {
        'example.com/api-key': 'CANARY03',
        'example.com/db-pw': 'CANARY04',
        'example.com/config': '{"password":"CANARY05"}',
        'example.com/secret': 'CANARY06',
        note: 'login with password CANARY07',
      },
    },
    spec: {
      nodeSelector: { 'license-key': 'CANARY08' },
      initContainers: [
        { name: 'wait', command: ['sh', '-c', 'DB_PW=CANARY09 mysql -u root -pCANARY10 -e "select 1"'] },
      ],
      containers: [
        {
          ...{ name: 'app', command: ['tool', '--password', 'CANARY11', '--port', '8080'] },
          args: [
            '-p',
            'CANARY12',
            '-u',
            'admin:CANARY13',
            '--token=CANARY14',
            '--api-key',
            'CANARY15',
            '--user',
            'a:CANARY16',
          ],
          lifecycle: { preStop: { exec: { command: ['curl', '-u', 'admin:CANARY17', 'https://x'] } } },
          readinessProbe: { exec: { command: ['mysqladmin', 'ping', '-pCANARY18'] } },
        },
        { name: 'proxy', args: ['-p', '8080', '-u', '1000:1000', '--verbose', '-p', '/var/run/proxy.sock'] },
      ],
      volumes: [
        { name: 'a', csi: { driver: 'd', volumeAttributes: { clientSecret: 'CANARY19', region: 'eu-1' } } },
        { name: 'b', flexVolume: { driver: 'd', options: { password: 'CANARY20', share: 'data' } } },
        { name: 'c', secret: { secretName: 'db-credentials' } },
      ],
    },
  },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'api', namespace: 'shop', uid: 'u3', annotations: { 'deploy-token': 'CANARY21' } },
    spec: { template: { metadata: { annotations: { 'vault-token': 'CANARY22' } }, spec: { containers: [] } } },
  },
  {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'pv', uid: 'u4' },
    spec: { csi: { volumeAttributes: { accountKey: 'CANARY23' } } },
  },
  {
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'fast', uid: 'u5' },
    parameters: { adminPassword: 'CANARY24', fsType: 'ext4' },
  },
];

test('secrets are found by the key, label, option or flag that names them, and the rest stays', () => {
  inFolder((path) => {
    const record = createRecorder({ path, header, failed: (error) => assert.fail(String(error)) });
    record(
      [{ kind: 'objects', source: 'pods', events: objectsWithSecrets.map((raw) => ({ is: 'put', raw }) as const) }],
      now,
    );
    const text = readFileSync(path, 'utf8');
    assert.deepEqual(text.match(/CANARY\d\d/g), null);
    for (const kept of ['"--port","8080"', '"-p","8080","-u","1000:1000","--verbose"', '/var/run/proxy.sock', 'eu-1'])
      assert.ok(text.includes(kept), kept);
    for (const kept of ['"admin:***"', '"share":"data"', 'db-credentials', 'ext4', '"app":"job"'])
      assert.ok(text.includes(kept), kept);
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
