import type { IncomingMessage } from 'node:http';
import type { User } from './access.ts';
import { ApiFailure, badRequest, noSuchPath } from './failure.ts';
import { type Fields, isFields } from './object.ts';
import type { Registry, Resource } from './resources.ts';

/** A request for a resource, read from method and path: what authorization, faults and handlers look at. */
export type ResourceRequest = {
  readonly verb: string;
  readonly resource: Resource;
  readonly namespace: string | undefined;
  /** Empty for collections. */
  readonly name: string;
  readonly subresource: string;
  readonly query: URLSearchParams;
  readonly user: User;
  readonly body: Fields | unknown[] | undefined;
  readonly contentType: string;
  readonly accept: string;
  /** The field manager: `fieldManager`, else the User-Agent up to its first slash. */
  readonly manager: string;
};

/** Where a path leads. */
export type Route = Pick<ResourceRequest, 'resource' | 'namespace' | 'name' | 'subresource'>;

/** Reads `/apis/<group>/<version>[/namespaces/<ns>]/<plural>[/<name>[/<subresource>]]`; `undefined`: not a resource path. */
export function routeOf(pathname: string, registry: Registry): Route | undefined {
  const parts = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent);
  const core = parts[0] === 'api';
  if (!core && parts[0] !== 'apis') return undefined;
  const [group, version, rest] = core ? ['', parts[1], parts.slice(2)] : [parts[1], parts[2], parts.slice(3)];
  if (group === undefined || version === undefined || rest.length === 0) return undefined;
  // `namespaces/<ns>/status` is about the Namespace, `namespaces/<ns>/pods` about what is in it.
  const scoped = rest[0] === 'namespaces' && rest.length > 2 && !['status', 'finalize'].includes(rest[2] ?? '');
  const [plural = '', name = '', ...sub] = scoped ? rest.slice(2) : rest;
  const resource = registry.at(group, version, plural);
  if (!resource || (scoped && !resource.namespaced)) throw noSuchPath();
  return { resource, namespace: scoped ? rest[1] : undefined, name, subresource: sub.join('/') };
}

/** The verb of RBAC for a request. */
export function verbOf(method: string, name: string, query: URLSearchParams): string {
  const watching = ['true', '1'].includes(query.get('watch') ?? '');
  if (method === 'GET' || method === 'HEAD') return watching ? 'watch' : name ? 'get' : 'list';
  const verbs: Readonly<Record<string, string>> = { POST: 'create', PUT: 'update', PATCH: 'patch' };
  if (method === 'DELETE') return name ? 'delete' : 'deletecollection';
  const verb = verbs[method];
  if (!verb)
    throw new ApiFailure(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource');
  return verb;
}

/** The largest body taken: the limit of the API server. */
const maxBodyBytes = 3 * 1024 * 1024;

/** The body of a request as JSON; `undefined` when there is none. */
export async function readBody(request: IncomingMessage): Promise<Fields | unknown[] | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    const bytes = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    size += bytes.length;
    if (size > maxBodyBytes)
      throw new ApiFailure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${maxBodyBytes}`);
    chunks.push(bytes);
  }
  if (size === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    throw badRequest(`couldn't get version/kind; json parse error: ${error instanceof Error ? error.message : ''}`);
  }
  if (isFields(value) || Array.isArray(value)) return value;
  throw badRequest('the body of the request must be an object');
}
