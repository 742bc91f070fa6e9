import type { Clock } from '../model/clock.ts';
import { nameOfRequest, transportErrorOf } from './answer.ts';
import { ApiError, type ApiRequest } from './api-client.ts';

const defaultDeadlineMs = 30_000;

/** What ends a request: its deadline, or its caller's own signal. `end` frees both. */
export class RequestLimit {
  readonly #request: ApiRequest;
  readonly #clock: Clock;
  readonly #controller = new AbortController();
  /** Monotonic. */
  readonly #endsAt: number;
  readonly #abort = (): void =>
    this.#controller.abort(new ApiError(0, 'Aborted', `${nameOfRequest(this.#request)}: given up`));
  /** From now on only the caller's signal ends it. */
  readonly endDeadline: () => void;

  constructor(request: ApiRequest, clock: Clock) {
    const { deadlineMs = defaultDeadlineMs, signal } = request;
    this.#request = request;
    this.#clock = clock;
    this.#endsAt = clock.monotonic() + deadlineMs;
    this.endDeadline = clock.after(deadlineMs, () => {
      const says = `${nameOfRequest(request)}: no answer within ${deadlineMs / 1000} s`;
      this.#controller.abort(new ApiError(0, 'Timeout', says));
    });
    if (signal?.aborted) this.#abort();
    signal?.addEventListener('abort', this.#abort, { once: true });
  }

  /** Fires at the deadline or with the caller's own. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Milliseconds until the deadline. */
  leftMs(): number {
    return this.#endsAt - this.#clock.monotonic();
  }

  /** What a failure means: an abort by this limit says why itself. */
  explain(error: unknown): ApiError {
    return transportErrorOf(this.#request, this.signal.aborted ? this.signal.reason : error);
  }

  /** The request is over. */
  end(): void {
    this.endDeadline();
    this.#request.signal?.removeEventListener('abort', this.#abort);
  }
}
