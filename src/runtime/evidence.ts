import type { Clock } from '../model/clock.ts';
import { cleanText, redact } from '../model/redact.ts';
import { nameOf, namespaceOf } from '../model/ref.ts';
import { type Rate, TokenBucket } from '../model/token-bucket.ts';
import type { Evidence, EvidenceRequest } from '../model/turn.ts';
import { evidenceWaitMs } from '../turn/deliveries.ts';

/** Log calls: each one costs the API server and a kubelet a request. */
const calls: Rate = { perSecond: 5, burst: 1 };
/** One log call per incident in this time. */
const perIncidentMs = 10 * 60_000;
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

/** Fetches log lines for messages that wait. */
export type EvidenceFetcher = { request(request: EvidenceRequest): void; stop(): void };

/** A request and when (epoch milliseconds) its message waits no longer. */
type Waiting = { readonly request: EvidenceRequest; readonly until: number };

/**
 * Fetches evidence through a bounded queue with a token bucket. Every request is answered through `found`, with no lines
 * when there are none or they cannot be had while the message waits; lines are redacted here, once, and nowhere kept
 * otherwise.
 */
export function createEvidenceFetcher(options: {
  readonly readLog: ReadLog;
  readonly clock: Clock;
  readonly found: (evidence: Evidence) => void;
  readonly failed: (request: EvidenceRequest, error: unknown) => void;
}): EvidenceFetcher {
  const { clock } = options;
  const queue: Waiting[] = [];
  const lastByIncident = new Map<string, number>();
  const bucket = new TokenBucket(calls, clock.monotonic());
  let cancel: (() => void) | undefined;
  let stopped = false;

  const nothing = (request: EvidenceRequest): void =>
    options.found({ incident: request.incident, source: '', lines: [] });

  async function fetch({ request, until }: Waiting, previous: boolean): Promise<Evidence> {
    const text = await options.readLog({
      namespace: namespaceOf(request.pod),
      pod: nameOf(request.pod),
      container: request.container,
      previous,
      tailLines: request.lines,
      limitBytes,
      deadlineMs: Math.max(1, until - clock.now()),
    });
    // Redacted as a whole: a private key spans lines.
    const lines = redact(text)
      .split('\n')
      .map((line) => cleanText(line))
      .filter((line) => line.trim() !== '');
    const which = previous ? 'previous container' : 'container';
    return {
      incident: request.incident,
      source: `last log lines of the ${which} ${request.container} in ${nameOf(request.pod)}`,
      lines: lines.slice(-request.lines),
    };
  }

  async function serve(waiting: Waiting): Promise<void> {
    try {
      options.found(await fetchEither(waiting));
    } catch (error) {
      options.failed(waiting.request, error);
      nothing(waiting.request);
    }
  }

  /** A container that has not restarted yet has no previous log: its current one then says what there is. */
  async function fetchEither(waiting: Waiting): Promise<Evidence> {
    if (!waiting.request.previous) return fetch(waiting, false);
    try {
      return await fetch(waiting, true);
    } catch (error) {
      if (clock.now() >= waiting.until) throw error;
      return fetch(waiting, false);
    }
  }

  function pump(): void {
    cancel = undefined;
    if (stopped) return;
    for (let next = queue[0]; next; next = queue[0]) {
      const now = clock.now();
      if (now >= next.until) {
        // Its message has gone.
        queue.shift();
        nothing(next.request);
        continue;
      }
      if (!bucket.take(clock.monotonic())) {
        cancel = clock.after(bucket.waitMs(clock.monotonic()), pump);
        return;
      }
      queue.shift();
      void serve(next);
    }
  }

  return {
    request(request) {
      if (stopped) return;
      const now = clock.now();
      for (const [incident, at] of lastByIncident) if (now - at >= perIncidentMs) lastByIncident.delete(incident);
      if (lastByIncident.has(request.incident) || queue.length >= longestQueue) {
        nothing(request);
        return;
      }
      lastByIncident.set(request.incident, now);
      queue.push({ request, until: now + evidenceWaitMs });
      if (!cancel) pump();
    },
    stop() {
      stopped = true;
      cancel?.();
      queue.length = 0;
    },
  };
}
