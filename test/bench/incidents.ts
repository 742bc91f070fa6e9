/** Cost of the incidents while much settles: a step with 10,000 findings of mixed reasons, and what 300 resolved incidents of 1,000 hold. */
import { cpus } from 'node:os';
import type { Announcement } from '../../src/model/announcement.ts';
import type { DeliveryReport } from '../../src/model/delivery.ts';
import type { Explanation } from '../../src/model/explanation.ts';
import type { Reason } from '../../src/model/reason.ts';
import { endedAs, explanation, finding, isAbout, provider, simulation } from '../incident/helpers.ts';
import { median } from './numbers.ts';

const findings = 10_000;
const rounds = 30;
const resolved = 300;
const membersEach = 1_000;
const reasons: readonly Reason[] = [
  ...(['CrashLoopBackOff', 'PodNotReady', 'DeploymentUnavailable', 'StatefulSetUnavailable'] as const),
  ...(['ImagePullBackOff', 'OOMKilled', 'StartError', 'Unschedulable'] as const),
];

/** One workload each, on a hundred nodes. */
function mixed(): Explanation[] {
  return Array.from({ length: findings }, (_, index) => {
    const reason = reasons[index % reasons.length] ?? 'PodNotReady';
    const members = [finding(`Pod/ns${index}/app-1`, { reason, node: `n${index % 100}`, conclusive: false })];
    return explanation(`Deployment/ns${index}/app`, { reason, members });
  });
}

/** Milliseconds of the processor for one step in which everything settles, many times. */
function settlingMs(): number[] {
  const sim = simulation();
  sim.start();
  const explanations = mixed();
  sim.step(1, explanations);
  return Array.from({ length: rounds }, (_, round) => {
    const { user } = process.cpuUsage();
    sim.step(2 + round, explanations);
    return (process.cpuUsage().user - user) / 1_000;
  });
}

/** What was announced has arrived, as it has of nearly all that is over. */
const delivered = (announcements: readonly Announcement[]): DeliveryReport[] =>
  announcements
    .filter(isAbout)
    .map(({ incident: { id }, act }) => endedAs(provider('oncall'), id, act, { ended: 'delivered' }));

/** Mebibytes of heap that resolved incidents hold. */
function resolvedMebibytes(): number {
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed;
  const sim = simulation();
  sim.start();
  for (let round = 0; round < resolved; round += 1) {
    const begin = 2_000 * round + 100;
    const members = Array.from({ length: membersEach }, (_, index) =>
      finding(`Pod/shop/k${round}-p${index}`, {
        ...{ since: begin, message: `Container api keeps crashing with exit code 1, ${index} restarts so far.` },
        facts: { container: 'api', image: `registry.example/shop/api:${round}`, restarts: index, exitCode: 1 },
      }),
    );
    const explanations = [explanation(`Node//n${round}`, { members })];
    sim.step(begin + 20, explanations);
    sim.step(begin + 100, [], { reports: delivered(sim.told.splice(0)) });
    sim.step(begin + 300, []);
    sim.step(begin + 310, [], { reports: delivered(sim.told.splice(0)) });
    sim.decisions.length = 0;
  }
  globalThis.gc?.();
  const mebibytes = (process.memoryUsage().heapUsed - before) / 2 ** 20;
  if (sim.all().length !== resolved) throw new Error(`expected ${resolved} incidents, not ${sim.all().length}`);
  return mebibytes;
}

const steps = settlingMs();
const held = resolvedMebibytes();
console.log(`node ${process.version}, ${cpus()[0]?.model ?? 'unknown processor'}`);
console.log(
  `${findings} findings settle: median ${median(steps).toFixed(1)} ms a step, max ${Math.max(...steps).toFixed(1)} ms`,
);
console.log(`${resolved} resolved incidents of ${membersEach} findings hold ${held.toFixed(1)} MiB`);
process.send?.({ settlingStepMs: median(steps), resolvedMebibytes: held });
