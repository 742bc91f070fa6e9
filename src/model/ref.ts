/**
 * Names an object: `Kind/namespace/name`, the namespace empty for cluster-scoped and virtual objects (`Node//n1`,
 * `Registry//ghcr.io`). A kind outside the groups of Kubernetes carries its group (`StatefulSet.apps.kruise.io/shop/db`), so
 * that nobody takes it for its namesake. A plain string, so that it is a map key, prints as people write it and costs one
 * allocation.
 */
export type Ref = `${string}/${string}/${string}`;

/** Builds a ref. `namespace` is `''` or absent for cluster-scoped and virtual objects. */
export function refOf(kind: string, namespace: string | undefined, name: string): Ref {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** What is no object of the API and can be the root of an incident. */
export const virtualKinds: readonly string[] = [
  'Cluster',
  'ExternalEndpoint',
  'NodePool',
  'Registry',
  'Sentence',
  'Signer',
  'Zone',
];

/** Whether a text has the shape of a ref. */
export function isRef(text: string): text is Ref {
  return /^[^/]+\/[^/]*\/./.test(text);
}

/** The kind part, which tells kinds apart: `Deployment`, `StatefulSet.apps.kruise.io`. */
export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'));
}

/** The kind as people call it, without a group: `StatefulSet`. */
export function kindNameOf(ref: Ref): string {
  const kind = kindOf(ref);
  const dot = kind.indexOf('.');
  return dot < 0 ? kind : kind.slice(0, dot);
}

/**
 * The kind part of refs to objects of a kind: the kind alone for the groups of Kubernetes itself, else with the group
 * (`StatefulSet.apps.kruise.io`). Groups of custom resources have a dot, and only Kubernetes may use those below `k8s.io`.
 */
export function qualifiedKind(group: string, kind: string): string {
  return !group.includes('.') || group.endsWith('.k8s.io') ? kind : `${kind}.${group}`;
}

/** The namespace part, `''` for cluster-scoped and virtual objects. */
export function namespaceOf(ref: Ref): string {
  const start = ref.indexOf('/') + 1;
  return ref.slice(start, ref.indexOf('/', start));
}

/** Whether an object is in a namespace; `''`: in none. Nothing is cut out of the ref for it. */
export function isInNamespace(ref: Ref, namespace: string): boolean {
  const start = ref.indexOf('/') + 1;
  return ref[start + namespace.length] === '/' && ref.startsWith(namespace, start);
}

/** The name part. Names of virtual objects may hold further slashes. */
export function nameOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/', ref.indexOf('/') + 1) + 1);
}

/** As people write it in a sentence: `Deployment shop/api`, `Node n1`. */
export function describeRef(ref: Ref): string {
  const namespace = namespaceOf(ref);
  return namespace === '' ? `${kindNameOf(ref)} ${nameOf(ref)}` : `${kindNameOf(ref)} ${namespace}/${nameOf(ref)}`;
}
