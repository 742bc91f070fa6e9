import { nameOf, namespaceOf, refOf } from '../../model/ref.ts';
import type { Case } from '../case.ts';
import { describeRoot, describeSubject, logs } from '../next.ts';
import { fact, named, type Phrase, quote } from '../phrase.ts';
import { count, kubectl, list } from '../words.ts';
import { exit } from './container.ts';

/** `has had no replica that is ready`; how many there are is the impact's. */
function short({ facts: { ready, available } }: Case): string {
  return (available ?? ready) === 0 ? 'has been down' : 'has been short of replicas';
}

const whole = 'has all its replicas again';

/** Workloads by what their controllers count. */
export const workloadPhrases = {
  ProgressDeadlineExceeded: {
    doing: () => 'has been stuck in its rollout',
    detail: ({ facts: { updated, wanted } }) =>
      typeof updated === 'number' && typeof wanted === 'number'
        ? `${updated} of ${count(wanted, 'pod')} ${updated === 1 ? 'is' : 'are'} of the new revision.`
        : undefined,
    well: 'has finished its rollout',
    next: describeRoot,
    facts: [],
  },
  DeploymentUnavailable: { doing: short, well: whole, next: describeRoot, facts: [] },
  ReplicaFailure: {
    doing: () => 'has not been able to create pods',
    hits: 'cannot create pods because of it',
    detail: (about) => quote('The controller', about, 'refusal'),
    well: 'creates pods again',
    next: describeSubject,
    facts: [],
  },
  AdmissionDenied: {
    doing: (about) => `has been refused its pods by${named(about, 'policy')}`,
    detail: (about) => quote('The policy', about, 'policySays'),
    well: 'creates pods again',
    next: describeSubject,
    facts: [],
  },
  StatefulSetUnavailable: {
    doing: short,
    detail: (about) => {
      const first = fact(about, 'firstUnready');
      return first === undefined ? undefined : `The first pod that is not ready is ${first}.`;
    },
    well: whole,
    next: (about) => {
      const first = fact(about, 'firstUnready');
      if (first === undefined) return describeRoot(about);
      return kubectl('describe pod', refOf('Pod', namespaceOf(about.root), first));
    },
    facts: [],
  },
  DaemonSetUnavailable: {
    doing: ({ facts: { available } }) =>
      available === 0 ? 'has been down on all its nodes' : 'has been missing on nodes it should run on',
    detail: ({ finding }) => {
      const nodes = finding?.names.map(nameOf) ?? [];
      const unready = Number(finding?.facts.unready ?? nodes.length);
      if (nodes.length === 0) return undefined;
      const more = unready > nodes.length ? [`${unready - nodes.length} more`] : [];
      return `Not available on ${list([...nodes, ...more])}.`;
    },
    well: 'runs on all its nodes again',
    next: describeRoot,
    facts: [],
  },
  JobFailed: {
    doing: (about) => `failed${exit(about)}`,
    once: true,
    detail: ({ finding }) => finding?.message,
    well: 'failed a day ago; nothing more is told of it',
    next: logs,
    facts: ['container', 'failed', 'node'],
  },
} as const satisfies Readonly<Record<string, Phrase>>;
