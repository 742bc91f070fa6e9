import type { Clock } from '../model/clock.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { sleep } from './sleep.ts';

/** Finds out for everybody when an API server answers again, so that thirty reflectors do not all knock. */
export type Prober = {
  /** Resolves, up to a second after the first answer, once the server takes requests; rejects with the signal's reason. */
  wait(signal: AbortSignal): Promise<void>;
  /** Whether `/readyz` is good right now. */
  ready(signal: AbortSignal): Promise<boolean>;
};

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

/** Probes only while somebody waits: at once, then every 1 to 2 s, and more often once the server answers. */
export function createProber(options: ProberOptions): Prober {
  const { client, clock, random } = options;
  const waiting = new Set<() => void>();
  let probing = false;

  /** `ready`: good, or an answer that only means we may not ask. */
  async function probe(signal?: AbortSignal): Promise<'ready' | 'unready' | 'silent'> {
    try {
      await client.text({
        path: '/readyz',
        accept: '*/*',
        deadlineMs: probeDeadlineMs,
        attempts: 1,
        ...(signal === undefined ? {} : { signal }),
      });
      return 'ready';
    } catch (error) {
      if (!(error instanceof ApiError) || error.status === 0) return 'silent';
      return error.status >= 500 || error.status === 429 ? 'unready' : 'ready';
    }
  }

  async function run(): Promise<void> {
    let unreadySince: number | undefined;
    while (waiting.size > 0) {
      const started = clock.now();
      const answer = await probe();
      if (answer === 'unready') unreadySince ??= started;
      else unreadySince = undefined;
      if (answer === 'ready' || (unreadySince !== undefined && clock.now() - unreadySince >= patienceMs)) {
        const awake = [...waiting];
        waiting.clear();
        for (const wake of awake) wake();
        break;
      }
      const usual = answer === 'unready' ? startingIntervalMs : intervalMs;
      const pause = started + usual * (1 + random()) - clock.now();
      await new Promise<void>((resolve) => clock.after(Math.max(0, pause), resolve));
    }
    probing = false;
  }

  return {
    async wait(signal) {
      await new Promise<void>((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const wake = (): void => {
          signal.removeEventListener('abort', abort);
          resolve();
        };
        const abort = (): void => {
          waiting.delete(wake);
          reject(signal.reason);
        };
        signal.addEventListener('abort', abort, { once: true });
        waiting.add(wake);
        if (!probing) {
          probing = true;
          void run();
        }
      });
      await sleep(clock, jitterMs * random(), signal);
    },
    async ready(signal) {
      try {
        await client.text({ path: '/readyz', accept: '*/*', deadlineMs: probeDeadlineMs, attempts: 1, signal });
        return true;
      } catch {
        return false;
      }
    },
  };
}
