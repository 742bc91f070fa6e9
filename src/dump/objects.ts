import type { RawObject } from '../model/raw-object.ts';
import type { Resource } from '../model/resource.ts';
import { inPresentShape, isKnownVersion } from './former.ts';
import { resourceByPath, resourceOf } from './resources.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An object of a dump, and what it is of. `foreignVersion`: it is written in a version that nobody here knows. */
export type Placed = { readonly resource: Resource; readonly raw: RawObject; readonly foreignVersion?: string };

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textOf = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/**
 * The objects that a value of a dump holds: itself, or those of a list within it. What has no kind is of the kind of its list, else of what the path
 * says. What nobody looks at is left out, Secrets first of all.
 */
export function* objectsIn(value: unknown, path: string, listKind?: string, depth = 0): Generator<Placed> {
  if (!isFields(value) || depth > 2) return;
  if (Array.isArray(value.items)) {
    const kind = textOf(value.kind)?.replace(/List$/, '') || listKind;
    for (const item of value.items) yield* objectsIn(item, path, kind, depth + 1);
    return;
  }
  const { metadata } = value;
  if (!isFields(metadata) || textOf(metadata.name) === undefined) return;
  const kind = textOf(value.kind) ?? listKind;
  const resource = kind ? resourceOf(textOf(value.apiVersion), kind) : resourceByPath(path);
  if (!resource) return;
  const version = textOf(value.apiVersion);
  yield {
    ...{ resource, raw: wholeOf(value, metadata, resource) },
    ...(version !== undefined && !isKnownVersion(resource, version) && { foreignVersion: version }),
  };
}

/** An object as the API would give it: one that was written without its kind or UID has them nevertheless. */
function wholeOf(value: Fields, metadata: Fields, resource: Resource): RawObject {
  const { name, namespace = '' } = metadata;
  const uid = textOf(metadata.uid) ?? `${resource.kind}/${String(namespace)}/${String(name)}`;
  const own = { ...metadata, name: String(name), uid };
  const [version] = resource.versions;
  const apiVersion = textOf(value.apiVersion) ?? (resource.group === '' ? version : `${resource.group}/${version}`);
  const whole = { ...value, apiVersion, kind: resource.kind, metadata: own };
  return inPresentShape(whole);
}
