import { kubectl, listOf } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { describeRef } from '../../../model/ref.ts';
import { describeNode, describePod, getPod, type Next, whoEdited } from '../../parts/next.ts';
import { after, ofPods, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** What is not there, of the texts that name it: `Secret shop/db does not exist`. */
function lacking({ facts, names }: Finding): string | undefined {
  const [ref] = names;
  if (ref === undefined || facts.missing === undefined) return undefined;
  return facts.missingKey === undefined
    ? `${describeRef(ref)} does not exist`
    : `${describeRef(ref)} has no key ${facts.missingKey}`;
}

/** `Deployment shop/web was started with its key url, which it has not had since it was edited.` */
function lostKey({ facts: { key, needs, workloads } }: Pick<Finding, 'facts'>): string {
  const more = Number(workloads ?? 1) - 1;
  const who = `${needs ?? 'A workload'}${more > 0 ? ` and ${count(more, 'more workload')} were` : ' was'}`;
  return `${who} started with its key${key === undefined ? '' : ` ${key}`}, which it has not had since it was edited.`;
}

/** The end of a kubelet's sentence about a volume, without what comes before the reason itself. */
function mountReason({ detail = '' }: Finding): string {
  return detail
    .replace(
      /^(?:MountVolume|AttachVolume|MapVolume|UnmapVolume)\.\w+ failed for volume "[^"]*"(?: \([^)]*\))?\s*: ?/,
      '',
    )
    .replace(/^Unable to attach or mount volumes: /, '')
    .trim();
}

function withVolume(act: string): (finding: Finding) => string {
  return (finding) => {
    const { volume } = finding.facts;
    const what = volume === undefined ? 'A volume of the pod' : `Volume ${volume} of the pod`;
    const why = lacking(finding) ?? mountReason(finding);
    return `${what} cannot be ${act}${after(': ', { ...finding, detail: why })}.`;
  };
}

function volumePhrase(act: string, next: Next = describePod): Phrase {
  return {
    says: withVolume(act),
    happens: ({ facts: { volume } }, it) => [
      `${volume === undefined ? 'A volume' : `Volume ${volume}`} of ${it}`,
      `cannot be ${act}`,
    ],
    why: ({ finding }) => finding && (lacking(finding) ?? (mountReason(finding) || undefined)),
    hits: 'cannot start because of it',
    saysWhy: ({ finding }) => finding !== undefined && mountReason(finding) !== '',
    evidence: (about) =>
      about.finding && lacking(about.finding) === undefined ? withVolume(act)(about.finding) : undefined,
    well: 'has its volumes now',
    next,
    facts: ['node'],
  };
}

/** What stands in the way of a sandbox, where its text tells. */
const sandboxWords: Readonly<Record<string, (finding: Finding) => string>> = {
  addresses: () => 'no IP address is left',
  network: (finding) => `its network cannot be set up${after(': ', finding)}`,
  runtimeGone: () => 'the container runtime of its node does not answer',
  runtime: ({ facts }) =>
    facts.runtimeClass === undefined
      ? 'the node does not have the runtime that its RuntimeClass asks for'
      : `the node does not have the runtime of RuntimeClass ${facts.runtimeClass}`,
};

function noSandbox(finding: Finding): string {
  const why = sandboxWords[String(finding.facts.sandboxCause)]?.(finding);
  return `The sandbox of the pod cannot be created${why === undefined ? after(': ', finding) : `: ${why}`}.`;
}

