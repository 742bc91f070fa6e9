import { type Scenario, scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

const [image, worker] = ['registry.example/api:1.0', 'registry.example/worker:1'];

/** What is done to machines, and what they do, on normal days. */
export const stories: Readonly<Record<string, Scenario>> = {
  'node-joins': scenario('A machine joins, and every agent starts on it', (cluster) => {
    cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:2.0' });
    cluster.deployment('shop/api', { replicas: 3, image });
    cluster.at('5s', () => cluster.addNode({ name: 'n4' }));
    cluster.lasts('45s');
  }),
  'node-removed-after-drain': scenario('A machine is drained and taken out of the cluster', (cluster) => {
    cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:2.0' });
    cluster.deployment('shop/api', { replicas: 4, image });
    cluster.at('5s', () => cluster.node('n3').drain());
    cluster.at('30s', () => cluster.node('n3').remove());
    cluster.lasts('60s');
  }),
  'nodes-upgraded-one-by-one': scenario(
    'Each machine is drained, restarted with a new version and used again',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 3, image });
      cluster.service('shop/api');
      cluster.object(budget('shop/api', { maxUnavailable: 1 }));
      for (const [index, name] of ['n1', 'n2', 'n3'].entries()) {
        const start = 5 + index * 60;
        cluster.at(`${start}s`, () => cluster.node(name).drain());
        cluster.at(`${start + 25}s`, () => cluster.node(name).reboot('15s'));
        cluster.at(`${start + 45}s`, () => cluster.node(name).uncordon());
      }
      cluster.lasts('3m30s');
      cluster.recordedFrom('sandbox');
    },
  ),
  'kubelet-restarts': scenario('A kubelet is updated and gone for 20 s; its containers run on', (cluster) => {
    cluster.deployment('shop/api', { replicas: 3, image });
    cluster.at('5s', () => cluster.node('n2').losePower());
    cluster.at('25s', () => cluster.node('n2').comeBack());
    cluster.lasts('60s');
    cluster.recordedFrom('sandbox');
  }),
  'spot-machine-replaced': scenario(
    'A spot machine is called back: drained, removed, and another one joins',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 4, image });
      cluster.object(budget('shop/api', { minAvailable: '50%' }));
      cluster.at('5s', () => {
        cluster.node('n3').drain();
        cluster.addNode({ name: 'n4' });
      });
      cluster.at('35s', () => cluster.node('n3').remove());
      cluster.lasts('70s');
    },
  ),
  'low-priority-makes-room': scenario('A batch Pod makes room for a service, once, as its priority says', (cluster) => {
    const priority = (name: string, value: number): void =>
      void cluster.object({ apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value });
    cluster.nodes([
      { name: 'n1', cpu: '4' },
      { name: 'n2', cpu: '4' },
    ]);
    priority('service', 1000);
    priority('batch', 10);
    cluster.deployment('shop/batch', { replicas: 2, image: worker, cpu: '1500m', pod: { priorityClassName: 'batch' } });
    cluster.deployment('shop/filler', { replicas: 2, image, cpu: '2', pod: { priorityClassName: 'service' } });
    const api = cluster.deployment('shop/api', {
      replicas: 1,
      image,
      cpu: '500m',
      pod: { priorityClassName: 'service' },
    });
    cluster.at('5s', () => api.scale(2));
    cluster.lasts('45s');
  }),
  'evicted-within-budget': scenario('A descheduler moves Pods, one at a time, as the budget allows', (cluster) => {
    cluster.deployment('shop/api', { replicas: 4, image });
    cluster.object(budget('shop/api', { maxUnavailable: 1 }));
    cluster.at('5s', () => cluster.evict('shop', 'api'));
    cluster.at('25s', () => cluster.evict('shop', 'api'));
    cluster.lasts('60s');
  }),
  'disk-cleaned-up-in-time': scenario(
    'A machine is short of disk for half a minute until images are removed',
    (cluster) => {
      cluster.deployment('shop/api', { replicas: 3, image });
      cluster.at('5s', () => cluster.node('n2').press('DiskPressure'));
      cluster.at('35s', () => cluster.node('n2').press());
      cluster.lasts('90s');
      cluster.recordedFrom('sandbox');
    },
  ),
  'cordoned-for-an-hour': scenario('A machine is cordoned for maintenance and used again after an hour', (cluster) => {
    cluster.deployment('shop/api', { replicas: 3, image });
    cluster.at('1m', () => cluster.node('n2').cordon());
    cluster.at('61m', () => cluster.node('n2').uncordon());
    cluster.lasts('65m');
    cluster.recordedFrom('sandbox');
  }),
};
