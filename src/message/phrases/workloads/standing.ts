import { type Command, kubectl, listOf } from '../../../model/command.ts';
import type { Finding } from '../../../model/finding.ts';
import { namespaceOf, refOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { logs, podOrPods, podsBehind } from '../../parts/next.ts';
import { fact, type Phrase } from '../../parts/phrase.ts';
import { count } from '../../parts/words.ts';

/** `1 of 3 pods is on the new revision`. */
function progress({ facts: { updated, wanted } }: Finding): string {
  if (typeof updated !== 'number' || typeof wanted !== 'number') return 'The rollout does not move';
  return `${updated} of ${count(wanted, 'pod')} ${updated === 1 ? 'is' : 'are'} on the new revision`;
}

/** What holds it up, and whether somebody has to act. */
function heldUpBy({ facts: { firstUnready, deleteByHand } }: Finding): string {
  if (firstUnready === undefined) return '';
  if (deleteByHand === undefined) return ` It waits for ${firstUnready}, which is not ready.`;
  return ` It waits for ${firstUnready}, which is of another revision and not ready: that pod has to be deleted by hand.`;
}

function describeFirst(about: Case): Command | undefined {
  const first = fact(about, 'firstUnready');
  return first === undefined ? podOrPods(about) : kubectl('describe', refOf('Pod', namespaceOf(about.root), first));
}

const stuck = (finding: Finding): string => `The rollout is stuck: ${progress(finding)}.${heldUpBy(finding)}`;

const rollout = {
  says: stuck,
  happens: (_, it) => [`The rollout of ${it}`, 'is stuck'],
  why: ({ facts: { firstUnready } }) =>
    firstUnready === undefined ? undefined : `it waits for ${firstUnready}, which is not ready`,
  evidence: ({ finding }) => finding && `${progress(finding)}.${heldUpBy(finding)}`,
  well: 'goes on with its rollout',
  next: describeFirst,
} as const satisfies Phrase;

function without({ facts: { wanted, created } }: Finding): string {
  if (typeof wanted !== 'number' || typeof created !== 'number') return 'Some nodes have none of its pods';
  return `${count(wanted - created, 'node')} of ${wanted} ${wanted - created === 1 ? 'has' : 'have'} none of its pods`;
}

/** `Revision 12 is less steady: 3 pods of it restarted or lost readiness, 7 times in all; those of revision 11 never did …`. */
function regression({ facts: { revision, before, lapses, lapsed, lapsesBefore } }: Finding): string {
  const all = Number(lapses ?? 0);
  const earlier = Number(lapsesBefore ?? 0) === 0 ? 'never did' : `did so ${count(Number(lapsesBefore), 'time')}`;
  const pods = `${count(Number(lapsed ?? 0), 'pod')} of it restarted or lost readiness, ${count(all, 'time')} in all`;
  return `Revision ${revision ?? 'that is new'} is less steady: ${pods}; those of revision ${before ?? 'before'} ${earlier} in the last hour before it`;
}

/** How workloads stand, besides how many of their Pods serve. */
export const standingPhrases = {
  StatefulSetRolloutStuck: rollout,
  DaemonSetRolloutStuck: rollout,
  ReleaseRegression: {
    says: (finding) => `${regression(finding)}.`,
    happens: () => 'is less stable than before its last release',
    why: ({ facts: { revision } }) => (revision === undefined ? undefined : `revision ${revision}`),
    evidence: ({ finding }) => finding && `${regression(finding)}.`,
    well: 'runs steadily again',
    next: ({ root, facts: { revision } }) =>
      kubectl(
        'rollout history',
        root,
        ...(revision === undefined || revision === '' ? [] : [`--revision=${revision}`]),
      ),
  },
  HighRestartCount: {
    says: ({ facts }) =>
      `Its containers were restarted ${facts.restartsOfDay ?? 'many'} times in 24 hours${facts.usual === undefined ? '' : `; ${facts.usual} a day is usual`}.`,
    happens: () => 'restarts more often than usual',
    why: ({ facts: { restartsOfDay } }) =>
      restartsOfDay === undefined ? undefined : `${restartsOfDay} restarts in 24 hours`,
    evidence: ({ facts: { restartsOfDay, usual } }) =>
      restartsOfDay === undefined
        ? undefined
        : `${restartsOfDay} restarts in 24 hours${usual === undefined ? '' : `; ${usual} a day is usual`}.`,
    well: 'is not restarted more often than usual any more',
    next: (about) => (about.sample ? logs(about) : podsBehind(about)),
  },
  GenerationMismatch: {
    says: () => 'Its controller has not seen its last edit.',
    happens: () => 'is ignored by its controller',
    evidence: ({ facts: { generation, observedGeneration } }) =>
      generation === undefined
        ? undefined
        : `It is at generation ${generation}, and its controller saw ${observedGeneration}.`,
    well: 'is seen by its controller again',
    next: () => kubectl('get', listOf('leases', 'kube-system')),
  },
  DeploymentPaused: {
    says: () => 'It is paused: edits are not rolled out.',
    happens: () => 'is paused',
    well: 'is not paused any more',
  },
  DaemonSetNotScheduled: {
    says: (finding) => `${without(finding)}.`,
    happens: () => 'has no pod on nodes it should run on',
    evidence: ({ finding }) => finding && `${without(finding)}.`,
    well: 'has a pod on all its nodes again',
  },
  DaemonSetMisScheduled: {
    says: ({ facts: { misscheduled } }) =>
      `${misscheduled === 1 ? 'A pod runs' : `${misscheduled ?? 'Some'} pods run`} on nodes that it should not be on.`,
    happens: () => 'runs on nodes it should not be on',
    well: 'runs only where it should',
    next: podsBehind,
  },
  WorkloadNeverReady: {
    says: ({ facts: { wanted } }) =>
      wanted === 1
        ? 'Its one pod has never been ready.'
        : `None of its ${wanted === undefined ? '' : `${wanted} `}pods has ever been ready.`,
    happens: () => 'has never been ready',
    well: 'is ready',
    next: podOrPods,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
