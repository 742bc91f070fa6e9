import { isDeepStrictEqual } from 'node:util';
import { type Cluster, objectOf, objectsOf } from '../cluster.ts';
import { type Fields, isFields, type KubeObject, timestamp } from '../object.ts';
import { matches } from '../selectors.ts';
import type { Pod } from '../shapes.ts';
import { type Controller, keyOfChange, splitKey } from './controller.ts';
import { controllerReference, isControlledBy, isReady } from './pods.ts';

const manager = 'kube-controller-manager';
const managedBy = 'endpointslice-controller.k8s.io';
const key = 'endpointslices.discovery.k8s.io';

type Service = KubeObject & {
  spec: {
    selector?: { [label: string]: string };
    ports?: { name?: string; port: number; protocol?: string; targetPort?: number | string }[];
    publishNotReadyAddresses?: boolean;
    clusterIP?: string;
    type?: string;
  };
};
type Port = { readonly name: string; readonly port: number; readonly protocol: string };

const selectorOf = (service: Service): Readonly<Record<string, string>> | undefined =>
  service.spec.type === 'ExternalName' ? undefined : service.spec.selector;

/** Service → EndpointSlices: one for each set of ports that its Pods give it, or an empty one (k8s.io/endpointslice). */
export function endpointSliceController(cluster: Cluster): Controller {
  return {
    name: 'endpointslice',
    concerns(change) {
      if (change.resource === 'services') return [keyOfChange(change)];
      if (change.resource !== 'pods') return [];
      const { namespace } = change.object.metadata;
      return objectsOf<Service>(cluster, 'services', namespace)
        .filter((service) => {
          const selector = selectorOf(service);
          const versions = [change.object, ...(change.before ? [change.before] : [])];
          return selector && versions.some(({ metadata }) => matches({ matchLabels: selector }, metadata.labels));
        })
        .map(({ metadata }) => `${namespace}/${metadata.name}`);
    },
    reconcile(serviceKey) {
      const [namespace, name] = splitKey(serviceKey);
      const service = objectOf<Service>(cluster, 'services', namespace, name);
      const selector = service && selectorOf(service);
      if (!service || service.metadata.deletionTimestamp || !selector) return undefined;
      const pods = objectsOf<Pod>(cluster, 'pods', namespace).filter(
        (pod) => matches({ matchLabels: selector }, pod.metadata.labels) && isEndpoint(pod),
      );
      const wanted = Map.groupBy(pods, (pod) => JSON.stringify(portsOf(service, pod)));
      if (wanted.size === 0) wanted.set('[]', []);
      write(cluster, service, wanted);
      return undefined;
    },
  };
}

/** ShouldPodBeInEndpoints: it has an address, and has not ended. */
const isEndpoint = ({ status }: Pod): boolean =>
  status.podIP !== undefined && status.phase !== 'Succeeded' && status.phase !== 'Failed';

/** The ports of a Service as a Pod has them; one that the Pod does not have is left out. */
function portsOf({ spec }: Service, pod: Pod): Port[] {
  return (spec.ports ?? []).flatMap(({ name = '', port, protocol = 'TCP', targetPort = port }) => {
    const named = pod.spec.containers
      .flatMap(({ ports }) => (Array.isArray(ports) ? ports.filter(isFields) : []))
      .find((each) => each.name === targetPort && (each.protocol ?? 'TCP') === protocol)?.containerPort;
    const number = typeof targetPort === 'number' ? targetPort : named;
    return typeof number === 'number' ? [{ name, port: number, protocol }] : [];
  });
}

function endpointOf({ spec }: Service, pod: Pod): Fields {
  const { name, namespace, uid, deletionTimestamp } = pod.metadata;
  const serving = isReady(pod);
  const terminating = deletionTimestamp !== undefined;
  const ready = spec.publishNotReadyAddresses === true || (serving && !terminating);
  return {
    addresses: [pod.status.podIP],
    conditions: { ready, serving, terminating },
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(pod.spec.nodeName ? { nodeName: pod.spec.nodeName } : {}),
  };
}

function write(cluster: Cluster, service: Service, wanted: ReadonlyMap<string, readonly Pod[]>): void {
  const { name, namespace } = service.metadata;
  const resource = cluster.resource(key);
  const left = new Map(
    objectsOf(cluster, key, namespace)
      .filter((slice) => isControlledBy(slice, service))
      .map((slice) => [slice.metadata.name, slice]),
  );
  for (const [portsText, pods] of wanted) {
    const ports = JSON.parse(portsText) as Port[];
    const endpoints = pods.map((pod) => endpointOf(service, pod));
    // Empty lists are null on the wire.
    const content = {
      endpoints: endpoints.length > 0 ? endpoints : null,
      ports: ports.length > 0 ? ports : null,
    };
    const slices = [...left.values()];
    const old = slices.find((slice) => isDeepStrictEqual(slice.ports ?? null, content.ports)) ?? slices[0];
    if (old) {
      left.delete(old.metadata.name);
      const target = { resource, namespace, name: old.metadata.name };
      if (isDeepStrictEqual({ endpoints: old.endpoints, ports: old.ports }, content)) continue;
      cluster.writer.change(target, (live) => ({ ...live, ...content }), { manager });
    } else {
      const headless = service.spec.clusterIP === 'None' ? { 'service.kubernetes.io/headless': '' } : {};
      const metadata = {
        generateName: `${name}-`,
        labels: {
          ...service.metadata.labels,
          ...headless,
          'endpointslice.kubernetes.io/managed-by': managedBy,
          'kubernetes.io/service-name': name,
        },
        annotations: { 'endpoints.kubernetes.io/last-change-trigger-time': timestamp(cluster.clock.now()) },
        ownerReferences: [controllerReference(service)],
      };
      cluster.writer.create(resource, namespace, { metadata, addressType: 'IPv4', ...content }, { manager });
    }
  }
  for (const slice of left.values()) cluster.writer.remove({ resource, namespace, name: slice.metadata.name });
}
