import { kubectl } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { kindOf, nameOf, namespaceOf, refOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeSubject, podOrPods } from '../../parts/next.ts';
import { after, fact, type Phrase, quote, quoted, said } from '../../parts/phrase.ts';
import { count, list } from '../../parts/words.ts';

/** Whether anything is left; how much that is is the impact's. */
function short({ facts: { ready, available } }: Case): string {
  return (available ?? ready) === 0 ? 'is down' : 'is short of replicas';
}

/** `2 of 5 pods are ready`, `None of 5 pods is available`: begins a sentence. */
function share({ facts }: Finding, state: 'ready' | 'available'): string {
  const [good, wanted] = [facts[state], facts.wanted];
  if (typeof good !== 'number' || typeof wanted !== 'number') return `Not all of its pods are ${state}`;
  if (good > 0) return `${good} of ${count(wanted, 'pod')} ${good === 1 ? 'is' : 'are'} ${state}`;
  return wanted === 1 ? `Its one pod is not ${state}` : `None of ${wanted} pods is ${state}`;
}

/** Nodes named in one breath. */
const maxNodes = 3;

function missingOn({ facts, names }: Finding): string {
  if (names.length === 0) return '';
  const more = Math.max(0, Number(facts.unready ?? 0) - maxNodes);
  const nodes = names.slice(0, maxNodes).map(nameOf).join(', ');
  return `; missing on ${nodes}${more > 0 ? ` and ${more} more` : ''}`;
}

/** What makes anything else than Pods. */
const makes: Readonly<Record<string, string>> = { CronJob: 'Jobs', Deployment: 'ReplicaSets' };
const what = ({ subject }: Finding): string => makes[kindOf(subject.ref)] ?? 'Pods';

function refused(finding: Finding): string {
  const verb = finding.scope === 'FailedDelete' ? 'deleted' : 'created';
  const { policy, policySays, limit } = finding.facts;
  if (limit !== undefined) return `${what(finding)} cannot be created: ${limit}.`;
  if (policy === undefined)
    return `${what(finding)} cannot be ${verb}${after(': ', finding, 'the controller does not say why')}.`;
  return `${what(finding)} cannot be ${verb}: ${policy} refuses them${policySays === undefined ? '' : `: ${policySays}`}.`;
}

const onNewRevision = (updated: number, wanted: number): string =>
  `${updated} of ${count(wanted, 'pod')} ${updated === 1 ? 'is' : 'are'} on the new revision`;

/** What refuses the Pods says, else who that is. */
function refusal({ facts: { policy, policySays, limit }, finding }: Case): string | undefined {
  if (limit !== undefined) return String(limit);
  if (policy === undefined) return said({ finding });
  return String(policySays ?? policy);
}

const whole = 'has all its replicas again';

/** Workloads by what their controllers count. */
export const workloadPhrases = {
  ProgressDeadlineExceeded: {
    says: (finding) => {
      const { updated, wanted } = finding.facts;
      const isCounted = typeof updated === 'number' && typeof wanted === 'number';
      const progress = isCounted ? `: ${onNewRevision(updated, wanted)}` : '';
      return `The rollout is stuck${progress}. ${share(finding, 'available')}.`;
    },
    happens: (_, it) => [`The rollout of ${it}`, 'is stuck'],
    why: ({ facts: { updated, wanted } }) =>
      typeof updated === 'number' && typeof wanted === 'number' ? onNewRevision(updated, wanted) : undefined,
    evidence: ({ facts: { updated, wanted } }) =>
      typeof updated === 'number' && typeof wanted === 'number' ? `${onNewRevision(updated, wanted)}.` : undefined,
    well: 'has finished its rollout',
    next: podOrPods,
  },
  DeploymentUnavailable: {
    says: (finding) => `${share(finding, 'available')}.`,
    happens: short,
    well: whole,
    next: podOrPods,
  },
  ReplicaFailure: {
    says: refused,
    happens: () => 'cannot create pods',
    why: refusal,
    hits: 'cannot create pods because of it',
    evidence: quoted('The controller'),
    well: 'creates pods again',
    next: describeSubject,
  },
  ReplicaSetCreateError: {
    says: (finding) =>
      `Its last edit is not rolled out${after(': ', finding, 'the controller cannot create its ReplicaSet')}.`,
    happens: () => 'cannot roll out its last edit',
    why: said,
    hits: 'cannot be rolled out because of it',
    evidence: quoted('The controller'),
    well: 'rolls out its edits again',
    next: describeSubject,
  },
  AdmissionDenied: {
    says: refused,
    happens: (_, it) => [`Pods of ${it}`, 'are refused'],
    why: refusal,
    evidence: ({ facts }) => quote('The policy', facts.policySays),
    well: 'creates pods again',
    next: describeSubject,
  },
  PodSecurityRejects: {
    says: refused,
    happens: (_, it) => [`Pods of ${it}`, 'are refused'],
    why: (about) => fact(about, 'policy'),
    evidence: ({ facts }) => quote('Pod Security', facts.policySays),
    well: 'creates pods again',
    // The level that the namespace enforces is a label of it.
    next: ({ root }) => kubectl('get', refOf('Namespace', '', namespaceOf(root) || nameOf(root)), '--show-labels'),
  },
  LimitRangeRejects: {
    says: refused,
    happens: (_, it) => [`Pods of ${it}`, 'are refused'],
    why: refusal,
    evidence: ({ facts }) => quote('The limit range', facts.limit),
    well: 'creates pods again',
    next: (about) => {
      const range = about.finding?.names.find((ref) => kindOf(ref) === 'LimitRange');
      return range === undefined ? describeSubject(about) : kubectl('describe', range);
    },
  },
  StatefulSetUnavailable: {
    says: (finding) => {
      const first = finding.facts.firstUnready;
      return `${share(finding, 'ready')}${first === undefined ? '' : `; the first that is not is ${first}`}.`;
    },
    happens: short,
    evidence: (about) => {
      const first = fact(about, 'firstUnready');
      return first === undefined ? undefined : `The first pod that is not ready is ${first}.`;
    },
    well: whole,
    next: (about) => {
      const first = fact(about, 'firstUnready');
      if (first === undefined) return podOrPods(about);
      return kubectl('describe', refOf('Pod', namespaceOf(about.root), first));
    },
  },
  DaemonSetUnavailable: {
    says: (finding) => `${share(finding, 'available')}${missingOn(finding)}.`,
    happens: ({ facts: { available } }) =>
      available === 0 ? 'is down on all its nodes' : 'is missing on nodes it should run on',
    evidence: ({ finding }) => {
      const nodes = finding?.names.map(nameOf) ?? [];
      const unready = Number(finding?.facts.unready ?? nodes.length);
      if (nodes.length === 0) return undefined;
      const more = unready > nodes.length ? [`${unready - nodes.length} more`] : [];
      return `Not available on ${list([...nodes, ...more])}.`;
    },
    well: 'runs on all its nodes again',
    next: podOrPods,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
