/**
 * RFC 3339 with a capital T and an offset: what the API server, ajv and `Date.parse` all read alike. Years end with 2999, so that
 * whatever is added to an instant is still one: after 9999 neither the API server nor RFC 3339 has a way to write it.
 */
export const instantPattern =
  '^[0-2][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3])(:[0-5][0-9]){2}([.][0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

const instantForm = new RegExp(instantPattern);

/** The instant (epoch milliseconds) that a text names in the form of `instantPattern`; `undefined` when it names none. */
export function instantIn(text: string): number | undefined {
  if (!instantForm.test(text)) return undefined;
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split('-').map(Number);
  // A day that its month does not have would be read as one of the next.
  const lastDay = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return day <= lastDay ? Date.parse(text) : undefined;
}

/** The earliest of some instants (epoch milliseconds), `Infinity` of none. Any number of them: `Math.min(...list)` throws beyond some 120,000. */
export function earliest(instants: Iterable<number>): number {
  let first = Number.POSITIVE_INFINITY;
  for (const instant of instants) if (instant < first) first = instant;
  return first;
}

/** The latest of some instants (epoch milliseconds), `-Infinity` of none. */
export function latest(instants: Iterable<number>): number {
  let last = Number.NEGATIVE_INFINITY;
  for (const instant of instants) if (instant > last) last = instant;
  return last;
}
