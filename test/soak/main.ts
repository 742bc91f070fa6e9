/**
 * The soak: the bundle as shipped beside a real control plane with a thousand Pods that change all the time, an API server that
 * is killed again and again, and a receiver that fails in every way it can. `SOAK_MINUTES` (default 120) says how long. Prints
 * what it does, ends with a table, and with exit code 1 if something was lost, deaf or growing.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Container, startContainer } from '../e2e/install-container.ts';
import { buildImage } from '../e2e/install-image.ts';
import { startStage, unwatched } from '../e2e/stage.ts';
import { type FaultyReceiver, type Mood, startFaultyReceiver } from './faulty-receiver.ts';
import { type Audit, auditOf, type Break, quantile } from './ledger.ts';
import { memoryOf, type Reading, slopePerHour } from './memory.ts';
import { namespace, steady, steadyName, victimName, victims, workload } from './workloads.ts';

const minute = 60_000;
const minutes = Number(process.env.SOAK_MINUTES ?? 120);
if (!(minutes >= 6 && minutes <= 600)) throw new Error(`SOAK_MINUTES is "${process.env.SOAK_MINUTES}"; use 6 to 600`);

/** The promise: every watch works again this soon after the API server answers. */
const maxDeafMs = 5_000;
/** Growth that a soak of two hours must not exceed. Memory of a garbage-collected process wanders by more in minutes. */
const maxSlopeBytesPerHour = 4 * 2 ** 20;
/** What is read before this is warm-up: lists, first incidents, first outages. A quarter of a short run. */
const warmUpMs = Math.min(20 * minute, (minutes * minute) / 4);
/** No trouble is made at the end, so that what is under way can be told. */
const quietEndMs = 4.5 * minute;
/** How long what is well must stay well before it is told: shorter than the default, so that a short soak sees resolutions. */
const holdSeconds = 60;

/** How often each thing happens, and when it first does. Milliseconds. */
const schedule = {
  churn: { every: 15_000, first: 5_000 },
  break: { every: 100_000, first: 10_000 },
  outage: { every: 9 * minute, first: 1.2 * minute },
  compaction: { every: 13 * minute, first: 3 * minute },
  failure: { every: 5 * minute, first: 0.5 * minute },
} as const;
/** A break lasts long enough to be told even while the API server is away for a while. */
const brokenMs = 80_000;
const outageSeconds = [10, 45, 2, 90, 25];
const failures: readonly { readonly mood: Mood; readonly seconds: number }[] = [
  { mood: 'failing', seconds: 45 },
  { mood: 'resetting', seconds: 60 },
  { mood: 'limiting', seconds: 60 },
  { mood: 'hanging', seconds: 90 },
  { mood: 'failing', seconds: 200 },
];

const began = Date.now();
const say = (text: string): void =>
  console.log(`${((Date.now() - began) / minute).toFixed(1).padStart(6)} min  ${text}`);

await using stack = new AsyncDisposableStack();
say(
  `soak of ${minutes} minutes: starting the control plane and ${steady.count * steady.replicas + victims.count * victims.replicas} Pods`,
);
const nodes = Array.from({ length: 20 }, (_, index) => `n${index + 1}`);
const stage = await startStage({ nodes, speed: 4 });
stack.defer(() => stage.stop());
const first = await startFaultyReceiver();
stack.defer(() => first.stop());
const second = await startFaultyReceiver();
stack.defer(() => second.stop());

/** Once more until it works: the API server is away now and then, and that is the point. */
async function insist(what: string, work: () => Promise<unknown>): Promise<void> {
  for (let left = 120; ; left -= 1)
    try {
      await work();
      return;
    } catch (error) {
      if (left === 0) throw new Error(`${what} does not work`, { cause: error });
      await delay(2_000);
    }
}

