import { type ApiClient, ApiError, type ApiRequest } from './api-client.ts';

/**
 * The same client, which refuses to write while the state lock is not held at that very moment: a process that was suspended
 * wakes in the middle of what it did. Writes are refused with `ApiError` status 0, reason `LockNotHeld`; reads go through.
 */
export function fencedClient(client: ApiClient, holdsLock: () => boolean): ApiClient {
  return {
    ...client,
    async json<T>(request: ApiRequest): Promise<T> {
      const reads = request.method === undefined || request.method === 'GET';
      if (reads || holdsLock()) return client.json<T>(request);
      throw new ApiError(0, 'LockNotHeld', `${request.method} ${request.path}: the state lock is not held`);
    },
  };
}
