/** Manifests that many stories need, by the few words in which they differ. */
import { type Manifest, split } from './manifests.ts';

const named = (place: string): { readonly namespace: string; readonly name: string } => split(place);

/** An Ingress that sends everything of a host to port 80 (or the one that is named) of a Service. */
export function ingress(place: string, service = named(place).name, port: object = { number: 80 }): Manifest {
  const { name } = named(place);
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name: service, port } } };
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: named(place) },
    spec: { ingressClassName: 'nginx', rules: [{ host: `${name}.example`, http: { paths: [path] } }] },
  };
}

/** The class that the Ingresses of stories are of. */
export const ingressClass: Manifest = {
  ...{ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata: { name: 'nginx' } },
  spec: { controller: 'k8s.io/ingress-nginx' },
};

/** A disruption budget for the Pods labelled `app: <its name>`. */
export function budget(place: string, spec: object): Manifest {
  const selector = { matchLabels: { app: named(place).name } };
  return {
    ...{ apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata: named(place) },
    spec: { selector, ...spec },
  };
}

/** A network policy; without a `spec` nothing may talk to the Pods labelled `app: <its name>`. */
export function networkPolicy(place: string, spec: object = {}): Manifest {
  const podSelector = { matchLabels: { app: named(place).name } };
  return {
    ...{ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: named(place) },
    spec: { podSelector, policyTypes: ['Ingress'], ...spec },
  };
}

/** A claim of one gigabyte. */
export function claim(place: string, storageClassName: string, spec: object = {}): Manifest {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: named(place) },
    spec: {
      ...{ storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      ...spec,
    },
  };
}

/** A storage class of a CSI driver. */
export function storageClass(name: string, more: object = {}): Manifest {
  return {
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name } },
    provisioner: 'disk.csi.example',
    ...more,
  };
}

/** A volume of a CSI driver, for claims of a class. */
export function volume(name: string, storageClassName: string, spec: object = {}): Manifest {
  return {
    ...{ apiVersion: 'v1', kind: 'PersistentVolume', metadata: { name } },
    spec: {
      ...{ capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], persistentVolumeReclaimPolicy: 'Retain' },
      ...{ storageClassName, csi: { driver: 'disk.csi.example', volumeHandle: name } },
      ...spec,
    },
  };
}

/** The part of a Pod's spec that mounts a claim. */
export const mounts = (claimName: string): object => ({
  volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }],
});

/** A webhook that is asked about new objects of a namespace and refuses what it cannot be asked about. */
export function webhook(
  name: string,
  service: { readonly namespace: string; readonly name: string },
  {
    about = 'pods',
    namespace,
    ...more
  }: { readonly about?: string; readonly namespace: string; readonly failurePolicy?: string },
): Manifest {
  return {
    ...{ apiVersion: 'admissionregistration.k8s.io/v1', kind: 'ValidatingWebhookConfiguration', metadata: { name } },
    webhooks: [
      {
        name: `${about}.${name}`,
        ...{ clientConfig: { service: { ...service, path: '/validate' } }, failurePolicy: 'Fail', sideEffects: 'None' },
        ...{ admissionReviewVersions: ['v1'], timeoutSeconds: 2 },
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: [about] }],
        ...more,
      },
    ],
  };
}

/** The cluster's DNS as every cluster has it, of one image. */
export const dns = {
  workload: { replicas: 2, image: 'registry.example/coredns:1.12', labels: { 'k8s-app': 'kube-dns' } },
  service: {
    ...{ apiVersion: 'v1', kind: 'Service' },
    metadata: { name: 'kube-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
    spec: {
      selector: { 'k8s-app': 'kube-dns' },
      ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
    },
  },
} as const;

/** What an image does of which each run prints these and ends. */
export const crash = (log: readonly string[], afterSeconds = 3, code = 1) =>
  ({ log, readyAfterSeconds: 'never', exit: { afterSeconds, code } }) as const;

/** A workload whose program listens on a port. */
export const listens = (port: number) => ({ container: { ports: [{ containerPort: port }] } });

/** A Service with one port of a name. */
export const serves = (name: string, port: number) => ({ ports: [{ name, port, targetPort: port }] });

/** A kind of somebody's own. */
export const definition = (group: string, version: string, kind: string) => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
    metadata: { name: `${plural}.${group}` },
    spec: {
      ...{ group, scope: 'Namespaced' },
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: version, served: true, storage: true, subresources: { status: {} }, schema }],
    },
  };
};
