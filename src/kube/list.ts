import type { RawObject } from '../model/turn.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { isRawObject } from './lines.ts';
import { pathOf, type Resource } from './resources.ts';

/** Objects per page: 250 Pods of 10 KB stop the loop for 37 ms, and the server answers in one piece of its cache. */
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
  onPage(objects: readonly RawObject[]): void;
};

type ListBody = {
  readonly metadata?: {
    readonly resourceVersion?: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items?: readonly unknown[] | null;
};

/** How a resource is asked for: `PartialObjectMetadata` where only the metadata may leave the server. */
export function acceptOf(resource: Resource, collection: boolean): string {
  if (!resource.metadataOnly) return 'application/json';
  return `application/json;as=PartialObjectMetadata${collection ? 'List' : ''};g=meta.k8s.io;v=v1`;
}

/**
 * Lists every object and hands each page over at once. Resolves with the version of the list. A list whose continue token
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
        const body = await readPage(list, paged, token);
        const objects = (body.items ?? []).filter(isRawObject);
        list.onPage(objects);
        seen += objects.length;
        remaining = body.metadata?.remainingItemCount ?? 0;
        token = body.metadata?.continue || undefined;
        if (token === undefined) return body.metadata?.resourceVersion ?? '';
      } while (token !== undefined);
    } catch (error) {
      const expired = error instanceof ApiError && error.status === 410 && token !== undefined;
      if (!expired || restart >= maxRestarts) throw error;
      paged = seen + remaining >= smallKindObjects;
    }
  }
}

function readPage(list: List, paged: boolean, token: string | undefined): Promise<ListBody> {
  return list.client.json<ListBody>({
    path: pathOf(list.resource, list.version),
    query: paged ? { limit: pageSize, continue: token } : { resourceVersion: list.resourceVersion },
    accept: acceptOf(list.resource, true),
    deadlineMs: listDeadlineMs,
    attempts: 1,
    signal: list.signal,
  });
}
