/** One mail address, `a@b` or `Name <a@b>`; no comma or line break, so that none can become two. RE2 and JavaScript read it alike. */
const address = '([^<>@,\\x00-\\x1f\\x7f]*<[^<>@\\s,]+@[^<>@\\s,]+>|[^<>@\\s,]+@[^<>@\\s,]+)';
/** One address. */
export const addressPattern = `^ *${address} *$`;
/** One or more, separated by commas. */
export const addressesPattern = `^ *${address}( *, *${address})* *$`;

/** The addresses of a comma-separated list. */
export function splitAddresses(list: string): readonly string[] {
  return list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** `a@b` of `Name <a@b>`. */
export function bareAddress(given: string): string {
  return (/<([^<>]*)>/.exec(given)?.[1] ?? given).trim();
}