await stage.kubectl(['apply', '-k', join(import.meta.dirname, '../../config/default')]);
await stage.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
const fleet = [
  ...Array.from({ length: steady.count }, (_, index) => workload(steadyName(index), steady.replicas, '1.0')),
  ...Array.from({ length: victims.count }, (_, index) => workload(victimName(index), victims.replicas, '1.0')),
];
await stage.apply(...fleet);
await insist('a rollout of everything', () =>
  stage.kubectl(['-n', namespace, 'rollout', 'status', 'deployment', '--timeout=300s']),
);
await stage.apply(...settings(first, second));

const image = buildImage(join(stage.folder, 'image'));
const container = await startBundle();
stack.defer(async () => void (await container.stop()));
await stage.eventually(60, async () => {
  if (!(await fetch(`${container.url}/readyz`)).ok) throw new Error('not ready');
});
say(
  `Tocsin is ready (${image.entrypoint.slice(1, -1).join(' ')}); ${(memoryOf(container.pid).residentBytes / 2 ** 20).toFixed(0)} MiB resident`,
);

const startedAt = Date.now();
const endsAt = startedAt + minutes * minute;
const troubleEndsAt = endsAt - quietEndMs;
const breaks: Break[] = [];
const readings: Reading[] = [];
const deaf: { readonly outageSeconds: number; readonly deafMs: number }[] = [];
let changes = 0;
let apiIsAway = false;

/** Runs `work` at its times, one after another, until trouble ends. */
async function repeatedly(
  rhythm: { every: number; first: number },
  work: (index: number) => Promise<void>,
): Promise<void> {
  for (let index = 0; ; index += 1) {
    const at = startedAt + rhythm.first + index * rhythm.every;
    if (at > troubleEndsAt) return;
    await delay(Math.max(0, at - Date.now()));
    await work(index);
  }
}

/** Harmless change: rollouts, scaling, Pods deleted by hand. */
async function churn(index: number): Promise<void> {
  const name = steadyName(index * 7);
  const target = `deployment/${name}`;
  const ways: readonly (() => Promise<unknown>)[] = [
    () => stage.apply(workload(name, steady.replicas, `1.${index}`)),
    () => stage.kubectl(['-n', namespace, 'scale', target, `--replicas=${steady.replicas - 4}`]),
    () => stage.kubectl(['-n', namespace, 'scale', target, `--replicas=${steady.replicas + 4}`]),
    async () => {
      const pods = await stage.kubectl(['-n', namespace, 'get', 'pods', '-l', `app=${name}`, '-o', 'name']);
      await stage.kubectl(['-n', namespace, 'delete', '--wait=false', ...pods.trim().split('\n').slice(0, 5)]);
    },
  ];
  const way = ways[index % ways.length];
  if (apiIsAway || !way) return;
  // An outage may begin in the middle of it; what was half done is churn too.
  await way().catch(() => {});
  changes += 1;
}

/** An image that does not exist, and the one before again. */
async function breakOne(index: number): Promise<void> {
  const name = victimName(index);
  await insist('breaking', () =>
    stage.apply(workload(name, victims.replicas, `2.${index}`, { pullError: 'NotFound' })),
  );
  // Controllers and the scheduler may be on their way back as well: there is nothing to tell before a pull has failed.
  await insist('a failing pull', () => failingPull(name));
  const broken: Break = { deployment: name, brokenAt: Date.now() };
  breaks.push(broken);
  void (async () => {
    await delay(brokenMs);
    await insist('mending', () => stage.apply(workload(name, victims.replicas, '1.0')));
    broken.mendedAt = Date.now();
  })();
}

/** Rejects until a Pod of the Deployment waits for its image. */
async function failingPull(name: string): Promise<void> {
  const reason = 'jsonpath={.items[*].status.containerStatuses[*].state.waiting.reason}';
  const waiting = await stage.kubectl(['-n', namespace, 'get', 'pods', '-l', `app=${name}`, '-o', reason]);
  if (!/ErrImagePull|ImagePullBackOff/.test(waiting)) throw new Error(`no failing pull: ${waiting}`);
}

