/**
 * Names an object: `Kind/namespace/name`, the namespace empty for cluster-scoped and virtual objects (`Node//n1`,
 * `Registry//ghcr.io`). A plain string, so that it is a map key, prints as people write it and costs one allocation.
 */
export type Ref = `${string}/${string}/${string}`;

/** Builds a ref. `namespace` is `''` or absent for cluster-scoped and virtual objects. */
export function refOf(kind: string, namespace: string | undefined, name: string): Ref {
  return `${kind}/${namespace ?? ''}/${name}`;
}

/** The kind part. */
export function kindOf(ref: Ref): string {
  return ref.slice(0, ref.indexOf('/'));
}

/** The namespace part, `''` for cluster-scoped and virtual objects. */
export function namespaceOf(ref: Ref): string {
  const start = ref.indexOf('/') + 1;
  return ref.slice(start, ref.indexOf('/', start));
}

/** The name part. Names of virtual objects may hold further slashes. */
export function nameOf(ref: Ref): string {
  return ref.slice(ref.indexOf('/', ref.indexOf('/') + 1) + 1);
}

/** As people write it in a sentence: `Deployment shop/api`, `Node n1`. */
export function describeRef(ref: Ref): string {
  const namespace = namespaceOf(ref);
  return namespace === '' ? `${kindOf(ref)} ${nameOf(ref)}` : `${kindOf(ref)} ${namespace}/${nameOf(ref)}`;
}
