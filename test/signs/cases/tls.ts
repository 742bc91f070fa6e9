import { type SignCase, says } from '../case.ts';

const kind = 'CertificateInvalid';

/** Certificates that are not trusted. */
export const tlsCases: readonly SignCase[] = [
  says(
    'Go',
    'Get "https://vault.infra:8200/v1/sys/health": tls: failed to verify certificate: x509: certificate signed by unknown authority',
    kind,
    { target: 'vault.infra:8200' },
  ),
  says(
    'Go',
    'x509: certificate has expired or is not yet valid: current time 2026-03-01T10:00:00Z is after 2026-02-27T00:00:00Z',
    kind,
  ),
  says(
    'Go',
    'Post "https://hooks.shop.svc:443/mutate": x509: certificate is valid for webhook.shop.svc, not hooks.shop.svc',
    kind,
    { target: 'hooks.shop.svc:443' },
  ),
  says(
    'Java',
    'Caused by: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target',
    kind,
  ),
  says(
    'Java',
    'javax.net.ssl.SSLHandshakeException: PKIX path building failed: sun.security.provider.certpath.SunCertPathBuilderException: unable to find valid certification path to requested target',
    kind,
  ),
  says('Java', 'java.security.cert.CertificateExpiredException: NotAfter: Fri Feb 27 00:00:00 UTC 2026', kind),
  says(
    'Python',
    'ssl.SSLCertVerificationError: [SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: self signed certificate in certificate chain (_ssl.c:1056)',
    kind,
  ),
  says(
    'requests',
    "requests.exceptions.SSLError: HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: unable to get local issuer certificate (_ssl.c:1007)')))",
    kind,
    { target: 'api.example.com:443' },
  ),
  says(
    'Node',
    "Error: unable to verify the first certificate\n    at TLSSocket.onConnectSecure (node:_tls_wrap:1674:34) {\n  code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'\n}",
    kind,
  ),
  says(
    'Node',
    "Error [ERR_TLS_CERT_ALTNAME_INVALID]: Hostname/IP does not match certificate's altnames: Host: db.shop. is not in the cert's altnames: DNS:db",
    kind,
  ),
  says(
    '.NET',
    'System.Security.Authentication.AuthenticationException: The remote certificate is invalid because of errors in the certificate chain: UntrustedRoot',
    kind,
  ),
  says('curl', 'curl: (60) SSL certificate problem: self-signed certificate', kind),
  says('Rust', 'error trying to connect: invalid peer certificate: UnknownIssuer', kind),
  says(
    'Ruby',
    'SSL_connect returned=1 errno=0 peeraddr=10.0.0.5:443 state=error: certificate verify failed (self signed certificate) (OpenSSL::SSL::SSLError)',
    kind,
    { target: '10.0.0.5:443' },
  ),
  says(
    'nginx',
    'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
    kind,
  ),
  says('lib/pq', 'pq: server does not support SSL, but SSL was required', kind),
  says(
    'Go crypto/x509',
    'rpc error: code = Unavailable desc = connection error: desc = "transport: authentication handshake failed: tls: failed to verify certificate: x509: certificate is valid for billing.shop.svc, not accounts.bank.svc"',
    kind,
    { target: 'accounts.bank.svc' },
  ),
  says(
    'Apache HttpClient',
    "javax.net.ssl.SSLPeerUnverifiedException: Certificate for <accounts.bank.svc> doesn't match any of the subject alternative names: [billing.shop.svc]",
    kind,
    { target: 'accounts.bank.svc' },
  ),
  says('Python ssl', "ssl.SSLCertVerificationError: hostname 'db.shop.svc' doesn't match 'db.example.com'", kind, {
    target: 'db.shop.svc',
  }),
  says('Java JSSE', 'javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version', 'RequestRefused'),
  says(
    'curl',
    'curl: (35) TLS connect error: error:0A00042E:SSL routines::tlsv1 alert protocol version while connecting to xs2a.example.com:443',
    'RequestRefused',
    { target: 'xs2a.example.com:443' },
  ),
  says('Go crypto/tls', 'Post "https://pay.example.com/v2": remote error: tls: handshake failure', 'RequestRefused', {
    target: 'pay.example.com:443',
  }),
  says('lib/pq', 'pq: SSL is not enabled on the server', 'CertificateInvalid'),
];
