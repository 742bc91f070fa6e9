import { programs } from './programs.ts';
import { any, named, type Rule } from './rule.ts';
import { longRunning } from './shortage.ts';

/** The causal rules of Secrets and certificates, by what programs say that use them. */
export const secretRules: readonly Rule[] = [
  {
    id: 'secret-users-failing',
    cause: any('Secret', ['SecretUsersFailing']),
    via: 'shares',
    effect: programs,
    strength: 'weak',
    workloads: 2,
    atMost: 'likely',
    source:
      'several workloads that share one Secret and nothing else fail together; Tocsin does not read Secrets, so an edit shows only in those who fail',
  },
  {
    id: 'secret-rejected',
    cause: any('Secret', ['SecretRejected']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    workloads: 2,
    atMost: 'likely',
    signs: ['CredentialsRejected', 'SecretUnusable', 'AccessForbidden', 'CertificateInvalid'],
    source:
      'core/v1 SecretKeySelector, SecretVolumeSource: what several workloads log in with comes from one Secret; whether it or the server was edited nobody sees',
  },
  {
    id: 'secret-file',
    cause: named(['Secret']),
    via: 'names',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    requires: ['isGivenBy'],
    signs: ['SecretUnusable', 'CertificateInvalid'],
    source:
      'core/v1 SecretVolumeSource: a file that a program cannot use and which is mounted from a Secret holds what is in the Secret; who edited that nobody sees',
  },
  {
    id: 'secret-settings',
    cause: named(['Secret']),
    via: 'names',
    effect: programs,
    strength: 'usual',
    atMost: 'likely',
    requires: ['isGivenBy', 'toldAsBefore'],
    signs: ['SettingsUnusable', 'FileMissing'],
    source:
      'a program rejects a settings file that comes from a Secret, or no longer finds it, though its path and its reader did not change; the content is not read, or the Secret is all that the program is given',
  },
  {
    id: 'route-unusable',
    cause: named(['Ingress', 'Secret']),
    via: 'routes-said',
    effect: programs,
    strength: 'strong',
    atMost: 'likely',
    signs: ['SecretUnusable', 'CertificateInvalid', 'SettingsUnusable'],
    source:
      'ingress-nginx: the certificates and snippets of all namespaces become files of the one controller, which names whose they are',
  },
  {
    id: 'secret-rejected-by',
    cause: any('Secret', ['SecretRejected']),
    via: 'names',
    effect: {
      kinds: ['Service', 'ExternalEndpoint'],
      reasons: ['ServiceRefusing', 'ExternalEndpointRefusing'],
    },
    strength: 'stated',
    atMost: 'likely',
    source: 'a server names the clients that it rejects, and the Secret is what those clients have in common',
  },
  {
    id: 'called-certificate-expired',
    cause: named(longRunning),
    via: 'called-servers',
    effect: programs,
    strength: 'strong',
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
    strength: 'strong',
    requires: ['saysCertificate'],
    signs: ['CertificateInvalid'],
    source:
      'a client refuses a certificate that has expired: the Pods behind the Service that it names mount the Secret',
  },
];
