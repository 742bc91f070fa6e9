import { produced } from '../case.ts';
import { eventOn } from '../event-on.ts';
import type { Manifest } from '../hands.ts';
import { pod } from '../manifests.ts';

const apiVersion = 'networking.k8s.io/v1';
const onIngress = (ns: string): string => `Ingress/${ns}/web`;

/** An Ingress of everything to the Service `api` at port 80; `spec`: fields of its spec. */
function ingress(name: string, spec: object = {}): Manifest {
  const backend = { service: { name: 'api', port: { number: 80 } } };
  return { apiVersion, kind: 'Ingress', metadata: { name }, spec: { defaultBackend: backend, ...spec } };
}

/** The Service `api` at port 80 with a Pod behind it. */
const api: readonly Manifest[] = [
  pod('api'),
  {
    ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'api' } },
    spec: { selector: { app: 'api' }, ports: [{ name: 'web', port: 80, targetPort: 8080, protocol: 'TCP' }] },
  },
];

/** The class of the case alone. */
const ingressClass = (ns: string): Manifest => ({
  ...{ apiVersion, kind: 'IngressClass', metadata: { name: ns }, spec: { controller: 'k8s.io/ingress-nginx' } },
});

/** An address as a controller writes it. */
const addressed = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

/** Ingresses. */
export const cases = [
  produced({
    ...{ id: 'T8', reason: 'IngressBackendNotFound', edition: 'Pro' },
    subject: onIngress,
    produce: ({ apply }) => apply(ingress('web')),
    settled: async ({ get }) => (await get('Ingress', 'web')) !== undefined,
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'T8', reason: 'IngressPortMissing', edition: 'Pro' },
    subject: onIngress,
    async produce({ apply }) {
      const backend = { service: { name: 'api', port: { name: 'http' } } };
      await apply(...api, ingress('web', { defaultBackend: backend }));
    },
    settled: ({ some }) => some('Pod', 'status.conditions.Ready.status', 'True'),
    withinSeconds: 30,
  }),
  produced({
    ...{ id: 'T9', reason: 'IngressClassMissing', edition: 'Pro' },
    what: 'a class that does not exist',
    subject: onIngress,
    produce: ({ apply }) => apply(...api, ingress('web', { ingressClassName: 'nginx' })),
    settled: ({ some }) => some('Pod', 'status.conditions.Ready.status', 'True'),
    withinSeconds: 90,
  }),
  produced({
    ...{ id: 'T9', reason: 'IngressClassMissing', edition: 'Pro' },
    what: 'none named, and none the default',
    subject: onIngress,
    before: (ns) => [ingressClass(ns)],
    produce: ({ apply }) => apply(...api, ingress('web')),
    settled: ({ some }) => some('Pod', 'status.conditions.Ready.status', 'True'),
    withinSeconds: 400,
    quietBeforeSeconds: 300,
  }),
  produced({
    ...{ id: 'T10', reason: 'IngressTLSSecretMissing', edition: 'Pro' },
    what: 'by the Event that NGINX Ingress Controller writes',
    subject: onIngress,
    before: (ns) => [ingressClass(ns)],
    async produce({ apply, get, ns, patch }) {
      const tls = [{ hosts: ['web.example'], secretName: 'web-tls' }];
      await apply(...api, ingress('web', { ingressClassName: ns, tls }));
      await patch('Ingress', 'web', addressed, 'status');
      const message = `Configuration for ${ns}/web was added or updated ; with warning(s): TLS secret web-tls is invalid: secret doesn't exist or of an unsupported type`;
      const uid = (await get('Ingress', 'web'))?.metadata.uid;
      await apply(eventOn(`Ingress/${ns}/web`, uid, 'AddedOrUpdatedWithWarning', message, 'nginx-ingress-controller'));
    },
    settled: ({ some }) => some('Event', 'reason', 'AddedOrUpdatedWithWarning'),
    withinSeconds: 90,
  }),
  produced({
    ...{ id: 'T11', reason: 'IngressNoAddress', edition: 'Pro' },
    what: 'another of its class has one, written as its controller does',
    subject: onIngress,
    before: (ns) => [ingressClass(ns)],
    async produce({ apply, ns, patch }) {
      await apply(...api, ingress('served', { ingressClassName: ns }), ingress('web', { ingressClassName: ns }));
      await patch('Ingress', 'served', addressed, 'status');
    },
    settled: ({ some }) => some('Pod', 'status.conditions.Ready.status', 'True'),
    withinSeconds: 1_000,
    quietBeforeSeconds: 890,
  }),
];
