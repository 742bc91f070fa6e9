import { storedApiVersion as apiVersion, kindNames, kinds } from '../../api/group.ts';
import { secretNamesOf } from '../../api/lint/named-secrets.ts';
import type { GivenSecret } from '../../api/lint/surroundings.ts';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { describeRef, refOf } from '../../model/ref.ts';
import { UsageError } from '../command.ts';
import { type Gathered, type LocatedManifest, secretValues } from './gather.ts';

type Listed = {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly namespace: string } }[];
};

/**
 * The cluster with the given files as if they were applied: what the cluster has besides them stays in the background, unless
 * no files are given. Secrets are read as far as the user may. Rejects with `UsageError` when the kinds cannot be listed.
 */
export async function withCluster(
  files: Gathered | undefined,
  client: ApiClient,
  namespace: string,
): Promise<Gathered> {
  const cluster = await listManifests(client);
  const manifests = files ? overlay(files.manifests, cluster, namespace) : cluster;
  const secrets = await readSecrets(client, manifests, namespace);
  const clusterId = await readClusterId(client);
  return {
    ...(clusterId !== undefined && { clusterId }),
    misread: files?.misread ?? [],
    foreign: files?.foreign ?? 0,
    manifests,
    secrets(secretNamespace, name) {
      const own = files?.secrets(secretNamespace, name);
      return typeof own === 'object' || own === 'sealed'
        ? own
        : (secrets.get(`${secretNamespace}/${name}`) ?? 'unknown');
    },
    secretCount:
      (files?.secretCount ?? 0) + [...secrets.values()].filter((secret) => typeof secret === 'object').length,
  };
}

/** Whoever may not read the namespace is not told for which cluster a licence is. */
async function readClusterId(client: ApiClient): Promise<string | undefined> {
  try {
    const { metadata } = await client.json<{ readonly metadata?: { readonly uid?: string } }>({
      path: '/api/v1/namespaces/kube-system',
    });
    return metadata?.uid;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 403 || error.status === 404)) return undefined;
    throw error;
  }
}

async function listManifests(client: ApiClient): Promise<readonly LocatedManifest[]> {
  const manifests: LocatedManifest[] = [];
  for (const kind of kindNames) {
    const { items } = await list(client, kinds[kind].plural);
    for (const item of items) {
      const where = `the cluster as ${describeRef(refOf(kind, item.metadata.namespace, item.metadata.name))}`;
      // Items of a list come without their kind.
      manifests.push({ kind, value: { ...item, apiVersion, kind }, where, place: () => ({}) });
    }
  }
  return manifests;
}

/** Files over the cluster: each knows what it would update. */
function overlay(
  files: readonly LocatedManifest[],
  cluster: readonly LocatedManifest[],
  namespace: string,
): readonly LocatedManifest[] {
  const keyOf = ({ kind, value }: LocatedManifest): string => {
    const { metadata } = Object(value);
    return refOf(kind, String(metadata?.namespace ?? namespace), String(metadata?.name ?? ''));
  };
  const given = new Set(files.map(keyOf));
  const before = new Map(cluster.map((manifest) => [keyOf(manifest), manifest.value]));
  const updates = files.map((manifest) => {
    const previous = before.get(keyOf(manifest));
    return previous === undefined ? manifest : { ...manifest, previous };
  });
  const others = cluster.filter((manifest) => !given.has(keyOf(manifest)));
  return [...updates, ...others.map((manifest) => ({ ...manifest, background: true as const }))];
}

async function readSecrets(
  client: ApiClient,
  manifests: readonly LocatedManifest[],
  preset: string,
): Promise<ReadonlyMap<string, GivenSecret | 'missing' | 'unknown'>> {
  const secrets = new Map<string, GivenSecret | 'missing' | 'unknown'>();
  for (const { kind, value } of manifests)
    for (const { namespace = preset, name } of secretNamesOf(kind, value)) {
      const key = `${namespace}/${name}`;
      if (!secrets.has(key)) secrets.set(key, await readSecret(client, namespace, name));
    }
  return secrets;
}

async function list(client: ApiClient, plural: string): Promise<Listed> {
  try {
    return await client.json<Listed>({ path: `/apis/${apiVersion}/${plural}` });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const remedy =
      error.status === 404
        ? 'Tocsin is not installed there: apply crds/ first'
        : error.status === 403
          ? `you need the permission to list ${plural}.tocsin.dev in all namespaces`
          : 'is the cluster up, and the right one?';
    throw new UsageError(`cannot list ${plural} in the cluster (${error.message}): ${remedy}`);
  }
}

async function readSecret(
  client: ApiClient,
  namespace: string,
  name: string,
): Promise<GivenSecret | 'missing' | 'unknown'> {
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/secrets/${encodeURIComponent(name)}`;
  try {
    return secretValues(await client.json<Readonly<Record<string, unknown>>>({ path }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return 'missing';
    // Whoever may not read it cannot tell whether it is there.
    if (error instanceof ApiError && error.status === 403) return 'unknown';
    throw error;
  }
}
