import type { KubeObject } from './object.ts';

/** One write. `before` is what it replaced. A DELETED object carries the version of its deletion. */
export type StoreChange = {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  readonly resource: string;
  readonly object: KubeObject;
  readonly before?: KubeObject;
};

/**
 * Objects by resource, namespace and name under one version counter, with the recent past for watches and list pages.
 * Stored objects are never changed in place: writers put new values.
 */
export type Store = {
  version(): number;
  get(resource: string, namespace: string | undefined, name: string): KubeObject | undefined;
  /** In order of namespace and name, as they were at `version` (default: now); `undefined` when that has been compacted. */
  list(resource: string, namespace?: string): KubeObject[];
  listAt(resource: string, namespace: string | undefined, version: number): KubeObject[] | undefined;
  /** Adds or replaces an object under a new version, which is returned in it. */
  put(resource: string, object: KubeObject): KubeObject;
  remove(resource: string, object: KubeObject): KubeObject;
  /** Changes after a version, oldest first; `undefined` when some of them have been compacted. */
  changesAfter(resource: string, version: number): StoreChange[] | undefined;
  /** Called after each write, in order; the returned function ends it. */
  subscribe(listener: (change: StoreChange) => void): () => void;
  /** Forgets the past. */
  compact(): void;
};

/** `namespace/name`: NUL sorts before every character of a name, so that namespaces stay together. */
const keyOf = (namespace: string | undefined, name: string): string => `${namespace ?? ''}\0${name}`;
const keyOfObject = (object: KubeObject): string => keyOf(object.metadata.namespace, object.metadata.name);

/** An empty store that keeps at most `compactionAfter` changes. */
export function createStore(compactionAfter: number): Store {
  const kinds = new Map<string, Map<string, KubeObject>>();
  const listeners = new Set<(change: StoreChange) => void>();
  let history: StoreChange[] = [];
  let compacted = 0;
  // Real servers are never near 1 when the first client comes; a low start would hide versions compared as strings.
  let version = 1000;

  const objectsOf = (resource: string): Map<string, KubeObject> => {
    const found = kinds.get(resource) ?? new Map<string, KubeObject>();
    kinds.set(resource, found);
    return found;
  };
  const sorted = (objects: Iterable<KubeObject>, namespace: string | undefined): KubeObject[] =>
    [...objects]
      .filter((object) => namespace === undefined || object.metadata.namespace === namespace)
      .sort((a, b) => (keyOfObject(a) < keyOfObject(b) ? -1 : 1));
  const write = (type: StoreChange['type'], resource: string, object: KubeObject): KubeObject => {
    version += 1;
    const stored = { ...object, metadata: { ...object.metadata, resourceVersion: String(version) } };
    const before = objectsOf(resource).get(keyOfObject(object));
    if (type === 'DELETED') objectsOf(resource).delete(keyOfObject(object));
    else objectsOf(resource).set(keyOfObject(object), stored);
    const change: StoreChange = { type, version, resource, object: stored, ...(before ? { before } : {}) };
    history.push(change);
    // Cut in blocks: one slice per write would cost more than the writes.
    if (history.length > compactionAfter * 1.25) {
      compacted = history[history.length - compactionAfter - 1]?.version ?? version;
      history = history.slice(-compactionAfter);
    }
    for (const listener of listeners) listener(change);
    return stored;
  };
  const changesAfter = (resource: string, after: number): StoreChange[] | undefined =>
    after < compacted ? undefined : history.filter((change) => change.version > after && change.resource === resource);

  return {
    version: () => version,
    get: (resource, namespace, name) => objectsOf(resource).get(keyOf(namespace, name)),
    list: (resource, namespace) => sorted(objectsOf(resource).values(), namespace),
    listAt(resource, namespace, at) {
      const later = changesAfter(resource, at);
      if (!later) return undefined;
      const objects = new Map(objectsOf(resource));
      for (const change of later.reverse()) {
        if (change.before) objects.set(keyOfObject(change.before), change.before);
        else objects.delete(keyOfObject(change.object));
      }
      return sorted(objects.values(), namespace);
    },
    put: (resource, object) =>
      write(objectsOf(resource).has(keyOfObject(object)) ? 'MODIFIED' : 'ADDED', resource, object),
    remove: (resource, object) => write('DELETED', resource, object),
    changesAfter,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    compact() {
      history = [];
      compacted = version;
    },
  };
}
