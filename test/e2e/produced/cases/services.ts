import { produced } from '../case.ts';
import { eventOn } from '../event-on.ts';
import type { Hands, Manifest } from '../hands.ts';
import { turned, writeReadiness } from '../kubelet-status.ts';
import { pod, workload } from '../manifests.ts';
import { valueAt } from '../value-at.ts';

const onService = (ns: string): string => `Service/${ns}/api`;

/** A Service for the Pods of `api` on port 80; `spec`: fields of its spec. */
function service(name: string, spec: object = {}): Manifest {
  const ports = [{ name: 'web', port: 80, targetPort: 8080, protocol: 'TCP' }];
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { selector: { app: 'api' }, ports, ...spec } };
}

/** How many endpoints the controller has written for the case, and how many of them get traffic. */
async function endpoints({ list }: Pick<Hands, 'list'>): Promise<{ readonly all: number; readonly ready: number }> {
  const found = (await list('EndpointSlice')).flatMap((slice) => (slice.endpoints ?? []) as readonly object[]);
  return {
    all: found.length,
    ready: found.filter((each) => valueAt(each, 'conditions.ready') === true).length,
  };
}

/** Refuses these operations on EndpointSlices in the case's namespace. */
function noSlices(ns: string, operations: readonly string[]): Manifest[] {
  const name = `${ns}-no-slices`;
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const resourceRules = [
    {
      ...{ apiGroups: ['discovery.k8s.io'], apiVersions: ['v1'], resources: ['endpointslices'] },
      operations,
    },
  ];
  return [
    {
      ...{ apiVersion, kind: 'ValidatingAdmissionPolicy', metadata: { name } },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules },
        matchConditions: [{ name: 'namespace', expression: `request.namespace == '${ns}'` }],
        validations: [{ expression: 'false', message: 'no endpoints today' }],
      },
    },
    {
      ...{ apiVersion, kind: 'ValidatingAdmissionPolicyBinding', metadata: { name } },
      spec: { policyName: name, validationActions: ['Deny'] },
    },
  ];
}

function allowSlicesAfterwards({ afterwards, remove, ns }: Pick<Hands, 'afterwards' | 'remove' | 'ns'>): void {
  for (const kind of ['ValidatingAdmissionPolicyBinding', 'ValidatingAdmissionPolicy'])
    afterwards(() => remove(kind, `${ns}-no-slices`));
}

