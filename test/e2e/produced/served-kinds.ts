import type { ApiClient } from '../../../src/kube/api-client.ts';

/** Where the objects of one kind are served. */
export type ServedKind = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
};

type Discovery = {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources?: readonly {
        readonly resource: string;
        readonly scope: string;
        readonly responseKind: { readonly kind: string };
      }[];
    }[];
  }[];
};

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

/** Finds where a kind is served, asking the API server again when it does not know one (a CRD that came since). */
export class ServedKinds {
  readonly #client: ApiClient;
  #rows: readonly ServedKind[] = [];

  constructor(client: ApiClient) {
    this.#client = client;
  }

  /** `kind`: `Deployment`, or with its group where two have the same name, `Rollout.argoproj.io`. Waits for a new CRD. */
  async find(kind: string, apiVersion?: string): Promise<ServedKind> {
    for (let left = 50; ; left -= 1) {
      const found = this.#known(kind, apiVersion);
      if (found) return found;
      if (left === 0) throw new Error(`the API server does not serve ${apiVersion ?? ''} ${kind}`);
      await new Promise((resolve) => setTimeout(resolve, left === 50 ? 0 : 200));
      await this.#discover();
    }
  }

  #known(wanted: string, apiVersion: string | undefined): ServedKind | undefined {
    const [kind = '', ...group] = wanted.split('.');
    return this.#rows.find(
      (row) =>
        row.kind === kind &&
        (apiVersion === undefined || row.apiVersion === apiVersion) &&
        (group.length === 0 || row.apiVersion.startsWith(`${group.join('.')}/`)),
    );
  }

  async #discover(): Promise<void> {
    const lists = await Promise.all(
      ['/api', '/apis'].map((path) => this.#client.json<Discovery>({ path, accept: aggregated })),
    );
    this.#rows = lists.flatMap(({ items }) =>
      items.flatMap(({ metadata: { name = '' }, versions }) =>
        versions.flatMap(({ version, resources = [] }) =>
          resources.map(({ resource, scope, responseKind }) => ({
            apiVersion: name === '' ? version : `${name}/${version}`,
            kind: responseKind.kind,
            plural: resource,
            namespaced: scope === 'Namespaced',
          })),
        ),
      ),
    );
  }
}

/** The path of one object, or of all of a kind in a namespace. */
export function pathOfKind(row: ServedKind, namespace: string, name?: string): string {
  const root = row.apiVersion.includes('/') ? '/apis' : '/api';
  const scope = row.namespaced ? `/namespaces/${namespace}` : '';
  return `${root}/${row.apiVersion}${scope}/${row.plural}${name === undefined ? '' : `/${name}`}`;
}
