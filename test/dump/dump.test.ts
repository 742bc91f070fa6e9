import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { stringify } from 'yaml';
import type { DiagnoseArguments } from '../../src/cli/diagnose/arguments.ts';
import { runDiagnose } from '../../src/cli/diagnose/run.ts';
import { usualBounds } from '../../src/dump/bounds.ts';
import { collectDump } from '../../src/dump/collect.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import { type Printed, printed } from '../cli/streams.ts';
import { logText } from '../scenarios/kit/recorded.ts';
import { tarOf, tgzOf } from './archive.ts';
import { formats, type Holding, writeFiles } from './formats.ts';

const now = Date.parse('2026-11-20T10:00:00Z');
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString().replace('.000Z', 'Z');

const meta = (kind: string, name: string, namespace?: string): RawObject['metadata'] => ({
  ...{ name, uid: `${kind}-${name}`, creationTimestamp: ago(600) },
  ...(namespace !== undefined && { namespace }),
});
const password = 'hunter2-Zq8kX1';

/** A Pod that crashes for want of a table, with what must never be printed around it. */
const crashing: RawObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { ...meta('Pod', 'api', 'shop'), labels: { app: 'api' } },
  spec: {
    nodeName: 'n1',
    containers: [{ name: 'app', image: 'registry.example/api:1.0', env: [{ name: 'DB_PASSWORD', value: password }] }],
  },
  status: {
    phase: 'Running',
    startTime: ago(60),
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(60) }],
    containerStatuses: [
      {
        ...{
          name: 'app',
          image: 'registry.example/api:1.0',
          ready: false,
          started: false,
          restartCount: 9,
          imageID: '',
        },
        state: {
          waiting: {
            reason: 'CrashLoopBackOff',
            message: `back-off 5m0s restarting failed container, password=${password}`,
          },
        },
        lastState: { terminated: { exitCode: 1, reason: 'Error', startedAt: ago(3), finishedAt: ago(2) } },
      },
    ],
  },
};
const secret: RawObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { ...meta('Secret', 'db', 'shop'), annotations: { note: password } },
  data: { password: Buffer.from(password).toString('base64') },
};
const node: RawObject = {
  apiVersion: 'v1',
  kind: 'Node',
  metadata: meta('Node', 'n1'),
  status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ago(600), lastHeartbeatTime: ago(0) }] },
};
const holding: Holding = {
  objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: meta('Namespace', 'shop') }, node, crashing, secret],
  logs: [
    {
      ...{ pod: 'Pod/shop/api', container: 'app', previous: true },
      lines: [`connecting with password=${password}`, 'FATAL unknown column "vat_rate" in table "orders"'],
    },
  ],
};

let folder: string;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'tocsin-dump-'));
});
after(() => rmSync(folder, { recursive: true }));

let files = 0;
function written(content: string | Buffer, name = 'dump'): string {
  files += 1;
  mkdirSync(join(folder, String(files)));
  const path = join(folder, String(files), name);
  writeFileSync(path, content);
  return path;
}
const diagnose = (
  from: string,
  asked: Partial<DiagnoseArguments> = {},
  input: string | Uint8Array = '',
): Promise<Printed> => printed((streams) => runDiagnose({ output: 'text', from, ...asked }, streams), input);

for (const [format, write] of Object.entries(formats))
  test(`${format}: folder, tar and tar.gz are recognised by what is in them, and no secret is printed`, async () => {
    const content = write(holding);
    const unpacked = join(folder, `unpacked-${format.replaceAll(' ', '-')}`);
    writeFiles(unpacked, content, now);
    for (const path of [unpacked, written(tarOf(content, now)), written(tgzOf(content, now))])
      for (const output of ['text', 'json', 'markdown', 'html', 'yaml'] as const) {
        const { code, out, err } = await diagnose(path, { output });
        assert.deepEqual([code, err], [1, '']);
        assert.match(out, /CrashLoopBackOff/);
        assert.ok(out.includes(format));
        assert.doesNotMatch(out, new RegExp(`${password}|${Buffer.from(password).toString('base64')}`));
      }
  });

test('the log of a dump explains as that of a cluster does', async () => {
  for (const format of ['must-gather', 'Troubleshoot support bundle', 'OpenShift Insights archive']) {
    const { out } = await diagnose(
      written(tarOf((formats[format] as (of: Holding) => ReadonlyMap<string, string>)(holding), now)),
    );
    assert.match(out, /Last log lines of the previous container app in api:\n(?: {2}.*\n)* {2}FATAL unknown column/);
    assert.match(out, /its database schema lacks vat_rate/);
  }
});

