import type { AlertConfig } from '../../api/alert-config.ts';
import { apiVersion, configName, kinds, storedApiVersion } from '../../api/group.ts';
import type { SilenceSpec } from '../../api/silence.ts';
import type { ApiClient } from '../../kube/api-client.ts';
import { kindCalled } from '../../kube/kind-names.ts';
import { kindNameOf, nameOf, refOf } from '../../model/ref.ts';
import { whoAmI } from '../cluster/who-am-i.ts';
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
  if (forSeconds !== undefined && until !== undefined)
    throw new UsageError('it can end only once: leave out --for or --until');
  if (forSeconds === undefined && until === undefined)
    throw new UsageError('say when it ends: --for 2h, or --until 2026-11-23T18:00:00Z');
  if (until !== undefined && Date.parse(until) <= Date.now()) throw new UsageError(`--until ${until} is over`);
  const selector = await selectorOf(asked, client);
  if (Object.keys(selector).length === 0)
    throw new UsageError(
      'say what to mute: an object (tocsin silence add deployment/shop/api --for 2h), or --reasons, --namespaces, --kinds, --names, --nodes, --severities, --labels, --owners',
    );
  const createdBy = asked.by ?? (await whoAmI(client));
  return {
    ...{ apiVersion, kind: 'Silence' },
    metadata: { namespace, ...(name === undefined ? { generateName: `${stem(selector)}-` } : { name }) },
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

/** What IDs of incidents look like; no object is called so by its name alone. */
const incidentId = /^[0-9a-f]{16}$/;

/** What mutes the incidents of the root of an open one. Rejects with `UsageError` where the AlertConfig does not list it. */
async function incidentSelector(id: string, { namespace }: AddArguments, client: ApiClient) {
  const path = `/apis/${storedApiVersion}/namespaces/${namespace}/${kinds.AlertConfig.plural}/${configName}`;
  const { status } = await client.json<AlertConfig>({ path });
  const found = status?.incidents?.find((incident) => incident.id === id);
  if (found === undefined)
    throw new UsageError(
      `the AlertConfig in the namespace "${namespace}" lists no open incident ${id}, but only the 20 worst; say which object to mute`,
    );
  const [kind = '', namespaces = '', ...name] = found.root.split('/');
  const ref = refOf(kind, namespaces, name.join('/'));
  return { kinds: [kindNameOf(ref)], names: [nameOf(ref)], ...(namespaces !== '' && { namespaces: [namespaces] }) };
}

/** `deployment/shop/api`, `node/n1`: what mutes the incidents whose root is that object. */
async function objectSelector(object: string, asked: AddArguments, client: ApiClient) {
  if (incidentId.test(object)) return incidentSelector(object, asked, client);
  const parts = object.split('/');
  const [word = '', namespace = '', name = ''] = parts.length === 2 ? [parts[0], '', parts[1]] : parts;
  if (parts.length > 3 || parts.includes('') || name === '')
    throw new UsageError(`"${object}" is not an object: write kind/namespace/name, or kind/name for a Node`);
  for (const field of ['kinds', 'names', 'namespaces'] as const)
    if (asked[field] && (field !== 'namespaces' || namespace !== ''))
      throw new UsageError(`${object} says its ${field} already: leave out --${field}`);
  const found = await kindCalled(client, word);
  if (found === undefined)
    throw new UsageError(`the cluster serves no "${word}"; \`kubectl api-resources\` lists what it does`);
  const { kind, namespaced } = found;
  if (namespaced && namespace === '' && !asked.namespaces)
    throw new UsageError(
      `a ${kind} is in a namespace: write ${word}/NAMESPACE/${name}, or --namespaces '*' for those of all namespaces`,
    );
  return { kinds: [kind], names: [name], ...(namespace !== '' && { namespaces: [namespace] }) };
}

/** What the generated name begins with, so that `kubectl get silences` can be read. */
function stem({ names, reasons }: SilenceSpec['selector']): string {
  const word = (names?.[0] ?? reasons?.[0] ?? 'silence')
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 50);
  return word === '' ? 'silence' : word;
}
