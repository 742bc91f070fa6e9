import type { Dispatcher } from 'undici';
import type { Clock } from '../model/clock.ts';
import { openSecret } from '../model/secret.ts';
import { errorOf, nameOfRequest, transportErrorOf } from './answer.ts';
import { type ApiClient, ApiError, type ApiRequest, type ApiStream, type ListMetadata } from './api-client.ts';
import type { ClusterConfig } from './config.ts';
import { ItemReader } from './items.ts';
import { describeRequest, type RequestInfo } from './request-info.ts';
import { sleep } from './sleep.ts';
import { createTransport } from './transport.ts';

/** What a client needs besides the cluster's address. */
export type ApiClientOptions = {
  readonly clock: Clock;
  /** Version of Tocsin, for the User-Agent. */
  readonly version: string;
  /** Told of every answer, including those that are retried. Must not throw. */
  readonly onRequest?: (info: RequestInfo) => void;
};

const defaultDeadlineMs = 30_000;
const defaultAttempts = 5;
const defaultTextBytes = 1024 * 1024;
/** A larger answer is refused as `ResponseTooLarge`: V8's longest string is 512 MB, and parsing one would stop the loop. */
const maxJsonBytes = 128 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

type Answer = Dispatcher.ResponseData;

/**
 * The client of one API server over one pool of connections. A request that is refused with 401 reads the credentials
 * again and is tried once more; one that meets a connection the server had already closed is sent again if it is a GET.
 */
export function createApiClient(config: ClusterConfig, options: ApiClientOptions): ApiClient {
  const { clock } = options;
  const transport = createTransport(config.proxy);
  const server = new URL(config.server);
  const prefix = server.pathname.replace(/\/$/, '');
  const userAgent = `Tocsin/${options.version} (kubernetes incident operator)`;

  async function send(request: ApiRequest, fresh: boolean, signal: AbortSignal): Promise<Answer> {
    const credentials = await config.credentials(fresh);
    return transport.pool(credentials.tls).request({
      origin: server.origin,
      path: prefix + request.path,
      query: definedOnly(request.query ?? {}),
      method: request.method ?? 'GET',
      headers: {
        accept: request.accept ?? 'application/json',
        'user-agent': userAgent,
        ...(request.body === undefined ? {} : { 'content-type': request.contentType ?? 'application/json' }),
        ...(credentials.authorization ? { authorization: openSecret(credentials.authorization) } : {}),
        ...(credentials.impersonate ? { 'impersonate-user': credentials.impersonate } : {}),
      },
      body: request.body === undefined ? null : JSON.stringify(request.body),
      signal,
    });
  }

  /** One answer, whatever its status. Rejects with `ApiError` status 0 when there is none. */
  async function exchange(request: ApiRequest, fresh: boolean, signal: AbortSignal): Promise<Answer> {
    const started = clock.now();
    const told = (code: number): void =>
      options.onRequest?.({ ...describeRequest(request), code, durationMs: clock.now() - started });
    try {
      const answer = await send(request, fresh, signal).catch((error: unknown) => {
        if (!isStaleConnection(request, error) || signal.aborted) throw error;
        return send(request, false, signal);
      });
      told(answer.statusCode);
      return answer;
    } catch (error) {
      told(0);
      throw transportErrorOf(request, error);
    }
  }

  /** A 2xx answer, or an `ApiError`; refreshes refused credentials once. */
  async function succeed(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    let answer = await exchange(request, false, signal);
    if (answer.statusCode === 401) {
      await answer.body.dump().catch(() => undefined);
      answer = await exchange(request, true, signal);
    }
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    const { bytes } = await read(answer.body, maxErrorBytes).catch(() => ({ bytes: Buffer.alloc(0) }));
    throw errorOf(request, answer.statusCode, headersOf(answer), bytes.toString('utf8'), clock.now());
  }

  /** Runs `use` on a 2xx answer within the deadline, obeying `Retry-After` meanwhile. */
  async function call<T>(request: ApiRequest, use: (answer: Answer) => Promise<T>): Promise<T> {
    const deadlineMs = request.deadlineMs ?? defaultDeadlineMs;
    const endsAt = clock.now() + deadlineMs;
    const limit = limited(request, deadlineMs);
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await use(await succeed(request, limit.signal));
        } catch (error) {
          const failure = transportErrorOf(request, limit.signal.aborted ? limit.signal.reason : error);
          const wait = failure.retryAfterMs;
          const again = (failure.status === 429 || failure.status >= 500) && wait !== undefined;
          if (!again || attempt >= (request.attempts ?? defaultAttempts) || clock.now() + wait >= endsAt) throw failure;
          await sleep(clock, wait, limit.signal);
        }
      }
    } finally {
      limit.end();
    }
  }

  /** A signal that fires at the deadline or with the caller's own; `end` frees both. */
  function limited(request: ApiRequest, deadlineMs: number): { signal: AbortSignal; headers(): void; end(): void } {
    const controller = new AbortController();
    const cancelDeadline = clock.after(deadlineMs, () => {
      const says = `${nameOfRequest(request)}: no answer within ${deadlineMs / 1000} s`;
      controller.abort(new ApiError(0, 'Timeout', says));
    });
    const abort = (): void => controller.abort(new ApiError(0, 'Aborted', `${nameOfRequest(request)}: given up`));
    if (request.signal?.aborted) abort();
    request.signal?.addEventListener('abort', abort, { once: true });
    return {
      signal: controller.signal,
      headers: cancelDeadline,
      end() {
        cancelDeadline();
        request.signal?.removeEventListener('abort', abort);
      },
    };
  }

  return {
    json: <T>(request: ApiRequest) =>
      call(request, async (answer) => {
        const { bytes, cut } = await read(answer.body, maxJsonBytes);
        if (cut) throw tooLarge(request);
        return parse(request, () => JSON.parse(bytes.toString('utf8')) as T);
      }),
    list: (request, onItems) =>
      call(request, async (answer) => {
        const reader = new ItemReader();
        for await (const chunk of answer.body as AsyncIterable<Buffer>) {
          const items = reader.take(chunk);
          if (items.length > 0) await onItems(items);
          if (reader.held > maxJsonBytes) throw tooLarge(request);
        }
        const { metadata, items } = parse(request, () => reader.end());
        await onItems(items ?? []);
        // The API's own type: what is not JSON has been refused.
        return (metadata ?? {}) as ListMetadata;
      }),
    text: (request) =>
      call(request, async (answer) =>
        (await read(answer.body, request.maxBytes ?? defaultTextBytes)).bytes.toString('utf8'),
      ),
    async stream(request): Promise<ApiStream> {
      const limit = limited(request, request.deadlineMs ?? defaultDeadlineMs);
      try {
        const answer = await succeed(request, limit.signal);
        limit.headers();
        return { headers: headersOf(answer), chunks: chunksOf(request, answer, limit) };
      } catch (error) {
        limit.end();
        throw transportErrorOf(request, limit.signal.aborted ? limit.signal.reason : error);
      }
    },
    close: () => transport.close(),
  };
}

