import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { createApiClient } from '../kube/client.ts';
import { ClockDifference } from '../kube/clock-difference.ts';
import type { ClusterConfig } from '../kube/config.ts';
import { loadClusterConfig } from '../kube/load-config.ts';
import { systemClock } from '../kube/system-clock.ts';
import { redact } from '../model/redact.ts';
import { startRuntime } from '../runtime/runtime.ts';
import { createLogger, type Logger, type LogLevel } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { type AddCommand, onStopSignal } from './command.ts';
import { bakedKeys } from './license-keys.ts';

/** The specification's port for the health endpoints. */
const healthPort = 8060;
/** Where they are served over TLS besides, as Kubernetes webhooks and metrics servers are by custom. */
const tlsPort = 8443;

/** Where config/ mounts the state volume. */
const stateDirectoryInPod = '/var/lib/tocsin';

type RunOptions = {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly host?: string;
  readonly port: number;
  readonly tlsPort: number;
  readonly logLevel: LogLevel;
  readonly stateDir?: string;
  readonly record?: string;
};

function portNumber(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError(`"${text}" is not a port; use a number from 0 to 65535 (0 takes a free one).`);
  return port;
}

/** `tocsin run`: the operator. */
export const runCommand: AddCommand = (program, exit) => {
  program
    .command('run')
    .description('run the operator: watch the cluster, explain what broke, tell the configured providers')
    .option(
      '--kubeconfig <file>',
      'kubeconfig to use (default: KUBECONFIG, ~/.kube/config, or the Pod’s service account)',
    )
    .option('--context <name>', 'context of the kubeconfig')
    .option('--namespace <name>', 'namespace of the operator (default in a Pod: the Pod’s; needed elsewhere)')
    .option(
      '--host <address>',
      'address of the endpoints (default in a Pod: all, of IPv6 and IPv4; elsewhere: 127.0.0.1)',
    )
    .option('--port <number>', 'port of the endpoints', portNumber, healthPort)
    .option('--tls-port <number>', 'port of the endpoints over TLS, which the AlertConfig enables', portNumber, tlsPort)
    .addOption(
      new Option('--log-level <level>', 'least important line that is logged')
        .choices(['debug', 'info', 'warn', 'error', 'silent'])
        .default('info'),
    )
    .option(
      '--state-dir <directory>',
      `where state is saved on Pro (default in a Pod: ${stateDirectoryInPod}; elsewhere: nowhere)`,
    )
    .option('--record <file>', 'record every turn’s inputs, redacted, so that the run can be replayed')
    .action(async (options: RunOptions) => exit(await run(options)));
};

async function run(options: RunOptions): Promise<number> {
  const log = createLogger({ redact, level: options.logLevel, pretty: process.stdout.isTTY });
  const config = await loadClusterConfig({
    ...(options.kubeconfig !== undefined && { kubeconfig: options.kubeconfig }),
    ...(options.context !== undefined && { context: options.context }),
    env: process.env,
    clock: systemClock,
  });
  const { namespace, secondHolder, inPod } = placeOf(options.namespace, process.env, config);
  const stateDirectory = options.stateDir ?? (inPod ? stateDirectoryInPod : undefined);
  const metrics = createMetrics();
  const clockDifference = new ClockDifference((milliseconds, differs) =>
    logClockDifference(log, milliseconds, differs),
  );
  const client = createApiClient(config, {
    clock: systemClock,
    version: packageJson.version,
    onRequest: ({ verb, code, serverTime, durationMs }) => {
      metrics.add('tocsin_api_requests_total', { verb, code: String(code) });
      if (serverTime !== undefined) clockDifference.see({ serverTime, durationMs }, systemClock.now());
    },
  });
  const pod = process.env.POD_NAME ?? hostname();
  log.info({ cluster: config.source, namespace }, 'starting');
  const runtime = await startRuntime({
    client,
    namespace,
    identity: `${pod}_${crypto.randomUUID()}`,
    version: packageJson.version,
    env: process.env,
    listen: { host: options.host ?? (inPod ? '::' : '127.0.0.1'), port: options.port, tlsPort: options.tlsPort },
    clock: systemClock,
    clockDifference,
    random: Math.random,
    licenseKeys: bakedKeys(),
    log,
    metrics,
    secondHolder,
    // What agents need is loaded when the first one asks.
    agents: async (sight, call) => {
      const { answerOfOperator } = await import('./mcp/operator.ts');
      return answerOfOperator(sight, call);
    },
    ...(stateDirectory !== undefined && { stateDirectory: resolve(stateDirectory) }),
    ...(options.record !== undefined && { record: options.record }),
  });
  const asked = Promise.withResolvers<'asked'>();
  const release = onStopSignal(() => asked.resolve('asked'));
  const why = await Promise.race([asked.promise, runtime.ended]);
  if (why instanceof Error) log.error({ err: why }, 'ending');
  await runtime.stop();
  release();
  await client.close();
  return why instanceof Error ? 1 : 0;
}

/** Says that this machine's clock and the API server's have come to differ, or to agree again. */
function logClockDifference(log: Logger, milliseconds: number, differs: boolean): void {
  const seconds = Math.round(Math.abs(milliseconds) / 1000);
  if (!differs) log.info('the clocks of this node and of the API server agree again');
  else
    log.warn(
      { seconds },
      `the clock of this node is ${seconds} s ${milliseconds > 0 ? 'behind' : 'ahead of'} the API server’s: what is said of how long something has lasted is off by as much, and what has just begun may be told early or late; set the clocks by NTP`,
    );
}

/**
 * Where the operator's Lease and its own providers are. Outside a Pod it must be said: a context's namespace is where somebody
 * last worked, and a second operator there would go beside the one that runs.
 */
function placeOf(
  asked: string | undefined,
  env: NodeJS.ProcessEnv,
  config: Pick<ClusterConfig, 'inCluster' | 'namespace' | 'source'>,
): { readonly namespace: string; readonly secondHolder: 'wait' | 'refuse'; readonly inPod: boolean } {
  const ofPod = env.POD_NAMESPACE ?? (config.inCluster ? config.namespace : undefined);
  const namespace = asked ?? ofPod;
  if (namespace === undefined)
    throw new Error(
      `Outside a Pod, say which namespace is the operator's: tocsin run --namespace tocsin (cluster: ${config.source}). ` +
        'Its Lease is there, so that only one Tocsin runs, and so are the providers that speak for the whole cluster.',
    );
  const inPod = ofPod !== undefined;
  return { namespace, secondHolder: inPod ? 'wait' : 'refuse', inPod };
}
