import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ApplicationOptions, createApplication } from './application.ts';
import { Connections } from './connections.ts';

/** The server while it listens. */
export type RunningServer = {
  readonly port: number;
  /** Stops listening and ends every connection. */
  close(): Promise<void>;
};

/** Request headers larger than this are refused (431); bytes. */
const maxHeaderSize = 8 * 1024;
/** Milliseconds for the headers, and for the whole request; every answer takes far less. */
const requestTimeoutMs = 5_000;
/** Milliseconds between requests of one connection; how often connections are looked through for those that are late. */
const keepAliveMs = 5_000;
const checkIntervalMs = 1_000;
/** A connection on which nothing moves for so long is ended, also in the middle of an answer that nobody reads. Milliseconds. */
const stillMs = 10_000;
/** After so many requests a connection is ended: whoever goes on connects again, and takes its turn. */
const maxRequestsPerConnection = 100;

/**
 * Serves the endpoints: `/healthz`, `/readyz`, `/health`, `/metrics` and, where it is enabled, `/status`; only for GET and
 * HEAD, without reading a body. It resolves when it listens and rejects when the port is taken. `port` 0 takes a free one.
 */
export async function startServer(
  options: ApplicationOptions & { readonly port: number; readonly host: string },
): Promise<RunningServer> {
  const server = createServer({
    maxHeaderSize,
    headersTimeout: requestTimeoutMs,
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveMs,
    connectionsCheckingInterval: checkIntervalMs,
  });
  server.timeout = stillMs;
  server.maxRequestsPerSocket = maxRequestsPerConnection;
  const connections = new Connections(server);
  const answer = createApplication(options);
  server.on('request', (request, response) => {
    if (connections.begin(response)) answer(request, response);
  });
  const port = await listen(server, options.port, options.host);
  return {
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<number> {
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
