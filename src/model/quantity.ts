/** Suffixes of quantities and what they stand for (apimachinery `resource.Quantity`); those below a thousandth are for metrics only. */
const suffixes: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ m: 1e-3, '': 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
    ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
  }),
);

/** A quantity as people write it in a resource list, in cores or bytes: 0.25 of `250m`, 536870912 of `512Mi`. */
export function parseQuantity(text: string): number | undefined {
  const [, digits = '', suffix = ''] = /^([0-9.]+(?:[eE][+-]?\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  const unit = suffixes.get(suffix);
  const number = Number(digits);
  return digits === '' || unit === undefined || Number.isNaN(number) ? undefined : number * unit;
}
