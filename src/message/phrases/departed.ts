import type { Finding } from '../../model/finding.ts';
import type { Case } from '../case.ts';
import { describeNode, describePod, getPod, getRoot, logs, siblings } from '../next.ts';
import { after, fact, isPreemptor, named, ofPods, type Phrase, pushesOff, quote, quoted } from '../phrase.ts';
import { count } from '../words.ts';
import { containerIn, ending, exit } from './container.ts';

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

const asked = {
  PodResizeInfeasible: 'cannot have',
  PodResizeDeferred: 'has to wait for',
  PodResizeError: 'did not get',
};

function resizePhrase(reason: keyof typeof asked): Phrase {
  return {
    says: (finding) => `The pod ${asked[reason]} the resources that it asks for${after(': ', finding)}.`,
    doing: ofPods(
      {
        PodResizeInfeasible: 'has been asking for resources that its node does not have',
        PodResizeDeferred: 'has been waiting for the resources that it asks for',
        PodResizeError: 'has not got the resources that it asks for',
      }[reason],
      'whose resize does not come about',
      'whose resizes do not come about',
    ),
    evidence: quoted('The kubelet'),
    well: 'has the resources that it asks for, or asks no more',
    // What is left of the node says whether it can ever have them.
    next: reason === 'PodResizeError' ? describePod : describeNode,
    facts: ['node'],
  };
}

const devices = (about: Case): string => {
  const names = fact(about, 'devices');
  return names === undefined ? '' : ` (${names})`;
};

/** Pods that went or are left behind, and what they were given. */
export const departedPhrases = {
  ContainerError: {
    says: (finding) => {
      const { errors } = finding.facts;
      const how = ending(finding.facts);
      return `${containerIn(finding)} ended with an error ${count(Number(errors ?? 3), 'time')} within an hour${how === undefined ? '' : `, last with ${how}`}.`;
    },
    doing: (about) => `has been ending now and then${exit(about) || ' with an error'}`,
    well: 'has not ended with an error for an hour',
    next: logs,
    facts: ['container', 'image', 'restarts', 'node'],
  },
  Evicted: {
    says: eviction,
    doing: ofPods('was evicted', 'that was evicted', 'that were evicted'),
    once: true,
    evidence: ({ finding }) => finding && eviction(finding),
    well: 'has had no more evictions',
    next: describeNode,
    facts: ['node'],
  },
  DeadlineExceeded: {
    says: () => 'The pod was ended because it ran longer than its activeDeadlineSeconds allow.',
    doing: ofPods('was ended at its deadline', 'that was ended at its deadline', 'that were ended at their deadline'),
    once: true,
    evidence: ({ finding }) => quote('The kubelet', finding?.detail),
    well: 'has had no more pods that ran into their deadline',
    next: logs,
    facts: ['node'],
  },
  Preempted: {
    says: madeRoom,
    doing: (about) => (isPreemptor(about) ? pushesOff : 'has been losing pods to others of a higher priority'),
    hits: 'have lost pods to it',
    evidence: ({ finding }) => finding && madeRoom(finding),
    well: 'has lost no more pods to others of a higher priority',
    next: siblings('events', '--field-selector', 'reason=Preempted'),
    facts: [],
  },
  ExceededGracePeriod: {
    says: overstayed,
    doing: () => 'has had pods that do not end within their grace period and are killed',
    evidence: ({ finding }) => finding && overstayed(finding),
    well: 'ends its pods in time again',
    next: (about) =>
      getRoot(`jsonpath={${about.root.startsWith('Pod/') ? '' : '.spec.template'}.spec.terminationGracePeriodSeconds}`)(
        about,
      ),
    facts: [],
  },
  DeviceUnhealthy: {
    says: ({ facts, scope }) =>
      `A device of ${scope === undefined ? 'a container' : `container ${scope}`} does not work: ${facts.devices ?? 'its kubelet does not say which'}.`,
    doing: (about) => `has had a device of container${named(about, 'container')} that does not work${devices(about)}`,
    well: 'has devices that work again',
    next: getPod('jsonpath={.status.containerStatuses[*].allocatedResourcesStatus}'),
    facts: ['container', 'node'],
  },
  PodResizeInfeasible: resizePhrase('PodResizeInfeasible'),
  PodResizeDeferred: resizePhrase('PodResizeDeferred'),
  PodResizeError: resizePhrase('PodResizeError'),
} as const satisfies Readonly<Record<string, Phrase>>;
