import { loggedReasons } from '../../model/logged-reasons.ts';
import { refused, unanswered } from '../evidence/unanswered.ts';
import { longRunning, programs } from './reasons.ts';
import { any, named, type Rule } from './rule.ts';

/** The causal rules of what programs say: whom they call and what they use, by the signs in their logs. */
export const calledRules: readonly Rule[] = [
  {
    id: 'cluster-dns',
    cause: any('Service', ['ClusterDNSDown']),
    via: 'system',
    effect: any('Pod', [
      ...(['CrashLoopBackOff', 'InitContainerError', 'ContainerError', 'LivenessProbeFailed'] as const),
      ...(['ReadinessProbeFailed', 'PodNotReady'] as const),
    ]),
    strength: 'usual',
    signs: ['NameNotResolved', 'ConnectionTimedOut'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): what looks up a name fails from then on',
  },
  {
    id: 'several-call',
    cause: {
      basis: 'finding',
      kinds: ['Service', 'ExternalEndpoint'],
      reasons: ['ServiceRefusing', 'ExternalEndpointUnreachable', 'ExternalEndpointRefusing'],
    },
    via: 'names',
    effect: { ...programs, reasons: [...loggedReasons, 'FailedMount', 'ImagePullBackOff'] },
    strength: 'strong',
    workloads: 2,
    signs: [...unanswered, ...refused],
    source:
      'programs of two or more workloads, mounts or pulls name one server or one address outside the cluster as why they fail; one alone may be wrong',
  },
  {
    id: 'dns-said',
    cause: any('Service', ['ClusterDNSFailing']),
    via: 'system',
    effect: programs,
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    isSaid: true,
    signs: ['NameNotResolved'],
    source:
      'resolv.conf of a Pod names the cluster DNS alone (dnsPolicy ClusterFirst): lookups from several namespaces and Nodes that are not answered have it in common',
  },
  {
    id: 'service-unreachable',
    cause: any('Service', ['ServiceUnreachable']),
    via: 'names',
    effect: programs,
    strength: 'usual',
    workloads: 2,
    atMost: 'likely',
    signs: unanswered,
    source:
      'several clients of one Service cannot reach it though it has endpoints: what they have in common is the Service and the way to it',
  },
  {
    id: 'refusing-workload',
    cause: named(longRunning),
    via: 'called-servers',
    effect: any('Service', ['ServiceRefusing', 'ClientsFailing']),
    strength: 'strong',
    requires: { behind: 'one' },
    source:
      'core/v1 Service: it only passes on; who has no connections left or rejects passwords is the server behind it',
  },
  {
    id: 'shares-what-fails',
    cause: {
      basis: 'finding',
      kinds: ['Service', 'ExternalEndpoint', 'Secret'],
      reasons: ['ServiceRefusing', 'ServiceUnreachable', 'ClientsFailing', 'SecretUsersFailing'],
    },
    via: 'shares',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    source:
      'spectrum-based fault localization: what all that fail use, and few others do, is the likeliest to be why; they fail together and their programs say nothing else',
  },
  {
    id: 'external-host',
    cause: named(['ExternalEndpoint']),
    via: 'names',
    effect: any('ExternalEndpoint', ['ClientsFailing']),
    strength: 'stated',
    atMost: 'likely',
    source:
      'one of those who name a host outside says at which port of it they fail, and others no more than that they do',
  },
  {
    id: 'called-fails',
    cause: {
      basis: 'finding',
      kinds: ['Service', 'ServiceAccount'],
      reasons: [
        ...(['ServiceMissing', 'ServiceNoEndpoints', 'ServiceSelectsNothing', 'ServicePortMismatch'] as const),
        ...(['ServicePortRefused', 'ServiceAccountForbidden'] as const),
      ],
    },
    via: 'names',
    effect: programs,
    strength: 'strong',
    requires: { behind: 'others' },
    signs: [...unanswered, 'AccessForbidden'],
    source:
      'cluster DNS answers for Services that are there (kubernetes/dns specification), kube-proxy rejects or drops connections to one without endpoints, and the API server names whom it forbids what (RBAC)',
  },
  {
    id: 'secret-rejected',
    cause: any('Secret', ['SecretRejected']),
    via: 'names',
    effect: {
      kinds: [...programs.kinds, 'Service', 'ExternalEndpoint'],
      reasons: [...programs.reasons, 'ServiceRefusing', 'ExternalEndpointRefusing'],
    },
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    signs: ['CredentialsRejected', 'SecretUnusable', 'AccessForbidden', 'CertificateInvalid'],
    source:
      'core/v1 SecretKeySelector, SecretVolumeSource: what several workloads log in with comes from one Secret; whether it or the server was edited nobody sees',
  },
  {
    id: 'secret-file',
    cause: named(['Secret', 'Ingress']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    signs: ['SecretUnusable', 'CertificateInvalid'],
    source:
      'core/v1 SecretVolumeSource: a file that a program cannot use and which is mounted from a Secret holds what is in the Secret; who edited that nobody sees',
  },
  {
    id: 'secret-settings',
    cause: named(['Secret', 'Ingress']),
    via: 'names',
    effect: programs,
    strength: 'usual',
    atMost: 'likely',
    signs: ['SettingsUnusable', 'FileMissing'],
    source:
      'a program rejects a settings file that comes from a Secret, or no longer finds it, though its path and its reader did not change; the content is not read, or the Secret is all that the program is given',
  },
  {
    id: 'called-certificate-expired',
    cause: named(longRunning),
    via: 'called-servers',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    isSaid: true,
    says: /^(?!.*\bis before ).*\bexpired\b/i,
    signs: ['CertificateInvalid'],
    source:
      'RFC 5280, 4.1.2.5: a certificate is valid until a day that is in it; what expires is the certificate of who shows it, and clients did not change',
  },
  {
    id: 'certificate-said',
    cause: any('Secret', ['TLSCertExpired', 'TLSCertUnusable']),
    via: 'certificates',
    effect: {
      kinds: 'any',
      reasons: [
        ...programs.reasons,
        ...(['IngressTLSSecretMissing', 'ListenerInvalid', 'GatewayNotProgrammed', 'APIServiceUnavailable'] as const),
        'ReplicaFailure',
      ],
    },
    strength: 'stated',
    says: /x509|certificate|\b(?:tls|ssl)\b/i,
    signs: ['CertificateInvalid'],
    source:
      'a client refuses a certificate that has expired or does not match its key, "x509: certificate has expired": who shows it uses the Secret, or is one of the Pods behind the Service that is named',
  },
];
