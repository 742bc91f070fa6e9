import { createServer, type Server } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type ApplicationOptions, createApplication } from './application.ts';
import { Connections } from './connections.ts';
import type { ServingPair } from './serving-pair.ts';
import { TlsListener } from './tls-listener.ts';

/** The server while it listens. */
export type RunningServer = {
  readonly port: number;
  /**
   * Serves the same over TLS with this certificate from now on, on `tlsPort`; a renewed one takes its place without ending a
   * connection, and `undefined` ends it. Rejects when the port is taken, or when the pair cannot be used.
   */
  serveTls(pair: ServingPair | undefined): Promise<void>;
  /** The port of TLS while it is served. */
  readonly tlsPort: number | undefined;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
};

/** Where it listens. A port of 0 takes a free one. */
export type ListenOptions = {
  /** `::` is every address of both families, or of IPv4 alone where the node has no IPv6. */
  readonly host: string;
  readonly port: number;
  /** For TLS, once there is a certificate; absent: a free one. */
  readonly tlsPort?: number;
};

/** Request headers larger than this are refused (431); bytes. */
const maxHeaderSize = 8 * 1024;
/** Milliseconds for the headers, for the whole request, and for the handshake of TLS; every answer takes far less. */
const requestTimeoutMs = 5_000;
/** Milliseconds between requests of one connection; how often connections are looked through for those that are late. */
const keepAliveMs = 5_000;
const checkIntervalMs = 1_000;
/** A connection on which nothing moves for so long is ended, also in the middle of an answer that nobody reads. Milliseconds. */
const stillMs = 10_000;
/** After so many requests a connection is ended: whoever goes on connects again, and takes its turn. */
const maxRequestsPerConnection = 100;
const limits = {
  maxHeaderSize,
  headersTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  keepAliveTimeout: keepAliveMs,
  connectionsCheckingInterval: checkIntervalMs,
} as const;

/**
 * Serves the endpoints: `/healthz`, `/readyz`, `/health`, `/metrics` and, where it is enabled, `/status`; only for GET and
 * HEAD, without reading a body. It resolves when it listens and rejects when the port is taken.
 */
export async function startServer(options: ApplicationOptions & ListenOptions): Promise<RunningServer> {
  const answer = createApplication(options);
  const serve = async (server: Server | TlsServer, port: number) => {
    server.timeout = stillMs;
    server.maxRequestsPerSocket = maxRequestsPerConnection;
    const connections = new Connections(server);
    server.on('request', (request, response) => {
      if (connections.begin(response)) answer(request, response);
    });
    return { port: await listenOnBoth(server, port, options.host), close: () => close(server) };
  };
  const plain = await serve(createServer(limits), options.port);
  let tlsPort: number | undefined;
  const listener = new TlsListener({
    limits: { ...limits, handshakeTimeout: requestTimeoutMs },
    async serve(server) {
      const running = await serve(server, options.tlsPort ?? 0);
      tlsPort = running.port;
      return running;
    },
  });
  return {
    port: plain.port,
    get tlsPort() {
      return tlsPort;
    },
    async serveTls(pair) {
      await listener.use(pair);
      if (pair === undefined) tlsPort = undefined;
    },
    async close() {
      await Promise.all([plain.close(), listener.use(undefined)]);
    },
  };
}

function close(server: Server | TlsServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** What a node without IPv6 says to `::`: the family is not built in, or is turned off. */
const withoutIPv6: ReadonlySet<unknown> = new Set(['EAFNOSUPPORT', 'EADDRNOTAVAIL', 'EINVAL']);

async function listenOnBoth(server: Server | TlsServer, port: number, host: string): Promise<number> {
  try {
    return await listen(server, port, host);
  } catch (error) {
    const { cause } = error as { readonly cause: NodeJS.ErrnoException };
    if (host !== '::' || !withoutIPv6.has(cause.code)) throw error;
    return listen(server, port, '0.0.0.0');
  }
}

function listen(server: Server | TlsServer, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refused = (error: Error): void =>
      reject(new Error(`cannot listen on ${host}:${port}: ${error.message}; is the port in use?`, { cause: error }));
    server.once('error', refused);
    server.listen(port, host, () => {
      server.off('error', refused);
      // A TCP server's address is an AddressInfo.
      resolve((server.address() as AddressInfo).port);
    });
  });
}
