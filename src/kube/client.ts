import type { Dispatcher } from 'undici';
import type { Clock } from '../model/clock.ts';
import { openSecret } from '../model/secret.ts';
import { errorOf, nameOfRequest, transportErrorOf } from './answer.ts';
import { type ApiClient, ApiError, type ApiRequest, type ApiStream, type ListMetadata } from './api-client.ts';
import type { ClusterConfig } from './config.ts';
import { ItemReader } from './items.ts';
import { describeRequest, type RequestInfo } from './request-info.ts';
import { RequestLimit } from './request-limit.ts';
import { sleep } from './sleep.ts';
import { createTransport, type Transport } from './transport.ts';

/** What a client needs besides the cluster's address. */
export type ApiClientOptions = {
  readonly clock: Clock;
  /** Version of Tocsin, for the User-Agent. */
  readonly version: string;
  /** Told of every answer, including those that are retried. Must not throw. */
  readonly onRequest?: (info: RequestInfo) => void;
};

const defaultAttempts = 5;
const defaultTextBytes = 1024 * 1024;
/** A larger answer is refused as `ResponseTooLarge`: V8's longest string is 512 MB, and parsing one would stop the loop. */
const maxJsonBytes = 128 * 1024 * 1024;
const maxErrorBytes = 64 * 1024;

type Answer = Dispatcher.ResponseData;

/** The client of one API server. */
export function createApiClient(config: ClusterConfig, options: ApiClientOptions): ApiClient {
  return new HttpApiClient(config, options);
}

/**
 * Over one pool of connections. A request that is refused with 401 reads the credentials again and is tried once more; one that
 * meets a connection the server had already closed is sent again if it is a GET.
 */
class HttpApiClient implements ApiClient {
  readonly #config: ClusterConfig;
  readonly #options: ApiClientOptions;
  readonly #transport: Transport;
  readonly #server: URL;
  readonly #prefix: string;

  constructor(config: ClusterConfig, options: ApiClientOptions) {
    this.#config = config;
    this.#options = options;
    this.#transport = createTransport(config.proxy);
    this.#server = new URL(config.server);
    this.#prefix = this.#server.pathname.replace(/\/$/, '');
  }

