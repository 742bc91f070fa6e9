import type { Clock } from '../model/clock.ts';
import type { ObjectEvent } from '../model/raw-object.ts';
import { type ApiClient, ApiError, type ApiRequest } from './api-client.ts';
import { failureOfErrorEvent, WatchFailure } from './failure.ts';
import { decodeWatchLine, linesOf } from './lines.ts';

/** What one piece of a watch brought. */
export type WatchBatch = {
  readonly events: readonly ObjectEvent[];
  /** Objects added minus objects deleted. */
  readonly growth: number;
  /** The newest version in it. */
  readonly version?: string;
  /** Every object there was at the start has been sent (streaming lists). */
  readonly initialEventsEnd: boolean;
  /** Lines that could not be read: an event may be lost. */
  readonly malformed: number;
};

/** One watch request and who listens to it. */
export type Watch = {
  readonly client: ApiClient;
  readonly clock: Clock;
  readonly request: ApiRequest;
  readonly signal: AbortSignal;
  /** Milliseconds without event or bookmark after which the connection counts as dead; asked again after each sign of life. */
  silenceMs(): number;
  /** The answer has begun: the server accepts the watch. */
  onOpen(): void;
  /** The next piece is not read before it resolves. */
  onBatch(batch: WatchBatch): Promise<void>;
};

/** A watch that ends sooner than this without any event is an error, as in client-go: else a broken server is hammered. */
const shortWatchMs = 1_000;

/**
 * Runs one watch to its end. Resolves when the server ends it in good order (`timeoutSeconds`); rejects with `ApiError`
 * (refused, cut) or `WatchFailure` (ERROR event, silence, too short). Batches are handed over as they arrive.
 */
export async function runWatch(watch: Watch): Promise<void> {
  const { clock } = watch;
  const controller = new AbortController();
  const stop = (): void => controller.abort();
  if (watch.signal.aborted) stop();
  watch.signal.addEventListener('abort', stop, { once: true });
  let silent = false;
  let cancel = (): void => undefined;
  let openedAt: number | undefined;
  let signs = 0;
  const wasShort = (): boolean => openedAt !== undefined && signs === 0 && clock.now() - openedAt < shortWatchMs;
  try {
    const stream = await watch.client.stream({ ...watch.request, signal: controller.signal });
    watch.onOpen();
    openedAt = clock.now();
    let signOfLifeAt = openedAt;

    const listen = (): void => {
      const left = signOfLifeAt + watch.silenceMs() - clock.now();
      silent = left <= 0;
      if (silent) stop();
      else cancel = clock.after(left, listen);
    };
    listen();

    for await (const lines of linesOf(stream.chunks)) {
      const { batch, failure } = readBatch(lines);
      const seen = lines.length - batch.malformed;
      if (seen > 0) signOfLifeAt = clock.now();
      signs += seen;
      await watch.onBatch(batch);
      if (failure !== undefined) throw failure;
    }
    if (wasShort()) throw new WatchFailure('shortWatch', 'the watch ended at once without any event');
  } catch (error) {
    if (silent) throw new WatchFailure('silent', `no event or bookmark for ${watch.silenceMs() / 1000} s`);
    if (error instanceof ApiError && wasShort()) throw new WatchFailure('shortWatch', error.message, { cause: error });
    throw error;
  } finally {
    cancel();
    watch.signal.removeEventListener('abort', stop);
  }
}

/** Decodes lines up to the first ERROR event. */
function readBatch(lines: readonly Uint8Array[]): { batch: WatchBatch; failure?: WatchFailure } {
  const events: ObjectEvent[] = [];
  let growth = 0;
  let malformed = 0;
  let version: string | undefined;
  let initialEventsEnd = false;
  let failure: WatchFailure | undefined;
  for (const line of lines) {
    const event = decodeWatchLine(line);
    if (event === undefined) {
      malformed++;
    } else if (event.type === 'ERROR') {
      failure = failureOfErrorEvent(event);
      break;
    } else if (event.type === 'BOOKMARK') {
      version = event.version;
      initialEventsEnd ||= event.initialEventsEnd;
    } else {
      const gone = event.type === 'DELETED';
      events.push({ is: gone ? 'gone' : 'put', raw: event.object });
      growth += event.type === 'ADDED' ? 1 : gone ? -1 : 0;
      version = event.object.metadata.resourceVersion ?? version;
    }
  }
  const batch = { events, growth, initialEventsEnd, malformed, ...(version === undefined ? {} : { version }) };
  return failure === undefined ? { batch } : { batch, failure };
}
