import type { RawObject } from '../../src/model/raw-object.ts';
import { type Common, metadata } from './objects.ts';

type Fields = Record<string, unknown>;

export type ServiceParts = Common & {
  readonly selector?: Record<string, string> | undefined;
  readonly ports?: readonly Fields[];
  readonly spec?: Fields;
  readonly status?: Fields;
};

/** A Service `shop/<name>` at port 80 that selects the Pods labelled `app=<name>`, unless said otherwise. */
export function service(name: string, parts: ServiceParts = {}): RawObject {
  const selector = 'selector' in parts ? parts.selector : { app: name };
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: {
      type: 'ClusterIP',
      ports: parts.ports ?? [{ port: 80, targetPort: 8080, protocol: 'TCP' }],
      ...(selector && { selector }),
      ...parts.spec,
    },
    status: { loadBalancer: {}, ...parts.status },
  };
}

export type SliceParts = Common & {
  /** Endpoints that are ready, and those that are not. */
  readonly ready?: number;
  readonly unready?: number;
  readonly endpoints?: readonly Fields[];
  readonly ports?: readonly Fields[];
};

const endpoint = (address: string, ready: boolean): Fields => ({
  addresses: [address],
  conditions: { ready, serving: ready, terminating: false },
});

/** The EndpointSlice `shop/<service>-x` of a Service, with one ready endpoint unless said otherwise. */
export function endpointSlice(of: string, parts: SliceParts = {}): RawObject {
  const { ready = 1, unready = 0 } = parts;
  const endpoints = Array.from({ length: ready + unready }, (_, at) => endpoint(`10.1.0.${at + 1}`, at < ready));
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: metadata(`${of}-x`, parts.namespace ?? 'shop', {
      ...parts,
      labels: { 'kubernetes.io/service-name': of, ...parts.labels },
      owner: { kind: 'Service', name: of, apiVersion: 'v1' },
    }),
    addressType: 'IPv4',
    endpoints: parts.endpoints ?? endpoints,
    ports: parts.ports ?? [{ name: '', port: 8080, protocol: 'TCP' }],
  };
}

export type IngressParts = Common & {
  readonly host?: string;
  /** The Services that it leads to, each at port 80 unless said otherwise. */
  readonly backends?: readonly { readonly service: string; readonly port?: Fields }[];
  readonly ingressClass?: string | undefined;
  readonly spec?: Fields;
  readonly addressed?: boolean;
};

/** An Ingress `shop/<name>` of the class nginx that leads to the Service of its name and has an address, unless said otherwise. */
export function ingress(name: string, parts: IngressParts = {}): RawObject {
  const { backends = [{ service: name }], addressed = true } = parts;
  const ingressClassName = 'ingressClass' in parts ? parts.ingressClass : 'nginx';
  const paths = backends.map(({ service: to, port = { number: 80 } }) => ({
    path: '/',
    pathType: 'Prefix',
    backend: { service: { name: to, port } },
  }));
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: {
      ...(ingressClassName && { ingressClassName }),
      rules: [{ host: parts.host ?? 'shop.example', http: { paths } }],
      ...parts.spec,
    },
    status: { loadBalancer: addressed ? { ingress: [{ ip: '192.0.2.9' }] } : {} },
  };
}

/** An IngressClass. */
export function ingressClass(name: string, isDefault = false): RawObject {
  const annotations = isDefault ? { 'ingressclass.kubernetes.io/is-default-class': 'true' } : {};
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IngressClass',
    metadata: metadata(name, undefined, { annotations }),
    spec: { controller: 'k8s.io/ingress-nginx' },
  };
}

const gatewayApi = 'gateway.networking.k8s.io/v1';

/** A GatewayClass `edge` with conditions of its controller. */
export function gatewayClass(conditions: readonly Fields[]): RawObject {
  const spec = { controllerName: 'example.com/gateway' };
  return {
    apiVersion: gatewayApi,
    kind: 'GatewayClass',
    metadata: metadata('edge', undefined, {}),
    spec,
    status: { conditions },
  };
}

export type GatewayParts = Common & { readonly conditions?: readonly Fields[]; readonly listener?: readonly Fields[] };

/** A Gateway `shop/<name>` of the class `edge` with a listener `https`. */
export function gateway(name: string, { conditions = [], listener = [], ...common }: GatewayParts = {}): RawObject {
  return {
    apiVersion: gatewayApi,
    kind: 'Gateway',
    metadata: metadata(name, common.namespace ?? 'shop', common),
    spec: { gatewayClassName: 'edge', listeners: [{ name: 'https', port: 443, protocol: 'HTTPS' }] },
    status: { conditions, listeners: [{ name: 'https', attachedRoutes: 1, conditions: listener }] },
  };
}

export type RouteParts = Common & {
  readonly conditions?: readonly Fields[];
  readonly at?: string;
  readonly kind?: string;
};

/** A route `shop/<name>` to the Service of its name, attached to the Gateway `edge`; its conditions at that, or at another. */
export function route(
  name: string,
  { conditions = [], at = 'edge', kind = 'HTTPRoute', ...common }: RouteParts = {},
): RawObject {
  return {
    apiVersion: gatewayApi,
    kind,
    metadata: metadata(name, common.namespace ?? 'shop', common),
    spec: { parentRefs: [{ name: 'edge' }], rules: [{ backendRefs: [{ name, port: 80 }] }] },
    status: { parents: [{ parentRef: { name: at }, controllerName: 'example.com/gateway', conditions }] },
  };
}

/** A BackendTLSPolicy `shop/<name>` for the Service `web`. */
export function tlsPolicy(name: string, conditions: readonly Fields[]): RawObject {
  return {
    apiVersion: gatewayApi,
    kind: 'BackendTLSPolicy',
    metadata: metadata(name, 'shop', {}),
    spec: { targetRefs: [{ group: '', kind: 'Service', name: 'web' }] },
    status: { ancestors: [{ ancestorRef: { name: 'edge' }, conditions }] },
  };
}

/** A NetworkPolicy `shop/<name>` for the Pods labelled `app=<name>` that lets nothing through in either direction, unless said otherwise. */
export function networkPolicy(name: string, parts: Common & { readonly spec?: Fields } = {}): RawObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: metadata(name, parts.namespace ?? 'shop', parts),
    spec: { podSelector: { matchLabels: { app: name } }, policyTypes: ['Ingress', 'Egress'], ...parts.spec },
  };
}
