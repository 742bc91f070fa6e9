import { type ApiClient, ApiError } from './api-client.ts';

/** What the API server calls a kind of object. */
type KindNames = {
  readonly kind: string;
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly namespaced: boolean;
};

type AggregatedList = {
  readonly kind?: string;
  readonly items?: readonly {
    readonly metadata?: { readonly name?: string };
    readonly versions?: readonly {
      readonly resources?: readonly {
        readonly resource: string;
        readonly responseKind?: { readonly kind?: string };
        readonly scope?: string;
        readonly singularResource?: string;
        readonly shortNames?: readonly string[];
      }[];
    }[];
  }[];
};

type GroupList = {
  readonly groups?: readonly {
    readonly name: string;
    readonly preferredVersion?: { readonly groupVersion?: string };
  }[];
};

type ResourceList = {
  readonly resources?: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced?: boolean;
    readonly singularName?: string;
    readonly shortNames?: readonly string[];
  }[];
};

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

/**
 * The kind that somebody means who writes a word as kubectl takes it: `Deployment`, `deployments`, `deploy`, `deployments.apps`. Core
 * kinds come first, as they do there. `undefined`: the cluster serves none of that name. Rejects with `ApiError` where it cannot be asked.
 */
export async function kindCalled(
  client: ApiClient,
  word: string,
): Promise<{ readonly kind: string; readonly namespaced: boolean } | undefined> {
  const asked = word.toLowerCase();
  const served = await servedKinds(client);
  const called = ({ kind, group, plural, singular, shortNames }: KindNames): boolean =>
    [
      kind.toLowerCase(),
      plural,
      singular,
      ...shortNames,
      `${plural}.${group}`,
      `${kind.toLowerCase()}.${group}`,
    ].includes(asked);
  return served.find(called);
}

/** Aggregated discovery where the server has it (two requests), else one request a group. */
async function servedKinds(client: ApiClient): Promise<readonly KindNames[]> {
  const lists = await Promise.all(
    ['/api', '/apis'].map((path) => client.json<AggregatedList & GroupList>({ path, accept: aggregated })),
  );
  if (lists.every(({ kind }) => kind === 'APIGroupDiscoveryList')) return lists.flatMap(fromAggregated);
  const groups = lists.flatMap((list) => list.groups ?? []);
  const served = await kindsAt(client, '/api/v1', '');
  for (const { name, preferredVersion } of groups)
    if (preferredVersion?.groupVersion !== undefined)
      served.push(...(await kindsAt(client, `/apis/${preferredVersion.groupVersion}`, name)));
  return served;
}

function fromAggregated({ items = [] }: AggregatedList): KindNames[] {
  return items.flatMap(({ metadata, versions = [] }) =>
    (versions[0]?.resources ?? []).map(({ resource, responseKind, scope, singularResource = '', shortNames = [] }) => ({
      kind: responseKind?.kind ?? '',
      group: metadata?.name ?? '',
      plural: resource,
      singular: singularResource,
      shortNames,
      namespaced: scope === 'Namespaced',
    })),
  );
}

/** A group whose API service is down serves nothing; the others still answer. */
async function kindsAt(client: ApiClient, path: string, group: string): Promise<KindNames[]> {
  try {
    const { resources = [] } = await client.json<ResourceList>({ path });
    return resources
      .filter(({ name }) => !name.includes('/'))
      .map(({ name, kind, namespaced = false, singularName = '', shortNames = [] }) => {
        return { kind, group, plural: name, singular: singularName, shortNames, namespaced };
      });
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return [];
    throw error;
  }
}
