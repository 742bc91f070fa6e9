import { broughtByTemplate } from '../evidence/edits.ts';
import { takenSeconds } from '../evidence/taken.ts';
import { unanswered } from '../evidence/unanswered.ts';
import { longRunning, unavailable } from './reasons.ts';
import { any, changeOf, type Rule } from './rule.ts';

/** The causal rules of what was edited: settings, network policies, releases. */
export const editRules: readonly Rule[] = [
  {
    id: 'config-map-changed',
    cause: changeOf(['ConfigMap']),
    via: 'reads',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'StartError', 'InitContainerError', 'CreateContainerConfigError', 'OOMKilled'] as const),
      ...(['FailedMount', 'ReadinessProbeFailed', 'LivenessProbeFailed', 'PodNotReady'] as const),
    ]),
    strength: 'weak',
    withinSeconds: 1800,
    source: 'managedFields: data may have changed; label edits look the same, so it is never sure',
  },
  {
    id: 'config-map-changed-run',
    cause: changeOf(['ConfigMap']),
    via: 'reads',
    effect: any('CronJob', ['CronJobFailing']),
    strength: 'weak',
    withinSeconds: takenSeconds,
    atMost: 'likely',
    fields: ['data'],
    source:
      'batch/v1 CronJob status.lastSuccessfulTime: a run reads its script and its settings as it starts, so that an edit shows at the next one',
  },
  {
    id: 'network-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'selected-by',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'ContainerError', 'PodFailed', 'PodNotReady'] as const),
      ...(['ReadinessProbeFailed', 'LivenessProbeFailed', 'ReadinessFlapping'] as const),
    ]),
    strength: 'usual',
    withinSeconds: 600,
    requires: ['cutOff'],
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
    withinSeconds: 1800,
    requires: ['newRevision'],
    source: 'a new Pod template makes new Pods; only those can fail because of it, and only by what was edited',
  },
  {
    id: 'release-stuck',
    cause: changeOf(longRunning),
    via: 'itself',
    effect: { kinds: longRunning, reasons: ['ProgressDeadlineExceeded', 'ReleaseRegression', 'ExternalAlert'] },
    strength: 'strong',
    withinSeconds: 1800,
    lastResort: true,
    source:
      'deployment controller: the deadline belongs to the rollout that the new template began; two revisions side by side, of which the new one lapses, differ by the edit; of what is only alerted of nothing else fails',
  },
  {
    id: 'release-outage',
    cause: changeOf(longRunning),
    via: 'itself',
    effect: { kinds: longRunning, reasons: unavailable },
    strength: 'usual',
    withinSeconds: 1800,
    lastResort: true,
    atMost: 'likely',
    requires: ['newAlone'],
    source:
      'strategy Recreate, or a release that took the old Pods away: all that is left is of the new template, and none of it has ever been ready',
  },
];
