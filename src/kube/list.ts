import type { RawObject } from '../model/raw-object.ts';
import type { Resource } from '../model/resource.ts';
import { type ApiClient, ApiError, type ApiRequest, type ListMetadata } from './api-client.ts';
import { isRawObject } from './lines.ts';
import { pathOf } from './path.ts';

/** Objects per page: what a server puts together at once. Here they are taken as they arrive. */
const pageSize = 250;
/** Kinds with fewer objects are relisted in one piece: with a version the server answers from memory, but ignores `limit`. */
export const smallKindObjects = 5_000;
/** A list has longer than other requests: the server may be reading all of it from etcd (ms). */
const listDeadlineMs = 60_000;
/** How often a list is begun again because its continue token expired, before it counts as failed. */
const maxRestarts = 3;

/** What to list, and who gets it. */
export type List = {
  readonly client: ApiClient;
  readonly resource: Resource;
  readonly version: string;
  /** Relist at this version in one piece; absent: the newest state, in pages. Never both. */
  readonly resourceVersion?: string;
  readonly signal: AbortSignal;
  /** A list begins, or begins again: what came before does not count. */
  onStart(): void;
  /** Some objects, in the order of the list; the next ones are not read before it resolves. */
  onObjects(objects: readonly RawObject[]): Promise<void>;
};

/** How a resource is asked for: `PartialObjectMetadata` where only the metadata may leave the server. */
export function acceptOf(resource: Resource, collection: boolean): string {
  if (!resource.metadataOnly) return 'application/json';
  return `application/json;as=PartialObjectMetadata${collection ? 'List' : ''};g=meta.k8s.io;v=v1`;
}

/**
 * Lists every object and hands each over as it arrives. Resolves with the version of the list. A list whose continue token
 * expires begins again: in one piece if it is small, else in pages.
 */
export async function runList(list: List): Promise<string> {
  let paged = list.resourceVersion === undefined;
  for (let restart = 0; ; restart++) {
    list.onStart();
    let token: string | undefined;
    let seen = 0;
    let remaining = 0;
    try {
      do {
        const metadata = await readPage(list, paged, token, async (items) => {
          const objects = items.filter(isRawObject);
          seen += objects.length;
          await list.onObjects(objects);
        });
        remaining = metadata.remainingItemCount ?? 0;
        token = metadata.continue || undefined;
        if (token === undefined) return metadata.resourceVersion ?? '';
      } while (token !== undefined);
    } catch (error) {
      const expired = error instanceof ApiError && error.status === 410 && token !== undefined;
      if (!expired || restart >= maxRestarts) throw error;
      paged = seen + remaining >= smallKindObjects;
    }
  }
}

function readPage(
  list: List,
  paged: boolean,
  token: string | undefined,
  onItems: (items: readonly unknown[]) => Promise<void>,
): Promise<ListMetadata> {
  const request: ApiRequest = {
    path: pathOf(list.resource, list.version),
    query: {
      ...(paged ? { limit: pageSize, continue: token } : { resourceVersion: list.resourceVersion }),
      fieldSelector: list.resource.fieldSelector,
    },
    accept: acceptOf(list.resource, true),
    ...(list.resource.withoutManagedFields && { withoutManagedFields: true }),
    deadlineMs: listDeadlineMs,
    attempts: 1,
    signal: list.signal,
  };
  return list.client.list(request, onItems);
}

/** The version of a resource now. What there is already is left unread. */
export async function versionNow(
  client: ApiClient,
  resource: Resource,
  version: string,
  signal: AbortSignal,
): Promise<string> {
  const request: ApiRequest = { path: pathOf(resource, version), query: { limit: 1 }, attempts: 1, signal };
  const { resourceVersion = '' } = await client.list(request, () => Promise.resolve());
  return resourceVersion;
}

/** Counting takes the server no time. */
const countDeadlineMs = 10_000;

/**
 * How many objects there are, by the list of one of them and how many the server says remain. `undefined`: it does not say, as
 * where it is an extension that counts nothing, or it need not be asked: nobody has listed them all, or they are picked by a field.
 */
export async function countObjects(
  client: ApiClient,
  resource: Resource,
  version: string,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (resource.startsNow || resource.fieldSelector !== undefined) return undefined;
  const request: ApiRequest = {
    path: pathOf(resource, version),
    query: { limit: 1 },
    accept: acceptOf({ ...resource, metadataOnly: true }, true),
    deadlineMs: countDeadlineMs,
    attempts: 1,
    signal,
  };
  let first = 0;
  const { continue: more, remainingItemCount } = await client.list(request, (items) => {
    first += items.length;
    return Promise.resolve();
  });
  if (!more) return first;
  return remainingItemCount === undefined ? undefined : first + remainingItemCount;
}
