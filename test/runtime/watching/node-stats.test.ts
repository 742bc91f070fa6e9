import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeSummary } from '../../../src/kube/node-summary.ts';
import type { Coverage } from '../../../src/model/coverage.ts';
import type { RawObject } from '../../../src/model/raw-object.ts';
import { defaultSettings, type Settings } from '../../../src/model/settings.ts';
import type { Input } from '../../../src/model/turn.ts';
import { NodeStats } from '../../../src/runtime/watching/node-stats.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { WatchedWorld } from '../../../src/world/watched-world.ts';
import { virtualClock } from '../../delivery/clock.ts';
import { startFakeApi } from '../../kube/support/fake-api.ts';
import { node, pod, start } from '../../world/objects.ts';
import { realRequests } from '../real-requests.ts';

const gib = 1024 ** 3;
const minute = 60_000;

/** What a kubelet says of a file system of so many percent. */
const fileSystem = (percent: number) => ({
  ...{ capacityBytes: 100 * gib, availableBytes: (100 - percent) * gib, usedBytes: percent * gib },
  ...{ inodes: 1000, inodesFree: 900 },
});
const summaryOf = (volume: number, own: NodeSummary = {}): NodeSummary => ({
  node: { fs: fileSystem(40) },
  pods: [
    {
      podRef: { namespace: 'shop', name: 'db-0' },
      volume: [{ ...fileSystem(volume), pvcRef: { namespace: 'shop', name: 'data' } }],
    },
  ],
  ...own,
});

type Answer = { readonly code: number; readonly body: unknown };

