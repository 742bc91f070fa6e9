/** The authority of a company is known to nobody else. */
const ifYours = 'if that is yours, give it in `tls.caBundle` of the AlertProvider';
const unknownAuthority = `its certificate is signed by an unknown authority; ${ifYours}`;
const wantsCertificate =
  'it refuses the TLS handshake; if it asks for a certificate, give one in `tls.clientCertificate` of the AlertProvider';

/** System and client codes in words. Anything else is named by its code alone: messages may quote what was sent. */
const codeWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  ECONNECTION: 'the connection was closed too early',
  EPIPE: 'the connection was closed while sending',
  ENOTFOUND: 'the name does not exist',
  EAI_AGAIN: 'the name could not be resolved',
  EHOSTUNREACH: 'there is no route to it',
  ENETUNREACH: 'there is no route to it',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_SOCKET: 'the connection ended before the answer',
  UND_ERR_ABORTED: 'the answer was cut off',
  UND_ERR_RESPONSE: 'the answer is not HTTP',
  EPROTOCOL: 'the answer is not SMTP',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak TLS on this port; use another port or another setting of `tls`',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak TLS on this port; use another port or another setting of `tls`',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: `its certificate is self-signed; ${ifYours}`,
  SELF_SIGNED_CERT_IN_CHAIN: `its certificate chain is self-signed; ${ifYours}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': wantsCertificate,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: wantsCertificate,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: 'it does not know the authority of `tls.clientCertificate`',
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': '`tls.clientCertificate` has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** Why a host cannot be reached, by the code of the error: never a text that could quote what was sent. */
export function whyUnreachable(code: string): string {
  return codeWords[code] ?? (/^[A-Z0-9_/]{1,60}$/.test(code) ? `it failed (${code})` : 'it failed');
}
