/** The runs of neighbours with the same key, in order: the groups of a list that is sorted by it. */
export function runsOf<T>(list: readonly T[], keyOf: (item: T) => unknown): T[][] {
  const runs: T[][] = [];
  let run: T[] = [];
  let key: unknown;
  for (const item of list) {
    const next = keyOf(item);
    if (run.length === 0 || next !== key) {
      run = [];
      runs.push(run);
    }
    run.push(item);
    key = next;
  }
  return runs;
}
