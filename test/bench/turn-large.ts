/**
 * Cost of a whole turn when 10,000 Pods wait for one Secret: at first, and when one of them changes, goes or comes back. As
 * Pods of 200 Deployments, and as one Pod of each of 10,000. In processor time, which other work on the machine does not lengthen
 * as much.
 */
import type { RawObject } from '../../src/model/raw-object.ts';
import type { Input } from '../../src/model/turn.ts';
import { Core } from '../../src/turn/core.ts';
import { at, condition, node, pod, waiting, workload } from '../world/objects.ts';
import { everyKind, sourceOf } from '../world/story.ts';
import { median, percentile } from './numbers.ts';

const pods = 10_000;
const rounds = 60;

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const put = (raws: readonly RawObject[], is: 'put' | 'gone' = 'put'): Input[] =>
  raws.map((raw) => ({ kind: 'objects', source: sourceOf(raw), events: [{ is, raw }] }));

function storm(podsEach: number) {
  const core = new Core({ clusterId: 'bench', version: '1', traits: new Map() });
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
  const nodes = Array.from({ length: 100 }, (_, index) => node(`n${index}`, { since: at(-60) }));
  const sources = everyKind.map(
    ({ kind, source }): Input => ({
      kind: 'source',
      coverage: { source, kind, state: 'Watching', reason: 'Synced', since: 0, required: false },
    }),
  );
  /** Milliseconds of processor time that a turn takes. */
  const turn = (inputs: readonly Input[], now: number): number => {
    const begun = processorMs();
    core.turn(inputs, now);
    return processorMs() - begun;
  };
  turn([...sources, ...put([...nodes, ...apps.flat()]), { kind: 'baseline' }], at(0));
  return { core, turn, podOf };
}

let oneChangedMs = Number.NaN;
for (const podsEach of [50, 1]) {
  const { core, turn, podOf } = storm(podsEach);
  console.log(`${pods} Pods of ${pods / podsEach} workloads wait for one Secret`);
  turn(put(Array.from({ length: pods }, (_, index) => podOf(index, 0))), at(3));
  // A missing Secret counts after 30 s.
  console.log(`  first turn with findings: ${turn([], at(5)).toFixed(0)} ms`);
  turn([], at(10));
  const times: Record<string, number[]> = { 'one Pod changed': [], 'one Pod gone': [], 'one Pod back': [] };
  for (let round = 0; round < rounds; round += 1) {
    const index = 7 + round * 13;
    const minute = 20 + 2 * round;
    times['one Pod changed']?.push(turn(put([podOf(index, 1)]), at(minute)));
    times['one Pod gone']?.push(turn(put([podOf(index, 1)], 'gone'), at(minute, 10)));
    turn(put([podOf(index, 0)]), at(minute, 20));
    times['one Pod back']?.push(turn([], at(minute, 55)));
  }
  const open = [...core.view.incidents()].filter(({ state }) => state === 'Open');
  if (open.length !== 1) throw new Error(`expected one open incident, not ${open.length}`);
  for (const [what, took] of Object.entries(times))
    console.log(`  ${what}: median ${median(took).toFixed(1)} ms, least ${percentile(took, 0).toFixed(1)} ms`);
  if (podsEach > 1) oneChangedMs = median(times['one Pod changed'] ?? []);
}
process.send?.({ oneChangedMs });
