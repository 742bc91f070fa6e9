import type { AlertProviderStatus } from '../api/alert-provider.ts';
import type { Clock } from '../model/clock.ts';
import { cleanText } from '../model/redact.ts';
import { namespaceOf, type Ref } from '../model/ref.ts';
import type { ActiveReason } from '../model/settings.ts';
import type { ProviderCheck } from './check.ts';
import type { Held } from './objects.ts';
import type { RequestPace } from './request-pace.ts';
import { Timetable } from './timetable.ts';

/** Longest nonce the status takes; an annotation may be far longer. */
const longestNonce = 253;
/** Between two requests of one provider, milliseconds; of several that are asked meanwhile, the newest is carried out. */
const betweenRequestsMs = 5_000;

/** What somebody asked for by annotation. */
export type RequestState = {
  readonly nonce: string;
  /** Epoch milliseconds. */
  readonly requestedAt: number;
  /** Why it cannot be done at all. */
  readonly refused?: string;
};

/** What decides whether a request is worth carrying out. */
export type RequestFacts = {
  readonly check: ProviderCheck | undefined;
  readonly active: ActiveReason;
  /** In Tocsin's own namespace, whose writers may use its way to the network anyhow. */
  readonly isOwn: boolean;
};

/** What an annotation asks for, and when it may. */
export type RequestKind = {
  readonly annotation: string;
  /** The last request as the status has it; one that was pending when an earlier process ended is carried out again. */
  readonly last: (status: AlertProviderStatus) => { readonly nonce: string; readonly outcome: string } | undefined;
  /** Why it may not be asked for at all, whatever its Secrets say: they are not read then. */
  readonly forbidden: (facts: RequestFacts) => string | undefined;
};

/** What requests work with. */
export type AnnotationRequestsOptions = {
  readonly clock: Clock;
  /** Shared by all that may be asked for. */
  readonly pace: Pick<RequestPace, 'take'>;
  readonly provider: (ref: Ref) => Held<'AlertProvider'> | undefined;
  readonly facts: (ref: Ref) => RequestFacts;
  /** Reads the Secrets of a provider anew; afterwards `facts` and what `send` uses are of them. Never rejects. */
  readonly readAgain: (ref: Ref) => Promise<void>;
  readonly send: (ref: Ref, nonce: string) => void;
  /** The state of the request is another. */
  readonly changed: (ref: Ref) => void;
};

/** Why nothing can be sent now, if nothing can. */
function refusalOf({ check, active }: RequestFacts): string | undefined {
  if (!check || (check.secrets === 'unread' && !check.invalid))
    return 'Its Secrets could not be read because the API server did not answer: ask again.';
  if (check.problems.length > 0) return check.problems.map(({ message }) => message).join('; ');
  if (check.waiting) return check.waiting.message;
  return active === 'Suspended' ? '`spec.suspend` is true: nothing is sent here.' : undefined;
}

/** What annotations of providers ask for: each new value is one request. */
export class AnnotationRequests {
  readonly #kind: RequestKind;
  readonly #options: AnnotationRequestsOptions;
  readonly #states = new Map<Ref, RequestState>();
  readonly #timetable: Timetable;

  constructor(kind: RequestKind, options: AnnotationRequestsOptions) {
    this.#kind = kind;
    this.#options = options;
    this.#timetable = new Timetable(options.clock);
  }

  /** Does what the annotation asks for, if that is new, with Secrets read for it. The core must know the provider. */
  async look(ref: Ref): Promise<void> {
    const { clock, pace, provider, facts, readAgain, send, changed } = this.#options;
    const held = provider(ref);
    const nonce = held && this.#wanted(ref, held);
    if (!held || nonce === undefined) return;
    const now = clock.now();
    const notBefore = (this.#states.get(ref)?.requestedAt ?? Number.NEGATIVE_INFINITY) + betweenRequestsMs;
    if (now < notBefore) return this.#timetable.at(ref, notBefore, () => void this.look(ref));
    const waitMs = pace.take(namespaceOf(ref), now);
    if (waitMs > 0) return this.#timetable.at(ref, now + waitMs, () => void this.look(ref));
    const state = { nonce, requestedAt: now };
    this.#states.set(ref, state);
    const forbidden = this.#kind.forbidden(facts(ref));
    if (forbidden === undefined) await readAgain(ref);
    // Deleted, or made anew, meanwhile.
    if (this.#states.get(ref) !== state) return;
    const refused = forbidden ?? refusalOf(facts(ref));
    if (refused === undefined) send(ref, nonce);
    else this.#states.set(ref, { ...state, refused });
    changed(ref);
  }

  /** The last request of a provider. */
  get(ref: Ref): RequestState | undefined {
    return this.#states.get(ref);
  }

  /** The provider is gone. */
  forget(ref: Ref): void {
    this.#states.delete(ref);
    this.#timetable.cancel(ref);
  }

  /** None is carried out any more. */
  stop(): void {
    this.#timetable.stop();
    this.#states.clear();
  }

  #wanted(ref: Ref, { object: { metadata, status }, unreadable }: Held<'AlertProvider'>): string | undefined {
    const { annotation, last } = this.#kind;
    const asked = unreadable === undefined ? metadata.annotations?.[annotation] : undefined;
    if (asked === undefined) return undefined;
    const nonce = cleanText(asked, longestNonce);
    const before = status && last(status);
    const isDone = before?.nonce === nonce && before.outcome !== 'Pending';
    return isDone || nonce === this.#states.get(ref)?.nonce ? undefined : nonce;
  }
}
