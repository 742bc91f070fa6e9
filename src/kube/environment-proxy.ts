import { BlockList, isIP } from 'node:net';
import { ClusterConfigError } from './config.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** What speaks for a proxy: others cannot be used for the API server. */
const schemes: ReadonlySet<string> = new Set(['http:', 'https:']);

/**
 * The proxy by which the environment has a server reached, by the rules of client-go (Go's `http.ProxyFromEnvironment`): `HTTPS_PROXY`
 * or `https_proxy` (`HTTP_PROXY` for plain http), unless `NO_PROXY` or `no_proxy` names the server. This machine itself is never
 * asked for by a proxy. Throws `ClusterConfigError` when the proxy is no URL.
 */
export function proxyFromEnvironment(env: Environment, server: string): string | undefined {
  const url = new URL(server);
  const names =
    url.protocol === 'https:' ? (['HTTPS_PROXY', 'https_proxy'] as const) : (['HTTP_PROXY', 'http_proxy'] as const);
  const name = names.find((one) => env[one]);
  const proxy = name && env[name];
  if (!name || !proxy || isExempt(url, env.NO_PROXY || env.no_proxy || '')) return undefined;
  const whole = proxy.includes('://') ? proxy : `http://${proxy}`;
  // The value is not quoted: it may hold a password.
  if (!URL.canParse(whole) || !schemes.has(new URL(whole).protocol))
    throw new ClusterConfigError(
      `${name} is not the address of an HTTP proxy. Write it as http://host:port, or unset it; NO_PROXY=${url.hostname} exempts the API server.`,
    );
  return whole;
}

/** Whether a server is reached without the proxy: it is this machine, or the list names it. */
function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  const at = { host, port: port || (protocol === 'https:' ? '443' : '80') };
  if (host === 'localhost' || isLoopback(host)) return true;
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && names(entry, at));
}

/** Whether an entry of the list names a server: `*`, a network, an address or a domain, these two also with a port. */
function names(entry: string, { host, port }: { readonly host: string; readonly port: string }): boolean {
  if (entry === '*') return true;
  const [network = '', prefix] = entry.split('/');
  if (prefix !== undefined) return isWithin(host, network, prefix);
  if (isIP(entry) > 0) return isSame(host, entry);
  const [, name = entry, onPort] = /^(.*):(\d*)$/.exec(entry) ?? [];
  if (onPort && onPort !== port) return false;
  const address = name.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) > 0) return isSame(host, address);
  // `.example.com` and `*.example.com` are what is below it; `example.com` is itself as well.
  const domain = name.replace(/^\*(?=\.)/, '');
  if (domain === '' || domain === '.') return false;
  return domain.startsWith('.') ? host.endsWith(domain) : host === domain || host.endsWith(`.${domain}`);
}

const family = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4');

function isSame(host: string, address: string): boolean {
  return isIP(host) > 0 && isWithin(host, address, isIP(address) === 6 ? '128' : '32');
}

function isWithin(host: string, network: string, prefix: string): boolean {
  const longest = isIP(network) === 6 ? 128 : 32;
  if (isIP(host) === 0 || isIP(network) === 0 || !/^\d{1,3}$/.test(prefix) || Number(prefix) > longest) return false;
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), family(network));
  return list.check(host, family(host));
}

function isLoopback(host: string): boolean {
  return isWithin(host, '127.0.0.0', '8') || isSame(host, '::1');
}
