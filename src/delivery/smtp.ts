import type { Outcome } from '../model/delivery.ts';
import { cleanText, redact } from '../model/redact.ts';
import { TransportError } from '../providers/provider.ts';
import { whyUnreachable } from './unreachable.ts';

/** What an error of the mail library says: the reply, if there was one, and the step it answered. */
export type SmtpFailure = {
  /** The library's class (`EAUTH`, `EENVELOPE`, …) and, below it, the system's code. */
  readonly code?: string | undefined;
  readonly originalCode?: unknown;
  readonly command?: string | undefined;
  readonly response?: string | undefined;
  readonly responseCode?: number | undefined;
};

/** Seconds that servers which list unknown senders grey want to be left alone (Postgrey's default delay is 300). */
const patienceMs = 60_000;

/** Refusals by enhanced status code (RFC 3463) or reply code, with what to do. One row, one fact; the first that fits. */
const hints: readonly { readonly reply: RegExp; readonly hint: string }[] = [
  // Exchange Online with basic authentication switched off for the tenant (MC786329).
  { reply: /^550 5\.7\.30\b/, hint: 'basic authentication is switched off for this tenant; use `oauth` or a relay' },
  { reply: /^530 5\.7\.0 Must issue a STARTTLS/i, hint: 'set `tls` to `required`' },
  { reply: /^530\b/, hint: 'the server wants a login; set `password` or `oauth`' },
];

/**
 * The outcome that an SMTP refusal stands for: 4yz is tried again, 5yz (but 503, a session out of step) is not, a refused login
 * is a credential's. Throws `TransportError` where the conversation broke off instead. `written`: the whole message had been
 * handed over. `blank` removes the secrets of the conversation from a text.
 */
export function outcomeOfSmtp(
  failure: SmtpFailure,
  host: string,
  written: boolean,
  blank: (text: string) => string,
): Outcome {
  const { code = 'error', responseCode } = failure;
  if (responseCode === undefined) return withoutReply(failure, host, written);
  const reply = cleanText(
    redact(blank(failure.response ?? ''))
      .replace(/\s+/g, ' ')
      .trim(),
    200,
  );
  const hint = hintFor(failure, reply);
  const reason = `SMTP ${failure.command ?? 'session'}: ${reply}${hint === undefined ? '' : ` (${hint})`}`;
  if (responseCode >= 500 && responseCode !== 503) {
    const credential = code === 'EAUTH' || responseCode === 530 || /^55\d 5\.7\.30\b/.test(reply);
    return { is: 'permanent', reason, credential, code: credential ? 'AuthFailed' : 'Rejected' };
  }
  // "Try again later", as large mailbox providers say it to senders that are too fast.
  if (/^4\d\d 4\.7\.0\b/.test(reply)) return { is: 'rateLimited', afterMs: patienceMs };
  return { is: 'retryable', reason, code: 'ServerError', mayHaveArrived: false, afterMs: patienceMs };
}

function hintFor({ code, responseCode }: SmtpFailure, reply: string): string | undefined {
  if (code === 'ETLS' && responseCode !== 454)
    return 'the server offers no STARTTLS here; use port 465, or `tls: none` for a relay you trust';
  if (code === 'EAUTH' && (responseCode === 500 || responseCode === 502))
    return 'the server offers no login; leave `password` and `oauth` out for a relay without authentication';
  return hints.find((row) => row.reply.test(reply))?.hint;
}

/** Mistakes found before anything was asked of the server. */
const mistakes: ReadonlySet<string> = new Set(['EENVELOPE', 'EMESSAGE', 'ECONFIG', 'EREQUIRETLS']);

function withoutReply({ code = 'error', originalCode }: SmtpFailure, host: string, written: boolean): Outcome {
  if (code === 'EAUTH' || code === 'ENOAUTH') {
    const reason = `${host} takes no such login: by \`oauth\` it must offer XOAUTH2, by \`password\` PLAIN, LOGIN or CRAM-MD5`;
    return { is: 'permanent', reason, credential: true, code: 'AuthFailed' };
  }
  if (mistakes.has(code)) {
    const reason =
      code === 'EMESSAGE'
        ? `the message is larger than ${host} takes`
        : 'the addresses of the message are not valid; correct `from` and `to`';
    return { is: 'permanent', reason, credential: false, code: 'Rejected' };
  }
  const cause = typeof originalCode === 'string' ? originalCode : code;
  const timedOut = code === 'ETIMEDOUT' || cause === 'ETIMEDOUT';
  const why = `${host} cannot be reached: ${whyUnreachable(cause)}`;
  throw new TransportError(timedOut ? 'Timeout' : 'Unreachable', why, written);
}
