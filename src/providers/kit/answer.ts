import type { FailureCode, Outcome, Reference } from '../../model/delivery.ts';
import { cleanText, redact } from '../../model/redact.ts';
import type { Answer, Reading, TransportError } from '../provider.ts';

/** What an answer's status means. `mayHaveArrived`: the product may have acted although it says it failed. */
type StatusClass =
  | { readonly is: 'delivered' | 'rateLimited' }
  | { readonly is: 'retryable'; readonly code: FailureCode; readonly mayHaveArrived: boolean }
  | { readonly is: 'permanent'; readonly code: FailureCode; readonly credential: boolean };

const refused: StatusClass = { is: 'permanent', code: 'Rejected', credential: false };
const credential: StatusClass = { is: 'permanent', code: 'AuthFailed', credential: true };
/** A 5xx may come from a gateway after the product has the request, so a resolve must still be sent. */
const broken: StatusClass = { is: 'retryable', code: 'ServerError', mayHaveArrived: true };

/** The statuses that mean something of their own (RFC 9110 §15, RFC 8470 for 425, RFC 6585 for 429). */
const statusClasses: Readonly<Record<number, StatusClass>> = {
  401: credential,
  403: credential,
  404: refused,
  408: { is: 'retryable', code: 'Timeout', mayHaveArrived: false },
  410: refused,
  425: { is: 'retryable', code: 'ServerError', mayHaveArrived: false },
  429: { is: 'rateLimited' },
  503: { is: 'retryable', code: 'ServerError', mayHaveArrived: false },
};

function classOf(status: number): StatusClass {
  const own = statusClasses[status];
  if (own) return own;
  if (status >= 200 && status < 300) return { is: 'delivered' };
  return status >= 500 ? broken : refused;
}

/** A product's exception to the table, with the code the status would have had where the class is the same. */
function exceptionOf(is: StatusClass['is'], usual: StatusClass): StatusClass {
  if (is === usual.is) return usual;
  if (is === 'retryable') return { is, code: 'ServerError', mayHaveArrived: false };
  if (is === 'permanent') return { is, code: 'Rejected', credential: false };
  return { is };
}

/** The longest wait a product may ask for (milliseconds); more would outlive the incident's news value. */
const maxWaitMs = 15 * 60_000;
/** The wait after a 429 that does not say how long. */
export const unnamedWaitMs = 30_000;

/** For products that block for longer than the usual wait and do not say so: milliseconds after a 429 without `Retry-After`. */
export function waitAfter429(milliseconds: number): NonNullable<Reading['retryAfterMs']> {
  return ({ status, headers }) => (status === 429 && headers['retry-after'] === undefined ? milliseconds : undefined);
}

/**
 * Milliseconds that `Retry-After` asks for, as seconds or as a date (RFC 9110 §10.2.3), at most 15 minutes; `undefined`
 * when it is absent or unreadable. A date is read against the answer's own `Date`, so that a wrong clock here does not
 * matter, else against `now` (epoch milliseconds).
 */
export function retryAfterMs(headers: Answer['headers'], now?: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (!text) return undefined;
  if (/^\d+(?:\.\d+)?$/.test(text)) return capped(Number(text) * 1000);
  const until = Date.parse(text);
  const sent = Date.parse(headers.date ?? '');
  const from = Number.isNaN(sent) ? now : sent;
  return Number.isNaN(until) || from === undefined ? undefined : capped(until - from);
}

/**
 * Milliseconds until the Unix second that a header of the answer names, at most 15 minutes, read against its own `Date`, so that a
 * wrong clock here does not matter, else against `now` (epoch milliseconds). `undefined` when the header is absent or unreadable.
 */
export function untilUnixSecond(headers: Answer['headers'], name: string, now: number): number | undefined {
  const second = headers[name]?.trim() ?? '';
  const sent = Date.parse(headers.date ?? '');
  return /^\d{1,11}$/.test(second) ? capped(Number(second) * 1000 - (Number.isNaN(sent) ? now : sent)) : undefined;
}

function capped(milliseconds: number): number {
  return Math.min(maxWaitMs, Math.max(0, Math.ceil(milliseconds)));
}

/**
 * The outcome when there was no whole answer: one may come at the next try; a blocked address stays blocked until somebody
 * edits something. Certificates that cannot be used may have been renewed, as a credential may.
 */
export function outcomeOfTransport({ code, message: reason, mayHaveArrived }: TransportError): Outcome {
  if (code === 'InvalidCertificate') return { is: 'permanent', reason, code: 'AuthFailed', credential: true };
  if (code === 'BlockedAddress') return { is: 'permanent', reason, code, credential: false };
  return { is: 'retryable', reason, code, mayHaveArrived };
}

/** What a person needs to see of a refusal: the status, the host of a redirect, the first words of the body. */
function describe({ status, headers, body }: Answer, { advice }: Reading): string {
  if (status >= 300 && status < 400) {
    const host = URL.canParse(headers.location ?? '') ? ` to ${new URL(headers.location ?? '').host}` : '';
    return `HTTP ${status}: the address redirects${host}, which is not followed; configure the final address`;
  }
  const words = cleanText(redact(body).replace(/\s+/g, ' ').trim(), 200);
  const said = words === '' || words.startsWith('<') ? `HTTP ${status}` : `HTTP ${status}: ${words}`;
  const remedy = advice?.[status];
  return remedy === undefined ? said : `${said} (${remedy})`;
}

/**
 * Reads an answer as an outcome. The product's own words (`reading.failure`) come first, whatever the status; then its
 * exceptions by status; then the shared table: 2xx delivered; 401 and 403 permanent (the credential); other 3xx and 4xx
 * permanent; 408, 425 and 5xx retryable; 429 rate limited. `now` (epoch milliseconds) is only for a `Retry-After` date in
 * an answer that has no `Date`.
 */
export function readAnswer(answer: Answer, reading: Reading = {}, ref?: Reference, now?: number): Outcome {
  const kept = { ...(ref !== undefined && { ref }) };
  const failure = reading.failure?.(answer);
  if (failure) return { ...kept, ...failure };
  const usual = classOf(answer.status);
  const exception = reading.errors?.[answer.status];
  const found = exception === undefined ? usual : exceptionOf(exception, usual);
  const asked = reading.retryAfterMs?.(answer);
  const afterMs = asked === undefined ? retryAfterMs(answer.headers, now) : capped(asked);
  switch (found.is) {
    case 'delivered':
      return { ...kept, is: 'delivered' };
    case 'rateLimited':
      return { ...kept, is: 'rateLimited', afterMs: afterMs ?? unnamedWaitMs };
    case 'retryable': {
      const { code, mayHaveArrived } = found;
      const wait = { ...(afterMs !== undefined && { afterMs }) };
      return { ...kept, ...wait, is: 'retryable', reason: describe(answer, reading), code, mayHaveArrived };
    }
    case 'permanent':
      return {
        ...kept,
        is: 'permanent',
        reason: describe(answer, reading),
        code: found.code,
        credential: found.credential,
      };
  }
}
