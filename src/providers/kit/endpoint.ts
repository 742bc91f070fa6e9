/**
 * The address of an endpoint below a configured base address, whose own path stays: `endpoint('https://h/api/', 'alert')` is
 * `https://h/api/alert`, with or without the slash. Names within `path` are percent-encoded by the caller. `query` replaces one
 * that the base may have.
 */
export function endpoint(base: string, path: string, query?: Readonly<Record<string, string>>): URL {
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`;
  if (query) url.search = new URLSearchParams(query).toString();
  url.hash = '';
  return url;
}
