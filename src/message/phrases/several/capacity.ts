import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts, Finding } from '../../../model/finding.ts';
import { kindOf } from '../../../model/ref.ts';
import { amount } from '../../parts/amount.ts';
import { podsOnRoot } from '../../parts/next.ts';
import type { Phrase } from '../../parts/phrase.ts';
import { count, sentence } from '../../parts/words.ts';
import { schedulerSays } from '../workloads/pod.ts';

/** `4 of 12 nodes`. */
function share({ facts: { lost, nodes } }: Pick<Finding, 'facts'>): string {
  return lost === undefined || nodes === undefined ? 'several nodes' : `${lost} of ${nodes} nodes`;
}

/** `105 of the 110`. */
function ofMost({ pods, mostPods }: Facts): string {
  return pods === undefined || mostPods === undefined ? 'nearly all the' : `${pods} of the ${mostPods}`;
}

/** `6 pods of 3 workloads`. */
function waitingFor({ pods, workloads }: Facts): string {
  return pods === undefined || workloads === undefined
    ? 'pods of several workloads'
    : `${count(Number(pods), 'pod')} of ${count(Number(workloads), 'workload')}`;
}

const scarce: Readonly<Record<string, 'CPU' | 'memory'>> = { cpu: 'CPU', memory: 'memory' };

/** What there is too little of: `too little free CPU`, `no node with room for more pods`. */
function lacking({ resource }: Facts): string {
  if (resource === 'pods') return 'no node that takes more pods';
  return `too little free ${scarce[String(resource)] ?? resource ?? 'room'}`;
}

/** ` (the smallest waiting pod asks for 0.5 CPU)`. */
function least({ resource, asks }: Facts): string {
  const known = scarce[String(resource)];
  return known !== undefined && typeof asks === 'number' && asks > 0
    ? ` (the smallest waiting pod asks for ${amount(known, asks)})`
    : '';
}

/** Room for Pods: on a Node, in its addresses, in the cluster, and what takes many Nodes away at once. */
export const capacityPhrases = {
  TooManyPods: {
    says: ({ facts }) => `The node has ${ofMost(facts)} pods it may have.`,
    happens: ({ facts }) => `runs ${ofMost(facts)} pods it may have`,
    well: 'has room for pods again',
    next: podsOnRoot,
    facts: ['zone'],
  },
  PodIPExhausted: {
    says: ({ facts: { pods } }) =>
      `No IP address is left for new pods${pods === undefined ? '' : `: ${count(Number(pods), 'pod')} cannot start`}.`,
    happens: () => 'has no IP address left for new pods',
    hits: 'cannot start because of it',
    well: 'has addresses for its pods again',
    next: (about) =>
      kindOf(about.root) === 'Node'
        ? podsOnRoot(about)
        : kubectl('get', listOf('events'), '-A', '--field-selector', 'reason=FailedCreatePodSandBox'),
  },
  InsufficientCapacity: {
    says: ({ facts }) => `There is ${lacking(facts)} for ${waitingFor(facts)}${least(facts)}.`,
    happens: ({ facts }) => `has ${lacking(facts)}`,
    why: ({ facts }) => least(facts).replace(/^ \(|\)$/g, '') || undefined,
    hits: 'cannot start',
    evidence: schedulerSays,
    well: 'has room for all pods again',
    next: () => kubectl('get', listOf('pods'), '-A', '--field-selector', 'status.phase=Pending', '-o', 'wide'),
  },
  ZoneOrPoolFailing: {
    says: (finding) => `${sentence(share(finding))} were lost at about the same time.`,
    happens: (about) => `lost ${share(about)}`,
    well: 'has its nodes back',
    next: () => kubectl('get', listOf('nodes'), '-L', 'topology.kubernetes.io/zone'),
  },
} as const satisfies Readonly<Record<string, Phrase>>;
