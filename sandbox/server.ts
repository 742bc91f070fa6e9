import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { authenticate, forbidden } from './access.ts';
import { discover } from './discovery.ts';
import { ApiFailure, noSuchPath, statusOf } from './failure.ts';
import type { FaultEffect, Faults } from './faults.ts';
import { type HandlerParts, handle, handleReview, type Reply } from './handlers.ts';
import { type Fields, fieldAt } from './object.ts';
import { type ResourceRequest, readBody, routeOf, verbOf } from './request.ts';
import { type Registry, resourceKey } from './resources.ts';
import { watchObjects } from './watch.ts';

/** What the server serves. */
export type ServerParts = HandlerParts & {
  readonly registry: Registry;
  readonly faults: Faults;
  readonly bookmarkEveryMs: number;
};

/** A listening server that can go away and come back on the same port. */
export type ApiServer = {
  readonly port: number;
  cutConnections(): void;
  close(): Promise<void>;
  listen(): Promise<void>;
};

/** A watch whose reader is this far behind is ended, as the API server ends slow watchers. */
const maxBacklogBytes = 64 * 1024 * 1024;

const textOf = (body: Fields | string): string => (typeof body === 'string' ? body : `${JSON.stringify(body)}\n`);

/** Where a body is written; a fault may put itself in between. */
type Output = { write(text: string): void; end(): void };

const plainOutput = (response: ServerResponse): Output => ({
  write: (text) => void response.write(text),
  end: () => void response.end(),
});

/** Destroys the socket once so many bytes of the body have been written. */
function cuttingOutput(response: ServerResponse, afterBytes: number): Output {
  let left = afterBytes;
  return {
    write(text) {
      const bytes = Buffer.from(text);
      const part = bytes.subarray(0, left);
      left -= part.length;
      // The bytes must be on the wire before the socket goes.
      response.write(part, () => part.length < bytes.length && response.socket?.destroy());
    },
    end: () => void (left > 0 && response.end()),
  };
}

function reply(response: ServerResponse, { code, body, warnings }: Reply, output = plainOutput(response)): void {
  const retryAfter = fieldAt(body, 'details', 'retryAfterSeconds');
  response.setHeader('content-type', typeof body === 'string' ? 'text/plain' : 'application/json');
  if (typeof retryAfter === 'number') response.setHeader('retry-after', retryAfter);
  for (const text of warnings) response.appendHeader('warning', `299 - ${JSON.stringify(text)}`);
  response.writeHead(code);
  output.write(textOf(body));
  output.end();
}

/** Does what a fault does before the request is answered; false: there is nothing more to do. */
async function suffer(effect: FaultEffect, request: ResourceRequest, response: ServerResponse): Promise<boolean> {
  switch (effect.is) {
    case 'deny':
      throw forbidden(request.user, request.verb, request.resource, request.namespace, request.name);
    case 'status': {
      const { code, reason = '', message = `injected ${code}`, retryAfterSeconds } = effect;
      throw new ApiFailure(code, reason, message, retryAfterSeconds === undefined ? undefined : { retryAfterSeconds });
    }
    case 'reset':
      response.socket?.destroy();
      return false;
    case 'hang':
      return false;
    case 'mute':
      response.writeHead(200, { 'content-type': 'application/json' });
      response.flushHeaders();
      return false;
    case 'delay':
      await new Promise((resolve) => setTimeout(resolve, effect.milliseconds));
      return true;
    case 'cut':
      return true;
    case 'watchError': {
      const { code, reason, message = `injected ${code}` } = effect;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(textOf({ type: 'ERROR', object: statusOf(new ApiFailure(code, reason, message)) }));
      return false;
    }
  }
}

function watch(parts: ServerParts, request: ResourceRequest, response: ServerResponse, output: Output): void {
  // Headers go out with the first line, or at once when there is none: a refused watch must still be able to say so.
  const start = (): void => {
    if (response.headersSent) return;
    response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-cache, private' });
    response.flushHeaders();
  };
  const end = watchObjects(
    parts.store,
    request,
    {
      send(event) {
        start();
        output.write(textOf(event));
        return response.writableLength < maxBacklogBytes;
      },
      end: output.end,
    },
    parts.bookmarkEveryMs,
  );
  start();
  response.on('close', end);
}

async function answer(parts: ServerParts, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(incoming.url ?? '/', 'http://sandbox');
  if (['/healthz', '/livez', '/readyz'].includes(url.pathname))
    return reply(response, { code: 200, body: 'ok', warnings: [] });
  const user = authenticate(parts.tokens, incoming.headers.authorization);
  const discovered =
    incoming.method === 'GET' ? discover(parts.registry, url.pathname, incoming.headers.host ?? '') : undefined;
  if (discovered) return reply(response, { code: 200, body: discovered, warnings: [] });
  const body = await readBody(incoming);
  const reviewed = handleReview(parts, url.pathname, { user, body });
  if (reviewed) return reply(response, reviewed);
  const route = routeOf(url.pathname, parts.registry);
  if (!route) throw noSuchPath();
  const agent = incoming.headers['user-agent']?.split('/')[0] ?? 'unknown';
  const request: ResourceRequest = {
    ...route,
    verb: verbOf(incoming.method ?? 'GET', route.name, url.searchParams),
    query: url.searchParams,
    user,
    body,
    contentType: incoming.headers['content-type'] ?? '',
    accept: incoming.headers.accept ?? '',
    manager: url.searchParams.get('fieldManager') || agent,
  };
  const key = resourceKey(route.resource);
  const effect = parts.faults.strike({ ...request, resource: route.subresource ? `${key}/${route.subresource}` : key });
  if (effect && !(await suffer(effect, request, response))) return;
  const output = effect?.is === 'cut' ? cuttingOutput(response, effect.afterBytes) : plainOutput(response);
  if (request.verb === 'watch') return watch(parts, request, response, output);
  reply(response, await handle(parts, request), output);
}

/** Serves the API on a free loopback port. */
export async function serve(parts: ServerParts): Promise<ApiServer> {
  const server: Server = createServer((incoming, response) => {
    answer(parts, incoming, response).catch((error: unknown) => {
      const failure = error instanceof ApiFailure ? error : undefined;
      if (response.headersSent) return void response.destroy();
      if (failure) return reply(response, { code: failure.code, body: statusOf(failure), warnings: [] });
      // A mistake of ours: say so in the answer, where a test sees it.
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const status = statusOf(new ApiFailure(500, 'InternalError', `sandbox: ${text}`));
      return reply(response, { code: 500, body: status, warnings: [] });
    });
  });
  server.keepAliveTimeout = 60_000;
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject);
        resolve();
      });
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    port,
    cutConnections: () => server.closeAllConnections(),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
    listen: () => listen(port),
  };
}
