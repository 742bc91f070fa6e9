import type { Clock } from '../../model/clock.ts';
import type { Coverage } from '../../model/coverage.ts';

/** Sources that are not required are waited for this long after the required ones; then the baseline is taken without. */
const patienceMs = 60_000;

/**
 * Collects what is known of every source, and finds the moment at which the baseline may be taken: once, when everything that is
 * expected has synced or failed once and the configuration is known. Sources are waited for at most 60 s after the required ones
 * have synced; the configuration always is, since it says whether there is saved state to go on from.
 */
export class CoverageTracker {
  readonly #clock: Clock;
  readonly #baseline: () => void;
  readonly #rows = new Map<string, Coverage>();
  /** Source → whether it is required. */
  readonly #expected = new Map<string, boolean>();
  readonly #settled = new Set<string>();
  readonly #synced = new Set<string>();
  #complete = false;
  #configured = false;
  #taken = false;
  /** Sources that are not required have been waited for long enough. */
  #impatient = false;
  #cancelPatience: (() => void) | undefined;

  constructor(clock: Clock, baseline: () => void) {
    this.#clock = clock;
    this.#baseline = baseline;
  }

  /** A source is going to be watched (or, by its state, not): the baseline waits for it. */
  expect(source: string, required: boolean): void {
    this.#expected.set(source, required);
  }

  /** Nothing more will be expected. */
  complete(): void {
    this.#complete = true;
    this.#look();
  }

  /** What the custom resources say is known: the baseline is judged by it. */
  configured(): void {
    this.#configured = true;
    this.#look();
  }

  /** A row has changed. */
  see(coverage: Coverage): void {
    const { source, state } = coverage;
    this.#rows.set(source, coverage);
    if (state === 'Watching') this.#synced.add(source);
    if (isSettled(coverage)) this.#settled.add(source);
    this.#look();
  }

  /** What is known of one source; `undefined` before anything is. */
  row(source: string): Coverage | undefined {
    return this.#rows.get(source);
  }

  /** A source has been watched since the start, whatever it is now. */
  hasSynced(source: string): boolean {
    return this.#synced.has(source);
  }

  /** All rows, sorted by source. */
  rows(): readonly Coverage[] {
    return [...this.#rows.values()].sort((a, b) => (a.source < b.source ? -1 : 1));
  }

  /** All required sources have synced at least once and are not denied or gone now. */
  requiredSynced(): boolean {
    return this.#complete && [...this.#expected].every(([source, required]) => !required || this.#isSynced(source));
  }

  /** No baseline is taken any more. */
  stop(): void {
    this.#taken = true;
    this.#cancelPatience?.();
  }

  #isSynced(source: string): boolean {
    const state = this.#rows.get(source)?.state;
    return this.#synced.has(source) && state !== 'Denied' && state !== 'NotServed';
  }

  #look(): void {
    if (this.#taken || !this.requiredSynced()) return;
    const complete = this.#impatient || [...this.#expected.keys()].every((source) => this.#settled.has(source));
    if (this.#configured && complete) this.#take();
    else
      this.#cancelPatience ??= this.#clock.after(patienceMs, () => {
        this.#impatient = true;
        this.#look();
      });
  }

  #take(): void {
    if (this.#taken) return;
    this.stop();
    this.#baseline();
  }
}

/** Waiting for it any longer would bring nothing: whether it is served at all may be known in a moment. */
function isSettled({ state, reason }: Coverage): boolean {
  return state !== 'Syncing' && reason !== 'DiscoveryFailed';
}
