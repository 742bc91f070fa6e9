import type { ApiRequest } from './api-client.ts';

/** One answered request, for metrics. Values are bounded: never a name of an object. */
export type RequestInfo = {
  /** As RBAC names it. */
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';
  /** `pods`, `deployments.apps`, `pods/log`; `nonresource` for `/readyz`, discovery and the like. */
  readonly resource: string;
  /** HTTP status, 0 when there was no answer. */
  readonly code: number;
  readonly durationMs: number;
  /** Epoch milliseconds by the server's clock (`Date`, whole seconds). Absent when it did not say. */
  readonly serverTime?: number;
};

const verbs = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' } as const;

/** What a request asks for, in the words of RBAC. */
export function describeRequest(request: ApiRequest): Pick<RequestInfo, 'verb' | 'resource'> {
  const method = request.method ?? 'GET';
  const parts = request.path.split('/').filter((part) => part !== '');
  const group = parts[0] === 'api' ? '' : parts[0] === 'apis' ? parts[1] : undefined;
  const rest = parts.slice(parts[0] === 'api' ? 2 : 3);
  // /namespaces/shop/pods/a: the namespace is a scope; /namespaces/shop: it is the object.
  const [plural, name, subresource] = rest[0] === 'namespaces' && rest.length > 2 ? rest.slice(2) : rest;
  if (group === undefined || plural === undefined)
    return { verb: method === 'GET' ? 'get' : verbs[method], resource: 'nonresource' };
  const resource = `${plural}${group === '' ? '' : `.${group}`}${subresource === undefined ? '' : `/${subresource}`}`;
  if (method !== 'GET') return { verb: verbs[method], resource };
  if (String(request.query?.watch) === 'true') return { verb: 'watch', resource };
  return { verb: name === undefined ? 'list' : 'get', resource };
}
