import { testAnnotation } from '../api/group.ts';
import type { Clock } from '../model/clock.ts';
import { testStream } from '../model/delivery.ts';
import { cleanText } from '../model/redact.ts';
import type { Ref } from '../model/ref.ts';
import type { ActiveReason } from '../model/settings.ts';
import type { ProviderCheck } from './check.ts';
import type { Held } from './objects.ts';
import { Timetable } from './timetable.ts';

/** Longest nonce the status takes; an annotation may be far longer. */
const longestNonce = 253;
/** Between two tests of one provider, milliseconds; of several that are asked for meanwhile, the newest is sent. */
const betweenTestsMs = 5_000;

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

/** What decides whether a test is worth sending. */
export type TestFacts = {
  readonly check: ProviderCheck | undefined;
  readonly active: ActiveReason;
  /** In Tocsin's own namespace, whose writers may use its way to the network anyhow. */
  readonly isOwn: boolean;
};

/** What test requests work with. */
export type TestRequestsOptions = {
  readonly clock: Clock;
  readonly provider: (ref: Ref) => Held<'AlertProvider'> | undefined;
  readonly facts: (ref: Ref) => TestFacts;
  /** Reads the Secrets of a provider anew; afterwards `facts` and what `send` uses are of them. Never rejects. */
  readonly readAgain: (ref: Ref) => Promise<void>;
  readonly send: (ref: Ref, nonce: string) => void;
  /** The state of the test is another. */
  readonly changed: (ref: Ref) => void;
};

/** Whether it may not be tested at all: a test makes the operator connect to where a tenant says, so only active ones get it. */
const isForbidden = ({ active, isOwn }: TestFacts): boolean => active === 'CommunityLimit' && !isOwn;

/** Why a test cannot be sent, if it cannot. */
function refusalOf(facts: TestFacts): string | undefined {
  const { check, active } = facts;
  if (isForbidden(facts))
    return 'This AlertProvider is not active, and outside the namespace of Tocsin only active ones can be tested.';
  if (!check || (check.secrets === 'unread' && !check.invalid))
    return 'Its Secrets could not be read because the API server did not answer: ask for the test again.';
  if (check.problems.length > 0) return check.problems.map(({ message }) => message).join('; ');
  if (check.waiting) return check.waiting.message;
  return active === 'Suspended' ? '`spec.suspend` is true: nothing is sent here.' : undefined;
}

/** The test messages that annotations ask for: each new value is one. */
export class TestRequests {
  readonly #options: TestRequestsOptions;
  readonly #states = new Map<Ref, TestState>();
  readonly #timetable: Timetable;

  constructor(options: TestRequestsOptions) {
    this.#options = options;
    this.#timetable = new Timetable(options.clock);
  }

  /** Sends the test that the annotation asks for, if that is new, with Secrets read for it. The core must know the provider. */
  async look(ref: Ref): Promise<void> {
    const { clock, provider, facts, readAgain, send, changed } = this.#options;
    const held = provider(ref);
    const nonce = held && this.#wanted(ref, held);
    if (!held || nonce === undefined) return;
    const now = clock.now();
    const notBefore = (this.#states.get(ref)?.requestedAt ?? Number.NEGATIVE_INFINITY) + betweenTestsMs;
    if (now < notBefore) return this.#timetable.at(ref, notBefore, () => void this.look(ref));
    const state = { nonce, stream: testStream(held.object.metadata.uid, nonce), requestedAt: now };
    this.#states.set(ref, state);
    if (!isForbidden(facts(ref))) await readAgain(ref);
    // Deleted, or made anew, meanwhile.
    if (this.#states.get(ref) !== state) return;
    const refused = refusalOf(facts(ref));
    if (refused === undefined) send(ref, nonce);
    else this.#states.set(ref, { ...state, refused });
    changed(ref);
  }

  /** The last test of a provider. */
  get(ref: Ref): TestState | undefined {
    return this.#states.get(ref);
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    this.#states.delete(ref);
    this.#timetable.cancel(ref);
  }

  /** None is sent any more. */
  stop(): void {
    this.#timetable.stop();
    this.#states.clear();
  }

  #wanted(ref: Ref, { object: { metadata, status }, unreadable }: Held<'AlertProvider'>): string | undefined {
    const asked = unreadable === undefined ? metadata.annotations?.[testAnnotation] : undefined;
    if (asked === undefined) return undefined;
    const nonce = cleanText(asked, longestNonce);
    const last = status?.lastTest;
    // One that was pending when an earlier process ended is sent again: nobody else will.
    const isDone = last?.nonce === nonce && last.outcome !== 'Pending';
    return isDone || nonce === this.#states.get(ref)?.nonce ? undefined : nonce;
  }
}
