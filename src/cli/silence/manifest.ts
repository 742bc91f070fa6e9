import { apiVersion } from '../../api/group.ts';
import type { SilenceSpec } from '../../api/silence.ts';
import { type ApiClient, ApiError } from '../../kube/api-client.ts';
import { kindCalled } from '../../kube/kind-names.ts';
import { UsageError } from '../command.ts';
import type { AddArguments } from './arguments.ts';

/** A Silence as it is created. */
export type SilenceManifest = {
  readonly apiVersion: string;
  readonly kind: 'Silence';
  readonly metadata: { readonly namespace: string; readonly name?: string; readonly generateName?: string };
  readonly spec: SilenceSpec;
};

/** The Silence that was asked for. Rejects with `UsageError` where it would mute everything, or has no end. */
export async function silenceManifest(asked: AddArguments, client: ApiClient): Promise<SilenceManifest> {
  const { namespace, name, forSeconds, until, from, comment } = asked;
  if ((forSeconds === undefined) === (until === undefined))
    throw new UsageError('say when it ends: --for 2h, or --until 2026-11-23T18:00:00Z');
  const selector = await selectorOf(asked, client);
  if (Object.keys(selector).length === 0)
    throw new UsageError(
      'say what to mute: an object (tocsin silence add deployment/shop/api --for 2h), or --reasons, --namespaces, --kinds, --names, --nodes, --severities, --labels, --owners',
    );
  const createdBy = asked.by ?? (await whoAmI(client));
  return {
    ...{ apiVersion, kind: 'Silence' },
    metadata: { namespace, ...(name === undefined ? { generateName: `${stem(asked)}-` } : { name }) },
    spec: {
      selector,
      ...(from !== undefined && { startsAt: from }),
      ...(until !== undefined && { endsAt: until }),
      ...(forSeconds !== undefined && { durationSeconds: forSeconds }),
      ...(comment !== undefined && { comment }),
      ...(createdBy !== undefined && { createdBy }),
    },
  };
}

async function selectorOf(asked: AddArguments, client: ApiClient): Promise<SilenceSpec['selector']> {
  const { object, namespaces, reasons, severities, kinds, names, nodes, labels, owners } = asked;
  return {
    ...(namespaces && { namespaces: [...namespaces] }),
    ...(reasons && { reasons: [...reasons] }),
    ...(severities && { severities: [...severities] }),
    ...(kinds && { kinds: [...kinds] }),
    ...(names && { names: [...names] }),
    ...(nodes && { nodes: [...nodes] }),
    ...(labels && { labels }),
    ...(owners && { owners: [...owners] }),
    ...(object !== undefined && (await objectSelector(object, asked, client))),
  };
}

/** `deployment/shop/api`, `node/n1`: what mutes the incidents whose root is that object. */
async function objectSelector(object: string, asked: AddArguments, client: ApiClient) {
  const parts = object.split('/');
  const [word = '', namespace = '', name = ''] = parts.length === 2 ? [parts[0], '', parts[1]] : parts;
  if (parts.length > 3 || parts.includes('') || name === '')
    throw new UsageError(`"${object}" is not an object: write kind/namespace/name, or kind/name for a Node`);
  for (const field of ['kinds', 'names', 'namespaces'] as const)
    if (asked[field] && (field !== 'namespaces' || namespace !== ''))
      throw new UsageError(`${object} says its ${field} already: leave out --${field}`);
  const kind = await kindCalled(client, word);
  if (kind === undefined)
    throw new UsageError(`the cluster serves no "${word}"; \`kubectl api-resources\` lists what it does`);
  return { kinds: [kind], names: [name], ...(namespace !== '' && { namespaces: [namespace] }) };
}

/** What the generated name begins with, so that `kubectl get silences` can be read. */
function stem({ object, names, reasons }: AddArguments): string {
  const about = object?.split('/').at(-1) ?? names?.[0] ?? reasons?.[0] ?? 'silence';
  const word = about
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
  return word === '' ? 'silence' : word;
}

/** Who asks, as the API server knows them; `undefined` where it does not say. */
async function whoAmI(client: ApiClient): Promise<string | undefined> {
  const reviewed = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' };
  try {
    const { status } = await client.json<{ readonly status?: { readonly userInfo?: { readonly username?: string } } }>({
      ...{ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', body: reviewed },
    });
    return status?.userInfo?.username;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 0) return undefined;
    throw error;
  }
}
