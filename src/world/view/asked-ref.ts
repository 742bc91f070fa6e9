import { qualifiedKind, virtualKinds } from '../../model/ref.ts';
import type { CustomResourceDefinitionView } from '../kinds/cluster/custom-resource-definition.ts';
import { heldKinds, kindInRefs } from '../kinds/kinds.ts';

/** Short names as `kubectl api-resources` prints them, of the kinds that people ask about. */
const shortNames: Readonly<Record<string, string>> = {
  po: 'Pod',
  deploy: 'Deployment',
  sts: 'StatefulSet',
  ds: 'DaemonSet',
  rs: 'ReplicaSet',
  cj: 'CronJob',
  rc: 'ReplicationController',
  svc: 'Service',
  ing: 'Ingress',
  hpa: 'HorizontalPodAutoscaler',
  no: 'Node',
  ns: 'Namespace',
  pvc: 'PersistentVolumeClaim',
  pv: 'PersistentVolume',
  sc: 'StorageClass',
  cm: 'ConfigMap',
  pdb: 'PodDisruptionBudget',
  quota: 'ResourceQuota',
  sa: 'ServiceAccount',
  netpol: 'NetworkPolicy',
  limits: 'LimitRange',
  pc: 'PriorityClass',
  csr: 'CertificateSigningRequest',
  vpa: 'VerticalPodAutoscaler',
  crd: 'CustomResourceDefinition',
  crds: 'CustomResourceDefinition',
  ep: 'Endpoints',
  gtw: 'Gateway',
};

/** Kinds of every cluster that are not held: asked about, it is said that they are not watched. */
const otherKinds = ['Endpoints', 'Role', 'RoleBinding', 'ControllerRevision', 'PodTemplate'];
const otherClusterKinds = ['ClusterRole', 'ClusterRoleBinding'];

const byWord = new Map(Object.entries(shortNames));
for (const kind of [...virtualKinds, ...otherKinds, ...otherClusterKinds]) {
  byWord.set(kind.toLowerCase(), kind);
  byWord.set(`${kind.toLowerCase()}s`, kind);
}
for (const row of heldKinds)
  for (const word of [row.kind, row.plural, `${row.plural}.${row.group}`, `${row.kind}.${row.group}`])
    byWord.set(word.toLowerCase(), kindInRefs(row));

const namespacedKinds: ReadonlySet<string> = new Set([
  ...heldKinds.filter(({ namespaced }) => namespaced).map(kindInRefs),
  ...otherKinds,
]);

/** Words for kinds that people may have meant. */
export const kindWords: readonly string[] = [...byWord.keys()].filter((word) => word.length > 3 && !word.includes('.'));

/** What a CustomResourceDefinition defines. */
export type Defined = Pick<CustomResourceDefinitionView, 'group' | 'plural' | 'defines'>;

/**
 * The kind in refs that a word means, as people and kubectl call it: `deploy`, `Deployments`, `deployment.apps`; a custom resource as its
 * definition says: `application`, `applications.argoproj.io`. `undefined`: nobody knows such a kind.
 */
export function askedKind(word: string, defined: Iterable<Defined>): string | undefined {
  const asked = word.toLowerCase();
  const kind = byWord.get(asked);
  if (kind !== undefined) return kind;
  for (const { group, plural, defines } of defined)
    if ([plural, defines, `${plural}.${group}`, `${defines}.${group}`].some((each) => each.toLowerCase() === asked))
      return qualifiedKind(group, defines);
  return /^[a-z][a-z0-9]*(\.[a-z0-9-]+)+$/i.test(word) ? word : undefined;
}

/** Whether the objects of a kind are in namespaces; `undefined`: that is not known of a custom resource. */
export function isNamespaced(kind: string): boolean | undefined {
  return kind.includes('.') ? undefined : namespacedKinds.has(kind);
}
