/**
 * The siege: all enemies at once, while real things break. The bundle as shipped beside a real control plane, of which what stands before
 * it tells lies; a tenant with floods, forged Events, false owners, forbidden addresses and Silences; visitors of the port; receivers
 * out of order. `SIEGE_MINUTES` (default 10) says how long, `SIEGE_SEED` draws other enemies. Ends with a table, and with exit code 1 if
 * anything was lost, false or told twice, or if it took too much.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { buildImage } from '../e2e/install-image.ts';
import { startStage } from '../e2e/stage.ts';
import { moods, startFaultyReceiver } from '../soak/faulty-receiver.ts';
import { auditOf, type Break, quantile } from '../soak/ledger.ts';
import { memoryOf } from '../soak/memory.ts';
import { namespace, workload } from '../soak/workloads.ts';
import { changeling, enemy, noise, ownObjects, strike, tale } from './enemies.ts';
import { faults, openGate, paths } from './gate.ts';
import { type Probes, pester, probe } from './visitors.ts';

const minute = 60_000;
const minutes = Number(process.env.SIEGE_MINUTES ?? 10);
if (!(minutes >= 8 && minutes <= 120)) throw new Error(`SIEGE_MINUTES is "${process.env.SIEGE_MINUTES}"; use 8 to 120`);
const most = { residentMiB: 320, probeMs: 1_000 };
/** Node keeps its heap within half of the memory that a Pod is given (512 MiB in config/manager); here nothing says how much that is. */
const heapMiB = 256;
/** No trouble is made at the end, so that what is under way can be told; what breaks stays so for longer than any enemy lasts. */
const [quietEndMs, brokenMs] = [5 * minute, 200_000];
const victims = 40;

/** Numbers between 0 and 1, the same for the same seed (Lehmer's generator). */
let drawn = Number(process.env.SIEGE_SEED ?? 7);
const draw = (): number => {
  drawn = (drawn * 48_271) % 2_147_483_647;
  return drawn / 2_147_483_647;
};
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(draw() * list.length)];

const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / minute).toFixed(1).padStart(6)} min  ${text}`);

await using stack = new AsyncDisposableStack();
// Room for all that the enemy makes: a full cluster would be told of, and rightly.
const nodes = ['n1', 'n2', 'n3'].map((name) => ({ name, pods: 1_000 }));
const stage = await startStage({ nodes, speed: 4 });
stack.defer(() => stage.stop());
// Ended before its time, it leaves no control plane behind.
process.once('SIGTERM', () => void stage.stop().finally(() => process.exit(1)));
const [cluster, team] = [await startFaultyReceiver(), await startFaultyReceiver()];
stack.defer(() => Promise.all([cluster.stop(), team.stop()]).then(() => undefined));
const gate = await openGate(stage.plane.admin);
stack.defer(() => gate.stop());

const provider = (name: string, of: string, url: string): object => ({
  apiVersion: 'tocsin.dev/v1alpha1',
  kind: 'AlertProvider',
  metadata: { name, namespace: of },
  spec: { type: 'webhook', webhook: { url: { value: url } } },
});
await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await stage.apply(
  {
    apiVersion: 'tocsin.dev/v1alpha1',
    kind: 'AlertConfig',
    metadata: { name: 'default', namespace: 'tocsin' },
    spec: {
      app: { clusterName: 'siege' },
      delivery: { allowedPrivateDestinations: ['127.0.0.0/8'] },
      ...{ trial: true, incidents: { holdSeconds: 60 }, statusEndpoint: { enabled: true } },
    },
  },
  provider('cluster', 'tocsin', cluster.url),
  provider('team', namespace, team.url),
  ...Array.from({ length: victims }, (_, index) => workload(`victim-${index}`, 1, '1.0')),
);
await stage.kubectl(['-n', namespace, 'rollout', 'status', 'deployment', '--timeout=300s']);

/** Starts the bundle as the image does, through the gate. */
async function startBundle() {
  const image = buildImage(join(stage.folder, 'image'));
  const kubeconfig = join(stage.folder, 'gate.json');
  const config = {
    ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'gate', users: [{ name: 'gate', user: {} }] },
    clusters: [{ name: 'gate', cluster: { server: gate.url } }],
    contexts: [{ name: 'gate', context: { cluster: 'gate', user: 'gate', namespace: 'default' } }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const program = [
    `--max-old-space-size=${heapMiB}`,
    ...image.entrypoint.slice(1, -1),
    join(image.root, image.entrypoint.at(-1) ?? ''),
  ];
  const options = ['--kubeconfig', kubeconfig, '--namespace', 'tocsin', '--host', '127.0.0.1', '--port', '0'];
  const child = spawn(process.execPath, [...program, 'run', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...image.environment },
  });
  const exited = once(child, 'exit');
  const output: string[] = [];
  const listening = Promise.withResolvers<number>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    output.push(line);
    const port = /"port":(\d+)/.exec(line)?.[1];
    if (port) listening.resolve(Number(port));
  });
  void exited.then(() => listening.reject(new Error(`it ended:\n${output.join('\n')}`)));
  const url = `http://127.0.0.1:${await listening.promise}`;
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exited;
  };
  return { pid: child.pid ?? 0, url, output, isAlive: () => child.exitCode === null, stop };
}
const bundle = await startBundle();
stack.defer(() => bundle.stop());
await stage.eventually(60, async () => {
  if (!(await fetch(`${bundle.url}/readyz`)).ok) throw new Error('not ready');
});
await strike(stage, ...ownObjects());
say(`Tocsin is ready; ${(memoryOf(bundle.pid).residentBytes / 2 ** 20).toFixed(0)} MiB resident`);

