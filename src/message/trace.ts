import type { Explanation, Step } from '../model/explanation.ts';
import { describeRef } from '../model/ref.ts';
import { list } from './parts/words.ts';

/** What a rule goes by, by its id: the fact and where it comes from; `undefined`: there is no such rule any more. */
export type RuleSource = (id: string) => string | undefined;

/** What a scorer said for a cause, and against it. */
const scorers: Readonly<Record<string, readonly [speaksFor: string, speaksAgainst: string]>> = {
  time: ['it began before what it explains', 'it began after what it explains'],
  specificity: ['what fails names it', 'what fails names something else'],
  says: ['what fails says so in its log', 'what fails says something else in its log'],
  contrast: ['what does not depend on it is healthy', 'what does not depend on it fails in the same way'],
  untilEdited: ['all was well until then', 'it was failing before, or what it made had served'],
  blastRadius: ['several workloads fail in the same way', 'only one workload fails'],
  unknownData: ['all of it is in sight', 'not everything is in sight'],
};

/** Why a severity was raised or lowered. */
const impacts: Readonly<Record<string, string>> = {
  nodeWithoutReplicasElsewhere: 'workloads of the node have no ready replica elsewhere',
  nodeSpared: 'every workload of the node has a ready replica elsewhere',
  workloadDown: 'a workload has no ready replica left',
  workloadNearlyWhole: 'nearly all replicas are ready',
  trafficLost: 'traffic from outside reaches a workload that has no ready replica',
  usedDown: 'a workload that others use has no ready replica left',
  nobodyHit: 'all that it concerns still serves whole',
  clusterCritical: 'the whole cluster depends on it',
  criticalAddon: 'its priority class says that the cluster depends on it',
};

/** A share of a score in points of 100. */
const points = (score = 0): number => Math.round(score * 100);

/**
 * How a cause was found, one sentence each: what is blamed and by which fact, what speaks for and against it, what else was
 * considered, and why the severity is what it is.
 */
export function traceInWords({ root, trace }: Explanation, sourceOf: RuleSource): readonly string[] {
  return trace.flatMap((step): readonly string[] => {
    const [rule = '', scorer] = step.rule.split('/');
    // Scorers are told with their rule.
    if (scorer !== undefined) return [];
    if (rule === 'lift') return ['Nothing else that Tocsin watches explains it, so it is an incident of its own.'];
    if (rule === 'impact') return [impactInWords(step.says)];
    const fact = sourceOf(rule);
    const by = `rule ${rule}${fact === undefined ? '' : ` (${fact})`}`;
    if (step.about !== root.ref)
      return [`${describeRef(step.about)} was considered, with ${points(step.score)} of 100 points, by ${by}.`];
    return [
      `${describeRef(step.about)} is blamed, with ${points(step.score)} of 100 points, by ${by}.`,
      ...weighed(rule, trace),
    ];
  });
}

/** `For it: what fails names it (+15), …. Against it: ….` */
function weighed(rule: string, trace: readonly Step[]): readonly string[] {
  const own = trace.filter((step) => step.rule.startsWith(`${rule}/`) && points(step.score) !== 0);
  const words = (steps: readonly Step[], at: 0 | 1): string =>
    list(
      steps.map((step) => {
        const name = step.rule.slice(rule.length + 1);
        return `${scorers[name]?.[at] ?? name} (${at === 0 ? '+' : '−'}${Math.abs(points(step.score))})`;
      }),
      own.length,
    );
  const [pro, contra] = [own.filter(({ score = 0 }) => score > 0), own.filter(({ score = 0 }) => score < 0)];
  return [
    ...(pro.length > 0 ? [`For it: ${words(pro, 0)}.`] : []),
    ...(contra.length > 0 ? [`Against it: ${words(contra, 1)}.`] : []),
  ];
}

/** `nodeSpared: high → medium`: `Severity medium instead of high: every workload …`. */
function impactInWords(says: string): string {
  const [, id = '', from = '', to = ''] = /^(\w+): (\w+) → (\w+)$/.exec(says) ?? [];
  return id === '' ? `Severity: ${says}.` : `Its severity is ${to} instead of ${from}: ${impacts[id] ?? id}.`;
}
