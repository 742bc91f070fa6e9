import { isIP, type Socket } from 'node:net';
import { Agent, buildConnector, type Dispatcher, Pool, ProxyAgent } from 'undici';
import { TransportError } from '../providers/provider.ts';
import { unescaped } from './blank.ts';
import { bounded } from './bytes.ts';
import {
  bare,
  blocked,
  type Reach,
  type ServerTls,
  vettedAddresses,
  vettedConnector,
  vettedLookup,
} from './connect.ts';
import { conversationLimits } from './converse.ts';
import type { Vet } from './vet.ts';

/** Milliseconds for name resolution, TCP and TLS together, at most. */
const maxConnectMs = 10_000;
/** Idle connections are kept this long: shorter than products do, so that fewer are found closed. Milliseconds. */
const keepAliveMs = 4_000;

/** The resolver for what is not vetted, which is the proxy. */
const everything: Vet = { address: () => undefined, name: () => undefined, proxiedName: () => undefined };

/** The proxy of the settings. `byAddress`: it is asked for addresses that were vetted here, never for a name. */
export type Via = { readonly url: string; readonly byAddress: boolean };

/**
 * The connections of one policy, kept and used again. `timeoutMs`: for name, TCP and TLS together, so that a connection that
 * nobody waits for any longer is not waited for. `mostBytes`: that may come for one answer. `tls`: with the server; a proxy never sees it.
 */
export function connectionsUnder(
  reach: Reach,
  via: Via | undefined,
  { timeoutMs, mostBytes }: { readonly timeoutMs: number; readonly mostBytes: number },
  tls: ServerTls,
): Dispatcher {
  const kept = {
    ...{ keepAliveTimeout: keepAliveMs, keepAliveMaxTimeout: keepAliveMs, pipelining: 1 },
    webSocket: conversationLimits,
  };
  const connectTimeout = Math.min(timeoutMs, maxConnectMs);
  if (via === undefined)
    return new Agent({ connect: bounded(vettedConnector(reach, connectTimeout, tls), mostBytes), ...kept });
  const lookup = vettedLookup({ vet: everything, resolver: reach.resolver });
  if (!via.byAddress) {
    // The client's own connector, to the proxy or through it.
    const factory = (origin: URL, options: { connect?: buildConnector.connector }): Dispatcher =>
      new Pool(origin, { ...options, ...(options.connect && { connect: bounded(options.connect, mostBytes) }) });
    return new ProxyAgent({ uri: via.url, connectTimeout, proxyTls: { lookup }, requestTls: tls, factory, ...kept });
  }
  const proxy = new Pool(new URL(via.url).origin, {
    connect: { timeout: connectTimeout, lookup, allowH2: false },
    headersTimeout: connectTimeout,
    ...kept,
  });
  const connect = tunnelConnector(reach, proxy, new URL(via.url), { timeout: connectTimeout, ...tls });
  return new Agent({ connect: bounded(connect, mostBytes), ...kept });
}

/**
 * What may be asked of a proxy: names are resolved here only to vet them, and one that only the proxy can resolve goes through, unless the
 * proxy is asked by address anyhow. Rejects with `TransportError` for what may not be reached.
 */
export async function vetForProxy(reach: Reach, hostname: string, { byAddress }: Via): Promise<void> {
  const host = bare(hostname);
  const refusal = isIP(host) === 0 ? reach.vet.proxiedName(host) : reach.vet.address(host);
  if (refusal !== undefined) throw blocked(reach, refusal);
  if (isIP(host) !== 0 || byAddress) return;
  try {
    await vettedAddresses(reach, host);
  } catch (error) {
    if (error instanceof TransportError) throw error;
  }
}

/** Connects through tunnels of the proxy to vetted addresses; TLS and the header are for the name. */
function tunnelConnector(
  reach: Reach,
  proxy: Pool,
  url: URL,
  tls: ServerTls & { readonly timeout: number },
): buildConnector.connector {
  const secure = buildConnector({ allowH2: false, ...tls });
  const login = `${unescaped(url.username)}:${unescaped(url.password)}`;
  const headers = login === ':' ? {} : { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` };

  /** A tunnel to the first address that the proxy takes. */
  async function tunnel(hostname: string, port: string): Promise<Socket> {
    const host = bare(hostname);
    let refusal = '';
    for (const { address, family } of await vettedAddresses(reach, host).catch(unresolved(host))) {
      const path = `${family === 6 ? `[${address}]` : address}:${port}`;
      const { statusCode, socket } = await proxy.connect({ path, headers: { ...headers, host: path } });
      if (statusCode === 200) return socket as Socket;
      socket.on('error', () => undefined).destroy();
      refusal ||= `the proxy refuses a tunnel to ${path}, which is ${host}: it answers ${statusCode}`;
    }
    throw new TransportError('Unreachable', refusal, false);
  }

  return (options, callback) => {
    const { hostname, protocol } = options;
    const port = options.port || (protocol === 'https:' ? '443' : '80');
    tunnel(hostname, port).then(
      (socket) =>
        protocol === 'https:' ? secure({ ...options, httpSocket: socket }, callback) : callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

/** What to say of a name that nobody here knows. */
function unresolved(host: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof TransportError) throw error;
    throw new TransportError(
      'Unreachable',
      `${host} is not resolved here, and the proxy is not asked for a name that an AlertProvider outside Tocsin's namespace chose`,
      false,
    );
  };
}
