import { kubectl, listOf } from '../../model/command.ts';
import type { Facts, Finding } from '../../model/finding.ts';
import { nameOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describeRoot, podsOnRoot } from '../next.ts';
import { after, fact, type Phrase, quoted } from '../phrase.ts';
import { count, sentence } from '../words.ts';

const kubeletSays = quoted('The kubelet');

/** `the process java`, `a process`. */
function victim({ facts }: Finding): string {
  return facts.victim === undefined ? 'a process' : `the process ${facts.victim}`;
}

/** `had the process java killed`; without a name what the caller says. */
function hadKilled({ facts }: Pick<Case, 'facts'>, unnamed: string): string {
  return `had ${facts.victim === undefined ? unnamed : `the process ${facts.victim}`} killed`;
}

function often({ turns }: Facts): string {
  return turns === undefined ? '' : `: ${turns} changes in the last hour`;
}

function taint({ taint: key }: Facts): string {
  return key === undefined ? 'a taint of its start' : `its taint ${key}`;
}

/** After what the node cannot do. */
function waitsFor(finalizers: string | number | undefined): string {
  return finalizers === undefined ? '' : `: it waits for its finalizers (${finalizers})`;
}

/** `3 pods are left, and PodDisruptionBudget shop/api does not let go`. */
function leftOn({ facts, names }: Finding): string {
  const left = Number(facts.left ?? 0);
  const held = names.map((budget) => nameOf(budget)).join(', ');
  const pods = `${count(left, 'pod')} ${left === 1 ? 'is' : 'are'} left`;
  if (held !== '') return `${pods}, and the disruption budget ${held} allows no eviction`;
  return facts.pod === undefined ? pods : `${pods}, ${facts.pod} among them`;
}

/** `has had a corrupt file system`, of what a condition says now: since when follows. */
function faulty(problem: string): string {
  const since = problem.replace(/^has /, 'has had ').replace(/^cannot /, 'has been unable to ');
  return since.replace(/^does not keep its clock right$/, 'has not kept its clock right');
}

/** What the kubelet could not get back, told by its Events. */
function reclaiming(doing: string, says: string): Phrase {
  return {
    says: (finding) => `The node ${says}${after(': ', finding)}.`,
    doing: () => doing,
    evidence: kubeletSays,
    well: 'has had no such trouble for half an hour',
    next: describeRoot,
    facts: ['zone'],
  };
}

/** Nodes. */
export const nodePhrases = {
  NodeNotReady: {
    says: (finding) => `The node is not ready${after(': ', finding)}.`,
    doing: () => 'has not been ready',
    evidence: kubeletSays,
    well: 'is ready again',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeUnreachable: {
    says: () => 'The node has stopped reporting.',
    doing: () => 'has not been heard from',
    well: 'is back',
    next: describeRoot,
    facts: ['zone'],
  },
  MemoryPressure: {
    says: () => 'The node is short of memory and is evicting pods.',
    doing: () => 'has been short of memory and evicting pods',
    well: 'has enough memory again',
    next: describeRoot,
    facts: ['zone'],
  },
  DiskPressure: {
    says: () => 'The node is short of disk space, and is evicting pods and removing images.',
    doing: () => 'has been short of disk space, evicting pods and removing images',
    well: 'has enough disk space again',
    next: describeRoot,
    facts: ['zone'],
  },
  PIDPressure: {
    says: () => 'The node is short of process IDs and is evicting pods.',
    doing: () => 'has been short of process IDs and evicting pods',
    well: 'has enough process IDs again',
    next: describeRoot,
    facts: ['zone'],
  },
  NetworkUnavailable: {
    says: (finding) => `The network of the node is not configured${after(': ', finding)}.`,
    doing: () => 'has had no network',
    evidence: quoted('Its condition'),
    well: 'has its network again',
    next: ({ root }) =>
      kubectl('get', listOf('pods', 'kube-system'), '-o', 'wide', '--field-selector', `spec.nodeName=${nameOf(root)}`),
    facts: ['zone'],
  },
  NodeReadinessFlapping: {
    says: ({ facts }) => `The node keeps going away and coming back${often(facts)}.`,
    doing: () => 'has kept going away and coming back',
    evidence: ({ facts }) =>
      facts.turns === undefined ? undefined : `Whether it is ready has changed ${facts.turns} times within an hour.`,
    well: 'has been steady for an hour',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeProblem: {
    says: (finding) => `The node ${finding.facts.problem ?? 'has a permanent fault'}${after(': ', finding)}.`,
    doing: (about) => faulty(fact(about, 'problem') ?? 'has a permanent fault'),
    evidence: quoted('Its condition'),
    well: 'is healthy again',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeRebooted: {
    says: () => 'The node was rebooted, and nobody had cordoned it before.',
    doing: () => 'was rebooted without having been cordoned',
    once: true,
    well: 'rebooted a while ago and is no longer reported',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  SystemOOM: {
    says: (finding) => `The node ran out of memory, and the kernel killed ${victim(finding)}.`,
    doing: (about) => `has run out of memory and ${hadKilled(about, 'processes')}`,
    evidence: kubeletSays,
    well: 'has had nothing killed for an hour',
    next: describeRoot,
    facts: ['zone', 'victim'],
  },
  OOMKilling: {
    says: (finding) =>
      `The kernel killed ${victim(finding)} for lack of memory. No container shows it: it may be a child process in a pod that goes on.`,
    doing: (about) => `has ${hadKilled(about, 'a process')} for lack of memory`,
    evidence: quoted('The kernel'),
    well: 'has had nothing killed for an hour',
    next: describeRoot,
    facts: ['zone', 'victim'],
  },
  EvictionThresholdMet: reclaiming(
    'has been evicting pods to get back memory or disk',
    'evicts pods to get back memory or disk',
  ),
  FreeDiskSpaceFailed: reclaiming('has been unable to free disk space for images', 'cannot free disk space for images'),
  ImageGCFailed: reclaiming('has been unable to remove unused images', 'cannot remove unused images'),
  ContainerGCFailed: reclaiming('has been unable to remove ended containers', 'cannot remove ended containers'),
  NodeUninitialized: {
    says: ({ facts }) => `The node has not finished starting: ${taint(facts)} has not been removed.`,
    doing: () => 'has not finished starting',
    evidence: ({ facts }) => `${sentence(taint(facts))} has not been removed.`,
    well: 'has finished starting',
    next: describeRoot,
    facts: ['zone', 'kubelet'],
  },
  NodeDraining: {
    says: (finding) => `The drain of the node does not end: ${leftOn(finding)}.`,
    doing: ({ facts }) => `has been cordoned with ${count(Number(facts.left ?? 1), 'pod')} left that cannot be moved`,
    evidence: ({ finding }) => finding && `${sentence(leftOn(finding))}.`,
    well: 'is drained or takes pods again',
    next: podsOnRoot,
    facts: ['zone'],
  },
  NodeCordoned: {
    says: () => 'The node has been cordoned for more than a day and takes no new pods.',
    doing: () => 'has been cordoned',
    well: 'takes pods again',
    next: describeRoot,
    facts: ['zone'],
  },
  NodeStuckTerminating: {
    says: ({ facts }) => `The node is being deleted and does not go${waitsFor(facts.finalizers)}.`,
    doing: () => 'has been stuck in deletion',
    evidence: ({ facts }) =>
      facts.finalizers === undefined ? undefined : `It waits for its finalizers: ${facts.finalizers}.`,
    well: 'is gone',
    next: podsOnRoot,
    facts: ['zone'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
