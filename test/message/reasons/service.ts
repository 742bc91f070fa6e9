import type { RawObject } from '../../../src/model/raw-object.ts';
import { eventOn } from '../../world/events.ts';
import { endpointSlice, service } from '../../world/network-objects.ts';
import { at, condition, metadata, pod, stamp, status } from '../../world/objects.ts';
import { type ClusterStory, long, nodes, podsOf, replicaSet, sized } from '../shop.ts';

const labels = { app: 'api' };
const labelled = { spec: { template: { metadata: { labels }, spec: { containers: [] } } } };

/** A Deployment of three healthy Pods, and its ReplicaSet. */
const app = (): RawObject[] => [
  sized('Deployment', 'api', 3, 3, labelled),
  replicaSet('api', 3),
  ...podsOf('api', 3, { labels }),
];

/** What is there before, and what comes at 12:10. */
const then =
  (before: readonly RawObject[], ...after: readonly RawObject[]): ClusterStory =>
  (k8s) => {
    k8s.put(long, ...nodes, ...before);
    k8s.start(at(0));
    k8s.put(at(10), ...after);
    k8s.wait(at(40));
  };

const old = { createdAt: long };
/** For whose Pods somebody else cares. */
const balancer = { ...old, selector: undefined, spec: { type: 'LoadBalancer' } };
const addressed = { status: { loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } } };

/** A Service in kube-system with its Pods, which stop to be ready. */
const dnsDown: ClusterStory = (k8s) => {
  const dns = { namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' }, createdAt: long };
  const selector = { 'k8s-app': 'kube-dns' };
  const bare = (ready: boolean): RawObject =>
    pod('coredns', {
      ...dns,
      statuses: [status('coredns', { ready, state: { running: { startedAt: stamp(long) } } })],
      conditions: [
        condition('Ready', ready ? 'True' : 'False', ready ? long : at(10), ready ? '' : 'ContainersNotReady'),
      ],
    });
  const slice = (ready: number): RawObject => endpointSlice('kube-dns', { ...dns, ready, unready: 1 - ready });
  k8s.put(long, ...nodes, service('kube-dns', { ...dns, selector }), slice(1), bare(true));
  k8s.start(at(0));
  k8s.put(at(10), bare(false), slice(0));
  k8s.wait(at(11));
};

const range: RawObject = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'ServiceCIDR',
  metadata: metadata('extra', undefined, { createdAt: long, deletionAt: at(10) }),
  spec: { cidrs: ['10.97.0.0/24'] },
  status: {
    conditions: [
      condition(
        'Ready',
        'False',
        at(10),
        'Terminating',
        'There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR',
      ),
    ],
  },
};

/** One story for every reason of Services, of what is behind them and of load balancers. */
export const serviceStories = {
  ServiceNoEndpoints: then(
    [...app(), service('api', old), endpointSlice('api', { ready: 3 })],
    endpointSlice('api', { ready: 0 }),
  ),
  ScaledToZeroRouted: (k8s) => {
    const routed = service('api', { ...old, spec: { type: 'LoadBalancer' }, ...addressed });
    then([...app(), routed, endpointSlice('api', { ready: 3 }), ...podsOf('web', 1)])(k8s);
    k8s.put(at(41), sized('Deployment', 'api', 0, 0, labelled), endpointSlice('api', { ready: 0 }));
    k8s.wait(at(120));
  },
  ServiceSelectsNothing: then(
    [...podsOf('web', 2, { labels: { app: 'web', tier: 'frontend' } })],
    service('web', { createdAt: at(10), selector: { app: 'web', tier: 'front' } }),
    endpointSlice('web', { ready: 0 }),
  ),
  ServicePortMismatch: then(
    podsOf('api', 2, {
      labels,
      spec: { containers: [{ name: 'api', image: 'api:1', ports: [{ name: 'web', containerPort: 8080 }] }] },
    }),
    service('api', { createdAt: at(10), ports: [{ port: 80, targetPort: 'http' }] }),
    endpointSlice('api', { ready: 2, ports: [] }),
  ),
  ServicePortGone: then(
    [
      ...app(),
      service('api', {
        ...old,
        selector: undefined,
        ports: [{ port: 80 }, { port: 9000 }],
        spec: { clusterIP: '10.96.0.9' },
      }),
      ...podsOf('web', 2, {
        spec: { containers: [{ name: 'web', image: 'web:1', env: [{ name: 'API', value: 'http://api:9000' }] }] },
      }),
    ],
    service('api', { ...old, selector: undefined, ports: [{ port: 80 }], spec: { clusterIP: '10.96.0.9' } }),
  ),
  BackendsDegraded: then(
    [...app(), service('api', old), endpointSlice('api', { ready: 4 })],
    endpointSlice('api', { ready: 1, unready: 3 }),
  ),
  ClusterDNSDown: dnsDown,
  EndpointSliceSyncFailed: then(
    [...app(), service('api', old), endpointSlice('api')],
    eventOn(service('api', old), 'FailedToUpdateEndpointSlices', at(10), {
      message:
        'Error updating Endpoint Slices for Service shop/api: failed to create EndpointSlice for Service shop/api: admission webhook "slices.example.com" denied the request',
      count: 4,
    }),
  ),
  LoadBalancerPending: then(
    [service('edge', { ...balancer, ...addressed }), service('api', { ...balancer, ...addressed })],
    service('shop', { ...balancer, createdAt: at(10) }),
    eventOn(service('shop', balancer), 'SyncLoadBalancerFailed', at(10), {
      message: 'Error syncing load balancer: failed to ensure load balancer: quota "FORWARDING_RULES" exceeded',
      count: 3,
    }),
  ),
  LoadBalancerPortsError: then(
    [],
    service('api', {
      ...balancer,
      status: {
        ...addressed.status,
        conditions: [
          condition(
            'LoadBalancerPortsError',
            'True',
            at(10),
            'LoadBalancerMixedProtocolNotSupported',
            'mixed protocol is not supported for LoadBalancer',
          ),
        ],
      },
    }),
  ),
  UnAvailableLoadBalancer: (k8s) => {
    const excluded = { 'node.kubernetes.io/exclude-from-external-load-balancers': '' };
    const away = nodes.map((each) => ({ ...each, metadata: { ...each.metadata, labels: excluded } }));
    k8s.put(long, ...nodes, service('api', { ...balancer, ...addressed }));
    k8s.start(at(0));
    const says = 'There are no available nodes for LoadBalancer';
    k8s.put(at(10), ...away, eventOn(service('api', balancer), 'UnAvailableLoadBalancer', at(10), { message: says }));
    k8s.wait(at(12));
  },
  ServiceCIDRNotReady: then([], range),
} as const satisfies Readonly<Record<string, ClusterStory>>;
