import { group, kindNames, kinds, storedVersion } from '../../api/group.ts';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import type { RawObject } from '../../model/raw-object.ts';
import { untilAnswered } from '../cluster/until.ts';
import type { Streams } from '../command.ts';
import { read, remove } from './apply.ts';
import type { UninstallArguments } from './arguments.ts';
import { findInstalled, isOurs, keptByOthers } from './found.ts';
import { installed } from './objects.ts';
import { type Named, nameOf } from './places.ts';

/**
 * `tocsin uninstall`: deletes what `tocsin install` made, the Deployment first, and waits until it is gone. Exit code: 0 nothing is left, 1 something
 * is, or it was not confirmed, with why.
 */
export async function runUninstall(
  asked: UninstallArguments,
  { stdout, stderr }: Pick<Streams, 'stdout' | 'stderr'>,
  client: ApiClient,
): Promise<number> {
  const { namespace, keepConfiguration } = asked;
  const problem = keptByOthers(await findInstalled(client, namespace), namespace, 'uninstall');
  if (problem !== undefined) {
    stderr.write(`tocsin uninstall: ${problem}\n`);
    return 1;
  }
  const objects = await toDelete(client, asked);
  if (objects.length === 0) {
    stderr.write(`tocsin uninstall: nothing of Tocsin is in the namespace ${namespace}\n`);
    return 1;
  }
  if (!asked.yes) {
    const lost = keepConfiguration ? '' : await configurationOf(client);
    stderr.write(
      `This would delete ${objects.length} objects: ${objects.map(nameOf).join(', ')}.\n${lost}` +
        'Nothing has been deleted. Say --yes if that is meant.\n',
    );
    return 1;
  }
  for (const object of objects) {
    await remove(client, object);
    // Tocsin ends before it loses its roles: what is due is sent in its last seconds.
    if (object.kind === 'Deployment') await gone(client, [object], asked.timeoutSeconds);
    stdout.write(`${nameOf(object)} deleted\n`);
  }
  const left = await gone(client, objects, asked.timeoutSeconds);
  if (left.length > 0) {
    stderr.write(`tocsin uninstall: still there after ${asked.timeoutSeconds} s: ${left.map(saysWhy).join(', ')}\n`);
    return 1;
  }
  stdout.write(
    keepConfiguration
      ? `\nTocsin is gone. Its configuration and its Secrets are kept; tocsin install goes on with them.\n`
      : '\nNothing of Tocsin is left.\n',
  );
  return 0;
}

/** What is there of all that is installed, in the order in which it goes: what runs, its rights, the kinds, the namespace. */
async function toDelete(client: ApiClient, asked: UninstallArguments): Promise<readonly Named[]> {
  const { namespace, keepConfiguration } = asked;
  const all = installed({ namespace, image: '', onOpenShift: false });
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'tocsin', namespace } };
  const order = [
    ...all.filter(({ kind }) => kind === 'Deployment'),
    ...(keepConfiguration ? [] : [lease]),
    ...all.filter(({ kind }) => kind !== 'Deployment').toReversed(),
  ];
  const found: Named[] = [];
  for (const object of order) {
    const { kind = '' } = object;
    if (keepConfiguration && (kind === 'Namespace' || kind === 'CustomResourceDefinition')) continue;
    // A namespace that somebody else made may hold what is not Tocsin's.
    if (kind === 'Namespace' && !(await isOurs(client, object))) continue;
    if (await read(client, object)) found.push(object);
  }
  return found;
}

/** What goes along with the four kinds, in words. */
async function configurationOf(client: ApiClient): Promise<string> {
  const counts: string[] = [];
  for (const kind of kindNames) {
    const path = `/apis/${group}/${storedVersion}/${kinds[kind].plural}`;
    try {
      const { items } = await client.json<{ readonly items: readonly unknown[] }>({ path });
      if (items.length > 0) counts.push(`${items.length} ${items.length === 1 ? kind : `${kind}s`}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 404)) throw error;
    }
  }
  const lost =
    counts.length === 0
      ? ''
      : `With the kinds of ${group} go all objects of theirs, in every namespace: ${counts.join(', ')}. `;
  return `${lost}A namespace goes with its Secrets. To keep both: --keep-configuration.\n`;
}

/** What is still there after so many seconds at most. */
async function gone(client: ApiClient, objects: readonly Named[], seconds: number): Promise<readonly RawObject[]> {
  let left: readonly RawObject[] = [];
  await untilAnswered(async () => {
    const found = await Promise.all(objects.map((object) => read(client, object)));
    left = found.flatMap((object, index) => (object ? [{ ...object, kind: objects[index]?.kind ?? '' }] : []));
    return left.length === 0 || undefined;
  }, seconds);
  return left;
}

function saysWhy(object: RawObject): string {
  const finalizers: unknown = object.metadata.finalizers;
  const waits = Array.isArray(finalizers) && finalizers.length > 0 ? ` (it waits for ${finalizers.join(', ')})` : '';
  return `${nameOf(object)}${waits}`;
}
