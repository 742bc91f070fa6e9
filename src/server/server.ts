import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type NextFunction, type Request, type Response } from 'express';
import type { Logger } from '../telemetry/logger.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { createAdmission } from './admission.ts';
import { healthBody } from './health.ts';
import { statusBody } from './status.ts';
import type { ServerViews } from './views.ts';

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
/** More are refused: probes and a scraper need a handful. */
const maxConnections = 100;

/**
 * Serves the endpoints: `/healthz`, `/readyz`, `/health`, `/metrics` and, where it is enabled, `/status`; only for GET and
 * HEAD, without reading a body. It resolves when it listens and rejects when the port is taken. `port` 0 takes a free one.
 */
export async function startServer(options: {
  readonly port: number;
  readonly host: string;
  readonly views: ServerViews;
  readonly metrics: Metrics;
  readonly log: Logger;
}): Promise<RunningServer> {
  const server = createServer(
    { maxHeaderSize, headersTimeout: requestTimeoutMs, requestTimeout: requestTimeoutMs, keepAliveTimeout: 5_000 },
    application(options),
  );
  server.maxConnections = maxConnections;
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

function application(options: Parameters<typeof startServer>[0]): express.Express {
  const { views, metrics, log } = options;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((request, response, next) => {
    response.set({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    if (request.method === 'GET' || request.method === 'HEAD') {
      next();
      return;
    }
    // The body, if any, is not read: the connection ends with the answer.
    response.set({ allow: 'GET, HEAD', connection: 'close' });
    response.status(405).json({ error: 'MethodNotAllowed', message: 'Only GET and HEAD are served.' });
  });
  app.get('/healthz', (_, response) => {
    if (views.alive()) response.type('text').send('ok\n');
    else response.status(503).type('text').send('stuck: no turn has ended for 60 s\n');
  });
  app.get('/readyz', (request, response) => {
    const { checks } = views.ready();
    const failing = checks.filter((check) => !check.ok);
    response.status(failing.length === 0 ? 200 : 503).type('text');
    const listed = 'verbose' in request.query ? checks : failing;
    const lines = listed.map(({ name, ok, message }) => `[${ok ? '+' : '-'}]${name}${message ? `: ${message}` : ''}`);
    response.send(`${[...lines, failing.length === 0 ? 'ok' : 'not ready'].join('\n')}\n`);
  });
  app.get('/health', (_, response) => {
    response.json(healthBody(views.health(), views.now()));
  });
  const admit = createAdmission();
  app.get('/status', async (request, response, next) => {
    const page = views.status();
    // As if it were not there.
    if (!page) return next();
    const admission = await admit(request, page);
    if (admission.is === 'admitted') {
      response.json(statusBody(page.view(), views.health(), views.now()));
      return;
    }
    const { status, error, message } = admission;
    if (status === 401) response.set('www-authenticate', 'Bearer realm="tocsin"');
    if (status === 503) response.set('retry-after', '5');
    response.status(status).json({ error, message });
  });
  app.get('/metrics', async (_, response) => {
    const text = await metrics.text();
    response.set('content-type', metrics.contentType).send(text);
  });
  app.use((_, response) => {
    const message = 'There is nothing here. Served: /healthz, /readyz, /health, /metrics.';
    response.status(404).json({ error: 'NotFound', message });
  });
  // Express tells an error handler by its four parameters.
  app.use((error: unknown, request: Request, response: Response, next: NextFunction) => {
    log.error({ err: error, path: request.path }, 'endpoint failed');
    if (response.headersSent) {
      next(error);
      return;
    }
    response.status(500).json({ error: 'InternalError', message: 'The answer could not be made; see the log.' });
  });
  return app;
}
