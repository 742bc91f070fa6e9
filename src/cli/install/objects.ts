import { crdOf } from '../../api/crd.ts';
import { kindNames, storedApiVersion } from '../../api/group.ts';
import { resources } from '../../api/resources.ts';
import type { RawObject } from '../../model/raw-object.ts';
import manifests from './manifests.json' with { type: 'json' };

/** What may differ between two installations. */
export type Wanted = {
  readonly namespace: string;
  readonly image: string;
  /** How messages call the cluster. */
  readonly clusterName?: string;
  /** On OpenShift the cluster chooses user and group. */
  readonly onOpenShift: boolean;
};

/** The label that says that this program made an object, and may delete it. */
export const ownLabel = { 'app.kubernetes.io/managed-by': 'tocsin' } as const;
const labels = { 'app.kubernetes.io/name': 'tocsin', 'app.kubernetes.io/part-of': 'tocsin', ...ownLabel };

/** The four kinds. */
export const definitions = (): readonly RawObject[] =>
  kindNames.map((kind) => ({ ...crdOf(resources[kind]), metadata: { ...crdOf(resources[kind]).metadata, labels } }));

/** All that is installed, in the order in which it is applied; removed in the opposite order. */
export function installed(wanted: Wanted): readonly RawObject[] {
  const [namespace, ...others] = (manifests.installed as unknown as readonly RawObject[]).map((object) =>
    placed(object, wanted),
  );
  return [...(namespace ? [namespace] : []), ...definitions(), ...others];
}

/** The AlertConfig to begin with, of the version that is served before an upgrade of the definitions and after it. */
export function settings({ namespace, clusterName }: Pick<Wanted, 'namespace' | 'clusterName'>): readonly RawObject[] {
  return (manifests.settings as unknown as readonly RawObject[]).map((object) => ({
    ...object,
    apiVersion: storedApiVersion,
    metadata: { ...object.metadata, namespace, labels },
    spec: { ...Object(object.spec), ...(clusterName !== undefined && { app: { clusterName } }) },
  }));
}

const inCluster = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding']);

function placed(object: RawObject, wanted: Wanted): RawObject {
  const { kind = '', metadata, subjects, spec } = object;
  const { namespace } = wanted;
  const { namespace: _, ...rest } = metadata;
  return {
    ...object,
    metadata: {
      ...rest,
      ...(kind === 'Namespace' && { name: namespace }),
      ...(!inCluster.has(kind) && { namespace }),
      labels: { ...Object(metadata.labels), ...labels },
    },
    ...(Array.isArray(subjects) && {
      subjects: subjects.map((subject: object) => ({ ...subject, namespace })),
    }),
    ...(kind === 'Deployment' && { spec: deployed(spec, wanted) }),
  };
}

type PodTemplate = {
  readonly spec: {
    readonly containers: readonly object[];
    readonly securityContext: Readonly<Record<string, unknown>>;
  };
};

/** The Deployment's spec with the image, and without fixed numbers where the cluster chooses them. */
function deployed(spec: unknown, { image, onOpenShift }: Wanted): object {
  const { template, ...others } = spec as { readonly template: PodTemplate };
  const { runAsUser, runAsGroup, fsGroup, ...assigned } = template.spec.securityContext;
  const fixed = onOpenShift ? {} : { runAsUser, runAsGroup, fsGroup };
  const pod = {
    ...template.spec,
    securityContext: { ...assigned, ...fixed },
    containers: template.spec.containers.map((container) => ({ ...container, image })),
  };
  return { ...others, template: { ...template, spec: pod } };
}
