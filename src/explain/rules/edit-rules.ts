import { settingsKinds } from '../../model/settings-kinds.ts';
import { broughtByTemplate } from '../evidence/edits.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { longRunning, unavailable } from './reasons.ts';
import { any, changeOf, type Rule } from './rule.ts';

/** The causal rules of what was edited: settings, network policies, releases. */
export const editRules: readonly Rule[] = [
  {
    id: 'settings-changed',
    cause: changeOf(settingsKinds),
    via: 'reads',
    effect: {
      kinds: ['Pod', 'Job', 'CronJob', 'CustomResource'],
      reasons: [
        ...(['CrashLoopBackOff', 'StartError', 'InitContainerError', 'CreateContainerConfigError'] as const),
        ...(['OOMKilled', 'FailedMount', 'ReadinessProbeFailed', 'LivenessProbeFailed', 'PodNotReady'] as const),
        ...(['ImagePullDenied', 'JobFailed', 'CronJobFailing', 'CustomResourceFailing'] as const),
      ],
    },
    strength: 'weak',
    within: 'next start',
    atMost: 'likely',
    fields: ['data'],
    source:
      'managedFields: data may have changed, and label edits look the same; a program reads its settings as it starts, and a run of a CronJob its script, which may be later',
  },
  {
    id: 'network-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'traffic-rules',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'ContainerError', 'PodFailed', 'PodNotReady'] as const),
      ...(['ReadinessProbeFailed', 'LivenessProbeFailed', 'ReadinessFlapping'] as const),
    ]),
    strength: 'usual',
    within: 'minutes',
    requires: { isolated: 'itself' },
    signs: unanswered,
    source:
      'networking.k8s.io/v1 NetworkPolicy: a Pod that a policy selects has the traffic that policies let through and no other; nobody sees what was dropped, so that it is never sure by one workload',
  },
  {
    id: 'release',
    cause: changeOf(longRunning),
    via: 'owners',
    effect: any('Pod', [...broughtByTemplate, 'ExternalAlert']),
    strength: 'strong',
    requires: { newest: true },
    source: 'a new Pod template makes new Pods; only those can fail because of it, and only by what was edited',
  },
  {
    id: 'release-stuck',
    cause: changeOf(longRunning),
    via: 'owners',
    effect: { kinds: longRunning, reasons: ['ProgressDeadlineExceeded', 'ReleaseRegression', 'ExternalAlert'] },
    strength: 'strong',
    lastResort: true,
    source:
      'deployment controller: the deadline belongs to the rollout that the new template began; two revisions side by side, of which the new one lapses, differ by the edit; of what is only alerted of nothing else fails',
  },
  {
    id: 'release-outage',
    cause: changeOf(longRunning),
    via: 'owners',
    effect: { kinds: longRunning, reasons: unavailable },
    strength: 'usual',
    lastResort: true,
    atMost: 'likely',
    requires: { newest: true },
    source:
      'strategy Recreate, or a release that took the old Pods away: all that is left is of the new template, and none of it has ever been ready',
  },
];
