import type { Coverage, CoverageReason, CoverageState } from '../model/coverage.ts';
import { errorMessage } from '../model/error-message.ts';
import { apiVersionOf, type Resource, sourceOf } from '../model/resource.ts';
import { type ApiClient, ApiError } from './api-client.ts';
import { kindOfFailure, reactions } from './failure.ts';
import { mayI } from './may-i.ts';

/** What discovery found out about one resource. */
export type Discovered =
  /** It can be watched at this version. */
  | { readonly is: 'watchable'; readonly resource: Resource; readonly version: string }
  /** It is not served, or `list` or `watch` is denied. */
  | { readonly is: 'unwatchable'; readonly resource: Resource; readonly coverage: Coverage }
  /** It could not be found out (its API service is down): what is watched now goes on. */
  | { readonly is: 'unknown'; readonly resource: Resource; readonly coverage: Coverage; readonly why: string };

/** Plurals that a group version serves with `list` and `watch`; `undefined` when it could not be asked. */
type Served = ReadonlyMap<string, ReadonlySet<string> | undefined>;

const aggregated =
  'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,' +
  'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json';

/**
 * Which of the resources are served (in the preferred order of their versions) and may be listed and watched. `now` is the
 * `since` of rows that cannot be watched. Never rejects: when the API server cannot be asked at all, all of them are unknown.
 */
export async function discover(
  client: ApiClient,
  resources: readonly Resource[],
  now: number,
): Promise<readonly Discovered[]> {
  try {
    const served = await servedVersions(client, resources);
    return await Promise.all(resources.map((resource) => look(client, resource, served, now)));
  } catch (error) {
    const unanswered = error instanceof ApiError && error.status === 0;
    const reason = unanswered ? reactions[kindOfFailure(error)].reason : 'DiscoveryFailed';
    return resources.map((resource) => ({
      is: 'unknown',
      resource,
      coverage: coverageOf(resource, 'Failing', reason, now),
      why: errorMessage(error),
    }));
  }
}

async function look(client: ApiClient, resource: Resource, served: Served, now: number): Promise<Discovered> {
  const unwatchable = (state: 'NotServed' | 'Denied', reason: CoverageReason): Discovered => {
    return { is: 'unwatchable', resource, coverage: coverageOf(resource, state, reason, now) };
  };
  const unknown = (why: string): Discovered => {
    return { is: 'unknown', resource, coverage: coverageOf(resource, 'Failing', 'DiscoveryFailed', now), why };
  };
  const answers = resource.versions.map((version) => {
    const key = apiVersionOf(resource, version);
    return { version, plurals: served.has(key) ? served.get(key) : new Set<string>() };
  });
  const version = answers.find(({ plurals }) => plurals?.has(resource.plural))?.version;
  if (version === undefined) {
    const silent = answers.find(({ plurals }) => plurals === undefined);
    if (silent !== undefined) return unknown(`${apiVersionOf(resource, silent.version)} does not answer`);
    return unwatchable('NotServed', 'NotServed');
  }
  const denied = await deniedVerb(client, resource);
  if (denied === 'unknown') return unknown('access reviews cannot be made');
  if (denied !== undefined) return unwatchable('Denied', 'Forbidden');
  return { is: 'watchable', resource, version };
}

/** Whether this client may `list` and `watch` a resource (SelfSubjectAccessReview). */
export async function allowed(client: ApiClient, resource: Resource): Promise<boolean> {
  return (await deniedVerb(client, resource)) === undefined;
}

function coverageOf(resource: Resource, state: CoverageState, reason: CoverageReason, since: number): Coverage {
  const { kind, required = false } = resource;
  return { source: sourceOf(resource), kind, state, reason, since, required };
}

/** The first of `list` and `watch` that is denied; `unknown` when reviews themselves are refused. */
async function deniedVerb(client: ApiClient, resource: Resource): Promise<'list' | 'watch' | 'unknown' | undefined> {
  for (const verb of ['list', 'watch'] as const) {
    const resourceAttributes = {
      verb,
      group: resource.group,
      resource: resource.plural,
      ...(resource.namespace === undefined ? {} : { namespace: resource.namespace }),
    };
    try {
      if (!(await mayI(client, resourceAttributes))) return verb;
    } catch (error) {
      if (error instanceof ApiError) return 'unknown';
      throw error;
    }
  }
  return undefined;
}

type DiscoveryList = {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly version: string;
      readonly freshness?: string;
      readonly resources?: readonly { readonly resource: string; readonly verbs?: readonly string[] }[];
    }[];
  }[];
};
type ResourceList = { readonly resources?: readonly { readonly name: string; readonly verbs?: readonly string[] }[] };

/** Aggregated discovery where the server has it (two requests), else one request per group version in our table. */
async function servedVersions(client: ApiClient, resources: readonly Resource[]): Promise<Served> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => client.json<DiscoveryList>({ path, accept: aggregated })),
  );
  if (lists.every((list) => list.kind === 'APIGroupDiscoveryList')) return readAggregated(lists);
  const wanted = new Set(
    resources.flatMap((resource) => resource.versions.map((version) => apiVersionOf(resource, version))),
  );
  return new Map(
    await Promise.all(
      [...wanted].map(async (groupVersion) => [groupVersion, await ask(client, groupVersion)] as const),
    ),
  );
}

function readAggregated(lists: readonly DiscoveryList[]): Served {
  const served = new Map<string, ReadonlySet<string> | undefined>();
  for (const group of lists.flatMap((list) => list.items ?? []))
    for (const { version, freshness, resources } of group.versions ?? []) {
      const plurals = (resources ?? []).filter((entry) => watchable(entry.verbs)).map((entry) => entry.resource);
      const stale = freshness === 'Stale' && plurals.length === 0;
      served.set(apiVersionOf({ group: group.metadata?.name ?? '' }, version), stale ? undefined : new Set(plurals));
    }
  return served;
}

async function ask(client: ApiClient, groupVersion: string): Promise<ReadonlySet<string> | undefined> {
  try {
    const path = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    const list = await client.json<ResourceList>({ path });
    return new Set((list.resources ?? []).filter((entry) => watchable(entry.verbs)).map((entry) => entry.name));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 404 ? new Set() : undefined;
  }
}

function watchable(verbs: readonly string[] = []): boolean {
  return verbs.includes('list') && verbs.includes('watch');
}
