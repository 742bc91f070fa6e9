import { longRunning, programs } from './reasons.ts';
import { any, named, type Rule } from './rule.ts';

/** The causal rules of Secrets and certificates, by what programs say that use them. */
export const secretRules: readonly Rule[] = [
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
    cause: named(['Secret']),
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
    cause: named(['Secret']),
    via: 'names',
    effect: programs,
    strength: 'usual',
    atMost: 'likely',
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
