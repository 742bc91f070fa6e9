/** How often a property is tried: so often in `make test`, and ten times as often with `PROPERTY_RUNS=10`. */
export const runs = (usual: number): number => Math.ceil(usual * Number(process.env.PROPERTY_RUNS ?? 1));

/**
 * How a property over whole clusters is tried: the same stories each time in `make test`, so that who changed something knows that it was
 * that; others each time with `PROPERTY_RUNS`, to search.
 */
export function searched(usual: number): { readonly numRuns: number; readonly seed?: number } {
  return process.env.PROPERTY_RUNS === undefined ? { numRuns: usual, seed: 1 } : { numRuns: runs(usual) };
}
