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
