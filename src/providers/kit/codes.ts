import type { Outcome } from '../../model/delivery.ts';
import { cleanText, redact } from '../../model/redact.ts';
import type { Answer } from '../provider.ts';
import { retryAfterMs, unnamedWaitMs } from './answer.ts';
import { objectOf } from './block.ts';

/** What a product's own error code means: `credential` and `refused` end the delivery, the first as a wrong credential. */
export type CodeClass = 'retryable' | 'rateLimited' | 'credential' | 'refused';

type Permanent = Extract<Outcome, { is: 'permanent' }>;

/** The end of a delivery that no other credential mends. */
export const rejected = (reason: string): Permanent => ({
  is: 'permanent',
  reason,
  credential: false,
  code: 'Rejected',
});

/** The end of a delivery until the credential is another one, or may do more. */
export const denied = (reason: string): Permanent => ({
  is: 'permanent',
  reason,
  credential: true,
  code: 'AuthFailed',
});

/** The end of a delivery until the address that a Secret holds is another one. */
export const misdirected = (reason: string): Permanent => ({
  is: 'permanent',
  reason,
  credential: true,
  code: 'Rejected',
});

/** Codes of one class, as a table reads best: `classes({ credential: ['invalid_auth'], … })`. */
export function classes(
  table: Readonly<Partial<Record<CodeClass, readonly string[]>>>,
): ReadonlyMap<string, CodeClass> {
  const entries = Object.entries(table) as [CodeClass, readonly string[]][];
  return new Map(entries.flatMap(([is, codes]) => codes.map((code) => [code, is] as const)));
}

/**
 * The failure behind a product's own error code, whatever the status. An unknown code under a failing status is left to the
 * table of statuses; under a 2xx it is tried again, since an alert must survive what the vendor added last week.
 */
export function failureOfCode(
  answer: Answer,
  code: string,
  known: ReadonlyMap<string, CodeClass>,
  advice: Readonly<Record<string, string>> = {},
): Exclude<Outcome, { is: 'delivered' }> | undefined {
  const said = cleanText(redact(code).replace(/\s+/g, ' ').trim(), 200);
  const reason = `HTTP ${answer.status}: ${said}${Object.hasOwn(advice, code) ? ` (${advice[code]})` : ''}`;
  const is = known.get(code) ?? (answer.status < 300 ? 'retryable' : undefined);
  switch (is) {
    case undefined:
      return undefined;
    case 'retryable':
      return { is, reason, code: 'ServerError', mayHaveArrived: mayHaveActed(answer, known.has(code)) };
    case 'rateLimited':
      return { is, afterMs: retryAfterMs(answer.headers) ?? unnamedWaitMs };
    case 'credential':
      return denied(reason);
    case 'refused':
      return rejected(reason);
  }
}

/** Whether the product may have acted all the same, as the table of statuses has it; nobody knows of a code that nobody knows. */
function mayHaveActed({ status }: Answer, isKnown: boolean): boolean {
  return status >= 500 ? status !== 503 : status < 300 && !isKnown;
}

/** A refusal that only another credential or destination repairs, where the product says it in a way of its own. */
export function wrongCredential(
  { status }: Pick<Answer, 'status'>,
  advice: string,
): Exclude<Outcome, { is: 'delivered' }> {
  return denied(`HTTP ${status}: ${advice}`);
}

/**
 * A refusal for good that no other credential mends: what the product says (`words`, else its `message`, or the body), and what to
 * do.
 */
export function refusal(answer: Answer, advice?: string, words?: string): Permanent {
  const { message }: { readonly message?: unknown } = Object(answer.json());
  const text = words ?? (typeof message === 'string' ? message : answer.body);
  const said = cleanText(redact(text).replace(/\s+/g, ' ').trim(), 200);
  const parts = [`HTTP ${answer.status}`, ...(said === '' || said.startsWith('<') ? [] : [said])];
  return rejected(`${parts.join(': ')}${advice === undefined ? '' : ` (${advice})`}`);
}

/** Whether an answer is a JSON object with this key: what tells a product from whatever else may answer in its place. */
export function hasKey(answer: Pick<Answer, 'json'>, key: string): boolean {
  const found = objectOf(answer.json());
  return found !== undefined && Object.hasOwn(found, key);
}

/** Whether an answer is a page for people: of a login, of an editor whose address was pasted, of a proxy. */
export function isPage({ body }: Pick<Answer, 'body'>): boolean {
  return /^\s*<(?:!doctype html|html)\b/i.test(body);
}

/** A success that is none of the product's: a proxy or another server answers at its address, perhaps for a moment only. */
export function notOf(
  { status }: Pick<Answer, 'status'>,
  product: string,
  advice?: string,
): Exclude<Outcome, { is: 'delivered' }> {
  const reason = `HTTP ${status}: the answer is not one of ${product}${advice === undefined ? '' : `; ${advice}`}`;
  return { is: 'retryable', reason, code: 'ServerError', mayHaveArrived: false };
}
