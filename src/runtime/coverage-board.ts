import type { Clock } from '../model/clock.ts';
import type { Coverage } from '../model/coverage.ts';

/** Sources that are not required are waited for this long after the required ones; then the baseline is taken without. */
const patienceMs = 60_000;

/** What is known of every source, and the moment at which the baseline may be taken. */
export type CoverageBoard = {
  /** A source is going to be watched (or, by its state, not): the baseline waits for it. */
  expect(source: string): void;
  see(coverage: Coverage): void;
  rows(): readonly Coverage[];
  /** All required sources have synced at least once and are not denied or gone now. */
  requiredSynced(): boolean;
  /** Nothing more will be expected: from now on the baseline may be taken. */
  complete(): void;
  stop(): void;
};

/**
 * Collects coverage. `baseline` is called once: when every expected source has synced or failed once, at most 60 s after the
 * required ones have synced.
 */
export function createCoverageBoard(clock: Clock, baseline: () => void): CoverageBoard {
  const rows = new Map<string, Coverage>();
  const expected = new Set<string>();
  const settled = new Set<string>();
  const synced = new Set<string>();
  let complete = false;
  let taken = false;
  let cancelPatience: (() => void) | undefined;

  function requiredSynced(): boolean {
    const required = [...rows.values()].filter((row) => row.required);
    return (
      complete &&
      required.length > 0 &&
      [...expected].every((source) => rows.has(source)) &&
      required.every((row) => synced.has(row.source) && row.state !== 'Denied' && row.state !== 'NotServed')
    );
  }

  function take(): void {
    if (taken) return;
    taken = true;
    cancelPatience?.();
    baseline();
  }

  function look(): void {
    if (taken || !requiredSynced()) return;
    if ([...expected].every((source) => settled.has(source))) take();
    else cancelPatience ??= clock.after(patienceMs, take);
  }

  return {
    expect(source) {
      expected.add(source);
    },
    see(coverage) {
      rows.set(coverage.source, coverage);
      if (coverage.state === 'Watching') synced.add(coverage.source);
      if (coverage.state !== 'Syncing') settled.add(coverage.source);
      look();
    },
    rows: () => [...rows.values()].sort((a, b) => (a.source < b.source ? -1 : 1)),
    requiredSynced,
    complete() {
      complete = true;
      look();
    },
    stop() {
      taken = true;
      cancelPatience?.();
    },
  };
}
