/** One request to the API server. `path` is absolute (`/api/v1/pods`), without the query. */
export type ApiRequest = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Default `application/json`; the patch types for PATCH (`application/apply-patch+yaml` takes JSON too). */
  readonly contentType?: string;
  readonly accept?: string;
  /** Lists and watches: nobody reads `metadata.managedFields` of the objects, which may come without. */
  readonly withoutManagedFields?: boolean;
  /** Milliseconds for the whole exchange, default 30,000; a stream: until its headers. */
  readonly deadlineMs?: number;
  /** How often 429 and 5xx with `Retry-After` are tried in all, default 5. 1 for callers with their own back-off. */
  readonly attempts?: number;
  /** Statuses besides 2xx whose body is an answer and no failure: `/readyz` says with 500 what is wrong. */
  readonly answers?: readonly number[];
  readonly signal?: AbortSignal;
};

/** An answer that is not 2xx, or none. `status` 0: no answer (refused, reset, timed out; `code` says which). */
export class ApiError extends Error {
  readonly status: number;
  /** The `reason` of the Status object (`NotFound`, `Conflict`, `Expired`), or the system's code (`ECONNREFUSED`). */
  readonly reason: string;
  readonly retryAfterMs: number | undefined;
  constructor(status: number, reason: string, message: string, retryAfterMs?: number, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ApiError';
    this.status = status;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** A streamed answer with a 2xx status: the body as it arrives. */
export type ApiStream = {
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: AsyncIterable<Uint8Array>;
};

/** What a list says of itself. */
export type ListMetadata = {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
};

/** The one way to the API server: pooled connections, authentication, deadlines, `Retry-After`. */
export type ApiClient = {
  /** Resolves with the parsed body; rejects with `ApiError` for anything but 2xx. 429 and 5xx with Retry-After are retried. */
  json<T = unknown>(request: ApiRequest): Promise<T>;
  /**
   * Reads a list and hands its items over while they arrive, at least once and waiting for `onItems` each time. Resolves with
   * the list's metadata. Items handed over before a failure stay handed over.
   */
  list(request: ApiRequest, onItems: (items: readonly unknown[]) => Promise<void>): Promise<ListMetadata>;
  /** The body as text, cut at `maxBytes` (default 1 MiB). */
  text(request: ApiRequest & { readonly maxBytes?: number }): Promise<string>;
  /** Never retried. No body time-out: the caller watches for silence and aborts through `signal`. */
  stream(request: ApiRequest): Promise<ApiStream>;
  close(): Promise<void>;
};
