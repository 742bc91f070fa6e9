import packageJson from '../../package.json' with { type: 'json' };
import { startKubelet } from '../../sandbox/kubelet.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { crdOf } from '../api/crd.ts';
import { resources } from '../api/resources.ts';
import { createApiClient } from '../kube/client.ts';
import { fixedClusterConfig } from '../kube/config.ts';
import { systemClock } from '../kube/system-clock.ts';
import { redact } from '../model/redact.ts';
import { startRuntime } from '../runtime/runtime.ts';
import { createLogger, type LogLevel } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { type AddCommand, onStopSignal } from './command.ts';
import { createKubectl } from './demo/kubectl.ts';
import { configuration, operatorNamespace, shopNamespace } from './demo/manifests.ts';
import { type Received, startReceiver } from './demo/receiver.ts';
import { createScreen } from './demo/screen.ts';
import { chapters, type Stage, shop } from './demo/story.ts';

const nodes = ['worker-1', 'worker-2', 'worker-3', 'worker-4'];

/** `tocsin demo`: the operator against a simulated cluster that breaks on a schedule. */
export const demoCommand: AddCommand = (program, exit) => {
  program
    .command('demo')
    .description(
      'see it work: a simulated cluster breaks, and each message is printed as it is delivered (no cluster needed)',
    )
    .option('--log-level <level>', 'show the operator’s own log lines, such as info', 'silent')
    .action(async (options: { readonly logLevel: LogLevel }) => exit(await demo(options.logLevel)));
};

/** What is to be undone, in order. */
type Cleanup = (() => Promise<unknown> | unknown)[];

async function demo(logLevel: LogLevel): Promise<number> {
  const cleanup: Cleanup = [];
  const stopped = Promise.withResolvers<undefined>();
  const release = onStopSignal(() => stopped.resolve(undefined));
  let interrupted = false;
  void stopped.promise.then(() => {
    interrupted = true;
  });
  try {
    const stage = await setUp(cleanup, stopped.promise, logLevel);
    let told = true;
    for (const chapter of chapters) {
      if (interrupted) break;
      told = (await chapter(stage)) && told;
    }
    if (interrupted) stage.screen.story('Stopped.');
    return told || interrupted ? 0 : 1;
  } finally {
    for (const undo of cleanup.reverse()) await undo();
    release();
  }
}

/** Starts the simulated cluster, the receiver and the operator, and applies the shop and the configuration. */
async function setUp(cleanup: Cleanup, stopped: Promise<undefined>, logLevel: LogLevel): Promise<Stage> {
  const startedAt = performance.now();
  const screen = createScreen(process.stdout, () => (performance.now() - startedAt) / 1000);
  const listeners = new Set<(received: Received) => void>();
  const received: Received[] = [];

  screen.story('A small cluster starts: four nodes and a shop. It is simulated; Tocsin is the real thing.');
  const sandbox = await startSandbox({ crds: Object.values(resources).map(crdOf) });
  cleanup.push(() => sandbox.stop());
  const client = createApiClient(fixedClusterConfig({ server: sandbox.url }), {
    clock: systemClock,
    version: packageJson.version,
  });
  cleanup.push(() => client.close());
  const kubelet = await startKubelet({ api: client, nodes: nodes.map((name) => ({ name })), speed: 4 });
  cleanup.push(() => kubelet.stop());
  const receiver = await startReceiver((message) => {
    received.push(message);
    screen.message(message);
    for (const listener of listeners) listener(message);
  });
  cleanup.push(() => receiver.stop());

  const kubectl = createKubectl(client);
  for (const name of [operatorNamespace, shopNamespace])
    await kubectl.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const object of shop) await kubectl.create(object);
  screen.story('Tocsin is told where to send messages: to a receiver on this machine, by webhook.');
  screen.command('kubectl apply -f config.yaml -f provider.yaml');
  for (const object of configuration(receiver.url)) await kubectl.create(object);

  const pause = (seconds: number): Promise<void> =>
    Promise.race([stopped, new Promise<void>((resolve) => systemClock.after(seconds * 1000, resolve))]);
  await settled(kubectl, pause);
  const port = await startOperator(cleanup, sandbox.url, logLevel);
  screen.story(`In a browser, as long as this runs: http://127.0.0.1:${port}/status`);

  const message: Stage['message'] = (matches, seconds) => {
    const { promise, resolve } = Promise.withResolvers<Received | undefined>();
    const listener = (each: Received): void => {
      if (matches(each)) resolve(each);
    };
    listeners.add(listener);
    void pause(seconds).then(() => resolve(undefined));
    return promise.finally(() => listeners.delete(listener));
  };
  if (!received.some(({ type }) => type === 'message.plain')) await message(() => true, 30);
  return { kubectl, screen, loseNode: (name) => kubelet.nodes.get(name)?.stop(), message, pause };
}

/** Waits until the shop is up, so that the story begins with everything well. */
async function settled(kubectl: Stage['kubectl'], pause: Stage['pause']): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    const deployments = await kubectl.list('Deployment', shopNamespace);
    const ready = deployments.every((object) => {
      const { replicas } = object.spec as { replicas: number };
      return (object.status as { readyReplicas?: number } | undefined)?.readyReplicas === replicas;
    });
    if (ready) return;
    await pause(0.5);
  }
}

/** Starts Tocsin, as `tocsin run` does; resolves with the port of its endpoints. */
async function startOperator(cleanup: Cleanup, server: string, level: LogLevel): Promise<number> {
  const metrics = createMetrics();
  const client = createApiClient(fixedClusterConfig({ server }), {
    clock: systemClock,
    version: packageJson.version,
    onRequest: ({ verb, code }) => metrics.add('tocsin_api_requests_total', { verb, code: String(code) }),
  });
  cleanup.push(() => client.close());
  const runtime = await startRuntime({
    client,
    namespace: operatorNamespace,
    identity: 'demo',
    version: packageJson.version,
    listen: { host: '127.0.0.1', port: 0 },
    clock: systemClock,
    random: Math.random,
    licenseKeys: new Map(),
    log: createLogger({ redact, level, pretty: true, stream: process.stderr }),
    metrics,
  });
  cleanup.push(() => runtime.stop());
  return runtime.port;
}
