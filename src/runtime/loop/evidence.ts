import { ApiError } from '../../kube/api-client.ts';
import type { LogRequest } from '../../kube/logs.ts';
import type { Clock } from '../../model/clock.ts';
import { FairShares } from '../../model/fair-shares.ts';
import { cleanText, redact } from '../../model/redact.ts';
import { nameOf, namespaceOf } from '../../model/ref.ts';
import { type Rate, TokenBucket } from '../../model/token-bucket.ts';
import type { Evidence, EvidenceRequest } from '../../model/turn.ts';

/** Log calls: each one costs the API server and a kubelet a request. A normal incident is served at once. */
const callRate: Rate = { perSecond: 5, burst: 10 };
/** Calls that are under way at the same time. */
const mostInFlight = 10;
/** How long one request to the API server may take, its second attempt included. */
const deadlineMs = 5_000;
/** An answer that would begin later than this is worth nothing: the incident has been told. */
const longestWaitMs = 30_000;
/** Of more requests waiting than this the oldest of the namespace that has most is answered with nothing: a storm must not read every log. */
const longestQueue = 100;
/** Bytes of a log tail: what a message can use, and room for a trace. */
const limitBytes = 16_384;

/** Reads the tail of one container's log. */
export type ReadLog = (request: LogRequest) => Promise<string>;

/** What a fetcher works with. */
export type EvidenceFetcherOptions = {
  readonly readLog: ReadLog;
  readonly clock: Clock;
  /** Gets the answer to each request, once. */
  readonly found: (evidence: Evidence) => void;
  readonly failed: (request: EvidenceRequest, error: unknown) => void;
};

/** A request and when (monotonic milliseconds) it is not worth a call any more. */
type Queued = { readonly request: EvidenceRequest; readonly until: number };

/** There is no such run, or its log is gone: what the API server answers for `previous` then. */
const isMissing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 404 || error.status === 400);

/**
 * Fetches the ends of logs for incidents that begin: through a bounded queue in which namespaces take turns, at a bounded rate, a bounded
 * number at a time.
 * Every request is answered through `found`, with no lines when there are none or they cannot be had in time; lines are redacted
 * here, once, and nowhere kept otherwise.
 */
export class EvidenceFetcher {
  readonly #options: EvidenceFetcherOptions;
  readonly #queue = new FairShares<EvidenceRequest, Queued>(longestQueue, ({ request }) => namespaceOf(request.pod));
  readonly #calls: TokenBucket;
  #inFlight = 0;
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(options: EvidenceFetcherOptions) {
    this.#options = options;
    this.#calls = new TokenBucket(callRate, options.clock.monotonic());
  }

  /** Answers later, or at once with nothing. */
  request(request: EvidenceRequest): void {
    if (this.#stopped) return;
    const until = this.#options.clock.monotonic() + longestWaitMs;
    const crowdedOut = this.#queue.set(request, { request, until });
    if (crowdedOut) this.#answerNothing(crowdedOut.request);
    this.#pump();
  }

  /** Nothing is answered any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#cancel = undefined;
    this.#queue.clear();
  }

  #pump(): void {
    const { clock } = this.#options;
    while (!this.#stopped && !this.#cancel && this.#inFlight < mostInFlight) {
      const next = this.#queue.peek();
      if (!next) return;
      const now = clock.monotonic();
      const late = now >= next.until;
      if (!late && !this.#calls.take(now)) {
        this.#cancel = clock.after(this.#calls.waitMs(now), () => {
          this.#cancel = undefined;
          this.#pump();
        });
        return;
      }
      this.#queue.take();
      if (late) this.#answerNothing(next.request);
      else void this.#serve(next.request);
    }
  }

  async #serve(request: EvidenceRequest): Promise<void> {
    const { found, failed } = this.#options;
    this.#inFlight += 1;
    try {
      const evidence = await this.#fetch(request);
      if (!this.#stopped) found(evidence);
    } catch (error) {
      failed(request, error);
      if (!this.#stopped) this.#answerNothing(request);
    } finally {
      this.#inFlight -= 1;
      this.#pump();
    }
  }

  /** A run of which there is no log any more: the present one then says what there is. */
  async #fetch(request: EvidenceRequest): Promise<Evidence> {
    const until = this.#options.clock.monotonic() + deadlineMs;
    if (!request.previous) return this.#read(request, false, until);
    try {
      return await this.#read(request, true, until);
    } catch (error) {
      if (!isMissing(error) || this.#options.clock.monotonic() >= until) throw error;
      return this.#read(request, false, until);
    }
  }

  async #read({ lines, previous: _, ...run }: EvidenceRequest, previous: boolean, until: number): Promise<Evidence> {
    const { pod, container } = run;
    const { readLog, clock } = this.#options;
    const place = { namespace: namespaceOf(pod), pod: nameOf(pod), container, previous };
    const left = Math.max(1, until - clock.monotonic());
    const text = await readLog({ ...place, tailLines: lines, limitBytes, deadlineMs: left });
    const which = previous ? 'previous container' : 'container';
    const source = `last log lines of the ${which} ${container} in ${nameOf(pod)}`;
    return { ...run, source, lines: lastLines(text, lines) };
  }

  #answerNothing({ lines: _, previous: __, ...run }: EvidenceRequest): void {
    this.#options.found({ ...run, source: '', lines: [] });
  }
}

/** The last lines of a log that say anything. Redacted as a whole: a private key spans lines. */
export function lastLines(text: string, count: number): readonly string[] {
  const lines = redact(text)
    .split('\n')
    .map((line) => cleanText(line))
    .filter((line) => line.trim() !== '');
  return lines.slice(-count);
}
