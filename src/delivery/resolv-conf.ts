import { isIP } from 'node:net';

/** How names are completed, as `resolv.conf(5)` has it; where the name servers are is left to the DNS client. */
export type SearchRules = {
  readonly domains: readonly string[];
  /** Names with at least this many dots are tried as they are first. */
  readonly ndots: number;
};

/** Kubernetes lets a Pod have 32 search domains (`dnsConfig.searches`). */
const maxSearchDomains = 32;
/** `ndots` is capped silently at this, by resolv.conf(5). */
const maxNdots = 15;

const words = (line: string): readonly string[] => line.split(/\s+/).filter((word) => word !== '');

/** Reads the text of a `resolv.conf`: the last `search` or `domain` line counts, as does the last `ndots`. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = [];
  let ndots = 1;
  for (const line of text.split('\n')) {
    const [keyword, ...rest] = words(line.replace(/[#;].*$/, ''));
    if (keyword === 'search') domains = rest.slice(0, maxSearchDomains);
    if (keyword === 'domain') domains = rest.slice(0, 1);
    if (keyword !== 'options') continue;
    for (const option of rest) {
      const given = /^ndots:(\d{1,4})$/.exec(option)?.[1];
      if (given !== undefined) ndots = Math.min(Number(given), maxNdots);
    }
  }
  return { domains: domains.map((domain) => domain.replace(/\.+$/, '')).filter((domain) => domain !== ''), ndots };
}

/** The full names to ask for, one after the other, in the order in which `res_search(3)` asks. */
export function candidateNames(name: string, { domains, ndots }: SearchRules): readonly string[] {
  if (name.endsWith('.')) return [name.slice(0, -1)];
  const completed = domains.map((domain) => `${name}.${domain}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...completed] : [...completed, name];
}

/** The addresses that the text of a `hosts(5)` gives a name; nothing is searched for there. */
export function addressesInHosts(text: string, name: string): readonly string[] {
  const wanted = name.toLowerCase().replace(/\.$/, '');
  const found = new Set<string>();
  for (const line of text.split('\n')) {
    const [address = '', ...names] = words(line.replace(/#.*$/, ''));
    if (isIP(address) !== 0 && names.some((listed) => listed.toLowerCase() === wanted)) found.add(address);
  }
  return [...found];
}
