import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { openSecret } from '../model/secret.ts';
import { ApiError } from './api-client.ts';
import { sameTls, type TlsMaterial } from './credentials.ts';

/** TCP keep-alive starts after 30 s, as in client-go: below the idle limit of cloud load balancers. */
const tcpKeepAliveMs = 30_000;
/** An idle connection is kept this long; the API server closes it after 90 s (and a server's own hint wins). */
const idleMs = 60_000;
const connectMs = 10_000;

function open(tls: TlsMaterial, proxy: string | undefined): Dispatcher {
  const secure = {
    ...(tls.ca === undefined ? {} : { ca: tls.ca }),
    ...(tls.cert === undefined ? {} : { cert: tls.cert }),
    ...(tls.key === undefined ? {} : { key: openSecret(tls.key) }),
    ...(tls.servername === undefined ? {} : { servername: tls.servername }),
    ...(tls.insecure ? { rejectUnauthorized: false } : {}),
  };
  const tcp = { keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs, timeout: connectMs };
  // HTTP/1.1 only: watches over HTTP/2 leaked memory in Node, and one lost connection would end all of them.
  // No time-outs here: every request has its own deadline, and a watch may be silent for minutes.
  const common = { allowH2: false, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: idleMs };
  if (proxy !== undefined) return new ProxyAgent({ uri: proxy, requestTls: secure, connect: tcp, ...common });
  return new Agent({ connect: { ...secure, ...tcp }, ...common });
}

function closedError(): ApiError {
  return new ApiError(0, 'Closed', 'The client of the API server is closed: the process is stopping.');
}

/** The connections to one API server. */
export type Transport = {
  /** The pool for this material: the same one until the CA or the client certificate changes. */
  pool(tls: TlsMaterial): Dispatcher;
  /** Ends all connections; requests under way, and any later, are rejected with `ApiError` reason `Closed`. */
  close(): Promise<void>;
};

/** One pool at a time. The one before a change of certificates ends when its last request does. */
export function createTransport(proxy: string | undefined): Transport {
  let current: { readonly tls: TlsMaterial; readonly pool: Dispatcher } | undefined;
  const retired = new Set<Dispatcher>();
  let closed = false;

  function retire(pool: Dispatcher): void {
    retired.add(pool);
    const forget = (): void => {
      retired.delete(pool);
    };
    pool.close().then(forget, forget);
  }

  return {
    pool(tls) {
      if (closed) throw closedError();
      if (current !== undefined && sameTls(current.tls, tls)) return current.pool;
      if (current !== undefined) retire(current.pool);
      current = { tls, pool: open(tls, proxy) };
      return current.pool;
    },
    async close() {
      const pools = [...retired, ...(current === undefined ? [] : [current.pool])];
      closed = true;
      current = undefined;
      retired.clear();
      await Promise.all(pools.map((pool) => pool.destroy(closedError())));
    },
  };
}
