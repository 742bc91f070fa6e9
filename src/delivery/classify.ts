import type { DeliveryFailure, FailureCode, Outcome } from '../model/delivery.ts';
import { errorMessage } from '../model/error-message.ts';
import { cleanText, redact } from '../model/redact.ts';
import { outcomeOfTransport } from '../providers/kit/answer.ts';
import { LookUpFailed, TransportError } from '../providers/provider.ts';
import { failures } from './failures.ts';

/** Longest failure message kept; UTF-16 units. */
const maxMessageChars = 300;

/** A product's words may hold anything: without secrets, on one line, of bounded length. */
function safeMessage(text: string): string {
  return cleanText(redact(text).replace(/\s+/g, ' ').trim(), maxMessageChars);
}

/** The failure an outcome stands for, `undefined` for a delivery that arrived. */
export function failureOf(outcome: Outcome): DeliveryFailure | undefined {
  switch (outcome.is) {
    case 'delivered':
      return undefined;
    case 'rateLimited':
      return failures.rateLimited(outcome.afterMs);
    case 'retryable':
      return { class: 'retryable', code: outcome.code ?? 'ServerError', message: safeMessage(outcome.reason) };
    case 'permanent': {
      const code: FailureCode = outcome.code ?? (outcome.credential ? 'AuthFailed' : 'Rejected');
      return { class: 'permanent', code, message: safeMessage(outcome.reason) };
    }
  }
}

/**
 * The outcome of an attempt that threw. A failed look-up and a broken connection say so themselves. Anything else is an error of
 * the provider's code or of its configuration: no retry mends it.
 */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof TransportError) return outcomeOfTransport(error);
  if (error instanceof LookUpFailed) return error.outcome;
  const reason = errorMessage(error);
  return { is: 'permanent', reason: `the message could not be made: ${reason}`, code: 'Rejected', credential: false };
}
