import type { Readable, Writable } from 'node:stream';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import packageJson from '../../../package.json' with { type: 'json' };
import { type ClusterLook, lookAtCluster } from '../../diagnose/cluster.ts';
import type { Seen } from '../../diagnose/diagnosis.ts';
import { lookAtFile } from '../../diagnose/recording.ts';
import { createApiClient } from '../../kube/client.ts';
import { loadClusterConfig } from '../../kube/load-config.ts';
import { systemClock } from '../../kube/system-clock.ts';
import { createMcpServer } from '../../mcp/server.ts';
import { createLogger } from '../../telemetry/logger.ts';
import type { ClusterOptions } from '../cluster/options.ts';
import { UsageError } from '../command.ts';

/** What the user asked of `tocsin mcp`. */
export type McpArguments = ClusterOptions & { readonly from?: string; readonly namespace?: string };

/** Agents wait for an answer as a rule no longer than a minute: what is not certain by then is told as such (ms). */
const longestMs = 20_000;

/** What an agent asks about, until `close`. */
type Sight = { see(): Promise<Seen>; close(): Promise<void> };

/** Answers until its input ends. Exit code 0. */
export async function runMcp(
  asked: McpArguments,
  { stdin, stdout }: { readonly stdin: Readable; readonly stdout: Writable },
): Promise<number> {
  const sight = asked.from === undefined ? await ofCluster(asked) : ofFile(asked, asked.from);
  const server = createMcpServer(packageJson.version, () => sight.see());
  const ended = Promise.withResolvers<undefined>();
  stdin.once('end', () => ended.resolve(undefined));
  stdin.once('close', () => ended.resolve(undefined));
  server.onclose = () => ended.resolve(undefined);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended.promise;
  await server.close();
  await sight.close();
  return 0;
}

/** Read at the first question, once. */
function ofFile({ kubeconfig, context }: McpArguments, path: string): Sight {
  if (kubeconfig !== undefined || context !== undefined)
    throw new UsageError('--from reads what was written down: it goes without --kubeconfig and --context.');
  if (path === '-') throw new UsageError('--from - cannot be: the standard input is the agent’s.');
  let read: Promise<Seen> | undefined;
  const options = { path, now: systemClock.now(), version: packageJson.version, stdin: noInput() };
  return {
    see: () => {
      read ??= lookAtFile(options);
      return read;
    },
    close: () => Promise.resolve(),
  };
}

async function* noInput(): AsyncGenerator<Uint8Array> {}

/** Looked at from the first question on, and watched until the agent is done. A look that failed is begun anew at the next question. */
async function ofCluster({ kubeconfig, context, namespace }: McpArguments): Promise<Sight> {
  const config = await loadClusterConfig({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    ...{ env: process.env, clock: systemClock },
  });
  const client = createApiClient(config, { clock: systemClock, version: packageJson.version });
  const stopping = new AbortController();
  let looking: Promise<ClusterLook> | undefined;
  const begin = (): Promise<ClusterLook> =>
    lookAtCluster({
      ...{ client, name: config.source, namespace: namespace ?? config.namespace, version: packageJson.version },
      ...{
        clock: systemClock,
        random: Math.random,
        log: createLogger({ level: 'silent' }),
        signal: stopping.signal,
        longestMs,
      },
    });
  return {
    async see() {
      looking ??= begin();
      const mine = looking;
      try {
        return (await mine).seen();
      } catch (error) {
        if (looking === mine) looking = undefined;
        throw error;
      }
    },
    async close() {
      stopping.abort();
      await looking?.then(
        (look) => look.stop(),
        () => undefined,
      );
      await client.close();
    },
  };
}
