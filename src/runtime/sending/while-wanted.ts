import type { Clock } from '../../model/clock.ts';
import type { ProviderSettings } from '../../model/settings.ts';

/** What runs as long as it is wanted. `key`: it is begun anew when that changes. `run` ends soon after the signal fires, and never rejects. */
export type Wanted = { readonly key: string; readonly run: (signal: AbortSignal) => Promise<void> };

/** Runs what is wanted, each under a name of its own, as long as the lock is held. */
export class WhileWanted {
  readonly #begun = new Map<string, { readonly key: string; readonly stop: AbortController }>();
  #wanted: ReadonlyMap<string, Wanted> = new Map();
  #isHeld = false;

  /** What is wanted from now on, by name. */
  configure(wanted: ReadonlyMap<string, Wanted>): void {
    this.#wanted = wanted;
    this.#follow();
  }

  /** The lock is held. */
  resume(): void {
    this.#isHeld = true;
    this.#follow();
  }

  /** The lock is lost, or the process ends. */
  pause(): void {
    this.#isHeld = false;
    this.#follow();
  }

  #follow(): void {
    const wanted = this.#isHeld ? this.#wanted : new Map<string, Wanted>();
    for (const [name, { key, stop }] of this.#begun) {
      if (wanted.get(name)?.key === key) continue;
      stop.abort();
      this.#begun.delete(name);
    }
    for (const [name, { key, run }] of wanted) {
      if (this.#begun.has(name)) continue;
      const stop = new AbortController();
      this.#begun.set(name, { key, stop });
      void run(stop.signal);
    }
  }
}

/** What of an AlertProvider begins it anew. */
export const keyOf = ({ uid, generation, credentialVersion = '' }: ProviderSettings): string =>
  [uid, generation, credentialVersion].join(' ');

/** Waits so many milliseconds, or less where the signal fires. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const cancel = clock.after(milliseconds, end);
  signal.addEventListener('abort', end, { once: true });
  return promise.finally(() => {
    cancel();
    signal.removeEventListener('abort', end);
  });
}
