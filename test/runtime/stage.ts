import { createScaledClock } from '../../sandbox/clock.ts';
import { startKubelet } from '../../sandbox/kubelet.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { crdOf } from '../../src/api/crd.ts';
import { resources } from '../../src/api/resources.ts';
import type { LicenseKeys } from '../../src/edition/keys.ts';
import type { ApiClient } from '../../src/kube/api-client.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import type { Clock } from '../../src/model/clock.ts';
import { redact } from '../../src/model/redact.ts';
import { type Runtime, startRuntime } from '../../src/runtime/runtime.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { isAllListed } from '../e2e/listed.ts';
import { type Receiver, startReceiver } from '../e2e/receiver.ts';

/** Seconds of the story in one real second: enough of it for a busy machine to renew a lease in time. */
const factor = 5;
/** Real seconds after which a wait is given up. */
const patienceSeconds = 20;

/** The operator in this process, a sandbox with a node, and a receiver, on one clock that runs faster than the real one. */
export type Stage = {
  readonly sandbox: Sandbox;
  readonly client: ApiClient;
  readonly receiver: Receiver;
  /** The one that runs now. */
  readonly runtime: Runtime;
  /** Stops the operator in order, and starts the next one once `meanwhile` is over. */
  restart(meanwhile: () => Promise<void>): Promise<void>;
  /** The operator's clock: its timers can be held up, as when its process is suspended. */
  readonly clock: SuspendableClock;
  readonly log: readonly string[];
  create(...objects: readonly object[]): Promise<void>;
  remove(path: string): Promise<void>;
  get(path: string): Promise<{ status: number; text: string }>;
  /** The conditions of one of our objects as `Type=Status/Reason`. */
  conditions(resource: string, name: string): string;
  /** Resolves when it holds; rejects with what is the case instead. */
  until(what: string, holds: () => boolean | Promise<boolean>, instead?: () => unknown): Promise<void>;
  stop(): Promise<void>;
};

/** A clock whose timers can be held up while its time goes on. */
export type SuspendableClock = Clock & { suspend(): void; wake(): void };

/** What is due while it is suspended runs at the wake, in order, before anything else. */
function suspendable(clock: Clock): SuspendableClock {
  let late: (() => void)[] | undefined;
  return {
    ...clock,
    after(milliseconds, action) {
      let cancelled = false;
      const unlessCancelled = (): void => {
        if (!cancelled) action();
      };
      const cancel = clock.after(milliseconds, () => {
        if (late) late.push(unlessCancelled);
        else action();
      });
      return () => {
        cancelled = true;
        cancel();
      };
    },
    suspend() {
      late ??= [];
    },
    wake() {
      const due = late ?? [];
      late = undefined;
      for (const run of due) run();
    },
  };
}

/** Starts everything. Without `crds` our kinds are not known to the API. */
export async function startStage(options: {
  readonly crds?: boolean;
  readonly record?: string;
  /** Whose licences are accepted; nobody's unless given. */
  readonly licenseKeys?: LicenseKeys;
  /** Where state is saved. */
  readonly stateDirectory?: string;
  /** Seconds of the story in one real second, if not five: a server that is told times goes by its own clock. */
  readonly speed?: number;
  /** A clock that several stages share. */
  readonly clock?: Clock;
  /** Called before the operator starts. */
  readonly prepare?: (sandbox: Sandbox) => void;
}): Promise<Stage> {
  const clock = options.clock ?? createScaledClock(options.speed ?? factor);
  const operatorClock = suspendable(clock);
  const crds = Object.values(resources).map(crdOf);
  const sandbox = await startSandbox({ clock, crds: options.crds === false ? [] : crds });
  const connect = () =>
    createApiClient(fixedClusterConfig({ server: sandbox.url }), { clock: systemClock, version: '0' });
  const client = connect();
  const own = connect();
  const kubelet = await startKubelet({ api: client, nodes: [{ name: 'n1' }], clock, speed: 4 });
  const receiver = await startReceiver();
  for (const name of ['tocsin', 'shop'])
    sandbox.objects.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  options.prepare?.(sandbox);
  const log: string[] = [];
  const startOperator = (): Promise<Runtime> =>
    startRuntime({
      client: own,
      ...{ namespace: 'tocsin', identity: 'us', version: '0', listen: { host: '127.0.0.1', port: 0 } },
      clock: operatorClock,
      random: Math.random,
      licenseKeys: options.licenseKeys ?? new Map(),
      log: createLogger({ redact, level: 'info', stream: { write: (line) => log.push(line) } }),
      metrics: createMetrics({ process: false }),
      ...(options.stateDirectory !== undefined && { stateDirectory: options.stateDirectory }),
      ...(options.record !== undefined && { record: options.record }),
    });
  let runtime = await startOperator();
  return {
    ...{ sandbox, client, receiver, log, clock: operatorClock },
    get runtime() {
      return runtime;
    },
    async restart(meanwhile) {
      await runtime.stop();
      await meanwhile();
      runtime = await startOperator();
    },
    async create(...objects) {
      for (const object of objects) sandbox.objects.create(object);
    },
    remove: async (path) => void (await client.json({ method: 'DELETE', path })),
    async get(path) {
      const answer = await fetch(`http://127.0.0.1:${runtime.port}${path}`);
      return { status: answer.status, text: await answer.text() };
    },
    conditions(resource, name) {
      const { status } = (sandbox.objects.get(`${resource}.tocsin.dev`, 'tocsin', name) ?? {}) as {
        status?: { conditions?: readonly { type: string; status: string; reason: string }[] };
      };
      return (status?.conditions ?? []).map(({ type, status: is, reason }) => `${type}=${is}/${reason}`).join(' ');
    },
    async until(what, holds, instead) {
      const deadline = Date.now() + patienceSeconds * 1000;
      while (!(await holds())) {
        if (Date.now() > deadline)
          throw new Error(
            `not so after ${patienceSeconds} s: ${what}; ${JSON.stringify(instead?.() ?? log.slice(-20))}`,
          );
        await new Promise((resolve) => setTimeout(resolve, 25));
      }
    },
    async stop() {
      await runtime.stop();
      await own.close();
      await receiver.stop();
      await kubelet.stop();
      await client.close();
      await sandbox.stop();
    },
  };
}

/** Whether it is ready, and everything has been listed: what breaks from then on is news, and not what existed at the start. */
export async function hasStarted({ get }: Pick<Stage, 'get'>): Promise<boolean> {
  const isReady = (await get('/readyz')).status === 200;
  return isReady && isAllListed((await get('/health')).text);
}

/** A Deployment of one Pod whose image does not exist. */
export function broken(name: string): object {
  const labels = { app: name };
  const annotations = { 'sandbox.tocsin.dev/script': JSON.stringify({ pullError: 'NotFound' }) };
  return {
    ...{ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name, namespace: 'shop' } },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels, annotations },
        spec: { containers: [{ name: 'app', image: `registry.example/${name}:0` }] },
      },
    },
  };
}

/** Settings in which everything is told at once. */
export const hasty = {
  ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
  spec: { detection: { overrides: [{ selector: {}, settleSeconds: 0 }] }, evidence: { logs: false } },
};

/** A webhook that takes its address from the Secret of the same name. */
export function webhook(name: string): object {
  return {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertProvider', metadata: { name, namespace: 'tocsin' } },
    spec: { type: 'webhook', webhook: { url: { secretKeyRef: { name, key: 'url' } } } },
  };
}

/** The Secret of a webhook. */
export function address(name: string, url: string): object {
  const data = { url: Buffer.from(url).toString('base64') };
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name, namespace: 'tocsin' }, data };
}
