import type { Finding } from '../../../model/finding.ts';
import type { Case } from '../../parts/case.ts';
import { ending } from '../../parts/exit.ts';
import { describeNode, describePod, getPod, getRoot, logs, siblings } from '../../parts/next.ts';
import { after, fact, isPreemptor, ofPods, type Phrase, pushesOff, quote, quoted, said } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';
import { containerIn, exit } from './container.ts';

/** `The node was low on resource: memory. Threshold quantity: …`: what was short, where it says so. */
function eviction(finding: Finding): string {
  const { resource, ownLimit } = finding.facts;
  if (ownLimit !== undefined)
    return `The pod was evicted because it used more storage than its own limit allows${after(': ', finding)}.`;
  return resource === undefined
    ? `The pod was evicted from its node${after(': ', finding)}.`
    : `The pod was evicted because its node was low on ${resource}.`;
}

const madeRoom = ({ facts }: Finding): string =>
  `It lost ${count(Number(facts.departed ?? 2), 'pod')} within an hour, to make room for pods of a higher priority.`;
const overstayed = ({ facts }: Finding): string =>
  `It had ${count(Number(facts.departed ?? 3), 'pod')} within a day that did not end in their grace period and were killed.`;

const resizes = {
  PodResizeInfeasible: ['asks for more than its node has', 'ask for more than their nodes have'],
  PodResizeDeferred: ['waits to be resized', 'wait to be resized'],
  PodResizeError: ['could not be resized', 'could not be resized'],
} as const;

const asked = {
  PodResizeInfeasible: 'cannot have',
  PodResizeDeferred: 'has to wait for',
  PodResizeError: 'did not get',
};

function resizePhrase(reason: keyof typeof asked): Phrase {
  return {
    says: (finding) => `The pod ${asked[reason]} the resources that it asks for${after(': ', finding)}.`,
    happens: ofPods(resizes[reason][0], resizes[reason][1]),
    why: said,
    evidence: quoted('The kubelet'),
    well: 'has the resources that it asks for, or asks no more',
    // What is left of the node says whether it can ever have them.
    next: reason === 'PodResizeError' ? describePod : describeNode,
    facts: ['node'],
  };
}

/** Why a Pod was evicted, in few words. */
function evictedFor({ facts: { resource, ownLimit }, finding }: Case): string | undefined {
  if (ownLimit !== undefined) return 'it used more storage than its own limit allows';
  return resource === undefined ? said({ finding }) : `its node was low on ${resource}`;
}

/** Pods that went or are left behind, and what they were given. */
export const departedPhrases = {
  ContainerError: {
    says: (finding) => {
      const { errors } = finding.facts;
      const how = ending(finding.facts);
      return `${containerIn(finding)} ended with an error ${count(Number(errors ?? 3), 'time')} within an hour${how === undefined ? '' : `, last with ${how}`}.`;
    },
    happens: () => 'crashes now and then',
    ended: exit,
    well: 'has not ended with an error for an hour',
    next: logs,
    facts: ['container', 'image', 'exitCode', 'restarts', 'node'],
  },
  Evicted: {
    says: eviction,
    happens: ofPods('was evicted', 'were evicted'),
    why: evictedFor,
    once: true,
    evidence: ({ finding }) => finding && eviction(finding),
    well: 'has had no more evictions',
    next: describeNode,
    facts: ['node'],
  },
  DeadlineExceeded: {
    says: () => 'The pod was ended because it ran longer than its activeDeadlineSeconds allow.',
    happens: ofPods('was stopped at its deadline', 'were stopped at their deadline'),
    why: ({ finding }) => finding && 'activeDeadlineSeconds exceeded',
    once: true,
    evidence: ({ finding }) => quote('The kubelet', finding?.detail),
    well: 'has had no more pods that ran into their deadline',
    next: logs,
    facts: ['node'],
  },
  Preempted: {
    says: madeRoom,
    happens: (about) => (isPreemptor(about) ? pushesOff : 'loses pods to others of higher priority'),
    hits: 'have lost pods to it',
    evidence: ({ finding }) => finding && madeRoom(finding),
    well: 'has lost no more pods to others of a higher priority',
    next: siblings('events', '--field-selector', 'reason=Preempted'),
  },
  ExceededGracePeriod: {
    says: overstayed,
    happens: (_, it) => [`Pods of ${it}`, 'do not stop within their grace period and are killed'],
    evidence: ({ finding }) => finding && overstayed(finding),
    well: 'ends its pods in time again',
    next: (about) =>
      getRoot(`jsonpath={${about.root.startsWith('Pod/') ? '' : '.spec.template'}.spec.terminationGracePeriodSeconds}`)(
        about,
      ),
  },
  DeviceUnhealthy: {
    says: ({ facts, scope }) =>
      `A device of ${scope === undefined ? 'a container' : `container ${scope}`} does not work: ${facts.devices ?? 'its kubelet does not say which'}.`,
    happens: (_, it) => [`A device of ${it}`, 'does not work'],
    why: (about) => fact(about, 'devices'),
    well: 'has devices that work again',
    next: getPod('jsonpath={.status.containerStatuses[*].allocatedResourcesStatus}'),
    facts: ['container', 'node'],
  },
  PodResizeInfeasible: resizePhrase('PodResizeInfeasible'),
  PodResizeDeferred: resizePhrase('PodResizeDeferred'),
  PodResizeError: resizePhrase('PodResizeError'),
} as const satisfies Readonly<Record<string, Phrase>>;
