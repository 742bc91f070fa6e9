import type { RawObject } from '../model/raw-object.ts';
import type { Resource } from '../model/resource.ts';
import type { ApiRequest } from './api-client.ts';
import { acceptOf } from './list.ts';
import { pathOf } from './path.ts';
import { withoutSecretData, withoutSecretValues } from './secret-facts.ts';

/** `timeoutSeconds` of a watch: this, and up to as much again, so that they do not all end together. */
const minWatchSeconds = 300;

/** A watch from a version on. With `initialEvents` it is a streaming list first. */
export function watchRequest(
  {
    resource,
    version,
    random,
  }: { readonly resource: Resource; readonly version: string; readonly random: () => number },
  resourceVersion: string | undefined,
  initialEvents: boolean,
): ApiRequest {
  return {
    path: pathOf(resource, version),
    query: {
      watch: true,
      allowWatchBookmarks: true,
      timeoutSeconds: Math.floor(minWatchSeconds * (1 + random())),
      resourceVersion,
      fieldSelector: resource.fieldSelector,
      ...(initialEvents && { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
    },
    accept: acceptOf(resource, false),
    ...(resource.withoutManagedFields && { withoutManagedFields: true }),
  };
}

/**
 * List items carry neither kind nor apiVersion; of metadata-only resources nothing else may go further, and of Secrets only what
 * their certificates say.
 */
export function dressed(raw: RawObject, resource: Resource, apiVersion: string): RawObject {
  const { kind, metadataOnly, withoutValues, certificatesOnly } = resource;
  if (withoutValues) return withoutSecretValues({ ...raw, apiVersion, kind });
  if (metadataOnly) return { apiVersion, kind, metadata: raw.metadata };
  if (certificatesOnly) return withoutSecretData({ ...raw, apiVersion, kind });
  return raw.kind === undefined ? { ...raw, apiVersion, kind } : raw;
}
