import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { type Named, pathOf } from './places.ts';

/** A Tocsin that is in the cluster. */
export type Found = {
  readonly namespace: string;
  /** Who keeps it: `tocsin`, `Helm`, `OLM`; `undefined`: manifests. */
  readonly keeper: string | undefined;
  readonly image: string;
};

/** Every Tocsin of the cluster, by its Deployment. Where not all namespaces may be read, that of `namespace` alone. */
export async function findInstalled(client: ApiClient, namespace: string): Promise<readonly Found[]> {
  const query = { labelSelector: 'app.kubernetes.io/name=tocsin' };
  const list = (path: string) => client.json<{ readonly items: readonly RawObject[] }>({ path, query });
  const { items } = await list('/apis/apps/v1/deployments').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403)
      return list(`/apis/apps/v1/namespaces/${namespace}/deployments`);
    throw error;
  });
  return items
    .filter(({ metadata }) => metadata.name === 'tocsin')
    .map(({ metadata, spec }) => {
      const labels: Readonly<Record<string, string>> = Object(metadata.labels);
      const [container] = Object(spec).template?.spec?.containers ?? [];
      return {
        namespace: metadata.namespace ?? '',
        keeper: 'olm.owner' in labels ? 'OLM' : labels['app.kubernetes.io/managed-by'],
        image: String(container?.image ?? ''),
      };
    });
}

/** What to do instead, where somebody else keeps it. */
const remedies: Readonly<Record<string, (verb: string) => string>> = {
  Helm: (verb) =>
    `use \`helm ${verb === 'install' ? 'upgrade' : verb}\` (\`helm list --all-namespaces\` shows the release)`,
  OLM: (verb) =>
    verb === 'uninstall' ? 'delete its Subscription and its ClusterServiceVersion' : 'its Subscription upgrades it',
};

/** Why this program must keep its hands off; `undefined`: it need not. */
export function keptByOthers(found: readonly Found[], namespace: string, verb: string): string | undefined {
  for (const { keeper = '', namespace: where } of found) {
    const remedy = remedies[keeper];
    if (remedy) return `Tocsin was installed by ${keeper} in the namespace ${where}: ${remedy(verb)}`;
    if (where !== namespace && verb === 'install')
      return `Tocsin is in the namespace ${where} already, and one serves a cluster: tocsin upgrade --namespace ${where}, or tocsin uninstall --namespace ${where} first`;
  }
  return undefined;
}

/** Whether an object was made by this program. */
export async function isOurs(client: ApiClient, object: Named): Promise<boolean> {
  try {
    const { metadata } = await client.json<RawObject>({ path: pathOf(object) });
    const labels: Readonly<Record<string, string>> = Object(metadata.labels);
    return labels['app.kubernetes.io/managed-by'] === 'tocsin';
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}
