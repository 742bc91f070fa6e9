/** What each verb does with a request for a resource. */
import { type Attributes, reviews, type Tokens } from './access.ts';
import type { Target } from './deletion.ts';
import { evict } from './eviction.ts';
import { ApiFailure, badRequest, noSuchPath, notFound } from './failure.ts';
import { listKeysOfBuiltIns } from './field-sets.ts';
import { listObjects } from './list.ts';
import { type Fields, fieldAt, isFields, type KubeObject } from './object.ts';
import { jsonPatch, mergeByKeys, mergePatch } from './patch.ts';
import { podLog } from './pod-logs.ts';
import { representationOf } from './representation.ts';
import type { ResourceRequest } from './request.ts';
import { apiVersionOf } from './resources.ts';
import type { Store } from './store.ts';
import { shownAs, storageKey, storedAs, takenFrom } from './versions.ts';
import type { WriteOptions, Writer } from './writer.ts';

/** What handlers work on. */
export type HandlerParts = {
  readonly store: Store;
  readonly writer: Writer;
  readonly tokens: Tokens;
  allows(attributes: Attributes): boolean;
};

/** An answer with a body; text is sent as it is. */
export type Reply = { readonly code: number; readonly body: Fields | string; readonly warnings: readonly string[] };

type Handler = (
  parts: HandlerParts,
  request: ResourceRequest,
  options: WriteOptions,
) => Fields | string | Promise<string>;

const targetOf = ({ resource, namespace, name }: ResourceRequest): Target => ({
  resource: storedAs(resource),
  namespace,
  name,
});

function bodyOf(request: ResourceRequest): Fields {
  if (!isFields(request.body)) throw badRequest('the request needs an object as its body');
  return request.body;
}

const get: Handler = ({ store }, request) => {
  const { resource, namespace, name, subresource } = request;
  if (subresource === 'log' && resource.plural === 'pods') return podLog(store, request);
  const object = store.get(storageKey(resource), namespace, name);
  if (!object) throw notFound(resource, name);
  return representationOf(request.accept).object(shownAs(resource, object));
};

/** The object that a request brings, as it is stored. It may leave its version out, and not name another than the path does. */
function objectIn(request: ResourceRequest): Fields {
  const { resource } = request;
  const body = bodyOf(request);
  const expected = apiVersionOf(resource);
  if (body.apiVersion !== undefined && body.apiVersion !== expected)
    throw badRequest(
      `the API version in the data (${String(body.apiVersion)}) does not match the expected API version (${expected})`,
    );
  return takenFrom(resource, body);
}

