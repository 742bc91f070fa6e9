/** The definition of a kind with `status.conditions`, in short: as operators install it, but for most of its schema. */
export function definition(
  group: string,
  kind: string,
  { version = 'v1', served = true, schema = {} }: { version?: string; served?: boolean; schema?: object } = {},
) {
  const singular = kind.toLowerCase();
  const plural = /[^aeiou]y$/.test(singular) ? `${singular.slice(0, -1)}ies` : `${singular}s`;
  const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const conditions = { type: 'array', items: open };
  const status = { ...open, properties: { conditions, ...schema } };
  const openAPIV3Schema = { type: 'object', properties: { spec: open, status } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced', names: { kind, plural, singular } },
      versions: [{ name: version, served, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } }],
    },
  };
}