async function coverageIsWhole(): Promise<boolean> {
  const { coverage } = (await (await fetch(`${container.url}/health`)).json()) as {
    coverage: { resources: { state: string }[] };
  };
  return unwatched(coverage.resources).length === 0;
}

/** Kills the API server; controllers of a real cluster end when they cannot renew their lease, and start afresh. */
async function outage(index: number): Promise<void> {
  const seconds = outageSeconds[index % outageSeconds.length] ?? 10;
  apiIsAway = true;
  await stage.plane.kill('kube-controller-manager');
  await stage.plane.kill('kube-apiserver');
  await delay(seconds * 1000);
  await stage.plane.start('kube-apiserver');
  const answeredAt = Date.now();
  while (!(await coverageIsWhole())) {
    if (Date.now() - answeredAt > minute) break;
    await delay(50);
  }
  const deafMs = Date.now() - answeredAt;
  deaf.push({ outageSeconds: seconds, deafMs });
  await stage.plane.start('kube-controller-manager');
  apiIsAway = false;
  say(`API server away for ${seconds} s; every watch back ${deafMs} ms after it answered`);
}

async function fail(index: number): Promise<void> {
  const { mood, seconds } = failures[index % failures.length] ?? { mood: 'failing', seconds: 60 };
  say(`the receiver is ${mood} for ${seconds} s`);
  first.mood = mood;
  await delay(seconds * 1000);
  first.mood = 'well';
}

async function readMemory(): Promise<void> {
  for (let index = 0; Date.now() < endsAt; index += 1) {
    const { residentBytes } = memoryOf(container.pid);
    readings.push({ at: Date.now(), bytes: residentBytes });
    if (index % 60 === 0)
      say(
        `${(residentBytes / 2 ** 20).toFixed(1)} MiB resident; ${breaks.length} breaks, ${changes} changes, ${first.taken.length + second.taken.length} messages`,
      );
    await delay(5_000);
  }
}

await Promise.all([
  repeatedly(schedule.churn, churn),
  repeatedly(schedule.break, breakOne),
  repeatedly(schedule.outage, outage),
  repeatedly(schedule.compaction, async () => {
    // The API server compacts by itself too; both mean `410 Gone` for watches that resume from before.
    if (!apiIsAway) await stage.plane.compact();
  }),
  repeatedly(schedule.failure, fail),
  readMemory(),
]);

