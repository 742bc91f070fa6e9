import packageJson from '../../../package.json' with { type: 'json' };
import { createApiClient } from '../../../src/kube/client.ts';
import { loadClusterConfig } from '../../../src/kube/load-config.ts';
import { systemClock } from '../../../src/kube/system-clock.ts';
import { startKubelet } from '../../../src/sandbox/kubelet.ts';
import { startControlPlane } from '../../controlplane/cluster.ts';
import type { ProducedCase } from './case.ts';
import { type Hands, handsOf, type Shared } from './hands.ts';
import { type Heard, Recording } from './recording.ts';
import { ServedKinds } from './served-kinds.ts';

/** What was heard of a case until it had settled. */
export type Played = {
  readonly ns: string;
  /** The namespaces of all cases. */
  readonly namespaces: readonly string[];
  readonly heard: readonly Heard[];
  /** Epoch milliseconds: when its condition was there, and Tocsin had heard of it. */
  readonly settledAt: number;
};

/** How a case ended: its condition is there, or it did not come about. */
export type Outcome = Played | (Played & { readonly error: string });

/** Nodes for everybody; a case that hurts one has its own. */
const sharedNodes = ['n1', 'n2', 'n3'] as const;
/** How much faster than real kubelets the simulated ones pull, run and back off. */
const speed = 5;
/** Cases under way at the same time: most of them wait for a controller. */
const atOnce = 12;
/** What the API server has said has reached a watch by then. */
const watchLagMs = 1_000;

/** Plays all cases side by side on one control plane. */
export async function play(cases: readonly ProducedCase[]): Promise<ReadonlyMap<ProducedCase, Outcome>> {
  const plane = await startControlPlane();
  const config = await loadClusterConfig({ kubeconfig: plane.admin.kubeconfigPath, env: {}, clock: systemClock });
  const api = createApiClient(config, { clock: systemClock, version: packageJson.version });
  const onError = (error: unknown): void => console.error('simulated kubelet:', error);
  const kubelet = await startKubelet({ api, nodes: sharedNodes.map((name) => ({ name })), speed, onError });
  const kinds = new ServedKinds(api);
  const recording = new Recording(api);
  const outcomes = new Map<ProducedCase, Outcome>();
  const namespaces = cases.map(({ id, reason }, i) => `${id}-${reason}-${i}`.toLowerCase());
  try {
    const shared: Shared = { api, kubelet, kinds, kubectl: (args, input) => plane.kubectl(args, input) };
    await Promise.all(cases.map((row, i) => prepare(row, handsOf(shared, namespaces[i] ?? '').hands)));
    await recording.start();
    await withLimit(atOnce, [...cases.entries()], async ([i, row]) => {
      const ns = namespaces[i] ?? '';
      outcomes.set(row, { ns, namespaces, heard: recording.heard, ...(await playOne(row, ns, shared)) });
    });
    return outcomes;
  } finally {
    await recording.stop();
    await kubelet.stop();
    await api.close();
    await plane.stop();
  }
}

/** The namespace, in which Pods can be made, and what has to be there before. */
async function prepare(row: ProducedCase, hands: Hands): Promise<void> {
  await hands.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: hands.ns } });
  await hands.until(`a service account in ${hands.ns}`, async () =>
    Boolean(await hands.get('ServiceAccount', 'default')),
  );
  const before = row.before?.(hands.ns) ?? [];
  await hands.apply(...before);
  for (const { kind, metadata } of before)
    if (kind === 'CustomResourceDefinition')
      await hands.until(`${metadata.name} is served`, async () => {
        const established = await hands.read(kind, metadata.name, 'status.conditions.Established.status');
        return established === 'True';
      });
}

async function playOne(row: ProducedCase, ns: string, shared: Shared): Promise<{ settledAt: number; error?: string }> {
  const { hands, tidy } = handsOf(shared, ns);
  const { settleSeconds = 60 } = row;
  try {
    await row.produce(hands);
    await hands.until('the condition that it produces', () => row.settled(hands), settleSeconds);
    await new Promise((resolve) => setTimeout(resolve, watchLagMs));
    return { settledAt: Date.now() };
  } catch (error) {
    return { settledAt: Date.now(), error: error instanceof Error ? error.message : String(error) };
  } finally {
    await tidy();
  }
}

/** Does all of it, so many at the same time. */
async function withLimit<T>(limit: number, items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limit }, worker));
}