/** Pods whose containers cannot be made for want of what they need, and those that are kept from starting. */
export const startPhrases = {
  FailedMount: volumePhrase('mounted'),
  FailedAttachVolume: volumePhrase('attached to its node', () => kubectl('get', listOf('volumeattachments'))),
  FailedMapVolume: volumePhrase('mapped'),
  FailedCreatePodSandBox: {
    says: noSandbox,
    happens: ofPods('cannot start', 'cannot start'),
    why: ({ finding }) => finding && (sandboxWords[String(finding.facts.sandboxCause)]?.(finding) ?? said({ finding })),
    hits: 'cannot start because of it',
    saysWhy: ({ facts }) => facts.sandboxCause === 'addresses' || facts.sandboxCause === 'runtime',
    evidence: ({ finding }) => finding && noSandbox(finding),
    well: 'gets its sandboxes again',
    next: describePod,
    facts: ['node'],
  },
  PodAdmissionRejected: {
    says: (finding) =>
      `The kubelet rejected the pod${after(': ', { ...finding, detail: rejection(finding) }, String(finding.facts.podReason ?? ''))}.`,
    happens: ofPods('is rejected by the kubelet', 'are rejected by the kubelet'),
    why: ({ finding }) => finding && tooLittle(finding),
    evidence: ({ finding }) => finding && quote('The kubelet', rejection(finding)),
    well: 'is taken by its node again',
    next: describeNode,
    facts: ['node'],
  },
  SchedulingGated: {
    says: ({ facts }) =>
      `The pod has been kept from the scheduler for an hour${facts.gates === undefined ? '' : `, by ${facts.gates}`}.`,
    happens: ofPods('is kept from the scheduler', 'are kept from the scheduler'),
    why: ({ facts: { gates } }) => (gates === undefined ? undefined : `scheduling gate ${gates}`),
    evidence: ({ facts }) => (facts.gates === undefined ? undefined : `What keeps it back: ${facts.gates}.`),
    well: 'is scheduled now',
    next: getPod('yaml'),
  },
  ProjectedReferenceMissing: {
    says: ({ names: [ref] }) =>
      `The pod runs, but could not be started again: ${ref === undefined ? 'a ConfigMap that it needs' : describeRef(ref)} does not exist any more.`,
    happens: () => 'could not start again',
    why: ({ finding }) => {
      const [ref] = finding?.names ?? [];
      return ref === undefined ? undefined : `${describeRef(ref)} no longer exists`;
    },
    well: 'has what it needs again',
    next: describePod,
  },
  ConfigMapKeyGone: {
    says: lostKey,
    happens: ({ facts: { key } }) =>
      `no longer has ${key === undefined ? 'a key' : `key ${key}`}, which is still needed`,
    evidence: ({ finding }) => finding && lostKey(finding),
    well: 'has the keys that are needed again',
    next: whoEdited,
  },
  PostStartHookError: {
    says: ({ scope, ...finding }) =>
      `The postStart hook of ${scope === undefined ? 'a container' : `container ${scope}`} fails, so the kubelet ends the container${after(': ', { ...finding })}.`,
    happens: (_, it) => [`The postStart hook of ${it}`, 'fails'],
    why: said,
    evidence: quoted('The kubelet'),
    well: 'gets through its postStart hook again',
    next: describePod,
    facts: ['container', 'image', 'node'],
  },
  FailedPreStopHook: {
    says: ({ scope }) =>
      `The preStop hook of ${scope === undefined ? 'a container' : `container ${scope}`} fails, so the container is ended without it.`,
    happens: (_, it) => [`The preStop hook of ${it}`, 'fails'],
    why: said,
    evidence: quoted('The kubelet'),
    well: 'gets through its preStop hook again',
    next: describePod,
    facts: ['container', 'image', 'node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** `the node has too little cpu`, where that is it; else as the kubelet says it. */
function tooLittle(finding: Finding): string | undefined {
  const text = rejection(finding);
  const [, name] = /^Node didn't have enough resource: ([\w./-]+)/.exec(text) ?? [];
  return name === undefined ? text || undefined : `the node has too little ${name}`;
}

/** `Node didn't have enough resource: cpu, requested: 4000, used: 3500, capacity: 4000`, without who says it. */
function rejection({ detail = '' }: Finding): string {
  return detail.replace(/^Pod was rejected: /, '');
}
