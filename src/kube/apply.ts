import type { RawObject } from '../model/raw-object.ts';
import type { ApiClient } from './api-client.ts';

/** Who applies, and whether fields of other managers are taken over. */
export type ApplyOptions = {
  readonly fieldManager: string;
  readonly force: boolean;
  readonly deadlineMs?: number;
  readonly signal?: AbortSignal;
};

/**
 * Server-side apply of the status. `path` is the object's own path; `object` holds `apiVersion`, `kind`,
 * `metadata.name` and the whole status that we own: a field left out is removed. Resolves with the object as stored.
 * Rejects with `ApiError`: 404 when the object is gone, 409 on a conflict without `force`, 422 when the schema refuses it.
 */
export function applyStatus(
  client: ApiClient,
  path: string,
  object: RawObject,
  options: ApplyOptions,
): Promise<RawObject> {
  return client.json<RawObject>({
    method: 'PATCH',
    path: `${path}/status`,
    query: { fieldManager: options.fieldManager, force: options.force },
    contentType: 'application/apply-patch+yaml',
    body: object,
    ...(options.deadlineMs === undefined ? {} : { deadlineMs: options.deadlineMs }),
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}
