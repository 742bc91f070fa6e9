import { type ApiClient, ApiError } from '../../src/kube/api-client.ts';
import { fieldAt, isFields } from '../object.ts';
import type { Container, Pod, Volume } from '../shapes.ts';

type Source = {
  readonly kind: 'Secret' | 'ConfigMap';
  readonly name: string;
  readonly optional: boolean;
  readonly key?: string;
};

const source = (
  kind: Source['kind'],
  reference: { name?: string; secretName?: string; key?: string; optional?: boolean } | undefined,
): Source[] =>
  reference
    ? [
        {
          kind,
          name: reference.name ?? reference.secretName ?? '',
          optional: reference.optional ?? false,
          ...(reference.key ? { key: reference.key } : {}),
        },
      ]
    : [];

/** What the environment of a container reads, in the kubelet's order: `envFrom` first. */
const environmentOf = (container: Container): Source[] => [
  ...(container.envFrom ?? []).flatMap((from) => [
    ...source('ConfigMap', from.configMapRef),
    ...source('Secret', from.secretRef),
  ]),
  ...(container.env ?? []).flatMap(({ valueFrom }) => [
    ...source('ConfigMap', valueFrom?.configMapKeyRef),
    ...source('Secret', valueFrom?.secretKeyRef),
  ]),
];

const volumeSources = (volume: Volume): Source[] => [
  ...source('ConfigMap', volume.configMap),
  ...source('Secret', volume.secret),
];

/** What is wrong with a reference in the kubelet's words; `undefined` when it is there. Looked up afresh each time. */
async function problemWith(api: ApiClient, namespace: string, wanted: Source): Promise<string | undefined> {
  if (wanted.optional) return undefined;
  const plural = wanted.kind === 'Secret' ? 'secrets' : 'configmaps';
  let found: unknown;
  try {
    found = await api.json({ path: `/api/v1/namespaces/${namespace}/${plural}/${wanted.name}` });
  } catch (error) {
    if (error instanceof ApiError && error.status === 404)
      return `${wanted.kind.toLowerCase()} "${wanted.name}" not found`;
    throw error;
  }
  const { key } = wanted;
  const data = [fieldAt(found, 'data'), fieldAt(found, 'binaryData')].filter(isFields);
  if (!key || data.some((fields) => Object.hasOwn(fields, key))) return undefined;
  return `couldn't find key ${key} in ${wanted.kind} ${namespace}/${wanted.name}`;
}

/** Why the container's configuration cannot be made: the message of CreateContainerConfigError. */
export async function configurationProblem(
  api: ApiClient,
  pod: Pod,
  container: Container,
): Promise<string | undefined> {
  for (const wanted of environmentOf(container)) {
    const problem = await problemWith(api, pod.metadata.namespace ?? '', wanted);
    if (problem) return problem;
  }
  return undefined;
}

/** Why a volume cannot be mounted: the message of FailedMount. */
export async function mountProblem(api: ApiClient, pod: Pod): Promise<string | undefined> {
  for (const volume of pod.spec.volumes ?? [])
    for (const wanted of volumeSources(volume)) {
      const problem = await problemWith(api, pod.metadata.namespace ?? '', wanted);
      if (problem) return `MountVolume.SetUp failed for volume "${volume.name}" : ${problem}`;
    }
  return undefined;
}
