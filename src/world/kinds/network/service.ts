import { type Fields, fieldsOf, given, listOf, messageOf, numberOf, textOf } from '../../reading/fields.ts';
import { type WatchedKind, watched } from '../../reading/kind.ts';
import { type LabelSelector, mapSelectorOf, selectorText } from '../../reading/label-selector.ts';
import { type Condition, conditionsOf, type Meta } from '../../reading/meta.ts';

/** A port of a Service. `target`: the number or the name of the port in its Pods; by default the Service's own. */
export type ServicePort = { readonly name: string; readonly port: number; readonly target: number | string };

/** core/v1 Service. */
export type ServiceView = Meta & {
  readonly kind: 'Service';
  readonly type: 'ClusterIP' | 'NodePort' | 'LoadBalancer' | 'ExternalName';
  /** Its own address; a headless one has none. */
  readonly clusterIP?: string;
  /** The host that it is only another name for. */
  readonly externalName?: string;
  /** The Pods it sends traffic to. Absent: somebody else writes its EndpointSlices, or it is only a name. */
  readonly selector?: LabelSelector;
  readonly ports: readonly ServicePort[];
  /** `publishNotReadyAddresses`: its Pods are endpoints before they are ready, as peers that look for each other are. */
  readonly publishesUnready: boolean;
  /** It stands for whoever holds a lock, or a lock itself (`control-plane.alpha.kubernetes.io/leader`). */
  readonly isElection: boolean;
  /** Addresses that a load balancer has given it, and what it says of ports that it could not open. */
  readonly addresses: number;
  readonly portErrors: readonly { readonly port: number; readonly error: string }[];
  /** `spec.loadBalancerClass`: who is to give it an address, where that is not the cloud's own. */
  readonly loadBalancerClass?: string;
  readonly conditions: readonly Condition[];
};

const types = ['NodePort', 'LoadBalancer', 'ExternalName'] as const;
const electionAnnotation = 'control-plane.alpha.kubernetes.io/leader';

function portOf(raw: Fields): ServicePort {
  const port = numberOf(raw.port) ?? 0;
  return { name: textOf(raw.name) ?? '', port, target: textOf(raw.targetPort) ?? numberOf(raw.targetPort) ?? port };
}

/** `80 to 8080`, `443 to https`. */
const portText = ({ port, target }: ServicePort): string => (port === target ? String(port) : `${port} to ${target}`);

/** core/v1 Service. */
export const services: WatchedKind<ServiceView> = watched({
  group: '',
  kind: 'Service',
  namespaced: true,
  managedFields: true,
  fields({ raw, spec, status, meta }) {
    const type = types.find((each) => each === spec.type) ?? 'ClusterIP';
    const ingress = listOf(fieldsOf(status.loadBalancer).ingress);
    const errors = ingress.flatMap(({ ports }) => listOf(ports)).filter(({ error }) => textOf(error) !== undefined);
    return {
      type,
      ports: listOf(spec.ports).map(portOf),
      publishesUnready: spec.publishNotReadyAddresses === true,
      isElection: fieldsOf(fieldsOf(raw.metadata).annotations)[electionAnnotation] !== undefined,
      addresses: ingress.length,
      portErrors: errors.map(({ port, error }) => ({ port: numberOf(port) ?? 0, error: messageOf(error) })),
      conditions: conditionsOf(raw, meta.createdAt),
      ...given({
        selector: type === 'ExternalName' ? undefined : mapSelectorOf(spec.selector),
        loadBalancerClass: textOf(spec.loadBalancerClass),
        clusterIP: spec.clusterIP === 'None' ? undefined : textOf(spec.clusterIP),
        externalName: type === 'ExternalName' ? textOf(spec.externalName) : undefined,
      }),
    };
  },
  selector: ({ selector }) => selector,
  edited: ({ selector, ports, type, externalName }) => [
    { field: 'externalName', says: externalName ?? '', path: ['f:spec', 'f:externalName'] },
    { field: 'selector', says: selectorText(selector), path: ['f:spec', 'f:selector'] },
    { field: 'servicePorts', says: ports.map(portText).join(', '), path: ['f:spec', 'f:ports'] },
    { field: 'serviceType', says: type, path: ['f:spec', 'f:type'] },
  ],
  facets: ({ type, addresses }) => (type === 'LoadBalancer' && addresses === 0 ? pending : none),
  judgedBy: ['Ingress', 'ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'CustomResourceDefinition'],
  fingerprintForDependents: ({ uid, type, selector, ports, addresses, deletionAt }) => [
    uid,
    type,
    selector,
    addresses > 0,
    deletionAt,
    ports.map(({ name, port }) => [name, port]),
  ],
});

/** It has no address yet. */
const pending: readonly string[] = ['pending'];
const none: readonly string[] = [];
