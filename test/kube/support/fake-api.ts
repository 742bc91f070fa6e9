import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';

/** One request as the fake saw it. */
export type Seen = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Common name of the client's certificate, over TLS. */
  readonly certificate?: string;
};

/** Answers one request of a script. */
export type Handler = (request: Seen, response: ServerResponse) => void;

/** A real HTTP server on loopback that does what each test tells it. */
export type FakeApi = {
  readonly url: string;
  readonly seen: Seen[];
  /** Connections accepted so far. */
  connections(): number;
  /** What to do with requests from now on. */
  handle(handler: Handler): void;
  /** Cuts every connection and refuses new ones, as a killed server does. */
  kill(): Promise<void>;
  /** Listens on the same port again. */
  revive(): Promise<void>;
  close(): Promise<void>;
};

/** Starts a fake. With `tls` it is an HTTPS server. */
export async function startFakeApi(handler: Handler, tls?: ServerOptions): Promise<FakeApi> {
  const seen: Seen[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  let port = 0;
  let current = handler;
  let server: Server | undefined;

  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://fake');
      const peer = tls === undefined ? undefined : (request.socket as TLSSocket).getPeerCertificate();
      const subject = peer?.subject?.CN;
      const record: Seen = {
        method: request.method ?? '',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
        ...(typeof subject === 'string' ? { certificate: subject } : {}),
      };
      seen.push(record);
      current(record, response);
    });
  };

  async function listen(): Promise<void> {
    const next = tls === undefined ? createServer(listener) : createTlsServer(tls, listener);
    next.on('connection', (socket: Socket) => {
      connections++;
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => next.listen(port, '127.0.0.1', resolve));
    port = (next.address() as AddressInfo).port;
    server = next;
  }

  async function kill(): Promise<void> {
    const old = server;
    server = undefined;
    if (old === undefined) return;
    const closed = new Promise<void>((resolve) => old.close(() => resolve()));
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  await listen();
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    seen,
    connections: () => connections,
    handle(next) {
      current = next;
    },
    kill,
    revive: listen,
    close: kill,
  };
}

/** Answers with JSON. */
export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a Status object, as the API server does for errors. */
export function sendStatus(
  response: ServerResponse,
  code: number,
  reason: string,
  message = reason,
  headers: Record<string, string> = {},
): void {
  sendJson(response, code, { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message }, headers);
}
