import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';

/** Sources that are not required are waited for this long after the required ones; then the baseline is taken without. */
const patienceMs = 60_000;

/** What is known of every source, and the moment at which the baseline may be taken. */
export type CoverageTracker = {
  /** A source is going to be watched (or, by its state, not): the baseline waits for it. */
  expect(source: string, required: boolean): void;
  see(coverage: Coverage): void;
  row(source: string): Coverage | undefined;
  rows(): readonly Coverage[];
  /** All required sources have synced at least once and are not denied or gone now. */
  requiredSynced(): boolean;
  /** Nothing more will be expected. */
  complete(): void;
  /** What the custom resources say is known: the baseline is judged by it. */
  configured(): void;
  stop(): void;
};

/**
 * Collects coverage. `baseline` is called once: when everything that is expected has synced or failed once and the
 * configuration is known, at most 60 s after the required sources have synced.
 */
export function createCoverageTracker(clock: Clock, baseline: () => void): CoverageTracker {
  const rows = new Map<string, Coverage>();
  /** Source → whether it is required. */
  const expected = new Map<string, boolean>();
  const settled = new Set<string>();
  const synced = new Set<string>();
  let complete = false;
  let configured = false;
  let taken = false;
  let cancelPatience: (() => void) | undefined;

  function isSynced(source: string): boolean {
    const state = rows.get(source)?.state;
    return synced.has(source) && state !== 'Denied' && state !== 'NotServed';
  }

  function requiredSynced(): boolean {
    return complete && [...expected].every(([source, required]) => !required || isSynced(source));
  }

  function take(): void {
    if (taken) return;
    taken = true;
    cancelPatience?.();
    baseline();
  }

  function look(): void {
    if (taken || !requiredSynced()) return;
    if (configured && [...expected.keys()].every((source) => settled.has(source))) take();
    else cancelPatience ??= clock.after(patienceMs, take);
  }

  return {
    expect: (source, required) => void expected.set(source, required),
    see(coverage) {
      rows.set(coverage.source, coverage);
      if (coverage.state === 'Watching') synced.add(coverage.source);
      if (coverage.state !== 'Syncing') settled.add(coverage.source);
      look();
    },
    row: (source) => rows.get(source),
    rows: () => [...rows.values()].sort((a, b) => (a.source < b.source ? -1 : 1)),
    requiredSynced,
    complete() {
      complete = true;
      look();
    },
    configured() {
      configured = true;
      look();
    },
    stop() {
      taken = true;
      cancelPatience?.();
    },
  };
}
