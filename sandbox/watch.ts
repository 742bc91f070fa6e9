import { ApiFailure, expired, statusOf, versionTooLarge } from './failure.ts';
import { picksOf, versionAsked } from './list.ts';
import type { Fields, KubeObject } from './object.ts';
import { representationOf } from './representation.ts';
import type { ResourceRequest } from './request.ts';
import { apiVersionOf } from './resources.ts';
import type { Store, StoreChange } from './store.ts';
import { shownAs, storageKey } from './versions.ts';

/** Where the lines of a watch go. */
export type Sink = {
  /** Sends one line; false when the reader has fallen too far behind. */
  send(event: Fields): boolean;
  end(): void;
};

/** How long a watch lasts when the client does not say: 30 to 60 minutes on a server, here the lower end. */
const defaultTimeoutSeconds = 1800;

/** The watch cache says goodbye two seconds before a watch ends; shorter watches get their bookmark at once. */
const farewellMs = 2000;

/** Marks the bookmark after the initial events of a streaming list (KEP-3157). */
const initialEventsAnnotation = { 'k8s.io/initial-events-end': 'true' };

/**
 * Starts to write a watch: what happened since the version asked for (or all there is, when none was), then every change
 * as it comes. Returns the function that ends it. Time here is real: it is about sockets.
 */
export function watchObjects(store: Store, request: ResourceRequest, sink: Sink, bookmarkEveryMs: number): () => void {
  const { resource, namespace, query } = request;
  const key = storageKey(resource);
  const picks = picksOf(request);
  const show = representationOf(request.accept);
  const picked = (object: KubeObject): boolean =>
    (namespace === undefined || object.metadata.namespace === namespace) && picks(shownAs(resource, object));
  const shown = (object: KubeObject): Fields => show.object(shownAs(resource, object));
  const initialEvents = wantsInitialEvents(query);
  const asked = versionAsked(query);
  if (initialEvents && asked > store.version()) throw versionTooLarge(asked, store.version());

  let ended = false;
  /** The version the client knows of by what it was sent. */
  let told = asked;
  const end = (): void => {
    if (ended) return;
    ended = true;
    unsubscribe();
    clearInterval(bookmarks);
    clearTimeout(timeout);
    clearTimeout(farewell);
    sink.end();
  };
  const send = (type: string, object: Fields): void => {
    if (!ended && !sink.send({ type, object })) end();
    told = store.version();
  };
  const bookmark = (annotations?: Fields): void => {
    const metadata = {
      resourceVersion: String(store.version()),
      ...(annotations ? { annotations } : {}),
    };
    send('BOOKMARK', { kind: resource.kind, apiVersion: apiVersionOf(resource), metadata });
  };
  const sendChange = (change: StoreChange): void => {
    // A version that is still to come: nothing up to it is news.
    if (change.resource !== key || change.version <= asked) return;
    const is = change.type !== 'DELETED' && picked(change.object);
    const was = change.before !== undefined && picked(change.before);
    // Leaving the selection looks like a deletion, entering it like a creation.
    if (is) send(was ? 'MODIFIED' : 'ADDED', shown(change.object));
    else if (was) {
      const { resourceVersion } = change.object.metadata;
      const gone = change.type === 'DELETED' ? change.object : change.before;
      if (gone) send('DELETED', shown({ ...gone, metadata: { ...gone.metadata, resourceVersion } }));
    }
  };
  const wantsBookmarks = query.get('allowWatchBookmarks') === 'true';
  // A bookmark that says nothing new is not sent.
  const progress = (): void => {
    if (wantsBookmarks && store.version() > told) bookmark();
  };
  const unsubscribe = store.subscribe(sendChange);
  const bookmarks = setInterval(progress, bookmarkEveryMs).unref();
  const seconds = Number(query.get('timeoutSeconds') ?? 0) || defaultTimeoutSeconds;
  const timeout = setTimeout(end, seconds * 1000).unref();
  // One last bookmark before the end, so that the next watch begins as late as it can.
  const farewell = setTimeout(progress, seconds * 1000 - farewellMs).unref();

  if (initialEvents || asked === 0) {
    for (const object of store.list(key, namespace)) if (picked(object)) send('ADDED', shown(object));
    if (initialEvents && wantsBookmarks) bookmark(initialEventsAnnotation);
    return end;
  }
  const past = store.changesAfter(key, asked);
  if (past) for (const change of past) sendChange(change);
  else {
    send('ERROR', statusOf(expired(`too old resource version: ${asked} (${store.version()})`)));
    end();
  }
  return end;
}

/** Whether a streaming list is asked for; refuses the combinations the API server refuses. */
function wantsInitialEvents(query: URLSearchParams): boolean {
  const asked = query.get('sendInitialEvents');
  const match = query.get('resourceVersionMatch');
  if (asked === null && match === null) return false;
  const refuse = (field: string, text: string): ApiFailure =>
    new ApiFailure(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${text}`, {
      group: 'meta.k8s.io',
      kind: 'ListOptions',
      causes: [{ reason: 'FieldValueForbidden', message: text, field }],
    });
  if (asked === null)
    throw refuse(
      'resourceVersionMatch',
      'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  if (match !== 'NotOlderThan')
    throw refuse(
      'resourceVersionMatch',
      'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  return asked === 'true';
}
