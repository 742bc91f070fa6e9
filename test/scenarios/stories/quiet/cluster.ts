import { type Scenario, scenario } from '../../kit/scenario.ts';
import { claim, ingress, ingressClass, networkPolicy, storageClass, volume } from '../../kit/things.ts';

const image = 'registry.example/api:1.0';

/** Scaling, networking, storage, and what happens to the cluster itself and to Tocsin. */
export const stories: Readonly<Record<string, Scenario>> = {
  'scaled-up-and-down': scenario('Load comes and goes: from 2 Pods to 8 and back', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image });
    cluster.service('shop/api');
    cluster.at('5s', () => api.scale(5));
    cluster.at('15s', () => api.scale(8));
    cluster.at('35s', () => api.scale(4));
    cluster.at('45s', () => api.scale(2));
    cluster.lasts('80s');
  }),
  'zero-and-back': scenario('A workload that nobody uses at night goes to zero and comes back', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image });
    cluster.service('shop/api');
    cluster.at('10s', () => api.scale(0));
    cluster.at('10m', () => api.scale(2));
    cluster.lasts('11m');
    cluster.recordedFrom('sandbox');
  }),
  'new-team': scenario('A team sets up its namespace: settings, two workloads, Services and an Ingress', (cluster) => {
    cluster.object(ingressClass);
    cluster.image('registry.example/web:1', { pullSeconds: 5, readyAfterSeconds: 8 });
    cluster.at('5s', () => {
      cluster.configMap('garden/settings', { level: 'info' });
      cluster.deployment('garden/web', { replicas: 2, image: 'registry.example/web:1', envFrom: ['settings'] });
      cluster.service('garden/web');
      cluster.object(ingress('garden/web'));
    });
    const route = cluster.planned(ingress('garden/web'));
    cluster.at('20s', () => route.status({ loadBalancer: { ingress: [{ ip: '192.0.2.7' }] } }));
    cluster.lasts('45s');
  }),
  'settings-come-a-moment-later': scenario('A workload is applied a few seconds before its settings', (cluster) => {
    cluster.at('5s', () => {
      cluster.deployment('garden/web', { replicas: 2, image, envFrom: ['settings'] });
    });
    cluster.at('13s', () => cluster.configMap('garden/settings', { level: 'info' }));
    cluster.lasts('60s');
  }),
  'namespace-deleted': scenario('A namespace is deleted with all that is in it', (cluster) => {
    const namespace = cluster.planned({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'old' } });
    cluster.deployment('old/api', { replicas: 2, image });
    cluster.service('old/api');
    cluster.configMap('old/settings', { level: 'info' });
    cluster.at('5s', () => namespace.delete());
    cluster.lasts('60s');
  }),
  'workload-deleted-and-made-anew': scenario('A workload is deleted and applied again', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image });
    cluster.service('shop/api');
    cluster.at('5s', () => api.delete());
    cluster.at('20s', () => cluster.deployment('shop/api', { replicas: 2, image }));
    cluster.lasts('50s');
  }),
  'network-policy-that-allows': scenario('A network policy lets in all that the workload needs', (cluster) => {
    cluster.deployment('shop/api', { replicas: 2, image });
    cluster.deployment('shop/web', { replicas: 2, image: 'registry.example/web:1.0' });
    cluster.service('shop/api');
    cluster.at('5s', () => cluster.object(networkPolicy('shop/api', { ingress: [{}] })));
    cluster.lasts('40s');
  }),
  'volume-grows': scenario('A claim asks for more, and its volume grows within seconds', (cluster) => {
    cluster.object(storageClass('disk', { allowVolumeExpansion: true }));
    cluster.object(volume('disk-1', 'disk'));
    const data = cluster.object(claim('shop/data', 'disk', { volumeName: 'disk-1' }));
    cluster.at('5s', () => data.patch({ spec: { resources: { requests: { storage: '5Gi' } } } }));
    cluster.at('12s', () => data.status({ capacity: { storage: '5Gi' } }));
    cluster.lasts('40s');
    cluster.recordedFrom('sandbox');
  }),
  'quota-raised': scenario('A namespace nears its quota, which is raised before anybody is refused', (cluster) => {
    const quota = cluster.quota('shop/compute', { pods: '4' });
    const api = cluster.deployment('shop/api', { replicas: 3, image });
    cluster.at('5s', () => quota.edit({ pods: '10' }));
    cluster.at('10s', () => api.scale(6));
    cluster.lasts('40s');
    cluster.recordedFrom('sandbox');
  }),
  'leader-changes': scenario('Another replica of an operator takes over its Lease', (cluster) => {
    cluster.deployment('platform/operator', { replicas: 2, image: 'registry.example/operator:1' });
    const lease = cluster.object({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: 'operator', namespace: 'platform' },
      spec: { holderIdentity: 'operator-a', leaseDurationSeconds: 15, leaseTransitions: 0 },
    });
    cluster.at('10s', () => lease.patch({ spec: { holderIdentity: 'operator-b', leaseTransitions: 1 } }));
    cluster.lasts('40s');
  }),
  'api-server-restarts': scenario('The API server is updated and does not answer for ten seconds', (cluster) => {
    cluster.deployment('shop/api', { replicas: 3, image });
    cluster.service('shop/api');
    cluster.at('10s', () => cluster.restartApiServer('10s'));
    cluster.lasts('60s');
  }),
  'restart-of-tocsin-in-rollout': scenario('Tocsin is updated while a release goes on', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 4, image });
    cluster.image('registry.example/api:1.1', { pullSeconds: 3, readyAfterSeconds: 8 });
    cluster.at('5s', () => api.setImage('registry.example/api:1.1'));
    cluster.at('10s', () => cluster.restartTocsin());
    cluster.lasts('60s');
  }),
  'restart-of-tocsin-in-drain': scenario('Tocsin moves with the others when its machine is drained', (cluster) => {
    cluster.deployment('shop/api', { replicas: 4, image });
    cluster.at('5s', () => cluster.node('n2').drain());
    cluster.at('7s', () => cluster.restartTocsin());
    cluster.at('40s', () => cluster.node('n2').uncordon());
    cluster.lasts('60s');
  }),
};