function tooLarge(request: ApiRequest): ApiError {
  return new ApiError(0, 'ResponseTooLarge', `${nameOfRequest(request)}: the answer is larger than 128 MiB`);
}

function parse<T>(request: ApiRequest, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const says = `${nameOfRequest(request)}: the answer is not JSON`;
    throw new ApiError(0, 'MalformedBody', says, undefined, { cause: error });
  }
}

async function* chunksOf(
  request: ApiRequest,
  answer: Answer,
  limit: { signal: AbortSignal; end(): void },
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer.body) yield chunk as Uint8Array;
  } catch (error) {
    throw transportErrorOf(request, limit.signal.aborted ? limit.signal.reason : error);
  } finally {
    limit.end();
  }
}

/** The body, at most `maxBytes` of it; what is beyond is never read. */
async function read(body: Answer['body'], maxBytes: number): Promise<{ bytes: Buffer; cut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    // Leaving the loop destroys the body.
    if (size > maxBytes) return { bytes: Buffer.concat(chunks, maxBytes), cut: true };
  }
  return { bytes: Buffer.concat(chunks, size), cut: false };
}

/** A pooled connection that the server had closed before this request reached it: nothing was done, so send it again. */
function isStaleConnection(request: ApiRequest, error: unknown): boolean {
  if ((request.method ?? 'GET') !== 'GET') return false;
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function headersOf(answer: Answer): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(answer.headers))
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  return headers;
}

function definedOnly(query: NonNullable<ApiRequest['query']>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(query)) if (value !== undefined) defined[name] = String(value);
  return defined;
}
