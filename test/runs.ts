/** How often a property is tried: so often in `make test`, and ten times as often with `PROPERTY_RUNS=10`. */
export const runs = (usual: number): number => Math.ceil(usual * Number(process.env.PROPERTY_RUNS ?? 1));