test('what kubectl prints: a list, one object, documents, lines, pretty or not, from a file or a pipe', async () => {
  const list = { apiVersion: 'v1', kind: 'List', items: [node, crashing], metadata: { resourceVersion: '' } };
  const bare = ({ apiVersion: _, kind: __, ...rest }: RawObject): object => rest;
  const raw = { kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [bare(crashing)] };
  for (const text of [
    ...[JSON.stringify(list), JSON.stringify(list, undefined, 4), JSON.stringify(crashing), JSON.stringify(raw)],
    ...[
      JSON.stringify([node, crashing]),
      `${JSON.stringify(node)}\n${JSON.stringify(crashing)}\n`,
      `\n\n ${JSON.stringify(list)}`,
    ],
    ...[
      stringify(list),
      stringify(list, { indentSeq: false }),
      stringify(crashing),
      `---\n${stringify(node)}---\n${stringify(crashing)}...\n`,
    ],
    ...[stringify(list).replaceAll('\n', '\r\n'), `# by hand\n${stringify(crashing)}`],
  ]) {
    assert.equal((await diagnose('-', {}, text)).code, 1, text.slice(0, 200));
    assert.equal((await diagnose(written(text))).code, 1, text.slice(0, 200));
    assert.equal((await diagnose(written(gzipSync(text)))).code, 1, text.slice(0, 200));
  }
});

test('kubectl cluster-info dump on standard output has objects and logs between marks', async () => {
  const log =
    '==== START logs for container app of pod shop/api ====\n{"not": "an object"\nFATAL unknown column "vat_rate"\n==== END logs for container app of pod shop/api ====\n';
  for (const print of [
    (value: unknown) => `${JSON.stringify(value, undefined, 4)}\n`,
    (value: unknown) => `---\n${stringify(value)}`,
  ]) {
    const { code, out } = await diagnose(
      '-',
      {},
      `${print({ kind: 'NodeList', apiVersion: 'v1', items: [node] })}${print(crashing)}${log}${print(node)}`,
    );
    assert.equal(code, 1);
    assert.match(out, /^standard input \(kubectl cluster-info dump\): 2 objects/);
    assert.match(out, /FATAL unknown column "vat_rate"/);
  }
});

test('a dump is judged by its own clock, and says what it cannot show', async () => {
  const { out } = await diagnose(
    written(
      tarOf((formats['objects as kubectl prints them'] as (of: Holding) => ReadonlyMap<string, string>)(holding), now),
    ),
  );
  assert.match(out, /as of 2026-11-20 10:00 UTC\.\n/);
  assert.match(out, /It holds no logs of containers: causes that stand in logs alone are missing\./);
  assert.match(out, /What happened in which order is known only as far as objects keep times/);
  assert.match(out, /nothing is taken for missing because it is not in it/);
});

test('objects of old and foreign versions are read as far as they are known', async () => {
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: meta('Event', 'api.1', 'shop'),
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'api', uid: 'Pod-api' },
    ...{ type: 'Warning', reason: 'BackOff', message: 'Back-off restarting failed container', count: 40 },
    ...{ firstTimestamp: ago(50), lastTimestamp: ago(1), source: { component: 'kubelet' } },
  };
  const old = {
    apiVersion: 'extensions/v1beta1',
    kind: 'Deployment',
    metadata: meta('Deployment', 'api', 'shop'),
    status: {},
  };
  const unknown = { apiVersion: 'example.com/v9', kind: 'Pod', metadata: meta('Pod', 'other', 'shop'), status: 7 };
  const odd = [
    { kind: 'Pod', metadata: { name: 5 } },
    { kind: 'Pod', metadata: null },
    null,
    7,
    'text',
    { items: 'none' },
  ];
  const snapshot = await collectDump({
    ...{ path: written(JSON.stringify({ kind: 'List', items: [crashing, event, old, unknown, ...odd] })), now },
    stdin: process.stdin,
  });
  assert.deepEqual(
    snapshot.kinds.map(({ resource, objects }) => [resource.kind, objects.length]),
    [
      ['Pod', 1],
      ['Event', 1],
      ['Deployment', 1],
    ],
  );
});

test('a recording of ours is judged as it stood at its end', async () => {
  const { code, out } = await diagnose(written(logText('labelled/accelerator-falls-off-the-bus'), 'log.jsonl'));
  assert.ok(code === 0 || code === 1);
  assert.match(out, /^log\.jsonl \(recording of Tocsin\): \d+ objects as of 2026-11-23/);
});

test('what is no dump is refused with what is the matter and what to do, exit code 2', async () => {
  const manifest = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'api' }, spec: { containers: [] } };
  const empty = join(folder, 'empty');
  mkdirSync(empty);
  for (const [path, says] of [
    [join(folder, 'nowhere'), /there is no file or folder ".*nowhere"/],
    [empty, /holds no object of a Kubernetes cluster that is looked at\. It may be what `kubectl cluster-info dump`/],
    [written(''), /is empty/],
    [written('PK\u0003\u0004rest'), /is a zip archive: unzip it into a folder and name that/],
    [written(Buffer.from('fd377a585a0000', 'hex')), /is compressed by xz: unpack it first: xz -d/],
    [written('{"cut": '), /holds nothing that can be read: .*: it is cut off within an object/],
    [written('hello: [world'), /holds nothing that can be read: .*: an object is not YAML/],
    [written(stringify(manifest)), /holds manifests, not objects of a cluster/],
    [written(stringify(secret)), /holds no object of a Kubernetes cluster that is looked at/],
    [written('{"tocsinLog":1,"clusterId":"a","version":"1"}\n{"now":'), /line 2 is not JSON/],
  ] as const) {
    const { code, out, err } = await diagnose(path);
    assert.deepEqual([code, out], [2, ''], path);
    assert.match(err, says);
  }
  const whole = written(stringify(crashing));
  assert.match((await diagnose(whole, { namespace: 'shpo' })).err, /nothing in dump is in a namespace "shpo"/);
  assert.equal((await diagnose(whole, { namespace: 'shop' })).code, 1);
  assert.match((await diagnose(empty, { context: 'x' })).err, /--from reads what was written down: it goes without/);
});