  json<T>(request: ApiRequest): Promise<T> {
    return this.#call(request, async (answer) => {
      const { bytes, cut } = await read(answer.body, maxJsonBytes);
      if (cut) throw tooLarge(request);
      return parse(request, () => JSON.parse(bytes.toString('utf8')) as T);
    });
  }

  list(request: ApiRequest, onItems: (items: readonly unknown[]) => Promise<void>): Promise<ListMetadata> {
    return this.#call(request, async (answer) => {
      const reader = new ItemReader(request.withoutManagedFields);
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        const items = reader.take(chunk);
        if (items.length > 0) await onItems(items);
        if (reader.held > maxJsonBytes) throw tooLarge(request);
      }
      const { metadata, items } = parse(request, () => reader.end());
      await onItems(items ?? []);
      // The API's own type: what is not JSON has been refused.
      return (metadata ?? {}) as ListMetadata;
    });
  }

  text(request: ApiRequest & { readonly maxBytes?: number }): Promise<string> {
    return this.#call(request, async ({ body }) => {
      const { bytes } = await read(body, request.maxBytes ?? defaultTextBytes);
      return bytes.toString('utf8');
    });
  }

  async stream(request: ApiRequest): Promise<ApiStream> {
    const limit = new RequestLimit(request, this.#options.clock);
    try {
      const answer = await this.#succeed(request, limit.signal);
      limit.endDeadline();
      return { headers: headersOf(answer), chunks: chunksOf(answer, limit) };
    } catch (error) {
      limit.end();
      throw limit.explain(error);
    }
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  /** Runs `use` on a 2xx answer within the deadline, obeying `Retry-After` meanwhile. */
  async #call<T>(request: ApiRequest, use: (answer: Answer) => Promise<T>): Promise<T> {
    const { clock } = this.#options;
    const limit = new RequestLimit(request, clock);
    const attempts = request.attempts ?? defaultAttempts;
    try {
      for (let attempt = 1; ; attempt++) {
        try {
          return await use(await this.#succeed(request, limit.signal));
        } catch (error) {
          const failure = limit.explain(error);
          const waitMs = failure.retryAfterMs;
          const again = (failure.status === 429 || failure.status >= 500) && waitMs !== undefined;
          if (!again || attempt >= attempts || waitMs >= limit.leftMs()) throw failure;
          await sleep(clock, waitMs, limit.signal);
        }
      }
    } finally {
      limit.end();
    }
  }

  /** A 2xx answer or one the request takes, or an `ApiError`; refreshes refused credentials once. */
  async #succeed(request: ApiRequest, signal: AbortSignal): Promise<Answer> {
    let answer = await this.#exchange(request, false, signal);
    if (answer.statusCode === 401) {
      await answer.body.dump().catch(() => undefined);
      answer = await this.#exchange(request, true, signal);
    }
    if (answer.statusCode >= 200 && answer.statusCode < 300) return answer;
    if (request.answers?.includes(answer.statusCode)) return answer;
    const { bytes } = await read(answer.body, maxErrorBytes).catch(() => ({ bytes: Buffer.alloc(0) }));
    const now = this.#options.clock.now();
    throw errorOf(request, answer.statusCode, headersOf(answer), bytes.toString('utf8'), now);
  }

  /** One answer, whatever its status. Rejects with `ApiError` status 0 when there is none. */
  async #exchange(request: ApiRequest, fresh: boolean, signal: AbortSignal): Promise<Answer> {
    const { clock, onRequest } = this.#options;
    const startedAt = clock.monotonic();
    const told = (code: number, date?: unknown): void => {
      const serverTime = Date.parse(String(date));
      onRequest?.({
        ...describeRequest(request),
        code,
        durationMs: clock.monotonic() - startedAt,
        ...(Number.isFinite(serverTime) && { serverTime }),
      });
    };
    try {
      const answer = await this.#send(request, fresh, signal).catch((error: unknown) => {
        if (!isStaleConnection(request, error) || signal.aborted) throw error;
        return this.#send(request, false, signal);
      });
      told(answer.statusCode, answer.headers.date);
      return answer;
    } catch (error) {
      told(0);
      throw transportErrorOf(request, error);
    }
  }

  async #send(request: ApiRequest, fresh: boolean, signal: AbortSignal): Promise<Answer> {
    const { tls, authorization, impersonate } = await this.#config.credentials(fresh);
    const { method = 'GET', path, query = {}, body, accept = 'application/json' } = request;
    return this.#transport.pool(tls).request({
      origin: this.#server.origin,
      path: this.#prefix + path,
      query: definedOnly(query),
      method,
      headers: {
        accept,
        'user-agent': `Tocsin/${this.#options.version} (kubernetes incident operator)`,
        ...(body !== undefined && { 'content-type': request.contentType ?? 'application/json' }),
        ...(authorization && { authorization: openSecret(authorization) }),
        ...(impersonate && { 'impersonate-user': impersonate }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal,
    });
  }
}

function tooLarge(request: ApiRequest): ApiError {
  return new ApiError(0, 'ResponseTooLarge', `${nameOfRequest(request)}: the answer is larger than 128 MiB`);
}

function parse<T>(request: ApiRequest, read: () => T): T {
  try {
    return read();
  } catch {
    // No cause: a SyntaxError quotes what it could not read, which may be part of a Secret.
    throw new ApiError(0, 'MalformedBody', `${nameOfRequest(request)}: the answer is not JSON`);
  }
}

async function* chunksOf(answer: Answer, limit: RequestLimit): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of answer.body) yield chunk as Uint8Array;
  } catch (error) {
    throw limit.explain(error);
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
