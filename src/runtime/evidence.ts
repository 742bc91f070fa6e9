import { BoundedMap } from '../model/bounded-map.ts';
import type { Clock } from '../model/clock.ts';
import { cleanText, redact } from '../model/redact.ts';
import { nameOf, namespaceOf } from '../model/ref.ts';
import { type Rate, TokenBucket } from '../model/token-bucket.ts';
import type { Evidence, EvidenceRequest } from '../model/turn.ts';
import { evidenceWaitMs } from '../turn/deliveries.ts';

/** Log calls: each one costs the API server and a kubelet a request. */
const callRate: Rate = { perSecond: 5, burst: 1 };
/** One log call per incident in this time. */
const perIncidentMs = 10 * 60_000;
/** Incidents of which the last log call is remembered. */
const maxRemembered = 5_000;
/** Requests beyond this many waiting are answered at once with nothing: a storm must not wait for logs. */
const longestQueue = 50;
/** Bytes of a log tail, as much as a message can use. */
const limitBytes = 16_384;

/** Reads the tail of one container's log. */
export type ReadLog = (request: {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly previous: boolean;
  readonly tailLines: number;
  readonly limitBytes: number;
  readonly deadlineMs: number;
}) => Promise<string>;

/** What a fetcher works with. */
export type EvidenceFetcherOptions = {
  readonly readLog: ReadLog;
  readonly clock: Clock;
  /** Gets the answer to each request, once. */
  readonly found: (evidence: Evidence) => void;
  readonly failed: (request: EvidenceRequest, error: unknown) => void;
};

/** A request and when (monotonic milliseconds) its message is not held back for it any longer. */
type Queued = { readonly request: EvidenceRequest; readonly until: number };

/**
 * Fetches log lines for messages that are held back for them, through a bounded queue and at a bounded rate. Every request is
 * answered through `found`, with no lines when there are none or they cannot be had in time; lines are redacted here, once, and
 * nowhere kept otherwise.
 */
export class EvidenceFetcher {
  readonly #options: EvidenceFetcherOptions;
  readonly #queue: Queued[] = [];
  readonly #calls: TokenBucket;
  /** Incident → when (monotonic milliseconds) its log was asked for. */
  readonly #askedAt = new BoundedMap<string, number>(maxRemembered);
  #cancel: (() => void) | undefined;
  #stopped = false;

  constructor(options: EvidenceFetcherOptions) {
    this.#options = options;
    this.#calls = new TokenBucket(callRate, options.clock.monotonic());
  }

  /** Answers later, or at once with nothing. */
  request(request: EvidenceRequest): void {
    if (this.#stopped) return;
    const now = this.#options.clock.monotonic();
    const askedAt = this.#askedAt.get(request.incident);
    const askedLately = askedAt !== undefined && now - askedAt < perIncidentMs;
    if (askedLately || this.#queue.length >= longestQueue) {
      this.#answerNothing(request);
      return;
    }
    this.#askedAt.set(request.incident, now);
    this.#queue.push({ request, until: now + evidenceWaitMs });
    if (!this.#cancel) this.#pump();
  }

  /** Nothing is answered any more. */
  stop(): void {
    this.#stopped = true;
    this.#cancel?.();
    this.#queue.length = 0;
  }

  #pump(): void {
    this.#cancel = undefined;
    const { clock } = this.#options;
    for (let next = this.#queue[0]; next && !this.#stopped; next = this.#queue[0]) {
      const now = clock.monotonic();
      const late = now >= next.until;
      if (!late && !this.#calls.take(now)) {
        this.#cancel = clock.after(this.#calls.waitMs(now), () => this.#pump());
        return;
      }
      this.#queue.shift();
      // When it is late, its message has gone.
      if (late) this.#answerNothing(next.request);
      else void this.#serve(next);
    }
  }

  async #serve(queued: Queued): Promise<void> {
    const { found, failed } = this.#options;
    try {
      found(await this.#fetch(queued));
    } catch (error) {
      failed(queued.request, error);
      this.#answerNothing(queued.request);
    }
  }

  /** A container that has not restarted yet has no previous log: its current one then says what there is. */
  async #fetch(queued: Queued): Promise<Evidence> {
    if (!queued.request.previous) return this.#read(queued, false);
    try {
      return await this.#read(queued, true);
    } catch (error) {
      if (this.#options.clock.monotonic() >= queued.until) throw error;
      return this.#read(queued, false);
    }
  }

  async #read({ request, until }: Queued, previous: boolean): Promise<Evidence> {
    const { incident, pod, container, lines } = request;
    const { readLog, clock } = this.#options;
    const deadlineMs = Math.max(1, until - clock.monotonic());
    const place = { namespace: namespaceOf(pod), pod: nameOf(pod), container, previous };
    const text = await readLog({ ...place, tailLines: lines, limitBytes, deadlineMs });
    const which = previous ? 'previous container' : 'container';
    const source = `last log lines of the ${which} ${container} in ${nameOf(pod)}`;
    return { incident, source, lines: lastLines(text, lines) };
  }

  #answerNothing({ incident }: EvidenceRequest): void {
    this.#options.found({ incident, source: '', lines: [] });
  }
}

/** Redacted as a whole: a private key spans lines. */
function lastLines(text: string, count: number): readonly string[] {
  const lines = redact(text)
    .split('\n')
    .map((line) => cleanText(line))
    .filter((line) => line.trim() !== '');
  return lines.slice(-count);
}
