import type { Reason } from '../../model/reason.ts';
import { watchedKinds } from '../../world/kinds/kinds.ts';
import { longRunning, makers, unavailable } from './reasons.ts';
import { any, changeOf, named, type Rule } from './rule.ts';

/** Who calls a Service of the cluster on behalf of the API server, and says that it has no answer. */
const callers = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'CustomResourceDefinition',
  'APIService',
];
const unanswered: readonly Reason[] = ['WebhookNoEndpoints', 'APIServiceUnavailable'];

/** What may wait for a controller's finalizers. */
const _finalized = watchedKinds.map(({ kind }) => kind);

/** The causal rules of the control plane and of what extends it. */
export const controlRules: readonly Rule[] = [
  {
    id: 'namespace-hardened',
    cause: changeOf(['Namespace']),
    via: 'home',
    effect: { kinds: makers, reasons: ['PodSecurityRejects'] },
    strength: 'stated',
    withinSeconds: 24 * 3600,
    fields: ['labels'],
    labels: /^pod-security\.kubernetes\.io\/enforce=/,
    requires: ['untouchedSince'],
    source:
      'pod-security admission: what is enforced follows from a label of the namespace and is asked of Pods as they are made, so that it shows at the next drain or restart',
  },
  {
    id: 'webhook-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'called-servers',
    effect: { kinds: callers, reasons: unanswered },
    strength: 'stated',
    withinSeconds: 1800,
    requires: ['servesNobody', 'withoutEndpoints'],
    source: 'a workload without replicas leaves the Service before it without endpoints: nobody answers the API server',
  },
  {
    id: 'webhook-service',
    cause: named(['Service']),
    via: 'names',
    effect: { kinds: callers, reasons: unanswered },
    strength: 'stated',
    lastResort: true,
    requires: ['withoutEndpoints', 'nothingBehind'],
    source:
      'clientConfig.service of webhooks and conversions, spec.service of APIServices: all that call one Service get the same answer',
  },
  {
    id: 'lease-holder',
    cause: { basis: 'finding', kinds: ['Node', 'Pod'], reasons: 'any' },
    via: 'names',
    effect: any('Lease', ['SchedulerUnavailable', 'ControllerManagerUnavailable', 'LeaseStale']),
    strength: 'strong',
    source:
      'leader election: the holder of a Lease is named by its Node or Pod; nobody else takes it before it runs out',
  },
  {
    id: 'leader-gone',
    cause: any('Lease', ['SchedulerUnavailable', 'ControllerManagerUnavailable']),
    via: 'leaders',
    effect: { kinds: longRunning, reasons: [...unavailable, 'ProgressDeadlineExceeded', 'WorkloadNeverReady'] },
    strength: 'strong',
    lastResort: true,
    requires: ['waitsForLeader'],
    source:
      'no Pod is placed without a scheduler that leads (it has no condition PodScheduled at all), and none is made without a controller manager',
  },
];