/** Services and what stands behind them. */
export const cases = [
  produced({
    id: 'W24',
    reason: 'ScaledToZeroRouted',
    subject: onService,
    names: (ns) => `Deployment/${ns}/api`,
    async produce({ apply, until, some, kubectl, ns }) {
      await apply(service('api'), workload('Deployment', 'api'), workload('Deployment', 'web'));
      const path = { path: '/', pathType: 'Prefix', backend: { service: { name: 'api', port: { number: 80 } } } };
      const rules = [{ host: `${ns}.example`, http: { paths: [path] } }];
      await apply({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'api' }, spec: { rules } });
      await until('it serves', () => some('Deployment', 'status.readyReplicas', 1));
      await kubectl(['scale', 'deployment', 'api', '-n', ns, '--replicas=0']);
    },
    settled: async (hands) => (await endpoints(hands)).all === 0 && hands.some('Deployment', 'spec.replicas', 0),
    ...{ withinSeconds: 1_000, quietBeforeSeconds: 900 },
  }),
  produced({
    id: 'T1',
    reason: 'ServiceNoEndpoints',
    what: 'all its Pods lost their readiness',
    subject: onService,
    async produce(hands) {
      const { addNode, apply, onOwnNodes, until } = hands;
      const node = await addNode('n1');
      await apply(service('api'), workload('Deployment', 'api', { spec: { replicas: 2 }, pod: onOwnNodes }));
      await until('both are endpoints', async () => (await endpoints(hands)).ready === 2);
      node.stop();
      await writeReadiness(hands, false);
    },
    settled: async (hands) => (await endpoints(hands)).ready === 0,
    also: ['PodNotReady', 'DeploymentUnavailable'],
    withinSeconds: 130,
    quietBeforeSeconds: 20,
  }),
  produced({
    id: 'T1',
    reason: 'ServiceNoEndpoints',
    what: 'Pods without a workload that never get ready',
    subject: onService,
    produce: ({ apply }) => apply(service('api'), pod('api', { script: { readyAfterSeconds: 'never' } })),
    settled: async (hands) => (await endpoints(hands)).all === 1,
    withinSeconds: 150,
    quietBeforeSeconds: 100,
  }),
  produced({
    id: 'T1',
    reason: 'ServiceNoEndpoints',
    what: 'its Pods serve, and nobody may write that down',
    subject: onService,
    before: (ns) => noSlices(ns, ['UPDATE']),
    async produce({ apply, list, until, ...hands }) {
      allowSlicesAfterwards(hands);
      await apply(service('api'));
      await until('it has an empty slice', async () => (await list('EndpointSlice')).length === 1);
      await apply(pod('api'));
    },
    settled: ({ some }) => some('Pod', 'status.conditions.Ready.status', 'True'),
    also: ['EndpointSliceSyncFailed'],
    withinSeconds: 30,
    quietBeforeSeconds: 20,
  }),
  produced({
    id: 'T2',
    reason: 'ServiceSelectsNothing',
    what: 'a slip in its selector',
    subject: onService,
    async produce({ apply, until, some }) {
      await apply(workload('Deployment', 'api'), service('api', { selector: { app: 'apii' } }));
      await until('the Pod is ready', () => some('Pod', 'status.conditions.Ready.status', 'True'));
    },
    settled: async ({ list }) => (await list('EndpointSlice')).length === 1,
    withinSeconds: 30,
  }),
  produced({
    id: 'T2',
    reason: 'ServiceSelectsNothing',
    what: 'nobody has deployed anything for it',
    subject: onService,
    produce: ({ apply }) => apply(service('api')),
    settled: async ({ list }) => (await list('EndpointSlice')).length === 1,
    withinSeconds: 87_000,
    quietBeforeSeconds: 86_400,
  }),
  produced({
    id: 'T2',
    reason: 'ServiceSelectsNothing',
    what: 'traffic from outside is sent to it',
    subject: onService,
    async produce({ apply }) {
      const backend = { service: { name: 'api', port: { number: 80 } } };
      await apply(service('api'), {
        ...{ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'api' } },
        spec: { defaultBackend: backend },
      });
    },
    settled: async ({ list }) => (await list('EndpointSlice')).length === 1,
    withinSeconds: 650,
    quietBeforeSeconds: 600,
  }),
  produced({
    id: 'T3',
    reason: 'ServicePortMismatch',
    subject: onService,
    async produce({ apply }) {
      const container = { ports: [{ name: 'web', containerPort: 8080 }] };
      const ports = [{ name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' }];
      await apply(workload('Deployment', 'api', { container }), service('api', { ports }));
    },
    settled: async (hands) => (await endpoints(hands)).ready === 1,
    withinSeconds: 30,
  }),
  produced({
    id: 'T4',
    reason: 'BackendsDegraded',
    subject: onService,
    async produce({ apply }) {
      const hangs = { labels: { app: 'api' }, script: { readyAfterSeconds: 'never' as const } };
      await apply(service('api'), pod('api'), pod('b', hangs), pod('c', hangs), pod('d', hangs));
    },
    settled: async (hands) => {
      const { all, ready } = await endpoints(hands);
      return all === 4 && ready === 1;
    },
    withinSeconds: 700,
    quietBeforeSeconds: 600,
  }),
  produced({
    id: 'T18',
    reason: 'ClusterDNSDown',
    what: 'somebody scaled it to 0',
    subject: (ns) => `Service/kube-system/${ns}-dns`,
    async produce({ apply, afterwards, api, ns, until }) {
      const name = `${ns}-dns`;
      const there = { name, namespace: 'kube-system' };
      const deployment = workload('Deployment', name);
      const dns = service(name, { selector: { app: name } });
      await apply(
        { ...deployment, metadata: there },
        { ...dns, metadata: { ...there, labels: { 'k8s-app': 'kube-dns' } } },
      );
      const path = `/apis/apps/v1/namespaces/kube-system/deployments/${name}`;
      afterwards(() => api.json({ method: 'DELETE', path }));
      afterwards(() => api.json({ method: 'DELETE', path: `/api/v1/namespaces/kube-system/services/${name}` }));
      const ready = async (): Promise<boolean> => valueAt(await api.json({ path }), 'status.readyReplicas') === 1;
      await until('it serves', ready);
      const body = { spec: { replicas: 0 } };
      await api.json({ method: 'PATCH', path, body, contentType: 'application/merge-patch+json' });
    },
    async settled({ api, ns }) {
      const slices = await api.json<{ items: readonly { readonly endpoints?: readonly object[] | null }[] }>({
        path: '/apis/discovery.k8s.io/v1/namespaces/kube-system/endpointslices',
        query: { labelSelector: `kubernetes.io/service-name=${ns}-dns` },
      });
      return slices.items.length > 0 && slices.items.every((slice) => (slice.endpoints ?? []).length === 0);
    },
    withinSeconds: 110,
  }),
  produced({
    id: 'T20',
    reason: 'EndpointSliceSyncFailed',
    what: 'a policy refuses it',
    subject: onService,
    before: (ns) => noSlices(ns, ['CREATE', 'UPDATE']),
    async produce({ apply, ...hands }) {
      allowSlicesAfterwards(hands);
      await apply(workload('Deployment', 'api'), service('api'));
    },
    settled: async ({ list }) => {
      const events = (await list('Event')).filter(({ reason }) => reason === 'FailedToUpdateEndpointSlices');
      return events.reduce((sum, { count }) => sum + Number(count ?? 1), 0) >= 3;
    },
    withinSeconds: 30,
  }),
  produced({
    id: 'T21',
    reason: 'ServiceCIDRNotReady',
    what: 'a range that was deleted while a Service has an address in it',
    subject: (ns) => `ServiceCIDR//${ns}-range`,
    async produce({ apply, until, read, remove, afterwards, ns }) {
      const name = `${ns}-range`;
      const range = { apiVersion: 'networking.k8s.io/v1', kind: 'ServiceCIDR', metadata: { name } };
      await apply({ ...range, spec: { cidrs: ['10.77.5.0/28'] } });
      afterwards(() => remove('Service', 'api'));
      const isReady = async (): Promise<boolean> =>
        (await read('ServiceCIDR', name, 'status.conditions.Ready.status')) === 'True';
      await until('the range is ready', isReady);
      await until('it is allocated from', () =>
        apply(pod('api'), service('api', { clusterIP: '10.77.5.3' })).then(
          () => true,
          () => false,
        ),
      );
      await remove('ServiceCIDR', name);
    },
    settled: async ({ read, ns }) =>
      (await read('ServiceCIDR', `${ns}-range`, 'status.conditions.Ready.reason')) === 'Terminating',
    withinSeconds: 1_000,
    quietBeforeSeconds: 900,
  }),
  produced({
    id: 'T5',
    reason: 'LoadBalancerPending',
    what: 'nobody hands out addresses',
    subject: onService,
    produce: ({ apply }) => apply(pod('api'), service('api', { type: 'LoadBalancer' })),
    settled: async (hands) => (await endpoints(hands)).ready === 1,
    withinSeconds: 700,
    quietBeforeSeconds: 590,
  }),
  produced({
    id: 'T5',
    reason: 'LoadBalancerPending',
    what: 'its cloud refuses, by the Event that the cloud controller writes',
    subject: onService,
    async produce({ apply, get, ns }) {
      const message =
        'Error syncing load balancer: failed to ensure load balancer: AccessDenied: User is not authorized to perform: elasticloadbalancing:CreateLoadBalancer';
      await apply(pod('api'), service('api', { type: 'LoadBalancer' }));
      const uid = (await get('Service', 'api'))?.metadata.uid;
      await apply(eventOn(`Service/${ns}/api`, uid, 'SyncLoadBalancerFailed', message, 'service-controller'));
    },
    settled: async (hands) => (await endpoints(hands)).ready === 1,
    withinSeconds: 90,
    quietBeforeSeconds: 59,
  }),
  produced({
    id: 'T6',
    reason: 'LoadBalancerPortsError',
    what: 'its condition written as a cloud controller does',
    subject: onService,
    async produce({ apply, patch }) {
      await apply(pod('api'), service('api', { type: 'LoadBalancer' }));
      const condition = turned(
        'LoadBalancerPortsError',
        'True',
        'LoadBalancerMixedProtocolNotSupported',
        'mixed protocol is not supported for LoadBalancer',
      );
      const loadBalancer = { ingress: [{ ip: '192.0.2.7' }] };
      await patch('Service', 'api', { status: { conditions: [condition], loadBalancer } }, 'status');
    },
    settled: async (hands) => (await endpoints(hands)).ready === 1,
    withinSeconds: 30,
  }),
  produced({
    id: 'T7',
    reason: 'UnAvailableLoadBalancer',
    what: 'all Nodes are kept from load balancers; the Event as the cloud controller writes it',
    subject: onService,
    async produce({ apply, get, list, patch, afterwards, ns }) {
      const label = 'node.kubernetes.io/exclude-from-external-load-balancers';
      // Those that everybody shares: others have their own.
      const shared = (await list('Node')).map(({ metadata }) => metadata.name).filter((name) => /^n\d+$/.test(name));
      for (const name of shared) {
        afterwards(() => patch('Node', name, { metadata: { labels: { [label]: null } } }));
        await patch('Node', name, { metadata: { labels: { [label]: '' } } });
      }
      await apply(pod('api'), service('api', { type: 'LoadBalancer' }));
      const message = 'There are no available nodes for LoadBalancer';
      const uid = (await get('Service', 'api'))?.metadata.uid;
      await apply(eventOn(`Service/${ns}/api`, uid, 'UnAvailableLoadBalancer', message, 'service-controller'));
    },
    settled: async (hands) => (await endpoints(hands)).ready === 1,
    withinSeconds: 10,
  }),
];
