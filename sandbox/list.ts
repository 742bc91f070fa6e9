import { badRequest, expired, versionTooLarge } from './failure.ts';
import { type Fields, fieldAt, type KubeObject } from './object.ts';
import { representationOf } from './representation.ts';
import type { ResourceRequest } from './request.ts';
import { type Picks, parseFieldSelector, parseLabelSelector } from './selectors.ts';
import type { Store } from './store.ts';
import { shownAs, storageKey } from './versions.ts';

/** What a request's selectors and namespace pick. */
export function picksOf(request: Pick<ResourceRequest, 'query' | 'name'>): Picks {
  const labels = parseLabelSelector(request.query.get('labelSelector') ?? '');
  const fields = parseFieldSelector(request.query.get('fieldSelector') ?? '');
  return (object) => labels(object) && fields(object) && (request.name === '' || object.metadata.name === request.name);
}

/** A `resourceVersion` parameter: 0 for none, "" and "0". */
export function versionAsked(query: URLSearchParams): number {
  const text = query.get('resourceVersion') ?? '';
  if (text !== '' && !/^\d+$/.test(text))
    throw badRequest(`Invalid value: "${text}": strconv.ParseUint: parsing "${text}": invalid syntax`);
  return Number(text);
}

type Token = { readonly version: number; readonly after: string };

const encode = (token: Token): string => Buffer.from(JSON.stringify(token)).toString('base64url');

function decode(text: string): Token {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    const version = fieldAt(value, 'version');
    const after = fieldAt(value, 'after');
    if (typeof version === 'number' && typeof after === 'string') return { version, after };
  } catch {
    // Falls through to the one refusal of a token that is not ours.
  }
  throw badRequest('continue key is not valid');
}

const positionOf = (object: KubeObject): string => `${object.metadata.namespace ?? ''}\0${object.metadata.name}`;

/** One page of a list. All pages of one list show the same version. */
export function listObjects(store: Store, request: ResourceRequest): Fields {
  const { resource, namespace, query } = request;
  const limit = Number(query.get('limit') ?? 0);
  const token = query.get('continue');
  const asked = versionAsked(query);
  const match = query.get('resourceVersionMatch');
  if (asked > store.version()) throw versionTooLarge(asked, store.version());
  const { version, after } = token
    ? decode(token)
    : { version: match === 'Exact' ? asked : store.version(), after: '' };
  const all = store.listAt(storageKey(resource), namespace, version);
  if (!all)
    throw token
      ? tokenExpired(store, after)
      : expired(`The resourceVersion for the provided list is too old: ${version}`);
  const matching = all
    .map((object) => shownAs(resource, object))
    .filter(picksOf(request))
    .filter((object) => after === '' || positionOf(object) > after);
  // As servers do: a list "at any version" (0) comes whole from the cache.
  const paged = limit > 0 && query.get('resourceVersion') !== '0' && matching.length > limit;
  const items = paged ? matching.slice(0, limit) : matching;
  const last = items.at(-1);
  const selected = query.has('labelSelector') || query.has('fieldSelector');
  const metadata: Fields = {
    resourceVersion: String(version),
    ...(paged && last ? { continue: encode({ version, after: positionOf(last) }) } : {}),
    ...(paged && !selected ? { remainingItemCount: matching.length - items.length } : {}),
  };
  return representationOf(request.accept).list(resource, items, metadata);
}

/** The 410 of an old page, with the token that goes on from the same place at the newest version. */
function tokenExpired(store: Store, after: string): Error {
  const message =
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.';
  return expired(message, { continue: encode({ version: store.version(), after }) });
}
