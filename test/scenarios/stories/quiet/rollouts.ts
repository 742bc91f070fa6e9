import type { Workload } from '../../kit/manifests.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';

const [before, after] = ['registry.example/api:1.0', 'registry.example/api:1.1'];
/** A release as most are: pulled in seconds, ready in seconds. */
const usual = { pullSeconds: 2, readyAfterSeconds: 4 };

/** A Deployment gets a new image, rolled out in its own way. */
const deployed = (description: string, workload: Partial<Workload>, lasts = '50s'): Scenario =>
  scenario(description, (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 4, image: before, ...workload });
    cluster.service('shop/api');
    cluster.image(after, usual);
    // A Pod is available only after `minReadySeconds`.
    cluster.startsAfter('15s');
    cluster.at('5s', () => api.setImage(after));
    cluster.lasts(lasts);
  });
const rolling = (rollingUpdate: object, more: object = {}): Partial<Workload> => ({
  spec: { strategy: { type: 'RollingUpdate', rollingUpdate }, ...more },
});

/** Releases that go as they should. */
export const stories: Readonly<Record<string, Scenario>> = {
  'rollout-all-at-once': deployed(
    'A release brings up all new Pods before it stops an old one',
    rolling({ maxSurge: '100%', maxUnavailable: 0 }),
  ),
  'rollout-one-by-one': deployed(
    'A release without room to spare replaces one Pod after the other',
    rolling({ maxSurge: 0, maxUnavailable: 1 }),
    '70s',
  ),
  'rollout-half-unavailable': deployed(
    'A release stops half of its Pods first, as it may',
    rolling({ maxSurge: 0, maxUnavailable: '50%' }),
  ),
  'rollout-recreate': deployed('A release stops all Pods before it starts new ones, as it is told to', {
    spec: { strategy: { type: 'Recreate' } },
  }),
  'rollout-min-ready': deployed(
    'A release waits ten seconds for each new Pod to prove itself',
    rolling({ maxSurge: 2, maxUnavailable: 0 }, { minReadySeconds: 10 }),
    '70s',
  ),
  'rollout-slow-start': scenario('New Pods of a release take 40 s to get ready', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: before });
    cluster.service('shop/api');
    cluster.image(after, { ...usual, readyAfterSeconds: 40 });
    cluster.at('5s', () => api.setImage(after));
    cluster.lasts('1m50s');
  }),
  'rollout-one-slip': scenario('One of the new Pods fails its first start and comes up at the second', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: before });
    cluster.image(after, { exit: { afterSeconds: 1, code: 1 }, exits: 1 });
    cluster.at('5s', () => api.setImage(after));
    cluster.lasts('75s');
  }),
  'rollout-rolled-back-in-time': scenario('A release is taken back while its first Pod still starts', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: before });
    cluster.image(after, { readyAfterSeconds: 60 });
    cluster.at('5s', () => api.setImage(after));
    cluster.at('20s', () => api.setImage(before));
    cluster.lasts('50s');
  }),
  'rollout-paused': scenario('A release is paused after its first Pod and resumed soon', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 4, image: before });
    cluster.image(after, usual);
    cluster.at('5s', () => api.change({ image: after, spec: { paused: true } }));
    cluster.at('25s', () => api.change({ image: after, spec: { paused: false } }));
    cluster.lasts('60s');
  }),
  'rollout-init-container': scenario('New Pods of a release migrate for ten seconds before they start', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 2, image: before, init: 'registry.example/migrate:1.0' });
    cluster.image('registry.example/migrate:1.1', { exit: { afterSeconds: 10, code: 0 } });
    cluster.image(after, usual);
    cluster.at('5s', () => api.change({ image: after, init: 'registry.example/migrate:1.1' }));
    cluster.lasts('80s');
  }),
  'stateful-set-rollout': scenario('A StatefulSet is updated, the last replica first', (cluster) => {
    const db = cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:16.1' });
    cluster.image('registry.example/db:16.2', { readyAfterSeconds: 5 });
    cluster.at('5s', () => db.setImage('registry.example/db:16.2'));
    cluster.lasts('80s');
  }),
  'stateful-set-parallel': scenario('A StatefulSet that starts all replicas at once is made and grows', (cluster) => {
    cluster.at('3s', () => {
      const spec = { podManagementPolicy: 'Parallel' };
      cluster.statefulSet('shop/cache', { replicas: 4, image: 'registry.example/cache:7', spec });
    });
    cluster.image('registry.example/cache:7', { pullSeconds: 3, readyAfterSeconds: 8 });
    cluster.lasts('45s');
  }),
  'stateful-set-canary': scenario(
    'Only the last replica of a StatefulSet gets the new version, as a canary',
    (cluster) => {
      const partition = (at: number): object => ({
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: at } },
      });
      const db = cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:16.1', spec: partition(2) });
      cluster.at('5s', () => db.setImage('registry.example/db:16.2'));
      cluster.at('40s', () => db.change({ image: 'registry.example/db:16.2', spec: partition(0) }));
      cluster.lasts('80s');
    },
  ),
  'daemon-set-rollout': scenario('The agent of every machine is updated, machine by machine', (cluster) => {
    const agent = cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:2.0' });
    cluster.image('registry.example/agent:2.1', usual);
    cluster.at('5s', () => agent.setImage('registry.example/agent:2.1'));
    cluster.lasts('70s');
  }),
  'daemon-set-on-delete': scenario('The agent gets its new version only where its Pod is deleted', (cluster) => {
    const spec = { updateStrategy: { type: 'OnDelete' } };
    const agent = cluster.daemonSet('monitoring/agent', { image: 'registry.example/agent:2.0', spec });
    cluster.at('5s', () => agent.setImage('registry.example/agent:2.1'));
    cluster.at('15s', () => cluster.evict('monitoring', 'agent'));
    cluster.lasts('50s');
  }),
  canary: scenario('One Pod of a new version runs beside the old ones, then all are of it', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 4, image: before, labels: { tier: 'api' } });
    cluster.service('shop/api', { selector: { tier: 'api' } });
    cluster.image(after, usual);
    cluster.at('5s', () => cluster.deployment('shop/api-canary', { image: after, labels: { tier: 'api' } }));
    cluster.at('30s', () => api.setImage(after));
    cluster.lasts('80s');
  }),
  'blue-green': scenario(
    'A Service goes over from the old workload to the new one, and the old one goes',
    (cluster) => {
      const blue = cluster.deployment('shop/api-blue', { replicas: 3, image: before });
      const service = cluster.service('shop/api', { selector: { app: 'api-blue' } });
      cluster.image(after, usual);
      cluster.at('5s', () => cluster.deployment('shop/api-green', { replicas: 3, image: after }));
      cluster.at('25s', () => service.patch({ spec: { selector: { app: 'api-green' } } }));
      cluster.at('40s', () => blue.delete());
      cluster.lasts('60s');
    },
  ),
  'config-map-reload': scenario('Settings are edited, and the workload that reads them is restarted', (cluster) => {
    const settings = cluster.configMap('shop/settings', { level: 'info' });
    const api = cluster.deployment('shop/api', { replicas: 3, image: before, envFrom: ['settings'] });
    cluster.at('5s', () => settings.edit({ level: 'debug' }));
    cluster.at('10s', () => api.restart());
    cluster.lasts('50s');
  }),
  'restart-of-everything': scenario('Every workload of a namespace is restarted at once', (cluster) => {
    const all = ['api', 'web', 'cart', 'search', 'users'].map((name) =>
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.example/${name}:1.0` }),
    );
    for (const name of ['api', 'web', 'cart', 'search', 'users']) cluster.service(`shop/${name}`);
    cluster.at('5s', () => {
      for (const workload of all) workload.restart();
    });
    cluster.lasts('60s');
  }),
  'helm-upgrade-with-hook': scenario('A Helm upgrade runs a migration Job first, then rolls out', (cluster) => {
    const api = cluster.deployment('shop/api', { replicas: 3, image: before });
    cluster.image('registry.example/migrate:1.1', { exit: { afterSeconds: 12, code: 0 } });
    cluster.image(after, usual);
    cluster.at('5s', () => cluster.job('shop/api-migrate', { image: 'registry.example/migrate:1.1' }));
    cluster.at('22s', () => api.setImage(after));
    cluster.lasts('60s');
  }),
};
