import { type ApiClient, ApiError, type ApiRequest } from './api-client.ts';

/**
 * The same client, which refuses to write while the state lock is not held at that very moment: a process that was suspended
 * wakes in the middle of what it did. Writes are refused with `ApiError` status 0, reason `LockNotHeld`; reads go through.
 */
export function fencedClient(client: ApiClient, holdsLock: () => boolean): ApiClient {
  return {
    list: (request, onItems) => client.list(request, onItems),
    text: (request) => client.text(request),
    stream: (request) => client.stream(request),
    close: () => client.close(),
    async json<T>(request: ApiRequest): Promise<T> {
      const { method = 'GET', path } = request;
      if (method === 'GET' || holdsLock()) return client.json<T>(request);
      throw new ApiError(0, 'LockNotHeld', `${method} ${path}: the state lock is not held`);
    },
  };
}
