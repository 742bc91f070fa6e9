import { hasKey, notOf, refusal, wrongCredential } from '../kit.ts';
import type { Answer, Reading } from '../provider.ts';

/** The server's own code of an error (server/errors.go): three digits of the status and two more. */
function codeOf(answer: Answer): number | undefined {
  const { code }: { readonly code?: unknown } = Object(answer.json());
  return typeof code === 'number' ? code : undefined;
}

/** Whether a message was refused for its `sequence_id` alone: the server takes `^[-_A-Za-z0-9]{1,64}$`. */
export function isSequenceRefused(answer: Answer): boolean {
  return answer.status === 400 && codeOf(answer) === 40_049;
}

/** A topic that may not be: 40009 a name that is none, 40010 one that the server keeps for itself. */
const badTopic: ReadonlySet<number | undefined> = new Set([40_009, 40_010]);
/** What is used up until tomorrow (42908), or until somebody raises a limit (42904, topics of the server). */
const usedUp: ReadonlySet<number | undefined> = new Set([42_904, 42_908]);
/** The server names no wait. Milliseconds: after too many wrong logins (42909), much data (42905), or requests. */
const waits: Readonly<Record<number, number>> = { 42909: 60_000, 42905: 15 * 60_000 };
const usualWaitMs = 10_000;

/** How answers of ntfy are read. `proof`: a key that every success has. */
export function readingOf(proof: 'id' | 'username' | 'healthy'): Reading {
  return {
    failure(answer) {
      const { status } = answer;
      if (status < 300) return hasKey(answer, proof) ? undefined : notOf(answer, 'ntfy', 'correct `url`');
      const code = codeOf(answer);
      if (badTopic.has(code)) return wrongCredential(answer, 'the server takes no topic of this name; correct `topic`');
      if (usedUp.has(code)) return refusal(answer, 'the quota is used up');
      return undefined;
    },
    retryAfterMs(answer) {
      if (answer.status !== 429 || answer.headers['retry-after'] !== undefined) return undefined;
      return waits[codeOf(answer) ?? 0] ?? usualWaitMs;
    },
    advice: { 404: 'correct `url`' },
  };
}
