import { ApiError, type ApiRequest } from './api-client.ts';

/** No answer is waited for longer than this, whatever `Retry-After` says (ms). */
const maxRetryAfterMs = 300_000;

/** `Retry-After` in milliseconds: seconds or an HTTP date; `undefined` when absent or unreadable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const seconds = Number(header);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now;
  return Number.isFinite(wait) ? Math.min(Math.max(0, wait), maxRetryAfterMs) : undefined;
}

/** What an error message calls a request: `GET /api/v1/pods`. */
export function nameOfRequest(request: ApiRequest): string {
  return `${request.method ?? 'GET'} ${request.path}`;
}

type Status = { readonly reason?: unknown; readonly message?: unknown; readonly details?: unknown };

/** The error for an answer that is not 2xx; the body is a Status object, or whatever a proxy in between wrote. */
export function errorOf(
  request: ApiRequest,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  now: number,
): ApiError {
  let parsed: Status = {};
  try {
    const value: unknown = JSON.parse(body);
    if (typeof value === 'object' && value !== null) parsed = value;
  } catch {
    // Not from the API server itself: the text is all there is.
  }
  const reason = typeof parsed.reason === 'string' && parsed.reason !== '' ? parsed.reason : `HTTP${status}`;
  const says = typeof parsed.message === 'string' ? parsed.message : body.slice(0, 200).trim();
  return new ApiError(
    status,
    reason,
    `${nameOfRequest(request)}: ${status} ${reason}${says === '' ? '' : `: ${says}`}`,
    retryAfterMs(headers['retry-after'], now),
  );
}

/** Hints for system codes that people can do something about. */
const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused: is the API server running?',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up just now',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  UND_ERR_CONNECT_TIMEOUT: 'no connection within 10 s',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed: set certificate-authority in the kubeconfig',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate is signed by an unknown CA: set certificate-authority in the kubeconfig',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate is signed by an unknown CA: set certificate-authority in the kubeconfig',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host name: set tls-server-name in the kubeconfig',
  CERT_HAS_EXPIRED: 'the certificate has expired',
};

/** The error for a request without a whole answer. */
export function transportErrorOf(request: ApiRequest, cause: unknown): ApiError {
  if (cause instanceof ApiError) return cause;
  const code = codeOf(cause);
  const says = hints[code] ?? (cause instanceof Error ? cause.message : String(cause));
  return new ApiError(0, code, `${nameOfRequest(request)}: ${says} (${code})`, undefined, { cause });
}

/** The system's code of an error or of what caused it: several addresses that fail come as one AggregateError. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'Unknown';
  if ('code' in error && typeof error.code === 'string' && error.code !== '') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error.cause === undefined ? error.name : codeOf(error.cause);
}
