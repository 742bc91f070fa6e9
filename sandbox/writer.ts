import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../src/model/clock.ts';
import { pruneAndDefault, schemaCauses } from './custom-resources.ts';
import { applyDefaults, initialStatus } from './defaults.ts';
import { type DeleteOptions, liveObject, removeObject, type Target, waitsForKubelet } from './deletion.ts';
import { alreadyExists, badRequest, conflict, invalid, notFound } from './failure.ts';
import { type ListKeys, listKeysOfBuiltIns, listKeysOfSchema } from './field-sets.ts';
import { type Author, afterUpdate, applied } from './managed-fields.ts';
import { nameFor } from './naming.ts';
import { type Fields, fieldAt, isFields, type KubeObject, type ObjectMeta, timestamp } from './object.ts';
import { checkQuotas } from './quota.ts';
import { apiVersionOf, type Registry, type Resource, resourceKey } from './resources.ts';
import type { Store } from './store.ts';

/** How a write is done. */
export type WriteOptions = {
  /** The field manager. */
  readonly manager: string;
  readonly subresource?: string;
  readonly dryRun?: boolean;
  /** `Strict` refuses unknown fields of custom resources; otherwise they are pruned and reported to `warn`. */
  readonly strict?: boolean;
  readonly warn?: (text: string) => void;
};

/** Every way to write an object: what the HTTP routes and the controllers share. Failures are `ApiFailure`. */
export class Writer {
  readonly #store: Store;
  readonly #registry: Registry;
  readonly #clock: Clock;

