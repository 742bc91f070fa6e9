/** One resource of the API that can be watched. */
export type Resource = {
  /** `''` for the core group. */
  readonly group: string;
  /** Versions we can read, the preferred one first. */
  readonly versions: readonly [string, ...string[]];
  readonly plural: string;
  readonly kind: string;
  readonly namespaced: boolean;
  /** Only the metadata is asked for (`PartialObjectMetadata`): the data never leaves the API server. */
  readonly metadataOnly?: boolean;
  /** Nobody reads who wrote which fields of these objects: what arrives of it need not be parsed. */
  readonly withoutManagedFields?: boolean;
  /** Readiness needs it: without it the operator would be blind. */
  readonly required?: boolean;
  /** What there is already is not listed: the watch begins at now, and goes on at now where the server has forgotten what came. */
  readonly startsNow?: boolean;
  /** What changes is handed over at most this often, each object as it is then: nobody needs to know of it sooner. */
  readonly gatherSeconds?: number;
  /** Only objects that this selects are listed and watched: others of the kind are never asked for. */
  readonly fieldSelector?: string;
  /** Of these Secrets only what their certificates say is handed on; the data goes no further than the client that reads it. */
  readonly certificatesOnly?: boolean;
  /** Of these Secrets neither data nor annotations, which may hold the data once more, are handed on. */
  readonly withoutValues?: boolean;
  /** It is off unless the cluster allows it: where it does not, nothing is lacking. */
  readonly optIn?: boolean;
  /** It is watched where there is a licence. */
  readonly licensed?: boolean;
  /** What of the objects is watched, where others of the same resource are watched for something else: `metadata`. */
  readonly aspect?: string;
  /** Watched in this namespace only. */
  readonly namespace?: string;
};

/** The name of a resource in coverage, metrics and logs: `pods`, `deployments.apps`, `secrets/metadata`. */
export function sourceOf({ group, plural, aspect }: Pick<Resource, 'group' | 'plural' | 'aspect'>): string {
  const source = group === '' ? plural : `${plural}.${group}`;
  return aspect === undefined ? source : `${source}/${aspect}`;
}

/** The API group of such a name: `apps` of `deployments.apps`, none of `pods`. */
export function groupOfSource(source: string): string {
  const dot = source.indexOf('.');
  return dot < 0 ? '' : source.slice(dot + 1);
}

/** `v1`, `apps/v1`. */
export function apiVersionOf(resource: Pick<Resource, 'group'>, version: string): string {
  return resource.group === '' ? version : `${resource.group}/${version}`;
}

/** The group of an `apiVersion`: `apps` of `apps/v1`, none of `v1`. */
export function groupOf(apiVersion: string): string {
  return apiVersion.slice(0, Math.max(0, apiVersion.indexOf('/')));
}
