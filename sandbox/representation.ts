import type { Fields, KubeObject } from './object.ts';
import type { Resource } from './resources.ts';

/** How objects are shown: whole, or as their metadata only. */
export type Representation = {
  object(object: KubeObject): Fields;
  list(resource: Resource, items: readonly KubeObject[], metadata: Fields): Fields;
};

const whole: Representation = {
  object: (object) => object,
  list: (resource, items, metadata) => ({
    kind: `${resource.kind}List`,
    apiVersion: items[0]?.apiVersion ?? (resource.group ? `${resource.group}/${resource.version}` : resource.version),
    metadata,
    // Items of built-in lists carry no kind on the wire; custom resources do.
    items: resource.schema ? items : items.map(({ apiVersion: _version, kind: _kind, ...item }) => item),
  }),
};

const metadataOnly: Representation = {
  object: ({ metadata }) => ({ kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata }),
  list: (_resource, items, metadata) => ({
    kind: 'PartialObjectMetadataList',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    items: items.map(({ metadata }) => ({ metadata })),
  }),
};

/** The first representation of an Accept header that is served; Table is not, and falls through to the next. */
export function representationOf(accept: string): Representation {
  for (const part of accept.split(',')) {
    if (/as=PartialObjectMetadata(?:List)?(?:;|$)/.test(part.trim())) return metadataOnly;
    if (!part.includes('as=')) return whole;
  }
  return whole;
}