  constructor(parts: { readonly store: Store; readonly registry: Registry; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#registry = parts.registry;
    this.#clock = parts.clock;
  }

  /** POST. The name may be generated. */
  create(resource: Resource, namespace: string | undefined, body: Fields, options: WriteOptions): KubeObject {
    const given = isFields(body.metadata) ? body.metadata : {};
    const name = nameFor(resource, given);
    if (given.resourceVersion) throw badRequest('resourceVersion should not be set on objects to be created');
    if (namespace !== undefined && !this.#store.get('namespaces', undefined, namespace)) {
      const namespaces = this.#registry.byKey('namespaces');
      if (namespaces) throw notFound(namespaces, namespace);
    }
    const key = resourceKey(resource);
    if (this.#store.get(key, namespace, name)) throw alreadyExists(resource, name);
    const { managedFields: _fields, selfLink: _link, deletionTimestamp: _deleted, ...kept } = given;
    const metadata: ObjectMeta = {
      ...kept,
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid: randomUUID(),
      resourceVersion: '',
      ...(resource.counts ? { generation: 1 } : {}),
      creationTimestamp: timestamp(this.#clock.now()),
    };
    const { status: _status, ...withoutStatus } = body;
    const clean = resource.hasStatus ? withoutStatus : body;
    const admittedBody = this.#admitted(resource, { ...clean, metadata }, options);
    const status = resource.hasStatus ? initialStatus(key) : undefined;
    const object = typed(resource, { ...admittedBody, ...(status ? { status } : {}) }, metadata);
    const managedFields = afterUpdate(resource, object, undefined, this.#author(options), keysOf(resource));
    const complete = { ...object, metadata: { ...metadata, managedFields } };
    checkQuotas(this.#store, resource, namespace, complete);
    return options.dryRun ? complete : this.#store.put(key, complete);
  }

  /** PUT: checks `metadata.resourceVersion` when the body has one. */
  update(target: Target, body: Fields, options: WriteOptions): KubeObject {
    const name = fieldAt(body, 'metadata', 'name');
    if (name !== target.name)
      throw badRequest(
        `the name of the object (${String(name ?? '')}) does not match the name on the URL (${target.name})`,
      );
    if (target.resource.needsVersion && !fieldAt(body, 'metadata', 'resourceVersion')) {
      liveObject(this.#store, target);
      const message = 'Invalid value: 0: must be specified for an update';
      throw invalid(target.resource, target.name, [
        { reason: 'FieldValueInvalid', message, field: 'metadata.resourceVersion' },
      ]);
    }
    return this.change(target, () => body, options);
  }

  /** A change computed from the live object; the same checks as an update. */
  change(target: Target, compute: (object: KubeObject) => unknown, options: WriteOptions): KubeObject {
    const before = liveObject(this.#store, target);
    const wanted = compute(before);
    if (!isFields(wanted)) throw badRequest('the patch does not give an object');
    checkVersion(target, before, wanted);
    return this.#write(target, before, this.#combined(target.resource, before, wanted, options), options);
  }

  /** Server-side apply; creates the object when it is absent. */
  apply(target: Target, body: Fields, options: WriteOptions & { readonly force: boolean }): KubeObject {
    const { resource, namespace, name } = target;
    const key = resourceKey(resource);
    const keys = keysOf(resource);
    let before = this.#store.get(key, namespace, name);
    if (!before) {
      if (options.subresource) throw notFound(resource, name);
      const named = { ...body, metadata: { ...(isFields(body.metadata) ? body.metadata : {}), name } };
      const fresh = this.create(resource, namespace, named, { ...options, dryRun: true });
      const owner = applied(
        resource,
        { ...fresh, metadata: { ...fresh.metadata, managedFields: [] } },
        named,
        this.#author(options),
        keys,
        true,
      );
      return options.dryRun ? owner : this.#store.put(key, owner);
    }
    checkVersion(target, before, body);
    const merged = applied(resource, before, body, this.#author(options), keys, options.force);
    const object = this.#combined(resource, before, merged, options);
    before = liveObject(this.#store, target);
    return this.#write(target, before, object, options, merged.metadata.managedFields);
  }

  /** The object as it was last; `stays`: it waits for its finalizers or its kubelet. */
  remove(target: Target, options: DeleteOptions = {}): { readonly object: KubeObject; readonly stays: boolean } {
    return removeObject(this.#store, this.#clock, target, options);
  }

  /** Pruned, defaulted and checked; throws 422 or 400. */
  #admitted(resource: Resource, object: Fields, options: WriteOptions): Fields {
    const name = String(fieldAt(object, 'metadata', 'name') ?? '');
    if (!resource.schema) return applyDefaults(resourceKey(resource), object);
    const unknown: string[] = [];
    const pruned = pruneAndDefault(object, resource.schema, unknown);
    const texts = unknown.map((path) => `unknown field "${path}"`);
    if (options.strict && texts.length > 0)
      throw badRequest(
        `${resource.kind} in version "${resource.version}" cannot be handled as a ${resource.kind}: strict decoding error: ${texts.join(', ')}`,
      );
    for (const text of texts) options.warn?.(text);
    const result = isFields(pruned) ? pruned : {};
    const causes = schemaCauses(result, resource.schema);
    if (causes.length > 0) throw invalid(resource, name, causes);
    return result;
  }

  /** The live object with what a write through this door may change. */
  #combined(resource: Resource, before: KubeObject, wanted: Fields, options: WriteOptions): KubeObject {
    if (options.subresource === 'status') {
      const object = { ...before, status: wanted.status };
      return resource.schema ? typed(resource, this.#admitted(resource, object, options), before.metadata) : object;
    }
    const given = isFields(wanted.metadata) ? wanted.metadata : {};
    const metadata: ObjectMeta = { ...before.metadata };
    for (const field of ['labels', 'annotations', 'ownerReferences', 'finalizers'] as const) {
      delete metadata[field];
      if (!isEmpty(given[field])) Object.assign(metadata, { [field]: given[field] });
    }
    const { status: _status, ...withoutStatus } = wanted;
    const body = resource.hasStatus
      ? { ...withoutStatus, ...(before.status === undefined ? {} : { status: before.status }) }
      : wanted;
    return typed(resource, this.#admitted(resource, { ...body, metadata }, options), metadata);
  }

  #write(
    target: Target,
    before: KubeObject,
    object: KubeObject,
    options: WriteOptions,
    managed?: ObjectMeta['managedFields'],
  ): KubeObject {
    const { resource } = target;
    const key = resourceKey(resource);
    if (
      isDeepStrictEqual(comparable(object), comparable(before)) &&
      (!managed || isDeepStrictEqual(managed, before.metadata.managedFields))
    )
      return before;
    const bumps = resource.counts && !isDeepStrictEqual(specOf(object, resource), specOf(before, resource));
    const metadata: ObjectMeta = {
      ...object.metadata,
      ...(bumps ? { generation: (before.metadata.generation ?? 0) + 1 } : {}),
      managedFields: managed ?? afterUpdate(resource, object, before, this.#author(options), keysOf(resource)),
    };
    const next = { ...object, metadata };
    if (options.dryRun) return next;
    if (metadata.deletionTimestamp && (metadata.finalizers ?? []).length === 0 && !waitsForKubelet(key, next))
      return this.#store.remove(key, next);
    return this.#store.put(key, next);
  }

  #author(options: WriteOptions): Author {
    const { manager, subresource } = options;
    return { manager, at: this.#clock.now(), ...(subresource && { subresource }) };
  }
}

function keysOf({ schema }: Resource): ListKeys {
  return schema ? listKeysOfSchema(schema) : listKeysOfBuiltIns;
}

function checkVersion(target: Target, before: KubeObject, body: Fields): void {
  const version = fieldAt(body, 'metadata', 'resourceVersion');
  const uid = fieldAt(body, 'metadata', 'uid');
  if (version && version !== before.metadata.resourceVersion) throw conflict(target.resource, target.name);
  if (uid && uid !== before.metadata.uid)
    throw conflict(
      target.resource,
      target.name,
      `Precondition failed: UID in precondition: ${String(uid)}, UID in object meta: ${before.metadata.uid}`,
    );
}

/** What the API leaves out of metadata: nothing, and maps and lists with nothing in them. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

/** Puts apiVersion, kind and metadata where they belong, whatever the body said. */
function typed(resource: Resource, body: Fields, metadata: ObjectMeta): KubeObject {
  const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = body;
  return { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata, ...rest };
}

/** What must differ for a write to be one. */
function comparable(object: KubeObject): Fields {
  const { managedFields: _fields, resourceVersion: _version, generation: _generation, ...metadata } = object.metadata;
  return { ...object, metadata };
}

/** What `metadata.generation` counts. */
function specOf(object: KubeObject, resource: Resource): Fields {
  const { metadata: _metadata, status, ...spec } = object;
  return resource.hasStatus ? spec : { ...spec, status };
}
