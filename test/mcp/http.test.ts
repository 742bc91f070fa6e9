/** Agents that ask a running operator over HTTP, by the SDK's own client: the cluster's and a tenant's. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { crdOf } from '../../src/api/crd.ts';
import { resources } from '../../src/api/resources.ts';
import { answerOfOperator } from '../../src/cli/mcp/operator.ts';
import { createApiClient } from '../../src/kube/client.ts';
import { fixedClusterConfig } from '../../src/kube/config.ts';
import { systemClock } from '../../src/kube/system-clock.ts';
import { type Runtime, startRuntime } from '../../src/runtime/runtime.ts';
import { createLogger } from '../../src/telemetry/logger.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { crashing, namespace, node, pod, startTown } from '../diagnose/town.ts';

let town: Awaited<ReturnType<typeof startTown>>;
let runtime: Runtime;
let close: () => Promise<void>;
/** Verbs of the requests that the operator made to the API while agents asked. */
const verbs = new Set<string>();

before(async () => {
  const config = {
    ...{ apiVersion: 'tocsin.dev/v1alpha1', kind: 'AlertConfig', metadata: { name: 'default', namespace: 'tocsin' } },
    spec: { app: { clusterName: 'prod-eu' }, statusEndpoint: { enabled: true, allowPlainHTTP: true } },
  };
  town = await startTown(
    [
      ...['tocsin', 'shop', 'bank'].map(namespace),
      ...[node, pod('api', 'shop', crashing, false), pod('ledger', 'bank', crashing, false), config],
    ],
    Object.values(resources).map(crdOf),
  );
  const client = createApiClient(fixedClusterConfig({ server: town.url }), {
    ...{ clock: systemClock, version: '0' },
    onRequest: ({ verb }) => verbs.add(verb),
  });
  runtime = await startRuntime({
    ...{ client, namespace: 'tocsin', identity: 'us', version: '0', listen: { host: '127.0.0.1', port: 0 } },
    ...{ clock: systemClock, random: Math.random, licenseKeys: new Map(), metrics: createMetrics({ process: false }) },
    ...{ log: createLogger({ level: 'silent' }), agents: answerOfOperator },
  });
  close = async () => {
    await runtime.stop();
    await client.close();
    await town.stop();
    rmSync(town.kubeconfigFile);
  };
});
after(() => close?.());

/** An agent, through a port-forward or with a token as the network. */
async function agent(query = '', headers: Readonly<Record<string, string>> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const url = new URL(`http://127.0.0.1:${runtime.port}/status/mcp${query}`);
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: { ...headers } } }));
  return client;
}

async function ask(client: Client, name: string, given: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: given });
  const [{ text = '' } = {}] = result.content as readonly { readonly text?: string }[];
  const json = /<cluster-data-(\w+)>\n([\s\S]*)\n<\/cluster-data-\1>$/.exec(text)?.[2];
  return { text, data: json === undefined ? {} : JSON.parse(json) };
}

/** Waits until the operator has looked. */
async function ready(): Promise<void> {
  let said = '';
  for (let tries = 0; tries < 300; tries += 1) {
    const answer = await fetch(`http://127.0.0.1:${runtime.port}/status/incidents`).catch(() => undefined);
    said = `${answer?.status} ${await answer?.text()}`;
    if (said.includes('"total":2')) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`the operator has not found both: ${said}`);
}

test('an agent reads everything through a port-forward: the root in one call, why and history; nothing is written for it', async () => {
  await ready();
  verbs.clear();
  const client = await agent();
  const { tools } = await client.listTools();
  assert.deepEqual(
    tools.map(({ name }) => name),
    ['incidents', 'why', 'evidence', 'what_changed', 'dependencies', 'would_be_told', 'history'],
  );
  const first = await ask(client, 'incidents');
  const roots = first.data.incidents.map(({ root }: { readonly root: string }) => root).toSorted();
  assert.deepEqual(roots, ['pod/bank/ledger', 'pod/shop/api']);
  const why = await ask(client, 'why', { about: 'pod/shop/api' });
  assert.equal(why.data.reason, 'CrashLoopBackOff');
  assert.ok(first.text.length + why.text.length < 7_000);
  const past = await ask(client, 'history', { search: 'namespace:shop' });
  assert.deepEqual([past.data.total, past.data.incidents[0].root], [1, 'pod/shop/api']);
  await client.close();
  const wrote = [...verbs].filter((verb) => !['GET', 'LIST', 'WATCH', 'get', 'list', 'watch'].includes(verb));
  // The Lease is renewed, whoever asks.
  assert.deepEqual(
    wrote.filter((verb) => !/^(?:put|update|patch)$/i.test(verb)),
    [],
  );
});