const startedAt = Date.now();
const endsAt = startedAt + minutes * minute;
const troubleEndsAt = endsAt - quietEndMs;
const isOver = (): boolean => Date.now() > troubleEndsAt;
const breaks: Break[] = [];
const played: string[] = [];
const mends: Promise<void>[] = [];

/** Runs `work` every so many milliseconds, one after another, until trouble ends. */
async function every(ms: number, first: number, work: (index: number) => unknown): Promise<void> {
  await delay(first);
  for (let index = 0; !isOver(); index += 1) {
    const from = Date.now();
    await work(index);
    await delay(Math.max(0, ms - (Date.now() - from)));
  }
}

async function lie(): Promise<void> {
  const [fault, about] = [pick(faults), pick(paths)];
  if (!fault || !about) return;
  const seconds = 4 + Math.floor(draw() * 9);
  played.push(fault.name);
  say(`for ${seconds} s the API server ${fault.name} (${about.source})`);
  gate.be(fault, about);
  await delay(seconds * 1000);
  gate.be();
}

/** An image that does not exist, and the one before again. Each victim once: what comes back is not told each time. */
async function breakOne(index: number): Promise<void> {
  if (index >= victims || isOver()) return;
  const name = `victim-${index}`;
  await stage.apply(workload(name, 1, '2.0', { pullError: 'NotFound' }));
  // The simulated kubelets share a busy machine with everybody else.
  await stage.eventually(180, async () => {
    const reason = 'jsonpath={.items[*].status.containerStatuses[*].state.waiting.reason}';
    const waiting = await stage.kubectl(['-n', namespace, 'get', 'pods', '-l', `app=${name}`, '-o', reason]);
    if (!/ErrImagePull|ImagePullBackOff/.test(waiting)) throw new Error(`no failing pull: ${waiting}`);
  });
  const broken: Break = { deployment: name, brokenAt: Date.now() };
  breaks.push(broken);
  const mend = async (): Promise<void> => {
    await delay(Math.min(brokenMs, troubleEndsAt + 120_000 - Date.now()));
    await stage.apply(workload(name, 1, '1.0'));
    broken.mendedAt = Date.now();
  };
  mends.push(mend());
}

const bad = moods.filter((mood) => mood !== 'well');
async function fail(): Promise<void> {
  const receiver = pick([cluster, team]);
  if (!receiver) return;
  receiver.mood = pick(bad) ?? 'failing';
  await delay(15_000);
  receiver.mood = 'well';
}

const probes: Probes = { took: [], failed: 0 };
let [peakBytes, peakAt] = [0, began];
async function look(): Promise<void> {
  while (Date.now() < endsAt && bundle.isAlive()) {
    const { residentBytes } = memoryOf(bundle.pid);
    if (residentBytes > peakBytes) [peakBytes, peakAt] = [residentBytes, Date.now()];
    await delay(1_000);
  }
}

await Promise.all([
  every(14_000, 5_000, lie),
  every(9_000, 2_000, breakOne),
  every(40_000, 20_000, fail),
  every(4_000, 1_000, (index) => strike(stage, noise(index), changeling(index))),
  every(2_000, 1_500, (index) => strike(stage, ...Array.from({ length: 10 }, (_, each) => tale(index * 10 + each)))),
  every(3_000, 3_000, (index) => pester(bundle.url, index)),
  probe(bundle.url, () => Date.now() >= endsAt, probes),
  look(),
  delay(minutes * minute),
]);
await Promise.all(mends);

