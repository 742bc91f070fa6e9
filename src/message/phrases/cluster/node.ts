import { kubectl, listOf } from '../../../model/command.ts';
import type { Facts, Finding } from '../../../model/finding.ts';
import { nameOf } from '../../../model/ref.ts';
import { podsOnRoot } from '../../parts/next.ts';
import { after, fact, type Phrase, quoted, said } from '../../parts/phrase.ts';
import { count, sentence } from '../../parts/words.ts';

const kubeletSays = quoted('The kubelet');

/** `the process java`, `a process`. */
function victim({ facts }: Pick<Finding, 'facts'>): string {
  return facts.victim === undefined ? 'a process' : `the process ${facts.victim}`;
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
  const only = left === 1 && facts.pod !== undefined ? `pod ${facts.pod}` : undefined;
  const pods = `${only ?? count(left, 'pod')} ${left === 1 ? 'is' : 'are'} left`;
  if (held !== '') return `${pods}, and the disruption budget ${held} allows no eviction`;
  return facts.pod === undefined || only !== undefined ? pods : `${pods}, ${facts.pod} among them`;
}

/** What the kubelet could not get back, told by its Events. */
function reclaiming(does: string): Phrase {
  return {
    says: (finding) => `The node ${does}${after(': ', finding)}.`,
    happens: () => does,
    why: said,
    evidence: kubeletSays,
    well: 'has had no such trouble for half an hour',
    facts: ['zone'],
  };
}

/** Nodes. */
export const nodePhrases = {
  NodeNotReady: {
    says: (finding) => `The node is not ready${after(': ', finding)}.`,
    happens: () => 'is not ready',
    why: said,
    evidence: kubeletSays,
    well: 'is ready again',
    facts: ['zone', 'kubelet'],
  },
  NodeUnreachable: {
    says: () => 'The node has stopped reporting.',
    happens: () => 'is lost',
    well: 'is back',
    facts: ['zone'],
  },
  MemoryPressure: {
    says: () => 'The node is short of memory and is evicting pods.',
    happens: () => 'is short of memory and evicts pods',
    well: 'has enough memory again',
    facts: ['zone'],
  },
  DiskPressure: {
    says: () => 'The node is short of disk space, and is evicting pods and removing images.',
    happens: () => 'is short of disk space and evicts pods',
    well: 'has enough disk space again',
    facts: ['zone'],
  },
  PIDPressure: {
    says: () => 'The node is short of process IDs and is evicting pods.',
    happens: () => 'is short of process IDs and evicts pods',
    well: 'has enough process IDs again',
    facts: ['zone'],
  },
  NetworkUnavailable: {
    says: (finding) => `The network of the node is not configured${after(': ', finding)}.`,
    happens: () => 'has no network',
    why: said,
    evidence: quoted('Its condition'),
    well: 'has its network again',
    next: ({ root }) =>
      kubectl('get', listOf('pods', 'kube-system'), '-o', 'wide', '--field-selector', `spec.nodeName=${nameOf(root)}`),
    facts: ['zone'],
  },
  NodeReadinessFlapping: {
    says: ({ facts }) => `The node keeps going away and coming back${often(facts)}.`,
    happens: () => 'keeps going away and coming back',
    evidence: ({ facts }) =>
      facts.turns === undefined ? undefined : `Whether it is ready has changed ${facts.turns} times within an hour.`,
    well: 'has been steady for an hour',
    facts: ['zone', 'kubelet'],
  },
  NodeProblem: {
    says: (finding) => `The node ${finding.facts.problem ?? 'has a permanent fault'}${after(': ', finding)}.`,
    happens: (about) => fact(about, 'problem') ?? 'has a permanent fault',
    why: said,
    evidence: quoted('Its condition'),
    well: 'is healthy again',
    facts: ['zone', 'kubelet'],
  },
  NodeRebooted: {
    says: () => 'The node was rebooted, and nobody had cordoned it before.',
    happens: () => 'rebooted without having been cordoned',
    once: true,
    well: 'rebooted a while ago and is no longer reported',
    facts: ['zone', 'kubelet'],
  },
  SystemOOM: {
    says: (finding) => `The node ran out of memory, and the kernel killed ${victim(finding)}.`,
    happens: () => 'ran out of memory',
    why: ({ facts: { victim: killed } }) => (killed === undefined ? undefined : `the kernel killed ${killed}`),
    evidence: kubeletSays,
    well: 'has had nothing killed for an hour',
    facts: ['zone', 'victim'],
  },
  OOMKilling: {
    says: (finding) =>
      `The kernel killed ${victim(finding)} for lack of memory. No container shows it: it may be a child process in a pod that goes on.`,
    happens: (about, it) => [`The kernel of ${it}`, `killed ${victim(about)} for lack of memory`],
    evidence: quoted('The kernel'),
    well: 'has had nothing killed for an hour',
    facts: ['zone', 'victim'],
  },
  EvictionThresholdMet: reclaiming('evicts pods to get back memory or disk'),
  // What the kubelet says of it says no more.
  FreeDiskSpaceFailed: { ...reclaiming('cannot free disk space for images'), why: () => undefined },
  ImageGCFailed: reclaiming('cannot remove unused images'),
  ContainerGCFailed: reclaiming('cannot remove ended containers'),
  NodeUninitialized: {
    says: ({ facts }) => `The node has not finished starting: ${taint(facts)} has not been removed.`,
    happens: () => 'has not finished starting',
    why: ({ facts: { taint: key } }) => (key === undefined ? undefined : `taint ${key}`),
    evidence: ({ facts }) => `${sentence(taint(facts))} has not been removed.`,
    well: 'has finished starting',
    facts: ['zone', 'kubelet'],
  },
  NodeDraining: {
    says: (finding) => `The drain of the node does not end: ${leftOn(finding)}.`,
    happens: (_, it) => [`The drain of ${it}`, 'does not end'],
    why: ({ finding }) => finding && leftOn(finding),
    evidence: ({ finding }) => finding && `${sentence(leftOn(finding))}.`,
    well: 'is drained or takes pods again',
    next: podsOnRoot,
    facts: ['zone'],
  },
  NodeCordoned: {
    says: () => 'The node has been cordoned for more than a day and takes no new pods.',
    happens: () => 'is cordoned',
    well: 'takes pods again',
    facts: ['zone'],
  },
  NodeStuckTerminating: {
    says: ({ facts }) => `The node is being deleted and does not go${waitsFor(facts.finalizers)}.`,
    happens: () => 'is stuck in deletion',
    why: ({ facts: { finalizers } }) => (finalizers === undefined ? undefined : `it waits for ${finalizers}`),
    evidence: ({ facts }) =>
      facts.finalizers === undefined ? undefined : `It waits for its finalizers: ${facts.finalizers}.`,
    well: 'is gone',
    next: podsOnRoot,
    facts: ['zone'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
