import { rowsOf, type SignRow } from '../row.ts';

/** Certificates that a program does not trust, or that its peer does not. */
export const tlsRows: readonly SignRow[] = [
  {
    kind: 'none',
    needs: ['tls handshake error from', 'while ssl handshaking'],
    pattern: /http: TLS handshake error from |while SSL handshaking, client:/,
    source: 'Go net/http server, nginx: a client of theirs does not trust them',
  },
  {
    kind: 'CertificateInvalid',
    needs: ['certificate is valid for', 'certificate for <', 'is not valid for', "doesn't match"],
    pattern:
      /\bcertificate is (?:not )?valid for (?:[^\s,]{1,253}, ){1,40}?not (?<peer>[\w.-]{1,253})|\bCertificate for <(?<peer>[\w.-]{1,253})> doesn't match|\bhostname '(?<peer>[\w.-]{1,253})' doesn't match|certificate is not valid for '(?<peer>[\w.-]{1,253})'/,
    source: 'Go crypto/x509 HostnameError; Apache HttpClient; Python ssl and urllib3: it is the certificate of another',
  },
  {
    kind: 'RequestRefused',
    needs: [
      'protocol_version',
      'handshake_failure',
      'protocol version',
      'no protocols available',
      'unsupported protocol',
      'handshake failure',
    ],
    pattern:
      /\bReceived fatal alert: (?:protocol_version|handshake_failure)|\balert (?:protocol version|handshake failure)\b|\btls: protocol version not supported|\btls: handshake failure|\bunsupported protocol\b[^\n]{0,60}(?:SSL|ssl|TLS|tls)|SSL routines:[\w:]{0,60}:(?:unsupported protocol|wrong version number)/,
    source: 'RFC 8446, 6.2: peers have no version of TLS or no cipher in common; Java JSSE, OpenSSL, Go crypto/tls',
  },
  ...rowsOf('CertificateInvalid', [
    {
      needs: ['certificate'],
      pattern:
        /\b(?:[Cc]annot|[Cc]ould not|[Ff]ailed to|[Uu]nable to) (?:load|read|parse) (?:the )?(?:\w{1,12} ){0,2}certificates?(?=\.?$)/,
      source: 'what most programs say of their own, where they do not say why',
    },
    {
      needs: ['x509: '],
      pattern:
        /\bx509: (?:certificate|cannot validate certificate|no SANs|failed to load system roots|issuer name|invalid signature|unhandled critical|\S{1,253} certificate)/,
      source: 'Go crypto/x509',
    },
    {
      needs: ['tls: '],
      pattern:
        /\btls: (?:bad certificate|unknown certificate|expired certificate|certificate required|unsupported certificate|private key does not match|failed to (?:verify certificate|find any PEM data|parse))/,
      source: 'Go crypto/tls',
    },
    {
      needs: ['certificate verify failed', 'certificate_verify_failed'],
      pattern: /certificate[ _]verify[ _]failed/i,
      source: 'OpenSSL: Python, Ruby, PHP, Envoy, PostgreSQL, Redis',
    },
    {
      needs: [
        'pkix path',
        'unable to find valid certification path',
        'trustanchors parameter',
        'certpathvalidatorexception',
      ],
      pattern:
        /PKIX path (?:building|validation) failed|unable to find valid certification path|the trustAnchors parameter must be non-empty|CertPathValidatorException: /,
      source: 'Java JSSE',
    },
    {
      needs: [
        'certificateexpiredexception',
        'certificatenotyetvalid',
        'subject alternative',
        'no name matching',
        'received fatal alert',
      ],
      pattern:
        /Certificate(?:Expired|NotYetValid)Exception|No subject alternative (?:DNS )?names? matching|No name matching \S{1,253} found|Received fatal alert: (?:bad_certificate|certificate_\w{4,12}|unknown_ca|unsupported_certificate)/,
      source: 'Java JSSE',
    },
    {
      needs: [
        'self signed certificate',
        'self-signed certificate',
        'unable to verify the first',
        'unable to get local issuer',
        'certificate has expired',
        'certificate is not yet valid',
      ],
      pattern:
        /self[- ]signed certificate(?: in certificate chain)?(?=$|["'.,;:)\]]| \(|\n)|unable to verify the first certificate|unable to get local issuer certificate|certificate has expired(?: or is not yet valid)?|certificate is not yet valid/,
      source: 'OpenSSL X509_verify_cert_error_string: Node, curl, Ruby',
    },
    {
      needs: ['_cert', 'altnames'],
      pattern:
        /\b(?:CERT_HAS_EXPIRED|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE)\w{0,10}|ERR_TLS_CERT_ALTNAME_INVALID)\b|does not match certificate's altnames/,
      source: 'Node tls',
    },
    {
      needs: ['remote certificate', 'partialchain', 'untrustedroot'],
      pattern: /remote certificate (?:is invalid|was rejected)|RemoteCertificate(?:NameMismatch|ChainErrors)/i,
      source: '.NET SslStream',
    },
    {
      needs: ['ssl certificate problem', 'no alternative certificate subject name'],
      pattern: /SSL certificate problem: |no alternative certificate subject name matches target/,
      source: 'curl, git, PHP',
    },
    {
      needs: ['invalid peer certificate', 'tlsv1 alert', 'sslv3 alert', 'tls_alert'],
      pattern:
        /invalid peer certificate: |(?:tlsv1|sslv3) alert (?:unknown ca|bad certificate|certificate \w{4,9}|unsupported certificate)|\{tls_alert,\{?["']?(?:bad_certificate|unknown_ca|certificate_expired)/i,
      source: 'rustls; OpenSSL alerts; Erlang ssl (RabbitMQ)',
    },
    {
      needs: ['key values mismatch', 'ca md too weak', 'ee key too small'],
      pattern: /key values mismatch|ca md too weak|ee key too small/,
      source: 'OpenSSL SSL_CTX_use_PrivateKey: nginx, HAProxy, Apache',
    },
    {
      needs: [
        'server does not support ssl',
        'no ssl certificate',
        'wrong version number',
        'first record does not look like',
        'ssl is not enabled on the server',
      ],
      pattern:
        /server does not support SSL, but SSL was required|\bSSL is not enabled on the server|\bwrong version number\b|first record does not look like a TLS handshake/,
      source: 'libpq; OpenSSL; Go crypto/tls: one side speaks TLS, the other does not',
    },
  ]),
];