type Taken = (typeof team.taken)[number];
/** Whom a message is about, by namespace. */
const namespaceOf = ({ incident }: Taken): string =>
  (incident?.root as { readonly namespace?: string | null } | undefined)?.namespace ?? '';
const isOwnSight = ({ incident }: Taken): boolean =>
  (incident as { readonly reason?: string } | null | undefined)?.reason === 'KindsUnseen';
const told = [
  { who: 'the team', taken: team.taken },
  {
    who: 'the cluster',
    taken: cluster.taken.filter((message) => !message.incident || namespaceOf(message) === namespace),
  },
];
const audits = told.map(({ who, taken }) => ({
  who,
  ...auditOf(
    breaks,
    taken.filter((message) => !isOwnSight(message)),
  ),
}));
const strangers = cluster.taken
  .filter(
    (message) => message.incident && !['', namespace, enemy].includes(namespaceOf(message)) && !isOwnSight(message),
  )
  .map(({ title }) => title);
const unnamed = cluster.taken
  .filter((message) => message.incident && namespaceOf(message) === '' && !isOwnSight(message))
  .map(({ title }) => title);
const took = probes.took.toSorted((a, b) => a - b);
const peakMiB = peakBytes / 2 ** 20;
// The cluster's people read of a storm in one overview; the team reads of each.
const [ofTeam] = audits;
const lost = [...(ofTeam?.neverOpened ?? []), ...(ofTeam?.neverResolved ?? [])];
const untrue = [...audits.flatMap(({ falseAlarms }) => falseAlarms), ...strangers, ...unnamed];
const repeats = audits.reduce((sum, each) => sum + each.repeats, 0);
const failed = [
  ...(breaks.length < 10 ? [`only ${breaks.length} things broke`] : []),
  ...(lost.length > 0 ? [`${lost.length} lost`] : []),
  ...(untrue.length > 0 ? [`${untrue.length} false`] : []),
  ...(repeats > 0 ? [`${repeats} told twice`] : []),
  ...(peakMiB > most.residentMiB ? [`${peakMiB.toFixed(0)} MiB resident`] : []),
  ...((took.at(-1) ?? Number.NaN) <= most.probeMs && probes.failed === 0
    ? []
    : [`a probe took ${took.at(-1)?.toFixed(0)} ms, ${probes.failed} failed`]),
  ...(bundle.isAlive() ? [] : ['it ended']),
  ...(bundle.output.some((line) => line.includes('"level":"fatal"')) ? ['an error nobody handled'] : []),
];
const lags = (of: readonly number[]): string =>
  [0.5, 0.95, 1].map((share) => quantile(of, share === 1 ? 0.9999 : share).toFixed(1)).join(' / ');
const rows = [
  ['Length, seed', `${minutes} min, ${process.env.SIEGE_SEED ?? 7}`],
  ['Lies of the API server', `${played.length}: ${[...new Set(played)].join(', ')}`],
  ['Things broken and mended', `${breaks.length}`],
  ...audits.flatMap(({ who, ...audit }) => [
    [`Never told open / resolved, to ${who}`, `${audit.neverOpened.length} / ${audit.neverResolved.length}`],
    [`Break to opening, to ${who}: median / p95 / worst`, `${lags(audit.openLags)} s`],
  ]),
  ['Told twice', `${repeats}`],
  ['False', `${untrue.length}`],
  ['Told of its own sight (KindsUnseen)', `${cluster.taken.filter(isOwnSight).length}`],
  ['Messages about the enemy', `${cluster.taken.filter((message) => namespaceOf(message) === enemy).length}`],
  ['Most resident', `${peakMiB.toFixed(0)} MiB, after ${((peakAt - began) / minute).toFixed(1)} min`],
  [
    'Probes: median / worst / failed',
    `${quantile(took, 0.5).toFixed(0)} / ${took.at(-1)?.toFixed(0)} ms / ${probes.failed} of ${took.length}`,
  ],
];
console.log(`\n| Siege | |\n| --- | --- |\n${rows.map(([name, value]) => `| ${name} | ${value} |`).join('\n')}\n`);
for (const line of [...lost, ...untrue]) console.log(`! ${line}`);
if (process.env.SIEGE_OUT !== undefined) {
  writeFileSync(
    join(process.env.SIEGE_OUT, 'siege.json'),
    JSON.stringify({ breaks, team: team.taken, cluster: cluster.taken }, null, 1),
  );
  writeFileSync(join(process.env.SIEGE_OUT, 'tocsin.log'), bundle.output.join('\n'));
}
console.log(failed.length === 0 ? 'Nothing lost, nothing false, nothing told twice.' : `FAILED: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
