import type { Clock } from '../model/clock.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { sleep } from './sleep.ts';

/** What a prober needs. One per API server. */
export type ProberOptions = { readonly client: ApiClient; readonly clock: Clock; readonly random: () => number };

const probeDeadlineMs = 2_000;
/** From the start of one probe to the next: this, and up to as much again. */
const intervalMs = 1_000;
/** The same for a server that answers already and is not ready yet: a start takes seconds, and nobody watches meanwhile. */
const startingIntervalMs = 250;
const jitterMs = 1_000;
/** A server that answers and stays unready this long is worth a try: it may be only one of its checks. */
const patienceMs = 15_000;

/**
 * Finds out for everybody when an API server answers again, so that thirty reflectors do not all knock. Probes only while
 * somebody waits: at once, then every 1 to 2 s, and more often once the server answers.
 */
export class Prober {
  readonly #options: ProberOptions;
  readonly #waiters = new Set<() => void>();
  #probing = false;

  constructor(options: ProberOptions) {
    this.#options = options;
  }

  /** Resolves, up to a second after the first answer, once the server takes requests; rejects with the signal's reason. */
  async wait(signal: AbortSignal): Promise<void> {
    await this.#answer(signal);
    await sleep(this.#options.clock, jitterMs * this.#options.random(), signal);
  }

  /** Whether `/readyz` is good right now. */
  async ready(signal: AbortSignal): Promise<boolean> {
    try {
      await this.#ask(signal);
      return true;
    } catch {
      return false;
    }
  }

  #answer(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason);
        return;
      }
      const wake = (): void => {
        signal.removeEventListener('abort', abort);
        resolve();
      };
      const abort = (): void => {
        this.#waiters.delete(wake);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      this.#waiters.add(wake);
      void this.#run();
    });
  }

  async #run(): Promise<void> {
    if (this.#probing) return;
    this.#probing = true;
    const { clock, random } = this.#options;
    let unreadySince: number | undefined;
    while (this.#waiters.size > 0) {
      const startedAt = clock.monotonic();
      const answer = await this.#probe();
      unreadySince = answer === 'unready' ? (unreadySince ?? startedAt) : undefined;
      if (answer === 'ready' || (unreadySince !== undefined && clock.monotonic() - unreadySince >= patienceMs)) {
        this.#wakeAll();
        break;
      }
      const usualMs = answer === 'unready' ? startingIntervalMs : intervalMs;
      const leftMs = startedAt + usualMs * (1 + random()) - clock.monotonic();
      await new Promise<void>((resolve) => clock.after(Math.max(0, leftMs), resolve));
    }
    this.#probing = false;
  }

  #wakeAll(): void {
    const awake = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of awake) wake();
  }

  /** `ready`: good, or an answer that only means we may not ask. */
  async #probe(): Promise<'ready' | 'unready' | 'silent'> {
    try {
      await this.#ask();
      return 'ready';
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) return 'silent';
      return error.status >= 500 || error.status === 429 ? 'unready' : 'ready';
    }
  }

  async #ask(signal?: AbortSignal): Promise<void> {
    const request = { path: '/readyz', accept: '*/*', deadlineMs: probeDeadlineMs, attempts: 1 };
    await this.#options.client.text({ ...request, ...(signal && { signal }) });
  }
}
