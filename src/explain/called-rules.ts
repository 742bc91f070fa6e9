import { loggedReasons } from '../model/logged-reasons.ts';
import type { SignKind } from '../model/sign.ts';
import { any, changeOf, type Rule } from './rule.ts';
import { unanswered } from './unanswered.ts';

/** What fails, and can say why. */
const programs = { kinds: ['Pod', 'Job'], reasons: loggedReasons };

/** What they say when whom they call turns them away. */
const refused: readonly SignKind[] = ['CertificateInvalid', 'CredentialsRejected', 'TooManyConnections', 'LockHeld'];

/** The causal rules of what programs say: whom they call, by the signs in their logs. */
export const calledRules: readonly Rule[] = [
  {
    id: 'external-endpoint',
    cause: any('ExternalEndpoint', ['ExternalEndpointUnreachable', 'ExternalEndpointRefusing']),
    via: 'names',
    effect: programs,
    prior: 0.75,
    workloads: 2,
    signs: [...unanswered, ...refused],
    source:
      'programs of two or more workloads name one address outside the cluster as why they fail; one alone may be wrong',
  },
  {
    id: 'dns-endpoint',
    cause: any('Service', ['ClusterDNSDown']),
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
    id: 'called-service',
    cause: any('Service', ['ServiceNoEndpoints', 'ServiceSelectsNothing', 'ServicePortMismatch']),
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
