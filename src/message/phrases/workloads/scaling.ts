import { type Command, kubectl } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { describeRef, isRef, kindOf, nameOf, type Ref } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeFact, describeRoot, getObject, labelsOfPods, siblings } from '../../parts/next.ts';
import { after, fact, named, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { count, sentence } from '../../parts/words.ts';

const budgetSays = quoted('The disruption controller');

/** What every message of the controller begins with. */
const preamble = /^the HPA (?:controller )?was unable to [^:]+: /;

/** The controller's own words, without what the sentence before them says already. */
const controllerSays: Phrase['evidence'] = ({ finding }) =>
  quote('The autoscaler', finding?.detail?.replace(preamble, ''));

/** The same as a cause. */
const controllerWords = ({ finding }: Case): string | undefined =>
  after('', { detail: finding?.detail?.replace(preamble, '') ?? '' }) || undefined;

/** A container that does not say what it asks for has no utilization. */
function missingRequest({ container, resource }: Finding['facts']): string | undefined {
  return container === undefined ? undefined : `container ${container} of its pods has no request for ${resource}`;
}

/** What it scales. */
const targetOf = ({ root, facts: { target } }: Case): Ref =>
  typeof target === 'string' && isRef(target) ? target : root;

/** Who serves the metrics, or what the containers of its target ask for. */
function whyBlind(about: Case): Command | undefined {
  const { container, target } = about.facts;
  const api = about.finding?.names.find((ref) => kindOf(ref) === 'APIService');
  if (container !== undefined && target !== undefined)
    return getObject(targetOf(about), 'jsonpath={.spec.template.spec.containers[*].resources}');
  return api === undefined ? describeRoot(about) : kubectl('get', api);
}

/** Where no API server knows the kind of metrics at all, what the controller says of it says less than that. */
function nobodyServes({ finding }: Case): string | undefined {
  const api = finding?.names.find((ref) => kindOf(ref) === 'APIService');
  if (api === undefined || !/could not find the requested resource|no matches for kind/.test(finding?.detail ?? ''))
    return undefined;
  const group = nameOf(api).replace(/^v\w+?\./, '');
  const who = group === 'metrics.k8s.io' ? ': the cluster has no metrics server, or it is not registered' : '';
  return `Nothing serves the API ${group}${who}.`;
}

/** `It runs 10 of 2 to 10 replicas; cpu is at 95 %, with a target of 70 %.` */
function atMaximum({ facts: { min, max, current, metric, reading } }: Case): string | undefined {
  if (max === undefined) return undefined;
  const runs = min === undefined ? '' : `It runs ${current} replicas and may run ${min} to ${max}`;
  const why = reading ?? (metric === undefined ? undefined : `by ${metric} it would take more`);
  if (why === undefined) return runs === '' ? undefined : `${runs}.`;
  return `${runs === '' ? sentence(String(why)) : `${runs}; ${why}`}.`;
}

/** Autoscalers. */
const autoscalerPhrases = {
  HPATargetMissing: {
    says: ({ names: [target] }) =>
      `It scales nothing: ${target === undefined ? 'its target' : describeRef(target)} does not exist.`,
    happens: () => 'scales nothing',
    why: ({ finding }) => finding && `${describeRef(finding.names[0] ?? finding.subject.ref)} does not exist`,
    evidence: controllerSays,
    well: 'has something to scale again',
    next: (about) => siblings(kindOf(targetOf(about)).toLowerCase())(about),
  },
  FailedGetResourceMetric: {
    says: ({ facts }) => `It cannot scale: ${missingRequest(facts) ?? 'it cannot read the metric that it goes by'}.`,
    happens: () => 'cannot read its metrics',
    why: (about) => missingRequest(about.facts) ?? nobodyServes(about) ?? controllerWords(about),
    evidence: (about) => {
      const missing = missingRequest(about.facts);
      if (missing !== undefined) return `${sentence(missing)}, so its use cannot be compared.`;
      return nobodyServes(about) ?? controllerSays(about);
    },
    well: 'reads its metrics again',
    next: whyBlind,
  },
  FailedGetScale: {
    says: (finding) => `It cannot read how many replicas there are${after(': ', finding)}.`,
    happens: () => 'cannot read how many replicas there are',
    why: controllerWords,
    evidence: controllerSays,
    well: 'scales again',
  },
  FailedUpdateScale: {
    says: (finding) => `It cannot change the number of replicas${after(': ', finding)}.`,
    happens: () => 'cannot scale its target',
    why: controllerWords,
    evidence: controllerSays,
    well: 'scales again',
  },
  AmbiguousSelector: {
    says: (finding) => `It does not scale, because other autoscalers scale the same pods${after(': ', finding)}.`,
    happens: () => 'scales nothing',
    why: () => 'other autoscalers scale the same pods',
    evidence: controllerSays,
    well: 'is the only autoscaler of its pods again',
    next: siblings('horizontalpodautoscalers'),
  },
  InvalidSelector: {
    says: (finding) => `It does not scale, because the selector of its target cannot be used${after(': ', finding)}.`,
    happens: () => 'scales nothing',
    why: () => 'the selector of its target cannot be used',
    evidence: controllerSays,
    well: 'scales again',
    next: (about) => getObject(targetOf(about), 'jsonpath={.spec.selector}'),
  },
  HPAMaxedOut: {
    says: ({ facts }) => `It runs its maximum of ${count(Number(facts.max ?? 0), 'replica')} and wants more.`,
    happens: (about) => `is at its maximum of ${count(Number(fact(about, 'max') ?? 0), 'replica')}`,
    why: (about) => fact(about, 'reading'),
    evidence: atMaximum,
    well: 'wants no more than its maximum again',
  },
  HPAReplicasMismatch: {
    says: ({ facts }) =>
      `It wants ${count(Number(facts.desired ?? 0), 'replica')}, and there are ${facts.current ?? 'others'}.`,
    happens: (about) =>
      `wants ${fact(about, 'desired') ?? 'other'} replicas but there are ${fact(about, 'current') ?? 'others'}`,
    evidence: (about) =>
      about.facts.max === undefined
        ? undefined
        : `It may run ${about.facts.min} to ${about.facts.max}, and ${describeRef(targetOf(about))} does not follow it.`,
    well: 'has as many replicas as it wants again',
    next: describeFact('target'),
  },
  VPAConfigUnsupported: {
    says: (finding) => `It does nothing, because its target is not supported${after(': ', finding)}.`,
    happens: () => 'does nothing',
    why: () => 'its target is not supported',
    evidence: controllerSays,
    well: 'works again',
  },
  VPANoPodsMatched: {
    says: () => 'It does nothing, because its target has no pods that match.',
    happens: () => 'does nothing',
    why: () => 'its target has no pods',
    evidence: controllerSays,
    well: 'finds its pods again',
  },
  VPANoRecommendation: {
    says: (finding) => `It has no recommendation${after(': ', finding)}.`,
    happens: () => 'has no recommendation',
    why: controllerWords,
    evidence: controllerSays,
    well: 'has a recommendation again',
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** How many of a budget's Pods are healthy, and what it asks for: `3 of 3 pods are healthy, and it asks for minAvailable: 100%`. */
function healthyPods({ healthy, expected, rule }: Finding['facts']): string | undefined {
  if (healthy === undefined || expected === undefined) return undefined;
  return `${healthy} of ${count(Number(expected), 'pod')} are healthy, and it asks for ${rule}`;
}

/** Disruption budgets. */
const budgetPhrases = {
  PDBBlocksDrain: {
    says: ({ facts }) => {
      const what =
        facts.node === undefined
          ? 'It allows no disruption, so that no drain of the nodes of its pods can finish'
          : `It allows no disruption, which holds up the drain of node ${facts.node}`;
      const why = healthyPods(facts);
      return `${what}${why === undefined ? '' : `: ${why}`}.`;
    },
    happens: (about) => {
      const node = fact(about, 'node');
      return node === undefined ? 'allows no disruption' : `holds up the drain of node ${node}`;
    },
    why: ({ facts: { healthy, expected, rule } }) =>
      healthy === undefined ? undefined : `${rule}, ${healthy} of ${expected} healthy`,
    evidence: ({ facts }) => {
      const why = healthyPods(facts);
      return why === undefined ? undefined : `${why}.`;
    },
    well: 'allows disruptions again',
  },
  PDBSyncFailed: {
    says: (finding) => `It allows no disruption, because what it allows cannot be worked out${after(': ', finding)}.`,
    happens: () => 'blocks every eviction',
    why: said,
    evidence: budgetSays,
    well: 'can be worked out again',
  },
  PDBOverlap: {
    says: ({ facts }) =>
      `The budget ${facts.other ?? 'beside it'} selects the same pods: pods with two budgets cannot be evicted at all.`,
    happens: () => 'blocks every eviction',
    why: (about) => `the budget${named(about, 'other')} selects them as well`,
    well: 'is the only budget of its pods again',
    next: siblings('poddisruptionbudgets'),
  },
  PDBSelectsNothing: {
    says: () => 'It protects nothing: no pod matches its selector.',
    happens: () => 'protects nothing',
    why: () => 'no pod matches its selector',
    well: 'selects pods again',
    next: labelsOfPods,
  },
  PDBNotEnoughHealthy: {
    says: ({ facts }) => {
      if (facts.healthy === undefined) return 'It has fewer healthy pods than it asks for: drains will wait.';
      return `It has ${count(Number(facts.healthy), 'healthy pod')} and asks for ${facts.desiredHealthy} (${facts.rule}): drains will wait.`;
    },
    happens: () => 'has fewer healthy pods than it asks for',
    why: ({ facts }) => (facts.healthy === undefined ? undefined : `${facts.healthy} of ${facts.desiredHealthy}`),
    evidence: ({ facts }) =>
      facts.rule === undefined ? undefined : `It asks for ${facts.rule}: until then drains wait.`,
    well: 'has enough healthy pods again',
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** The cluster autoscaler. */
const scaleUpPhrases = {
  ScaleUpFailed: {
    says: (finding) =>
      `The cluster autoscaler cannot add nodes${finding.facts.group === undefined ? '' : ` to ${finding.facts.group}`}${after(': ', finding)}.`,
    happens: ({ facts: { group } }) => `cannot add nodes${group === undefined ? '' : ` to ${group}`}`,
    why: said,
    hits: 'cannot be placed because of it',
    evidence: quoted('The cluster autoscaler'),
    well: 'no longer fails to add nodes',
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** Autoscalers and disruption budgets. */
export const scalingPhrases = { ...autoscalerPhrases, ...budgetPhrases, ...scaleUpPhrases };