/** A poller on an API server of which each test says what it answers for a Node. */
async function stage(options: { readonly nodes?: readonly RawObject[]; readonly settings?: Partial<Settings> } = {}) {
  let answer = (_node: string): Answer => ({ code: 200, body: summaryOf(10) });
  let allowed = true;
  const asked: string[] = [];
  const api = await startFakeApi((request, response) => {
    const [, name] = /^\/api\/v1\/nodes\/([^/]+)\/proxy\/stats\/summary$/.exec(request.path) ?? [];
    if (name !== undefined) asked.push(name);
    const { code, body } = name === undefined ? { code: 201, body: { status: { allowed } } } : answer(name);
    response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const { client, rest } = realRequests(api.url);
  const clock = virtualClock(start);
  const world = new WatchedWorld();
  const limits = { containers: [{ name: 'api', image: 'a', resources: { limits: { memory: '1Gi' } } }] };
  world.load(
    'nodes',
    (options.nodes ?? [node('n1')]).map((raw) => ({ is: 'put', raw })),
    start,
  );
  world.load('pods', [{ is: 'put', raw: pod('db-0', limits) }], start);
  const coverage: Coverage[] = [];
  const objects: Extract<Input, { kind: 'objects' }>[] = [];
  const settings: Settings = { ...defaultSettings, edition: 'Pro', ...options.settings };
  const stats = new NodeStats({
    ...{ client, clock, world, random: () => 0.5, settings: () => settings },
    log: createLogger({ level: 'silent' }),
    see: (row) => coverage.push(row),
    push: (input) => void (input.kind === 'objects' && objects.push(input)),
  });
  stats.start();
  return {
    asked,
    objects,
    last: () => objects.at(-1)?.events[0],
    state: () => coverage.at(-1) && `${coverage.at(-1)?.state} ${coverage.at(-1)?.reason}`,
    says(next: (name: string) => Answer): void {
      answer = next;
    },
    allow(is: boolean): void {
      allowed = is;
    },
    /** Lets time pass, and the real requests of that time end. */
    async pass(milliseconds: number): Promise<void> {
      for (let passed = 0; passed < milliseconds; passed += 30_000) {
        await clock.advance(30_000);
        await rest();
      }
    },
    world,
    async end(): Promise<void> {
      await stats.stop();
      await client.close();
      await api.close();
    },
  };
}

test('without a licence, and where the cluster does not allow it, no kubelet is asked; once it does, each is', async () => {
  const unlicensed = await stage({ settings: { edition: 'Community' } });
  await unlicensed.pass(10 * minute);
  assert.deepEqual([unlicensed.asked, unlicensed.state()], [[], 'Disabled NotLicensed']);
  await unlicensed.end();

  const denied = await stage();
  denied.allow(false);
  await denied.pass(2 * minute);
  // What was asked first may have been allowed; from then on it is looked again every 10 minutes.
  await denied.pass(22 * minute);
  assert.equal(denied.state(), 'Disabled OptIn');
  const before = denied.asked.length;
  await denied.pass(10 * minute);
  assert.equal(denied.asked.length, before);
  denied.allow(true);
  await denied.pass(22 * minute);
  assert.equal(denied.state(), 'Watching Synced');
  assert.ok(denied.asked.length > before);
  await denied.end();
});

test('a kubelet is asked every five minutes, and never that of a Node that is not ready', async () => {
  const { asked, pass, end } = await stage({ nodes: [node('n1'), node('n2', { ready: 'Unknown' })] });
  await pass(31 * minute);
  assert.ok(asked.length >= 5 && asked.length <= 7, `${asked.length} times`);
  assert.ok(asked.every((name) => name === 'n1'));
  await end();
});

test('what is nearly full is handed on, and stands until it is five points below', async () => {
  const { says, last, objects, pass, end } = await stage();
  says(() => ({ code: 200, body: summaryOf(86) }));
  await pass(6 * minute);
  const usage = { of: 'claimBytes', percent: 86, used: 86 * gib, capacity: 100 * gib, namespace: 'shop', name: 'data' };
  assert.deepEqual(last()?.raw.usages, [usage]);
  says(() => ({ code: 200, body: summaryOf(82) }));
  await pass(6 * minute);
  assert.deepEqual(last()?.raw.usages, [{ ...usage, percent: 82, used: 82 * gib }]);
  says(() => ({ code: 200, body: summaryOf(79) }));
  await pass(6 * minute);
  assert.deepEqual(last()?.raw.usages, []);
  const before = objects.length;
  await pass(12 * minute);
  assert.equal(objects.length, before, 'what is the same is not told again');
  await end();
});

test('the setting says from when on; a container is measured by the limit of its Pod', async () => {
  const detection = { ...defaultSettings.detection, volumeUsagePercent: 60 };
  const { says, last, pass, end } = await stage({ settings: { detection } });
  const containers = [{ name: 'api', memory: { workingSetBytes: 0.95 * gib } }];
  const pods = [{ podRef: { namespace: 'shop', name: 'db-0' }, containers, ...summaryOf(61).pods?.[0] }];
  says(() => ({ code: 200, body: { pods } }));
  await pass(6 * minute);
  const told = last()?.raw.usages as { of: string; percent: number }[];
  assert.deepEqual(
    told.map(({ of, percent }) => `${of} ${percent}`),
    ['claimBytes 61', 'containerMemory 95'],
  );
  await end();
});

test('a volume that grows is told with when it is full', async () => {
  const { says, last, pass, end } = await stage();
  let percent = 80;
  says(() => {
    percent += 0.5;
    return { code: 200, body: summaryOf(percent) };
  });
  await pass(91 * minute);
  const [usage] = (last()?.raw.usages ?? []) as { fullInHours: number }[];
  assert.ok(usage && usage.fullInHours >= 1 && usage.fullInHours <= 3, `${usage?.fullInHours} hours`);
  await end();
});

test('a kubelet that three tries do not reach is told of; a refusal is not, nor when no kubelet at all answers', async () => {
  const names = ['n1', 'n2', 'n3', 'n4'];
  const { says, objects, state, pass, end } = await stage({ nodes: names.map((name) => node(name)) });
  const failing = {
    code: 503,
    body: { kind: 'Status', message: 'error trying to reach service: dial tcp: i/o timeout' },
  };
  says((name) =>
    name === 'n1' ? failing : name === 'n2' ? { code: 429, body: {} } : { code: 200, body: summaryOf(1) },
  );
  await pass(18 * minute);
  const away = objects.flatMap(({ events }) => events.filter(({ raw }) => raw.unreachable !== undefined));
  assert.deepEqual([...new Set(away.map(({ raw }) => raw.metadata.name))], ['n1']);
  says(() => failing);
  await pass(16 * minute);
  const before = objects.length;
  await pass(20 * minute);
  assert.equal(state(), 'Failing ConnectionLost');
  assert.equal(objects.length, before);
  await end();
});

test('a Node that goes takes what its kubelet said along; at the end no request is under way', async () => {
  const { says, last, world, pass, end } = await stage();
  says(() => ({ code: 200, body: summaryOf(95) }));
  await pass(6 * minute);
  assert.equal(last()?.is, 'put');
  world.apply('nodes', [{ is: 'gone', raw: node('n1') }], start + 7 * minute);
  await pass(minute);
  assert.equal(last()?.is, 'gone');
  await end();
});
