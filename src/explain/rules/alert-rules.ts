import { any, changeOf, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/**
 * Why somebody outside alerts of what looks well from here: what it needs is down, or it was just released. Nobody sees the latency that the alert is
 * of, so that none of them is ever sure.
 */
export const alertRules: readonly Rule[] = [
  {
    id: 'alert-needs',
    cause: { basis: 'finding', kinds: [...longRunning, 'Pod'], reasons: 'any' },
    via: 'needed',
    effect: { kinds: [...longRunning, 'Pod'], reasons: ['ExternalAlert'] },
    strength: 'usual',
    atMost: 'likely',
    requires: ['lacksWhatItNeeds'],
    source:
      'core/v1 Container.env, command and args name Services as hosts: who calls one that has lost its last endpoint is slow or answers with errors',
  },
  {
    id: 'alert-release',
    cause: changeOf(longRunning),
    via: 'itself',
    effect: { kinds: longRunning, reasons: ['ExternalAlert'] },
    strength: 'usual',
    withinSeconds: 1800,
    lastResort: true,
    atMost: 'likely',
    source: 'an edit of the template shortly before the alert began, and nothing else that fails of the workload',
  },
  {
    id: 'alert-release-pod',
    cause: changeOf(longRunning),
    via: 'owners',
    effect: any('Pod', ['ExternalAlert']),
    strength: 'usual',
    withinSeconds: 1800,
    lastResort: true,
    atMost: 'likely',
    requires: ['newRevision'],
    source: 'the same of a Pod that was made from the edited template',
  },
];
