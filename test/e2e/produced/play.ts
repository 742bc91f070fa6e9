import { definedResource } from '../../../src/kube/custom-definition.ts';
import { sourceOf } from '../../../src/model/resource.ts';
import { type Stage, startStage } from '../stage.ts';
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
  /** Epoch milliseconds: when it began to be brought about. */
  readonly beganAt: number;
  /** Epoch milliseconds: when its condition was there, and Tocsin had heard of it. */
  readonly settledAt: number;
};

/** How a case ended: its condition is there, or it did not come about. */
export type Outcome = Played | (Played & { readonly error: string });

/** What the API server has said has reached a watch by then. */
const watchLagMs = 1_000;

/** How to play. */
export type PlayOptions = {
  /** How much faster than real kubelets the simulated ones pull, run and back off; default 5. */
  readonly speed?: number;
  /** Cases under way at the same time, most of which wait for a controller; default 12. */
  readonly atOnce?: number;
  /** From the begin of one of those that are the first under way to the next (ms); default: none, all begin together. */
  readonly apartMs?: number;
  /** Nodes for everybody, default 3; a case that hurts one has its own. */
  readonly nodes?: number;
  /** The namespace of a case; default: one that has the place of the case in its name. */
  readonly namespaceOf?: (row: ProducedCase, index: number) => string;
  /** Called before anything happens. */
  readonly started?: (stage: Stage) => Promise<void>;
  /** Awaited while the condition of a case, in this namespace, still is there. */
  readonly attended?: (stage: Stage, ns: string) => Promise<void>;
};

function numbered({ id, reason }: ProducedCase, index: number): string {
  return `${id}-${reason}-${index}`.toLowerCase();
}

/** Plays all cases side by side on one control plane. */
export async function play(
  cases: readonly ProducedCase[],
  { speed = 5, atOnce = 12, apartMs = 0, nodes = 3, namespaceOf = numbered, started, attended }: PlayOptions = {},
): Promise<ReadonlyMap<ProducedCase, Outcome>> {
  const stage = await startStage({ nodes: Array.from({ length: nodes }, (_, i) => `n${i + 1}`), speed });
  const { client: api, kubelet, kubectl } = stage;
  const recording = new Recording(api);
  const outcomes = new Map<ProducedCase, Outcome>();
  const namespaces = cases.map(namespaceOf);
  try {
    const shared: Shared = { api, kubelet, kubectl, kinds: new ServedKinds(api) };
    await Promise.all(cases.map((row, i) => prepare(row, handsOf(shared, namespaces[i] ?? '').hands)));
    await started?.(stage);
    await recording.start(customSources(cases, namespaces));
    await withLimit({ limit: atOnce, apartMs }, [...cases.entries()], async ([i, row]) => {
      const ns = namespaces[i] ?? '';
      const { hands, tidy } = handsOf(shared, ns);
      const beganAt = Date.now();
      const played = await playOne(row, hands, speed);
      if (!('error' in played)) await attended?.(stage, ns);
      await tidy();
      outcomes.set(row, { ns, namespaces, heard: recording.heard, beganAt, ...played });
    });
    return outcomes;
  } finally {
    await recording.stop();
    await stage.stop();
  }
}

/** The sources of what cases define beforehand, where Tocsin watches such kinds by their conditions alone. */
function customSources(cases: readonly ProducedCase[], namespaces: readonly string[]): readonly string[] {
  const definitions = cases.flatMap((row, i) => row.before?.(namespaces[i] ?? '') ?? []);
  const resources = definitions
    .filter(({ kind }) => kind === 'CustomResourceDefinition')
    .flatMap((each) => definedResource(each) ?? []);
  return [...new Set(resources.map(sourceOf))];
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

async function playOne(
  row: ProducedCase,
  hands: Hands,
  speed: number,
): Promise<{ settledAt: number } | { settledAt: number; error: string }> {
  const seconds = (row.settleSeconds ?? 60) * Math.max(1, 5 / speed);
  try {
    await row.produce(hands);
    await hands.until('the condition that it produces', () => row.settled(hands), seconds);
    await new Promise((resolve) => setTimeout(resolve, watchLagMs));
    return { settledAt: Date.now() };
  } catch (error) {
    return { settledAt: Date.now(), error: error instanceof Error ? error.message : String(error) };
  }
}

/** Does all of it, so many at the same time, the first of which begin apart. */
async function withLimit<T>(
  { limit, apartMs }: { readonly limit: number; readonly apartMs: number },
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (_: unknown, place: number): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, place * apartMs));
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: limit }).map(worker));
}
