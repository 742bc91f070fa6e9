/** What several houses have: servers with a port of their own, settings in files, and kinds that products define. */
import type { Manifest } from '../../../kit/manifests.ts';

/** The part of a Service that leads to one port. */
export const onPort = (port: number, name: string): object => ({
  ports: [{ name, port, targetPort: port, protocol: 'TCP' }],
});

/** The container of a server that is probed on its own port. */
export const serves = (port: number, more: object = {}): object => ({
  ports: [{ containerPort: port }],
  readinessProbe: { tcpSocket: { port } },
  ...more,
});

/** The parts of a workload that reads a ConfigMap as files. */
export const readsFiles = (configMap: string, mountPath: string, more: object = {}) => ({
  container: { volumeMounts: [{ name: 'config', mountPath }], ...more },
  pod: { volumes: [{ name: 'config', configMap: { name: configMap } }] },
});

/** The definition of a kind as its product installs it. */
export function definition(
  kind: string,
  plural: string,
  group: string,
  { version = 'v1', scope = 'Namespaced' }: { readonly version?: string; readonly scope?: string } = {},
): Manifest {
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const singular = kind.toLowerCase();
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope, names: { kind, plural, singular, listKind: `${kind}List` } },
      versions: [{ name: version, served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** A secret of a registry, as `kubectl create secret docker-registry` makes it. */
export const pullSecret = (namespace: string, name: string, text: string): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, type: 'kubernetes.io/dockerconfigjson' },
  data: { '.dockerconfigjson': Buffer.from(text).toString('base64') },
});

/** A right that a ServiceAccount has in a namespace. */
export function rights(
  namespace: string,
  role: string,
  account: { readonly namespace: string; readonly name: string },
  rules: readonly object[],
): readonly [role: Manifest, binding: Manifest] {
  const apiVersion = 'rbac.authorization.k8s.io/v1';
  const metadata = { namespace, name: role };
  return [
    { apiVersion, kind: 'Role', metadata, rules },
    {
      ...{ apiVersion, kind: 'RoleBinding', metadata },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: role },
      subjects: [{ kind: 'ServiceAccount', ...account }],
    },
  ];
}

/** A ServiceAccount. */
export const account = (namespace: string, name: string, annotations: object = {}): Manifest => ({
  ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
  metadata: { namespace, name, annotations: annotations as Record<string, string> },
});