test('what is damaged is judged as far as it goes, and says so', async () => {
  const whole = tgzOf(
    new Map([
      ['cluster-resources/pods/shop.json', JSON.stringify({ kind: 'PodList', items: [crashing] })],
      ['cluster-resources/nodes.json', 'x'.repeat(200_000)],
    ]),
    now,
  );
  for (const path of [
    written(whole.subarray(0, whole.length - 40)),
    written(tarOf(new Map([['pods.json', JSON.stringify(crashing)]]), now).subarray(0, -2_000)),
  ]) {
    const { code, out } = await diagnose(path);
    if (code === 1) assert.match(out, /Not all of it could be read: .*cut off/);
    else assert.equal(code, 2);
  }
  const half = await diagnose(written(`${JSON.stringify(crashing)}\n${JSON.stringify(node).slice(0, 80)}`));
  assert.equal(half.code, 1);
  assert.match(half.out, /Not all of it could be read: dump: it is cut off within an object\./);
});

test('nothing is opened or written by the names in an archive, and links are not followed', async () => {
  const names = [
    '../../../etc/passwd',
    '/etc/shadow',
    'a/../../b.json',
    `${'../'.repeat(40)}x.yaml`,
    'namespaces/../pods/x/y/z/logs/current.log',
  ];
  const hostile = new Map([
    ...names.map((name): [string, string] => [name, 'x: 1\n']),
    ['pods.json', JSON.stringify(crashing)],
  ]);
  assert.equal((await diagnose(written(tarOf(hostile, now)))).code, 1);
  const within = join(folder, 'links');
  mkdirSync(within);
  writeFileSync(join(within, 'pods.json'), JSON.stringify(crashing));
  symlinkSync(folder, join(within, 'loop'));
  symlinkSync('/etc/passwd', join(within, 'passwd.json'));
  const { code, out } = await diagnose(within);
  assert.equal(code, 1);
  assert.match(out, /: 1 object as of/);
});

test('bombs and floods are bounded', async () => {
  const bomb = written(gzipSync(Buffer.alloc(64 * 1024 ** 2)));
  assert.match((await diagnose(bomb)).err, /unpacks to far more than a dump does/);
  const path = written(
    tarOf(
      new Map([
        ['a.json', JSON.stringify(crashing)],
        ['b.json', JSON.stringify(node)],
      ]),
      now,
    ),
  );
  const collect = (bounds: object, from = path) =>
    collectDump({ path: from, stdin: process.stdin, now, bounds: { ...usualBounds, ...bounds } });
  await assert.rejects(collect({ bytes: 2_000 }), /has more than 0 MiB/);
  await assert.rejects(collect({ keptBytes: 500 }), /of objects: name a part of it/);
  assert.match((await collect({ entries: 1 })).flaws[0]?.says ?? '', /more than 1 files/);
  const few = await collect({ objectBytes: 500 });
  assert.equal(few.kinds.length, 1);
  assert.match(few.flaws[0]?.says ?? '', /it is left out/);
  const deep = written(`${JSON.stringify(crashing)}\n${'['.repeat(200_000)}`);
  assert.equal((await diagnose(deep)).code, 1);
  const alias = `a: &a [x,x,x,x,x,x,x,x,x]\n${'bcdefgh'
    .split('')
    .map((each, index) => `${each}: &${each} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(',')}]`)
    .join('\n')}\n`;
  assert.equal((await diagnose(written(alias))).code, 2);
});

test('of a log of any size the end is kept', async () => {
  const lines = 'INFO all is well\n'.repeat(200_000);
  const path = 'namespaces/shop/pods/api/app/app/logs/previous.log';
  const dump = tgzOf(
    new Map([
      ['namespaces/shop/core/pods.yaml', `---\n${stringify({ kind: 'PodList', items: [crashing] })}`],
      [path, `${lines}FATAL unknown column "vat_rate"\n`],
    ]),
    now,
  );
  const { logs } = await collectDump({ path: written(dump), stdin: process.stdin, now });
  assert.deepEqual(
    [...logs.values()].flat().map(({ tail }) => tail.length),
    [usualBounds.logBytes],
  );
  assert.match((await diagnose(written(dump))).out, /FATAL unknown column "vat_rate"/);
});
