import type { Finding } from '../../../model/finding.ts';
import { describeRef, kindOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { ending } from '../../parts/exit.ts';
import { describeNode, describePod, getPod, logs } from '../../parts/next.ts';
import { after, isPreemptor, ofPods, type Phrase, pushesOff, quote, said } from '../../parts/phrase.ts';
import { sentence } from '../../parts/words.ts';
import { exit } from './container.ts';
import { condenseScheduler, nodesInWords, nowhereEnough } from './scheduler.ts';

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
  const { container } = finding.facts;
  const ended = ending(finding.facts);
  const why = ended === undefined ? failure(finding) : `container ${container} ended with ${ended}`;
  return `The pod failed and will not be restarted: ${why ?? 'no reason is given'}.`;
}

/** What the API gives as its reason, in its own words. */
const failure = ({ detail = '', facts: { podReason } }: Finding): string | undefined =>
  after('', { detail }, String(podReason ?? '')) || undefined;

function notGoing(finding: Finding): string {
  const [lostNode] = finding.names;
  const { finalizers } = finding.facts;
  const held = finalizers === undefined ? after(': ', finding) : `: finalizer ${finalizers} holds it`;
  return `The pod was deleted but has not gone away${lostNode === undefined ? held : `: ${describeRef(lostNode)} is not ready`}.`;
}

const fitsNowhere = ofPods('cannot be scheduled', 'cannot be scheduled');

/** What the scheduler says of the nodes, without who says it. */
const noNode = ({ finding }: Case): string | undefined => {
  const text = finding?.detail ?? '';
  return nowhereEnough(text) ?? nodesInWords(text) ?? (condenseScheduler(text) || undefined);
};

/** Why a Pod is not ready, as far as it says more than that. */
function unready({ finding }: Case): string | undefined {
  if (finding === undefined) return undefined;
  const { names, facts } = finding;
  const lostNode = names.find((name) => kindOf(name) === 'Node');
  if (lostNode !== undefined) return `${describeRef(lostNode)} is not ready`;
  if (facts.conditionReason === 'ReadinessGatesNotReady') return 'a readiness gate is not met';
  return facts.unready === undefined ? undefined : notReady(finding).replace(/^C/, 'c').replace(/\.$/, '');
}

/** Pods that do not run as they should. */
export const podPhrases = {
  Unschedulable: {
    says: notFitting,
    happens: (about, it) => (isPreemptor(about) ? pushesOff : fitsNowhere(about, it)),
    why: (about) => (isPreemptor(about) ? undefined : noNode(about)),
    hits: (about) => (isPreemptor(about) ? 'find no other node' : 'cannot be scheduled because of it'),
    evidence: schedulerSays,
    well: 'is scheduled again',
    next: describePod,
  },
  SchedulerError: {
    says: (finding) => `The scheduler fails on the pod${after(': ', finding, 'it does not say why')}.`,
    happens: fitsNowhere,
    why: () => 'the scheduler itself fails',
    evidence: schedulerSays,
    well: 'no longer makes the scheduler fail',
    next: describePod,
  },
  PodNotReady: {
    says: notReady,
    happens: ofPods('is not ready', 'are not ready'),
    why: unready,
    evidence: ({ finding }) => finding && notReady(finding),
    well: 'is ready again',
    next: describePod,
    facts: ['node'],
  },
  PodFailed: {
    says: failedForGood,
    happens: ofPods('failed', 'failed'),
    why: ({ finding, facts }) => (finding && facts.exitCode === undefined ? failure(finding) : undefined),
    ended: exit,
    once: true,
    evidence: ({ finding, facts }) => (finding && facts.exitCode === undefined ? failedForGood(finding) : undefined),
    well: 'has had no more failed pods',
    next: (about) => (about.facts.exitCode === undefined ? describePod(about) : logs(about)),
    facts: ['container', 'node'],
  },
  PodStuckTerminating: {
    says: notGoing,
    happens: ofPods('is stuck terminating', 'are stuck terminating'),
    why: ({ finding, facts: { finalizers } }) => {
      const [lostNode] = finding?.names ?? [];
      if (lostNode !== undefined) return `${describeRef(lostNode)} is not ready`;
      return finalizers === undefined ? said({ finding }) : `finalizer ${finalizers} holds it`;
    },
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
    happens: ofPods('is in an unknown state', 'are in an unknown state'),
    well: 'is known to be healthy again',
    next: describeNode,
    facts: ['node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
