import type { Outcome } from '../../model/delivery.ts';
import { notOf, objectOf, refusal, waitAfter429 } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';
import { isGroup } from './gateway.ts';

type Failure = Exclude<Outcome, { is: 'delivered' }>;

/** After too much, Signal wants a person; the gateway names no wait. Milliseconds, more than the longest wait there is. */
const limitedWaitMs = 3_600_000;

/** Until somebody does, nothing is sent, so the fallback should know. */
const solveCaptcha = 'Signal asks for a captcha: solve it with /v1/accounts/{number}/rate-limit-challenge';
/**
 * Nearly every error is a 400 with words, of the gateway or of signal-cli; of one recipient it is a word of signal-cli
 * (JsonSendMessageResult: NETWORK_FAILURE, UNREGISTERED_FAILURE, IDENTITY_FAILURE, RATE_LIMIT_FAILURE, INVALID_PRE_KEY_FAILURE).
 * The first that fits counts.
 */
const rows: readonly { readonly words: RegExp; readonly advice?: string }[] = [
  { words: /captcha|proof required/i, advice: solveCaptcha },
  {
    words: /untrusted|identity_failure/i,
    advice: 'the safety number of the recipient changed: trust it anew in the gateway',
  },
  {
    words: /group not found|invalid signal group|update your profile/i,
    advice: 'correct `to`: `group.…` as the gateway lists it',
  },
  { words: /unregistered user|unregistered_failure|invalid identifier/i, advice: 'correct `to`' },
  { words: /invalid_pre_key/i, advice: 'the recipient must open Signal once, which gives out new keys' },
  { words: /account does not exist|is not registered/i, advice: 'register or link `number` in the gateway' },
];
/** Too much was sent; outside the mode `json-rpc` a 400 says it. A hasty repeat would make it worse. */
const limited = /rate.?limit/i;
/** What comes of the way to Signal and passes. */
const passing = /time(?:d )?-?out|connection|networkexception|network_failure|\b503\b|failed to send message/i;

/** What the gateway says of one message: when it was sent, and who did not get it. */
function reportOf(answer: Answer): Readonly<Record<string, unknown>> | undefined {
  const body = answer.json();
  // Since July 2026 a list with one entry for each message, before that the entry itself.
  return objectOf(Array.isArray(body) ? body[0] : body);
}

/** The name of the message that was sent, milliseconds as text; `undefined` when it has none. */
export function timestampOf(answer: Answer): string | undefined {
  const timestamp = reportOf(answer)?.timestamp;
  return typeof timestamp === 'string' && /^\d{1,15}$/.test(timestamp) ? timestamp : undefined;
}

/** How answers to a message are read. In a group it is usual that some members cannot be reached. */
export function readingFor(to: string): Reading {
  return {
    failure(answer) {
      if (answer.status < 300) {
        if (timestampOf(answer) === undefined) return notOf(answer, 'signal-cli-rest-api', 'correct `url`');
        return isGroup(to) ? undefined : unreached(answer);
      }
      if (answer.status === 429) return challenged(answer);
      return answer.status === 400 ? failureOf(answer, wordsOf(answer)) : undefined;
    },
    retryAfterMs: waitAfter429(limitedWaitMs),
  };
}

/** The one recipient did not get it. */
function unreached(answer: Answer): Failure | undefined {
  const recipients = objectOf(reportOf(answer)?.errors)?.recipients;
  if (!Array.isArray(recipients) || recipients.length === 0) return undefined;
  const reason = String(objectOf(recipients[0])?.reason);
  return failureOf(answer, reason) ?? refusal(answer, undefined, reason);
}

function failureOf(answer: Answer, words: string): Failure | undefined {
  const row = rows.find((each) => each.words.test(words));
  if (row) return refusal(answer, row.advice, words);
  const reason = `HTTP ${answer.status}: ${words}`;
  if (limited.test(words))
    return { is: 'retryable', reason, code: 'RateLimited', mayHaveArrived: false, afterMs: limitedWaitMs };
  if (!passing.test(words)) return undefined;
  return { is: 'retryable', reason, code: 'ServerError', mayHaveArrived: true };
}

function challenged(answer: Answer): Failure | undefined {
  const tokens = objectOf(answer.json())?.challenge_tokens;
  return Array.isArray(tokens) && tokens.length > 0 ? refusal(answer, solveCaptcha, 'too many messages') : undefined;
}

function wordsOf(answer: Answer): string {
  const error = objectOf(answer.json())?.error;
  return typeof error === 'string' ? error : answer.body;
}