const exposed = await (await fetch(`${container.url}/metrics`)).text();
const taken = [...first.taken, ...second.taken];
const audit = auditOf(breaks, taken);
const settled = readings.filter(({ at }) => at > startedAt + warmUpMs);
const slope = slopePerHour(settled);
const worstDeafMs = Math.max(0, ...deaf.map(({ deafMs }) => deafMs));
const lost = audit.neverOpened.length + audit.neverResolved.length;
const failed = [
  ...(lost > 0 ? [`${lost} messages lost`] : []),
  ...(audit.falseAlarms.length > 0 ? [`${audit.falseAlarms.length} false alarms`] : []),
  ...(worstDeafMs > maxDeafMs ? [`deaf for ${worstDeafMs} ms`] : []),
  // A short run is all warm-up: its slope says nothing.
  ...(minutes >= 60 && slope > maxSlopeBytesPerHour
    ? [`memory grows by ${(slope / 2 ** 20).toFixed(1)} MiB an hour`]
    : []),
  ...(container.output.some((line) => line.includes('"level":"fatal"') || line.includes('UnhandledPromise'))
    ? ['an error nobody handled']
    : []),
];
const report = table(audit);
const folder = process.env.SOAK_OUT;
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'soak.md'), report);
  writeFileSync(join(folder, 'readings.json'), JSON.stringify({ readings, deaf, breaks, taken }, null, 1));
  writeFileSync(join(folder, 'metrics.txt'), exposed);
  writeFileSync(join(folder, 'tocsin.log'), container.output.join('\n'));
}
console.log(`\n${report}`);
for (const line of [...audit.neverOpened, ...audit.neverResolved, ...audit.falseAlarms]) console.log(`! ${line}`);
console.log(failed.length === 0 ? 'Nothing lost, never deaf, nothing grows.' : `FAILED: ${failed.join('; ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function table({ openLags, resolveLags, ...rest }: Audit): string {
  const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  const sorted = settled.map(({ bytes }) => bytes).toSorted((a, b) => a - b);
  const lags = (of: readonly number[]): string =>
    `${quantile(of, 0.5).toFixed(1)} / ${quantile(of, 0.95).toFixed(1)} / ${(of.at(-1) ?? Number.NaN).toFixed(1)} s`;
  const refusals = Object.entries(first.refused)
    .filter(([mood]) => mood !== 'well')
    .map(([mood, count]) => `${count} ${mood}`)
    .join(', ');
  const rows = [
    ['Length', `${minutes} min`],
    ['Pods', `${steady.count * steady.replicas + victims.count * victims.replicas} on ${nodes.length} nodes`],
    ['Changes (rollouts, scaling, deletions)', `${changes}`],
    ['Things broken and mended', `${rest.breaks}`],
    ['Never told open / never told resolved', `${rest.neverOpened.length} / ${rest.neverResolved.length}`],
    ['Alarms about nothing', `${rest.falseAlarms.length}`],
    ['Messages taken twice', `${rest.repeats}`],
    [
      'Messages about no incident',
      Object.entries(rest.plain)
        .map(([type, count]) => `${count} ${type}`)
        .join(', '),
    ],
    ['Requests the receiver did not take', refusals],
    ['API server killed', `${deaf.length} times, away for 2 to 90 s`],
    [
      'Watching again after it answered, median / worst',
      `${quantile(
        deaf.map(({ deafMs }) => deafMs).toSorted((a, b) => a - b),
        0.5,
      )} / ${worstDeafMs} ms`,
    ],
    ['Break to opening, median / p95 / worst', lags(openLags)],
    [`Repair to resolution (held ${holdSeconds} s), median / p95 / worst`, lags(resolveLags)],
    [
      'Resident memory, median / highest',
      `${mebibytes(quantile(sorted, 0.5))} / ${mebibytes(memoryOf(container.pid).peakBytes)}`,
    ],
    ['Slope after warm-up', `${mebibytes(slope)} per hour`],
  ];
  return ['| Soak | |', '| --- | --- |', ...rows.map(([name, value]) => `| ${name} | ${value} |`), ''].join('\n');
}

/** Two webhooks: what the first cannot be told goes to the second. */
function settings(main: FaultyReceiver, spare: FaultyReceiver): readonly object[] {
  const provider = (name: string, url: string, more: object) => [
    { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, stringData: { url } },
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertProvider',
      metadata: { name, namespace: 'tocsin' },
      spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name, key: 'url' } } }, ...more },
    },
  ];
  const config = { app: { clusterName: 'soak', communityProvider: 'main' }, incidents: { holdSeconds } };
  return [
    {
      apiVersion: 'tocsin.dev/v1alpha1',
      kind: 'AlertConfig',
      metadata: { name: 'default', namespace: 'tocsin' },
      spec: config,
    },
    ...provider('main', main.url, { fallback: 'spare' }),
    ...provider('spare', spare.url, {}),
  ];
}

async function startBundle(): Promise<Container> {
  const token = await stage.kubectl(['-n', 'tocsin', 'create', 'token', 'tocsin', '--duration=12h']);
  const { hostname, port } = new URL(stage.plane.url);
  return startContainer({
    image,
    args: ['run', '--host', '127.0.0.1', '--port', '0'],
    environment: {
      POD_NAME: 'soak',
      POD_NAMESPACE: 'tocsin',
      KUBERNETES_SERVICE_HOST: hostname,
      KUBERNETES_SERVICE_PORT: port,
    },
    serviceAccount: { token: token.trim(), 'ca.crt': stage.plane.admin.ca, namespace: 'tocsin' },
    stateDirectory: '/var/lib/tocsin',
  });
}
