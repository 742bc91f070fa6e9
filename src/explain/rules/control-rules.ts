import type { Reason } from '../../model/reason.ts';
import { watchedKinds } from '../../world/kinds/kinds.ts';
import { any, changeOf, missing, named, type Rule } from './rule.ts';
import { longRunning, makers, unavailable } from './shortage.ts';

/** Who calls a Service of the cluster on behalf of the API server, and says that it has no answer. */
const callers = [
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'CustomResourceDefinition',
  'APIService',
];
const unanswered: readonly Reason[] = ['WebhookNoEndpoints', 'APIServiceUnavailable'];

/** What may wait for a controller's finalizers. */
const finalized = watchedKinds.map(({ kind }) => kind);

/** The causal rules of the control plane and of what extends it. */
export const controlRules: readonly Rule[] = [
  {
    id: 'namespace-hardened',
    cause: changeOf(['Namespace']),
    via: 'own-namespace',
    effect: { kinds: makers, reasons: ['PodSecurityRejects'] },
    strength: 'stated',
    withinSeconds: 24 * 3600,
    fields: ['labels'],
    requires: ['hardened', 'untouchedSince'],
    source:
      'pod-security admission: what is enforced follows from a label of the namespace and is asked of Pods as they are made, so that it shows at the next drain or restart',
  },
  {
    id: 'webhook-backend',
    cause: { basis: 'finding', kinds: longRunning, reasons: 'any' },
    via: 'workloads',
    effect: { kinds: callers, reasons: unanswered },
    strength: 'stated',
    source: 'the API server reaches webhooks, converters and aggregated APIs through a Service and its ready endpoints',
  },
  {
    id: 'webhook-scaled-to-zero',
    cause: changeOf(longRunning),
    via: 'called-workloads',
    effect: { kinds: callers, reasons: unanswered },
    strength: 'stated',
    withinSeconds: 1800,
    requires: ['scaledToZero', 'withoutEndpoints'],
    source: 'a workload without replicas leaves the Service before it without endpoints: nobody answers the API server',
  },
  {
    id: 'webhook-workload',
    cause: named(longRunning),
    via: 'called-workloads',
    effect: { kinds: callers, reasons: unanswered },
    strength: 'stated',
    lastResort: true,
    requires: ['withoutEndpoints', 'doesNotServe'],
    source:
      'endpointslice-controller: a Service has no ready endpoint because none of the Pods that it selects is ready; these say why a moment later',
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
    id: 'webhook-service-missing',
    cause: missing(['Service']),
    via: 'names',
    effect: { kinds: callers, reasons: ['WebhookBackendMissing', 'APIServiceUnavailable'] },
    strength: 'stated',
    workloads: 2,
    requires: ['withoutService'],
    source:
      'clientConfig.service of several webhooks names one Service that does not exist; a single webhook may simply have the name wrong',
  },
  {
    id: 'drain-budget',
    cause: any('PodDisruptionBudget', ['PDBBlocksDrain']),
    via: 'names',
    effect: any('Node', ['NodeDraining']),
    strength: 'stated',
    source: 'eviction API: 429 while the budget of a Pod allows no disruption; a drain tries again for ever',
  },
  {
    id: 'namespace-api',
    cause: any('APIService', ['APIServiceUnavailable']),
    via: 'names',
    effect: any('Namespace', ['NamespaceStuckTerminating']),
    strength: 'stated',
    source: 'namespace controller: nothing is deleted for good before every API has been asked; the condition names it',
  },
  {
    id: 'namespace-goes',
    cause: named(['Namespace']),
    via: 'names',
    effect: any('CustomResource', ['CustomResourceFailing']),
    strength: 'stated',
    source:
      'admission plug-in NamespaceLifecycle: "unable to create new content in namespace <name> because it is being terminated"; whoever keeps objects there as they are in Git is told so',
  },
  {
    id: 'custom-server',
    cause: named(longRunning),
    via: 'called-servers',
    effect: any('CustomResource', ['CustomResourceFailing']),
    strength: 'stated',
    requires: ['doesNotServe'],
    source:
      'controllers pass on whom they did not reach: "Get http://source-controller.flux-system.svc.cluster.local: connection refused"',
  },
  {
    id: 'autoscaler-api',
    cause: any('APIService', ['APIServiceUnavailable']),
    via: 'names',
    effect: any('HorizontalPodAutoscaler', ['FailedGetResourceMetric']),
    strength: 'stated',
    source: 'the horizontal Pod autoscaler reads resource, custom and external metrics from aggregated APIs',
  },
  {
    id: 'finalizer-owner',
    cause: { basis: 'finding', kinds: longRunning, reasons: 'any' },
    via: 'workloads',
    effect: { kinds: finalized, reasons: ['StuckDeleting'] },
    strength: 'strong',
    source: 'a finalizer is taken off by the controller that put it on (managedFields of metadata.finalizers)',
  },
  {
    id: 'event-storm',
    cause: any('Cluster', ['EventStorm']),
    via: 'names',
    effect: { kinds: [...finalized, 'CustomResource'], reasons: ['UnusualEvent'] },
    strength: 'stated',
    source: 'what repeats about many objects that look healthy, 20 times as often as usual, is one story',
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
  {
    id: 'csr-signer',
    cause: any('Signer', ['SignerNotSigning']),
    via: 'names',
    effect: any('CertificateSigningRequest', ['CSRPending', 'CSRNotIssued']),
    strength: 'stated',
    source: 'several requests of one spec.signerName that wait have the same approver and signer',
  },
  {
    id: 'certificate-served',
    cause: any('Secret', ['TLSCertExpired', 'TLSCertUnusable']),
    via: 'certificates',
    effect: {
      kinds: ['Ingress', 'Gateway', ...callers, ...makers],
      reasons: [
        ...(['IngressTLSSecretMissing', 'ListenerInvalid', 'GatewayNotProgrammed'] as const),
        ...(['APIServiceUnavailable', 'ReplicaFailure'] as const),
      ],
    },
    strength: 'stated',
    requires: ['saysCertificate'],
    source:
      'who shows a certificate that has expired or does not match its key is refused: "x509: certificate has expired", "tls: private key does not match"',
  },
  {
    id: 'certificate-renewed',
    cause: any('CustomResource', ['CustomResourceFailing']),
    via: 'names',
    effect: any('Secret', ['TLSCertExpired', 'TLSCertExpiringSoon', 'TLSCertUnusable']),
    strength: 'stated',
    source: 'cert-manager names on each Secret the Certificate that renews it: one that is not ready renews nothing',
  },
  {
    id: 'pod-certificate',
    cause: any('PodCertificateRequest', ['PodCertificateRequestFailed']),
    via: 'owned',
    effect: any('Pod', ['ContainerCreating', 'InitContainerWaiting']),
    strength: 'stated',
    source: 'the kubelet does not start a Pod before the certificates of its volumes are issued (KEP-4317)',
  },
];