const create: Handler = (parts, request, options) => {
  const { writer } = parts;
  const { resource, namespace } = request;
  const body = bodyOf(request);
  if (request.subresource === 'eviction')
    return evict(parts, { resource, namespace: namespace ?? '', name: request.name });
  const inBody = fieldAt(body, 'metadata', 'namespace');
  if (resource.namespaced && namespace === undefined)
    throw badRequest('an object of this kind needs a namespace in the URL');
  if (inBody && namespace !== undefined && inBody !== namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request');
  if (body.kind !== undefined && body.kind !== resource.kind)
    throw badRequest(
      `the object provided is unrecognized (must be of type ${resource.kind}): got ${String(body.kind)}`,
    );
  const created = writer.create(storedAs(resource), namespace, objectIn(request), options);
  return shownAs(resource, created);
};

const patch: Handler = ({ writer }, request, options) => {
  const target = targetOf(request);
  const type = request.contentType.replace(/;.*/, '').trim();
  const { resource } = request;
  const merge = (by: (live: KubeObject) => unknown): KubeObject => {
    const compute = (live: KubeObject): unknown => {
      const wanted = by(shownAs(resource, live));
      return isFields(wanted) ? takenFrom(resource, wanted) : wanted;
    };
    return shownAs(resource, writer.change(target, compute, options));
  };
  switch (type) {
    case 'application/merge-patch+json':
      return merge((live) => mergePatch(live, bodyOf(request)));
    case 'application/strategic-merge-patch+json':
      if (resource.schema) break;
      return merge((live) => mergeByKeys(live, bodyOf(request), listKeysOfBuiltIns));
    case 'application/json-patch+json':
      return merge((live) => jsonPatch(live, request.body));
    case 'application/apply-patch+yaml':
      if (!request.query.get('fieldManager'))
        throw badRequest(
          'PatchOptions.meta.k8s.io "" is invalid: fieldManager: Required value: is required for apply patch',
        );
      return shownAs(
        resource,
        writer.apply(target, objectIn(request), {
          ...options,
          force: request.query.get('force') === 'true',
        }),
      );
  }
  throw new ApiFailure(
    415,
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml`,
  );
};

const remove: Handler = ({ writer }, request) => {
  const { resource, name } = request;
  const asked = fieldAt(request.body, 'gracePeriodSeconds') ?? request.query.get('gracePeriodSeconds') ?? undefined;
  const uid = fieldAt(request.body, 'preconditions', 'uid');
  const resourceVersion = fieldAt(request.body, 'preconditions', 'resourceVersion');
  const { object, stays } = writer.remove(targetOf(request), {
    ...(asked === undefined ? {} : { graceSeconds: Number(asked) }),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof resourceVersion === 'string' ? { resourceVersion } : {}),
  });
  if (stays || resource.plural === 'pods') return object;
  const details = {
    name,
    ...(resource.group ? { group: resource.group } : {}),
    kind: resource.plural,
    uid: object.metadata.uid,
  };
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details };
};

const removeAll: Handler = ({ store, writer }, request) => {
  const list = listObjects(store, { ...request, query: new URLSearchParams(request.query) });
  const items = Array.isArray(list.items) ? list.items : [];
  for (const item of items) {
    const metadata = fieldAt(item, 'metadata');
    const namespace = fieldAt(metadata, 'namespace');
    const name = String(fieldAt(metadata, 'name'));
    writer.remove({
      resource: request.resource,
      name,
      namespace: typeof namespace === 'string' ? namespace : undefined,
    });
  }
  return list;
};

/** Verb → handler; watches are written by the server itself. */
const handlers: Readonly<Record<string, Handler>> = {
  get,
  list: ({ store }, request) => listObjects(store, request),
  create,
  update: ({ writer }, request, options) =>
    shownAs(request.resource, writer.update(targetOf(request), objectIn(request), options)),
  patch,
  delete: remove,
  deletecollection: removeAll,
};

/** Answers a request for a resource; failures are `ApiFailure`. */
export async function handle(parts: HandlerParts, request: ResourceRequest): Promise<Reply> {
  const { subresource, resource, verb, query } = request;
  const known =
    subresource === '' ||
    (subresource === 'eviction' && resource.plural === 'pods' && verb === 'create') ||
    (subresource === 'status' && resource.hasStatus) ||
    (subresource === 'log' && verb === 'get');
  const handler = handlers[verb];
  if (!known || !handler) throw noSuchPath();
  const warnings: string[] = [];
  const body = await handler(parts, request, {
    manager: request.manager,
    ...(subresource ? { subresource } : {}),
    dryRun: query.get('dryRun') === 'All',
    strict: query.get('fieldValidation') === 'Strict',
    warn: (text) => warnings.push(text),
  });
  return { code: verb === 'create' ? 201 : 200, body, warnings };
}

/** Answers an access or token review; `undefined` when the path is not one. */
export function handleReview(
  parts: HandlerParts,
  pathname: string,
  request: Pick<ResourceRequest, 'user' | 'body'>,
): Reply | undefined {
  const plural = /^\/apis\/auth(?:entication|orization)\.k8s\.io\/v1\/([a-z]+)$/.exec(pathname)?.[1] ?? '';
  const row = Object.hasOwn(reviews, plural) ? reviews[plural] : undefined;
  if (!row || !isFields(request.body)) return undefined;
  const spec = request.body.spec ?? {};
  const status = row.review(spec, request.user, (attributes) => parts.allows(attributes), parts.tokens);
  const apiVersion = pathname.split('/').slice(2, 4).join('/');
  return { code: 201, body: { kind: row.kind, apiVersion, metadata: {}, spec, status }, warnings: [] };
}
