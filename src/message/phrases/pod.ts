import type { Finding } from '../../model/finding.ts';
import { describeRef, kindOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describeNode, describePod, getPod, logs } from '../next.ts';
import { after, isPreemptor, ofPods, type Phrase, pushesOff, quote } from '../phrase.ts';
import { sentence } from '../words.ts';
import { ending, exit } from './container.ts';
import { condenseScheduler, nodesInWords } from './scheduler.ts';

/** What the scheduler says of the nodes, in words where all of it is known, else as it says it. */
export function schedulerSays({ finding }: Case): string | undefined {
  const said = finding?.detail ?? '';
  const nodes = nodesInWords(said);
  return nodes === undefined ? quote('The scheduler', condenseScheduler(said)) : `${sentence(nodes)}.`;
}

function notFitting({ detail = '' }: Finding): string {
  const obstacles = nodesInWords(detail) ?? condenseScheduler(detail);
  return `The pod does not fit on any node${obstacles === '' ? '' : `: ${obstacles}`}.`;
}

/** `Container web runs but fails its readiness probe.` */
function notReady({ names, facts }: Finding): string {
  const lostNode = names.find((name) => kindOf(name) === 'Node');
  if (lostNode !== undefined) return `${describeRef(lostNode)} is not ready, so neither is the pod.`;
  if (facts.conditionReason === 'ReadinessGatesNotReady')
    return 'The containers are ready, but a readiness gate of the pod is not.';
  const unready = String(facts.unready ?? '');
  if (unready === '') return 'The pod runs but is not ready.';
  if (!unready.includes(','))
    return `Container ${unready} runs but ${facts.lost ? 'fails its readiness probe' : 'has not become ready'}.`;
  return `Containers ${unready} run but ${facts.lost ? 'fail their readiness probes' : 'have not become ready'}.`;
}

function failedForGood(finding: Finding): string {
  const { container, podReason } = finding.facts;
  const ended = ending(finding.facts);
  const otherwise = after('', finding, String(podReason ?? 'no reason is given'));
  const why = ended === undefined ? otherwise : `container ${container} ended with ${ended}`;
  return `The pod failed and will not be restarted: ${why}.`;
}

function notGoing(finding: Finding): string {
  const [lostNode] = finding.names;
  const { finalizers } = finding.facts;
  const held = finalizers === undefined ? after(': ', finding) : `: finalizer ${finalizers} holds it`;
  return `The pod was deleted but has not gone away${lostNode === undefined ? held : `: ${describeRef(lostNode)} is not ready`}.`;
}

const fitsNowhere = ofPods('has not fit on any node', 'that does not fit on any node', 'that do not fit on any node');

/** Pods that do not run as they should. */
export const podPhrases = {
  Unschedulable: {
    says: notFitting,
    doing: (about) => (isPreemptor(about) ? pushesOff : fitsNowhere(about)),
    hits: (about) => (isPreemptor(about) ? 'find no other node' : 'cannot be scheduled because of it'),
    evidence: schedulerSays,
    well: 'is scheduled again',
    next: describePod,
    facts: [],
  },
  SchedulerError: {
    says: (finding) => `The scheduler fails on the pod${after(': ', finding, 'it does not say why')}.`,
    doing: ofPods('has made the scheduler fail', 'that the scheduler fails on', 'that the scheduler fails on'),
    evidence: schedulerSays,
    well: 'no longer makes the scheduler fail',
    next: describePod,
    facts: [],
  },
  PodNotReady: {
    says: notReady,
    doing: ofPods('has been running without being ready', 'that is not ready', 'that are not ready'),
    evidence: ({ finding }) => finding && notReady(finding),
    well: 'is ready again',
    next: describePod,
    facts: ['node'],
  },
  PodFailed: {
    says: failedForGood,
    doing: (about) => (about.root.startsWith('Pod/') ? `failed${exit(about)}` : `had a pod that failed${exit(about)}`),
    once: true,
    evidence: ({ finding, facts }) => (finding && facts.exitCode === undefined ? failedForGood(finding) : undefined),
    well: 'has had no more failed pods',
    next: (about) => (about.facts.exitCode === undefined ? describePod(about) : logs(about)),
    facts: ['container', 'node'],
  },
  PodStuckTerminating: {
    says: notGoing,
    doing: ofPods('has been stuck terminating', 'that is stuck terminating', 'that are stuck terminating'),
    evidence: ({ finding }) => {
      const known = finding && (finding.names.length > 0 || finding.facts.finalizers !== undefined || finding.detail);
      return known ? notGoing(finding) : undefined;
    },
    well: 'is no longer held up by a terminating pod',
    // Finalizers show only here.
    next: getPod('yaml'),
    facts: ['node'],
  },
  PodStatusUnknown: {
    says: () => 'The kubelet cannot determine the state of the pod.',
    doing: ofPods('has been in an unknown state', 'whose state is unknown', 'whose state is unknown'),
    well: 'is known to be healthy again',
    next: describeNode,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
