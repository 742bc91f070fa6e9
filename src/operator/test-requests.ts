import type { AlertProvider } from '../api/alert-provider.ts';
import { testAnnotation } from '../api/group.ts';
import type { Clock } from '../model/clock.ts';
import { testStream } from '../model/delivery.ts';
import { cleanText } from '../model/redact.ts';
import type { Ref } from '../model/ref.ts';
import type { ProviderCheck } from './check.ts';

/** Longest nonce the status takes; an annotation may be far longer. */
const longestNonce = 253;

/** A test message as it was asked for by annotation. */
export type TestState = {
  readonly nonce: string;
  /** The stream of its delivery. */
  readonly stream: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /** Why it cannot be sent at all. */
  readonly refused?: string;
};

/** The test messages that annotations ask for: each new value is one. */
export type TestRequests = {
  /** Looks at the annotation of a provider whose settings are known to the core. */
  look(ref: Ref, object: AlertProvider, check: ProviderCheck | undefined): void;
  get(ref: Ref): TestState | undefined;
  forget(ref: Ref): void;
};

/** Why a test would be pointless, if it would: it could only wait. */
function refusal({ spec }: AlertProvider, check: ProviderCheck): string | undefined {
  if (check.problems.length > 0) return check.problems.map(({ message }) => message).join('; ');
  return spec.suspend === true ? '`spec.suspend` is true: nothing is sent here' : undefined;
}

/** `send`: has the test message sent. */
export function createTestRequests(options: {
  readonly clock: Clock;
  readonly send: (provider: Ref, nonce: string) => void;
}): TestRequests {
  const states = new Map<Ref, TestState>();
  return {
    look(ref, object, check) {
      const asked = object.metadata.annotations?.[testAnnotation];
      // Without its Secrets read there is no telling; the next look does.
      if (asked === undefined || !check || (check.secrets === 'unread' && !check.invalid)) return;
      const nonce = cleanText(asked, longestNonce);
      const last = object.status?.lastTest;
      // One that was pending when an earlier process ended is sent again: nobody else will.
      const done = last?.nonce === nonce && last.outcome !== 'Pending';
      if (done || nonce === states.get(ref)?.nonce) return;
      const refused = refusal(object, check);
      const stream = testStream(object.metadata.uid, nonce);
      states.set(ref, { nonce, stream, requestedAt: options.clock.now(), ...(refused !== undefined && { refused }) });
      if (refused === undefined) options.send(ref, nonce);
    },
    get: (ref) => states.get(ref),
    forget: (ref) => void states.delete(ref),
  };
}
