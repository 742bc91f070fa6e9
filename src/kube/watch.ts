import type { Clock } from '../model/clock.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { type ApiClient, ApiError, type ApiRequest } from './api-client.ts';
import { EventOrder } from './event-order.ts';
import { failureOfErrorEvent, WatchFailure } from './failure.ts';
import { decodeWatchLine, type LineBudget, linesOf } from './lines.ts';

/** What one piece of a watch brought. */
export type WatchBatch = {
  readonly events: readonly ObjectEvent[];
  /** Objects added minus objects deleted. */
  readonly growth: number;
  /** The newest version in it. */
  readonly version?: string;
  /** Every object there was at the start has been sent (streaming lists). */
  readonly initialEventsEnd: boolean;
};

/** One watch request and who listens to it. */
export type Watch = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly request: ApiRequest;
  readonly signal: AbortSignal;
  /** Milliseconds without event or bookmark after which the watch is ended; asked again after each sign of life. */
  silenceMs(): number;
  /** Shared by all watches of an API server. */
  readonly budget: LineBudget;
  /** The answer has begun: the server accepts the watch. `end` ends it, with what is wrong with it. */
  onOpen(end: (failure: WatchFailure) => void): void;
  /** The next piece is not read before it resolves. */
  onBatch(batch: WatchBatch): Promise<void>;
};

/** A watch that ends sooner than this without any event is an error, as in client-go: else a broken server is hammered. */
const shortWatchMs = 1_000;

/**
 * Runs one watch to its end. Resolves when the server ends it in good order (`timeoutSeconds`); rejects with `ApiError`
 * (refused, cut) or `WatchFailure` (ERROR event, unreadable line, silence, too short). Batches are handed over as they arrive;
 * what came before a failure has been handed over.
 */
export async function runWatch(watch: Watch): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  if (watch.signal.aborted) stop();
  watch.signal.addEventListener('abort', stop, { once: true });
  let ended: WatchFailure | undefined;
  const end = (failure: WatchFailure): void => {
    ended ??= failure;
    stop();
  };
  const pulse = new Pulse(watch.clock, watch.silenceMs, () =>
    end(new WatchFailure('silent', `no event or bookmark for ${watch.silenceMs() / 1000} s`)),
  );
  const order = new EventOrder();
  try {
    const stream = await watch.client.stream({ ...watch.request, signal: controller.signal });
    watch.onOpen(end);
    pulse.start();
    for await (const lines of linesOf(stream.chunks, watch.budget)) {
      const { batch, failure } = readBatch(lines, order, watch.request.withoutManagedFields);
      if (batch.events.length > 0 || batch.version !== undefined) pulse.heard();
      await watch.onBatch(batch);
      if (failure !== undefined) throw failure;
    }
    if (pulse.wasShort()) throw new WatchFailure('shortWatch', 'the watch ended at once without any event');
  } catch (error) {
    if (ended !== undefined) throw ended;
    if (error instanceof ApiError && pulse.wasShort())
      throw new WatchFailure('shortWatch', error.message, { cause: error });
    throw error;
  } finally {
    pulse.stop();
    watch.signal.removeEventListener('abort', stop);
  }
}

/** The signs of life of one watch, from the moment it was accepted. */
class Pulse {
  readonly #clock: Clock;
  readonly #silenceMs: () => number;
  /** Told when nothing was heard for longer than allowed. */
  readonly #fellSilent: () => void;
  #openedAt: number | undefined;
  #heardAt: number | undefined;
  #cancel = (): void => undefined;

  constructor(clock: Clock, silenceMs: () => number, fellSilent: () => void) {
    this.#clock = clock;
    this.#silenceMs = silenceMs;
    this.#fellSilent = fellSilent;
  }

  start(): void {
    this.#openedAt = this.#clock.monotonic();
    this.#listen();
  }

  heard(): void {
    this.#heardAt = this.#clock.monotonic();
  }

  /** It has lived for less than a second without a sign of life. */
  wasShort(): boolean {
    const openedAt = this.#openedAt;
    if (openedAt === undefined || this.#heardAt !== undefined) return false;
    return this.#clock.monotonic() - openedAt < shortWatchMs;
  }

  stop(): void {
    this.#cancel();
  }

  #listen(): void {
    const since = this.#heardAt ?? this.#openedAt ?? this.#clock.monotonic();
    const leftMs = since + this.#silenceMs() - this.#clock.monotonic();
    if (leftMs <= 0) this.#fellSilent();
    else this.#cancel = this.#clock.after(leftMs, () => this.#listen());
  }
}

/**
 * Decodes lines up to the first that ends the watch: an ERROR event, or one that cannot be read and may be an event. What is older
 * than what came before it counts for nothing.
 */
function readBatch(
  lines: readonly Uint8Array[],
  order: EventOrder,
  withoutManagedFields: boolean | undefined,
): { batch: WatchBatch; failure?: WatchFailure } {
  const events: ObjectEvent[] = [];
  let growth = 0;
  let version: string | undefined;
  let initialEventsEnd = false;
  let failure: WatchFailure | undefined;
  for (const line of lines) {
    const event = decodeWatchLine(line, withoutManagedFields);
    if (event === undefined) {
      failure = new WatchFailure('malformedLine', 'a line of the watch cannot be read');
      break;
    }
    if (event.type === 'ERROR') {
      failure = failureOfErrorEvent(event);
      break;
    }
    if (event.type === 'BOOKMARK') {
      version = event.version;
      initialEventsEnd ||= event.initialEventsEnd;
    } else if (!order.isStale(event.object)) {
      const gone = event.type === 'DELETED';
      events.push({ is: gone ? 'gone' : 'put', raw: event.object });
      growth += event.type === 'ADDED' ? 1 : gone ? -1 : 0;
      version = event.object.metadata.resourceVersion ?? version;
    }
  }
  const batch = { events, growth, initialEventsEnd, ...(version !== undefined && { version }) };
  return { batch, ...(failure && { failure }) };
}
