import type { ChangeField } from '../model/change-field.ts';
import { loggedReasons } from '../model/logged-reasons.ts';
import { refused } from './refused.ts';
import { any, changeOf, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';
import { lacking, takenSeconds } from './taken.ts';
import { unanswered } from './unanswered.ts';

/** What fails, and can say why. */
const programs = { kinds: ['Pod', 'Job', ...longRunning], reasons: loggedReasons };

/** What decides how a server answers, the most direct first; a mere restart does not. */
const whatServes: readonly ChangeField[] = [
  ...(['data', 'image', 'command', 'args', 'env', 'envFrom', 'volumeMounts', 'volumes'] as const),
  ...(['containers', 'template'] as const),
];

/** The causal rules of what programs say: whom they call, by the signs in their logs. */
export const calledRules: readonly Rule[] = [
  {
    id: 'config-map-lost-key',
    cause: changeOf(['ConfigMap']),
    via: 'uses',
    effect: any('Pod', loggedReasons),
    prior: 0.8,
    withinSeconds: takenSeconds,
    fields: ['data'],
    requires: ['tookAway'],
    signs: lacking,
    source:
      'managedFields: a key that nobody owns any more is gone; variables of envFrom and files of a volume bear the names of keys, and what was started anew since lacks them',
  },
  {
    id: 'external-endpoint',
    cause: any('ExternalEndpoint', ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing']),
    via: 'names',
    effect: { ...programs, reasons: [...loggedReasons, 'FailedMount'] },
    prior: 0.75,
    workloads: 2,
    signs: [...unanswered, ...refused],
    source:
      'programs of two or more workloads name one address outside the cluster as why they fail; one alone may be wrong',
  },
  {
    id: 'dns-said',
    cause: any('Service', ['ClusterDNSFailing']),
    via: 'cluster-dns',
    effect: programs,
    prior: 0.7,
    workloads: 2,
    atMost: 'likely',
    requires: ['saysUnresolved'],
    signs: ['NameNotResolved'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): lookups from several namespaces and Nodes that are not answered have it in common',
  },
  {
    id: 'dns-endpoint',
    cause: any('Service', ['ClusterDNSDown', 'ClusterDNSFailing']),
    via: 'cluster-dns',
    effect: { kinds: ['ExternalEndpoint', 'Service'], reasons: ['ExternalEndpointUnreachable', 'ServiceMissing'] },
    prior: 0.9,
    requires: ['unresolved'],
    source: 'names outside the cluster are resolved through cluster DNS, too (CoreDNS plug-in forward)',
  },
  {
    id: 'service-missing',
    cause: any('Service', ['ServiceMissing']),
    via: 'names',
    effect: programs,
    prior: 0.7,
    signs: unanswered,
    source: 'cluster DNS answers for the names of Services that are there (kubernetes/dns specification)',
  },
  {
    id: 'service-refusing',
    cause: any('Service', ['ServiceRefusing']),
    via: 'names',
    effect: programs,
    prior: 0.75,
    workloads: 2,
    signs: refused,
    source: 'several clients of one server are turned away for the same reason: what they have in common is the server',
  },
  {
    id: 'refusing-workload',
    cause: named(longRunning),
    via: 'servers',
    effect: any('Service', ['ServiceRefusing', 'ClientsFailing']),
    prior: 0.75,
    requires: ['standsAlone'],
    source:
      'core/v1 Service: it only passes on; who has no connections left or rejects passwords is the server behind it',
  },
  {
    id: 'connections-taken',
    cause: changeOf(longRunning),
    via: 'clients',
    effect: any('Service', ['ServiceRefusing']),
    prior: 0.75,
    withinSeconds: 900,
    atMost: 'likely',
    fields: ['replicas'],
    requires: ['hasGrown', 'hasNoneLeft'],
    source:
      'each replica of a client holds connections of its own (PostgreSQL max_connections, MySQL max_connections): one that grew just before took what others lack',
  },
  {
    id: 'clients-failing',
    cause: any('Service', ['ClientsFailing']),
    via: 'shares',
    effect: programs,
    prior: 0.6,
    workloads: 2,
    atMost: 'likely',
    source:
      'spectrum-based fault localization: what all that fail use, and few others do, is the likeliest to be why; their programs say nothing else',
  },
  {
    id: 'secret-users-failing',
    cause: any('Secret', ['SecretUsersFailing']),
    via: 'shares',
    effect: programs,
    prior: 0.6,
    workloads: 2,
    atMost: 'likely',
    source: 'the same of a Secret: nobody sees an edit of it, but for who fails with it',
  },
  {
    id: 'secret-rejected',
    cause: any('Secret', ['SecretRejected']),
    via: 'names',
    effect: programs,
    prior: 0.8,
    workloads: 2,
    atMost: 'likely',
    signs: ['CredentialsRejected', 'SecretUnusable', 'AccessForbidden', 'CertificateInvalid'],
    source:
      'core/v1 SecretKeySelector, SecretVolumeSource: what several workloads log in with comes from one Secret; whether it or the server was edited nobody sees',
  },
  {
    id: 'secret-rejected-by',
    cause: any('Secret', ['SecretRejected']),
    via: 'names',
    effect: {
      kinds: ['Service', 'ExternalEndpoint'],
      reasons: ['ServiceRefusing', 'ExternalEndpointRefusing'],
    },
    prior: 0.9,
    atMost: 'likely',
    source: 'the same of the server that rejects them: what those have in common whom it lets in no more is the Secret',
  },
  {
    id: 'called-service',
    cause: any('Service', ['ServiceNoEndpoints', 'ServiceSelectsNothing', 'ServicePortMismatch', 'ServicePortRefused']),
    via: 'names',
    effect: programs,
    prior: 0.7,
    signs: unanswered,
    source: 'a Service without endpoints refuses connections (kube-proxy rejects them) or drops them',
  },
  {
    id: 'called-policy',
    cause: changeOf(['NetworkPolicy']),
    via: 'said-policies',
    effect: programs,
    prior: 0.65,
    withinSeconds: 600,
    requires: ['shutOff'],
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicy: Pods that a policy of direction Ingress selects are reached by whom policies let through and no others',
  },
  {
    id: 'called-service-edited',
    cause: changeOf(['Service']),
    via: 'names',
    effect: programs,
    prior: 0.7,
    withinSeconds: 600,
    fields: ['servicePorts', 'selector'],
    requires: ['heldUntilThen'],
    signs: unanswered,
    source:
      'core/v1 ServiceSpec.ports, selector: where a Service leads follows from these; who served with it until then did not change',
  },
  {
    id: 'alias-edited',
    cause: changeOf(['Service']),
    via: 'aliases',
    effect: any('ExternalEndpoint', ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing']),
    prior: 0.8,
    withinSeconds: 1800,
    fields: ['externalName'],
    source:
      'core/v1 ServiceSpec.externalName: clients of the Service ask for that host, and for another one since it was edited',
  },
  {
    id: 'namespace-shut-out',
    cause: changeOf(['Namespace']),
    via: 'own-namespace',
    effect: programs,
    prior: 0.7,
    withinSeconds: 600,
    atMost: 'likely',
    fields: ['labels'],
    requires: ['calledAreIsolated', 'heldUntilThen'],
    signs: ['ConnectionTimedOut', 'ConnectionRefused', 'ConnectionReset', 'HostUnreachable'],
    source:
      'networking.k8s.io/v1 NetworkPolicyPeer.namespaceSelector: whom a policy lets in follows from the labels of namespaces',
  },
  {
    id: 'called-server-edited',
    cause: changeOf([...longRunning, 'ConfigMap']),
    via: 'called-servers',
    effect: programs,
    prior: 0.65,
    withinSeconds: 600,
    atMost: 'likely',
    fields: whatServes,
    requires: ['heldUntilThen'],
    signs: refused,
    source:
      'a server that is edited may ask for more, know fewer calls, or show another certificate: clients that were served until then did not change',
  },
  {
    id: 'called-certificate-expired',
    cause: named(longRunning),
    via: 'called-servers',
    effect: programs,
    prior: 0.7,
    atMost: 'likely',
    requires: ['saysExpired', 'heldForLong'],
    signs: ['CertificateInvalid'],
    source:
      'RFC 5280, 4.1.2.5: a certificate is valid until a day that is in it; what expires is the certificate of who shows it, and clients did not change',
  },
  {
    id: 'certificate-said',
    cause: any('Secret', ['TLSCertExpired', 'TLSCertUnusable']),
    via: 'certificates',
    effect: programs,
    prior: 0.75,
    requires: ['saysCertificate'],
    signs: ['CertificateInvalid'],
    source:
      'a client refuses a certificate that has expired: the Pods behind the Service that it names mount the Secret',
  },
  {
    id: 'account-forbidden',
    cause: any('ServiceAccount', ['ServiceAccountForbidden']),
    via: 'names',
    effect: programs,
    prior: 0.75,
    signs: ['AccessForbidden'],
    source: 'API server, RBAC: User "system:serviceaccount:<namespace>:<name>" cannot <verb> resource',
  },
];
