import { loggedReasons } from '../../model/logged-reasons.ts';
import type { Reason } from '../../model/reason.ts';
import type { Stated } from '../evidence/requirement.ts';

/** Workloads that keep Pods running. */
export const longRunning = ['Deployment', 'StatefulSet', 'DaemonSet'];

/** What makes Pods, or the Jobs that make them, and says when it is refused. */
export const makers = [
  'Deployment',
  'ReplicaSet',
  'ReplicationController',
  'StatefulSet',
  'DaemonSet',
  'Job',
  'CronJob',
];

/** What they say when Pods are missing. */
export const unavailable: readonly Reason[] = [
  ...(['DeploymentUnavailable', 'StatefulSetUnavailable', 'DaemonSetUnavailable'] as const),
  ...(['StatefulSetRolloutStuck', 'DaemonSetRolloutStuck'] as const),
];

/** They cannot make what they are to make, and say what refuses it. */
export const unmade: readonly Reason[] = ['ReplicaFailure', 'ReplicaSetCreateError'];

/** What fails, and can say why. */
export const programs = { kinds: ['Pod', 'Job', 'CronJob', ...longRunning], reasons: loggedReasons };

/** What is found of an object only because programs that fail name it: whom they name, they may have been told of by an edit. */
export const saidOfNamed: ReadonlySet<Reason> = new Set<Reason>([
  ...(['ServiceMissing', 'ServiceRefusing', 'ExternalEndpointUnreachable', 'ExternalEndpointRefusing'] as const),
  ...(['ServiceUnreachable', 'ClientsFailing', 'SecretUsersFailing'] as const),
]);

/** Whether a reason says what programs say of others. */
export const isSaidOfOthers = (reason: Reason): boolean =>
  saidOfNamed.has(reason) || reason === 'SecretRejected' || reason === 'ClusterDNSFailing';

/** Who calls a Service of the cluster on behalf of the API server, and says that it has no answer. */
export const callers = [
  ...['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'],
  ...['CustomResourceDefinition', 'APIService'],
];
/** How they say so. */
export const ofTheApi: readonly Reason[] = ['WebhookNoEndpoints', 'APIServiceUnavailable'];
/** Of an API, that who does not answer is there and has no endpoints (`remote_available_controller.go`): an answer that is wrong has other causes. */
export const withoutEndpoints: readonly Stated[] = [
  { of: 'APIServiceUnavailable', fact: 'conditionReason', as: /^(?:MissingEndpoints|EndpointsNotFound)$/ },
];
/** Of a route, that it is itself refused, and not something that it leads to. */
export const refusedByParent: readonly Stated[] = [{ of: 'RouteNotAccepted', fact: 'condition', as: /^Accepted$/ }];
