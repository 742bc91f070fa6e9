import { isDeepStrictEqual } from 'node:util';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { type Named, nameOf, pathOf } from './places.ts';

/** Under which name the API server keeps who set a field. */
const fieldManager = 'tocsin-install';

/** What became of an object, or would. */
export type Outcome = 'created' | 'changed' | 'unchanged';

/** How objects are applied. `dryRun`: nothing is written. `force`: fields that somebody else has set are taken over. */
export type ApplyHow = { readonly dryRun: boolean; readonly force: boolean };

/** The object as it is in the cluster; `undefined`: it is not there, nor perhaps its kind or namespace. */
export async function read(client: ApiClient, object: Named): Promise<RawObject | undefined> {
  try {
    return await client.json<RawObject>({ path: pathOf(object) });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw refused(error, object, 'read');
  }
}

/** Applies one object server-side. Rejects with what to do where it is refused. */
export async function apply(client: ApiClient, object: RawObject, { dryRun, force }: ApplyHow): Promise<Outcome> {
  const before = await read(client, object);
  // Whether the server would take it cannot be asked as long as its namespace or kind is not there.
  if (before === undefined && dryRun) return 'created';
  try {
    const after = await client.json<RawObject>({
      method: 'PATCH',
      path: pathOf(object),
      query: { fieldManager, force, fieldValidation: 'Strict', ...(dryRun && { dryRun: 'All' }) },
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
    if (before === undefined) return 'created';
    return isDeepStrictEqual(said(before), said(after)) ? 'unchanged' : 'changed';
  } catch (error) {
    throw refused(error, object, 'write');
  }
}

/** What people say in an object, without what the server notes beside it. */
function said({ metadata, status: _, ...rest }: RawObject): object {
  const { labels = {}, annotations = {} } = metadata;
  const { 'deployment.kubernetes.io/revision': __, ...own }: Readonly<Record<string, unknown>> = Object(annotations);
  return { ...rest, labels, annotations: own };
}

/** Deletes an object and what belongs to it; whether it was there. */
export async function remove(client: ApiClient, object: Named): Promise<boolean> {
  try {
    await client.json({ method: 'DELETE', path: pathOf(object), body: { propagationPolicy: 'Foreground' } });
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw refused(error, object, 'delete');
  }
}

/** A refusal in words that say what to do. */
function refused(error: unknown, object: Named, verb: 'read' | 'write' | 'delete'): unknown {
  if (!(error instanceof ApiError)) return error;
  const what = nameOf(object);
  if (error.status === 403)
    return new Error(
      `you may not ${verb} ${what} (${error.message}). ${
        verb === 'delete'
          ? 'Ask somebody who administers the cluster.'
          : 'Somebody who administers the cluster can apply the manifests: tocsin install --dry-run --output yaml > tocsin.yaml'
      }`,
    );
  if (error.status === 409)
    return new Error(
      `${what} has fields that somebody else has set: ${error.message}. Say --force to take them over, or keep the change in your own manifests (tocsin install --dry-run --output yaml).`,
    );
  return new Error(`${what}: ${error.message}`);
}
