/** Cost of explaining: 1,000 failing Pods under one lost node, at first and when one Pod changes (design: 50 ms a solve). */
import { cpus } from 'node:os';
import { Detection } from '../../src/detect/detection.ts';
import { Explainer } from '../../src/explain/explainer.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import { WatchedWorld } from '../../src/world/watched-world.ts';
import { at, condition, node, pod, status, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { median, timed } from './numbers.ts';

const workloads = 50;
const podsEach = 20;
const rounds = 15;

/** 50 Deployments with 20 Pods on the lost node and one elsewhere, in the real world and detection. */
function storm() {
  const world = new WatchedWorld();
  const detection = new Detection(world, { edition: 'Community' });
  const names = Array.from({ length: workloads }, (_, index) => `app${index}`);
  const since = at(1);
  const long = at(-60);
  const statuses = [status('api', { state: { running: { startedAt: new Date(long).toISOString() } } })];
  const podOf = (name: string, index: number, lost: boolean) =>
    pod(`${name}-${index}`, {
      ...{ createdAt: long, statuses, node: lost ? 'n1' : 'n2', owner: { kind: 'ReplicaSet', name: `${name}-r1` } },
      conditions: [condition('Ready', lost ? 'False' : 'True', lost ? since : long)],
    });
  const raws = [
    node('n1', { ready: 'Unknown', since }),
    node('n2'),
    ...names.flatMap((name) => [
      workload('Deployment', name, { replicas: podsEach + 1, createdAt: long }),
      workload('ReplicaSet', `${name}-r1`, {
        ...{ createdAt: long, owner: { kind: 'Deployment', name } },
        annotations: { 'deployment.kubernetes.io/revision': '1' },
      }),
      ...Array.from({ length: podsEach }, (_, index) => podOf(name, index, true)),
      podOf(name, podsEach, false),
    ]),
  ];
  for (const { kind, source } of everyKind)
    world.see({ source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false }, 0);
  const dirty = raws.flatMap((raw) => [...world.apply(sourceOf(raw), [{ is: 'put', raw }], since)]);
  const { changed } = detection.evaluate(dirty, at(3));
  const explainer = new Explainer(world, { findings: (ref) => detection.findings(ref), all: () => detection.all() });
  return { explainer, changed };
}

const first: number[] = [];
const again: number[] = [];
const idle: number[] = [];
let findings = 0;
for (let round = 0; round < rounds; round += 1) {
  const { explainer, changed } = storm();
  const time = (into: number[], refs: Parameters<typeof explainer.explain>[0]) => {
    let explanations: readonly Explanation[] = [];
    into.push(timed(() => ({ explanations } = explainer.explain(refs, at(3), []))));
    if (explanations.length !== 1) throw new Error(`expected one explanation, not ${explanations.length}`);
    findings = explanations[0]?.members.length ?? 0;
  };
  time(first, changed);
  time(again, new Set(['Pod/shop/app0-1'] as const));
  time(idle, new Set());
}

console.log(`${findings} findings of ${workloads} workloads under one node, ${rounds} rounds`);
console.log(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
for (const [what, times] of Object.entries({ 'first solve': first, 'one Pod changed': again, 'nothing changed': idle }))
  console.log(`${what}: median ${median(times).toFixed(1)} ms, max ${Math.max(...times).toFixed(1)} ms`);
process.send?.({ firstSolveMs: median(first) });
