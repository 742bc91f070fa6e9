/**
 * Cost of explaining when 10,000 Pods wait for one Secret: at first, and when one of them changes, clears or comes back. As
 * Pods of 200 Deployments, and as one Pod of each of 10,000.
 */
import { Detection } from '../../src/detect/detection.ts';
import { Explainer } from '../../src/explain/explainer.ts';
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Ref } from '../../src/model/ref.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { at, condition, node, pod, waiting, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { median, percentile } from './numbers.ts';

const pods = 10_000;
const rounds = 20;

function storm(podsEach: number) {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community' });
  const owner = (index: number): string => `app${Math.floor(index / podsEach)}`;
  const podOf = (index: number, restarts: number): RawObject =>
    pod(`${owner(index)}-${index}`, {
      ...{ owner: { kind: 'ReplicaSet', name: `${owner(index)}-r1` }, node: `n${index % 100}`, createdAt: at(1) },
      phase: 'Pending',
      conditions: [condition('Initialized', 'True', at(1)), condition('Ready', 'False', at(1))],
      statuses: [waiting('api', 'CreateContainerConfigError', 'secret "db" not found', { restartCount: restarts })],
    });
  const apps = Array.from({ length: pods / podsEach }, (_, index) => [
    workload('Deployment', `app${index}`, { replicas: podsEach, createdAt: at(-60) }),
    workload('ReplicaSet', `app${index}-r1`, {
      ...{ replicas: podsEach, createdAt: at(-60), owner: { kind: 'Deployment', name: `app${index}` } },
      annotations: { 'deployment.kubernetes.io/revision': '1' },
    }),
  ]);
  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);
  const raws = [
    ...Array.from({ length: 100 }, (_, index) => node(`n${index}`, { since: at(-60) })),
    ...apps.flat(),
    ...Array.from({ length: pods }, (_, index) => podOf(index, 0)),
  ];
  const explainer = new Explainer(world, { findings: (ref) => detection.findings(ref), all: () => detection.all() });
  /** Milliseconds that the explainer takes for these objects, and for what time alone brings until then. */
  const turn = (is: 'put' | 'gone', changed: readonly RawObject[], now: number): number => {
    const dirty = new Set<Ref>();
    for (const raw of changed) for (const ref of world.apply(sourceOf(raw), [{ is, raw }], now)) dirty.add(ref);
    const judged = detection.evaluate(dirty, now);
    const refs = new Set<Ref>([...dirty, ...judged.changed]);
    const begun = performance.now();
    const { explanations } = explainer.explain(refs, now, []);
    const took = performance.now() - begun;
    if (explanations.length > 1) throw new Error(`expected one explanation, not ${explanations.length}`);
    return took;
  };
  return { turn, raws, podOf };
}

let oneChangedMs = Number.NaN;
for (const podsEach of [50, 1]) {
  const { turn, raws, podOf } = storm(podsEach);
  console.log(`${pods} Pods of ${pods / podsEach} workloads wait for one Secret`);
  turn('put', raws, at(3));
  // A missing Secret counts after 30 s.
  console.log(`  first solve: ${turn('put', [], at(5)).toFixed(0)} ms`);
  const times: Record<string, number[]> = { 'one Pod changed': [], 'one Pod gone': [], 'one Pod back': [] };
  for (let round = 0; round < rounds; round += 1) {
    const index = 7 + round * 13;
    const minute = 6 + 2 * round;
    times['one Pod changed']?.push(turn('put', [podOf(index, 1)], at(minute)));
    times['one Pod gone']?.push(turn('gone', [podOf(index, 1)], at(minute, 10)));
    turn('put', [podOf(index, 0)], at(minute, 20));
    times['one Pod back']?.push(turn('put', [], at(minute, 60)));
  }
  for (const [what, took] of Object.entries(times))
    console.log(`  ${what}: median ${median(took).toFixed(1)} ms, least ${percentile(took, 0).toFixed(1)} ms`);
  if (podsEach > 1) oneChangedMs = median(times['one Pod changed'] ?? []);
}
process.send?.({ oneChangedMs });
