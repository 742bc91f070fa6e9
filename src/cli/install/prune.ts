import type { ApiClient } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { remove } from './apply.ts';
import { ownLabel } from './objects.ts';
import { collectionOf, type Named, pathOf } from './places.ts';

/** Never deleted because a version lacks it: all of its objects would go along. */
const keptKinds = new Set(['Namespace', 'CustomResourceDefinition']);

/** What an earlier version installed and this one does not: deleted, or only named. */
export async function prune(
  client: ApiClient,
  wanted: readonly RawObject[],
  namespace: string,
  dryRun: boolean,
): Promise<readonly RawObject[]> {
  const paths = new Set(wanted.map(pathOf));
  const kinds = new Map(
    wanted.filter(({ kind = '' }) => !keptKinds.has(kind)).map((object) => [collectionOf(object), object]),
  );
  const [[key, value] = []] = Object.entries(ownLabel);
  const left: Named[] = [];
  for (const [path, { apiVersion = '', kind = '' }] of kinds) {
    const query = { labelSelector: `${key}=${value},app.kubernetes.io/name=tocsin` };
    const { items = [] } = await client
      .json<{ readonly items?: readonly RawObject[] }>({ path, query })
      // Nothing is there yet to be asked for.
      .catch(() => ({ items: [] }));
    for (const { metadata } of items) {
      const object = { apiVersion, kind, metadata: { name: metadata.name, namespace } };
      if (!paths.has(pathOf(object))) left.push(object);
    }
  }
  if (!dryRun) for (const object of left) await remove(client, object);
  return left;
}
