import { type Command, kubectl, listOf } from '../../../model/command.ts';
import { kindOf } from '../../../model/ref.ts';
import type { Case } from '../../parts/case.ts';
import { describeRoot } from '../../parts/next.ts';
import { fact, type Phrase } from '../../parts/phrase.ts';

/** Where the Pods of a part of the control plane are Pods of the cluster, they have this label (kubeadm). */
const podsOf = (component: string) => () =>
  kubectl('get', listOf('pods', 'kube-system'), '-l', `component=${component}`, '-o', 'wide');

/** The log of the Pod that holds the lease. */
function whoHolds(about: Case): Command | undefined {
  const pod = about.finding?.names.find((ref) => kindOf(ref) === 'Pod');
  return pod === undefined ? describeRoot(about) : kubectl('logs', pod, '--tail=50');
}

/** A part of the control plane that does not renew its lease, and what that means. */
function leaderless(what: string, means: readonly [string, string], component: string): Phrase {
  return {
    says: ({ facts }) =>
      `${what} does not renew its lease${facts.holder === undefined ? '' : ` (held by ${facts.holder})`}: ${means.join(' ').replace(/^N/, 'n')}.`,
    happens: () => means,
    why: () => `${what.replace(/^T/, 't')} does not renew its lease`,
    evidence: holder,
    well: 'renews its lease again',
    next: podsOf(component),
  };
}

function holder(about: Case): string {
  const name = fact(about, 'holder');
  return name === undefined ? 'Nobody holds it.' : `It is held by ${name}.`;
}

/** Leases of what must have one leader. */
export const leasePhrases = {
  SchedulerUnavailable: leaderless('The scheduler', ['New pods', 'are not scheduled'], 'kube-scheduler'),
  ControllerManagerUnavailable: leaderless(
    'The controller manager',
    ['Nothing', 'is rolled out or scaled'],
    'kube-controller-manager',
  ),
  LeaseStale: {
    says: ({ facts }) =>
      `Its controller does not renew it${facts.holder === undefined ? '' : ` (held by ${facts.holder})`} and may hang.`,
    happens: () => 'is not renewed',
    why: () => 'its controller may hang',
    evidence: holder,
    well: 'is renewed again',
    next: whoHolds,
  },
} as const satisfies Readonly<Record<string, Phrase>>;
