import { scenario } from '../../kit/scenario.ts';
import { budget, claim, ingress, ingressClass, mounts, storageClass, volume } from '../../kit/things.ts';

const lampRolledOutSlowly = scenario(
  'A new release takes forty seconds to be ready, one Pod after the other',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/lamp:5', {
      pullSeconds: 12,
      readyAfterSeconds: 40,
      readinessSays: 'HTTP probe failed with statuscode: 503',
      log: [
        '2026-11-29 08:00:02.511  INFO 1 --- [           main] o.s.b.w.e.tomcat.TomcatWebServer  : Tomcat initialized with port 8080 (http)',
        '2026-11-29 08:00:31.004  WARN 1 --- [           main] com.zaxxer.hikari.HikariConfig    : HikariPool-1 - idleTimeout has been set but has no effect',
      ],
    });
    const lamp = cluster.deployment('lighthouse/lamp', { replicas: 3, image: 'registry.example/lamp:4' });
    cluster.service('lighthouse/lamp');
    cluster.at('20s', () => lamp.setImage('registry.example/lamp:5'));
    cluster.lasts('5m');
  },
);

const pierNodeDrainedForKernel = scenario(
  'A Node is drained for a new kernel within a budget, reboots and takes Pods again',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.deployment('pier/berths', { replicas: 3, image: 'registry.example/berths:2' });
    cluster.service('pier/berths');
    cluster.object(budget('pier/berths', { maxUnavailable: 1 }));
    cluster.at('15s', () => cluster.node('n2').drain());
    cluster.at('50s', () => cluster.node('n2').reboot('35s'));
    cluster.at('2m30s', () => cluster.node('n2').uncordon());
    cluster.lasts('5m');
  },
);

const seasonTicketsScaleUpAndDown = scenario(
  'An autoscaler doubles the season ticket shop at noon and takes the Pods back in the afternoon',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/season:3', { readyAfterSeconds: 8 });
    const shop = cluster.deployment('season-tickets/shop', { replicas: 3, image: 'registry.example/season:3' });
    cluster.service('season-tickets/shop');
    const scaler = cluster.object({
      ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
      metadata: { namespace: 'season-tickets', name: 'shop' },
      spec: {
        ...{
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'shop' },
          minReplicas: 3,
          maxReplicas: 12,
        },
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
        ],
      },
    });
    const wants = (currentReplicas: number, desiredReplicas: number): object => ({
      ...{ currentReplicas, desiredReplicas },
      conditions: [
        {
          ...{ type: 'AbleToScale', status: 'True', reason: 'SucceededRescale', lastTransitionTime: 'now' },
          message: `the HPA controller was able to update the target scale to ${desiredReplicas}`,
        },
        {
          ...{ type: 'ScalingActive', status: 'True', reason: 'ValidMetricFound', lastTransitionTime: 'now' },
          message:
            'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
        },
      ],
    });
    const resize = (when: string, from: number, to: number, why: string): void =>
      cluster.at(when, () => {
        shop.scale(to);
        scaler.status(wants(from, to));
        cluster.event({
          ...{ about: 'HorizontalPodAutoscaler/season-tickets/shop', type: 'Normal', by: 'horizontal-pod-autoscaler' },
          ...{ reason: 'SuccessfulRescale', message: `New size: ${to}; reason: ${why}` },
        });
      });
    scaler.status(wants(3, 3));
    resize('20s', 3, 6, 'cpu resource utilization (percentage of request) above target');
    resize('80s', 6, 8, 'cpu resource utilization (percentage of request) above target');
    cluster.at('100s', () => scaler.status(wants(8, 8)));
    resize('5m', 8, 3, 'All metrics below target');
    cluster.at('5m20s', () => scaler.status(wants(3, 3)));
    cluster.lasts('6m');
  },
);

const logbookImportSecondTry = scenario('An import fails on its first try, tries again and succeeds', (cluster) => {
  cluster.recordedFrom('sandbox');
  let tries = 0;
  const seen = new Map<string, number>();
  cluster.image('registry.example/logbook-import:1', ({ metadata }) => {
    const mine = seen.get(metadata.name) ?? ++tries;
    seen.set(metadata.name, mine);
    return mine === 1
      ? { exit: { afterSeconds: 6, code: 1 }, log: ['curl: (56) Recv failure: Connection reset by peer'] }
      : { exit: { afterSeconds: 20, code: 0 }, log: ['imported 48211 entries'] };
  });
  cluster.at(
    '15s',
    () => void cluster.job('logbook/import', { image: 'registry.example/logbook-import:1', spec: { backoffLimit: 4 } }),
  );
  cluster.lasts('3m');
});

const tideTableStumblesOnce = scenario(
  'New Pods of a tide table crash once while their cache warms and then stay up',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/tides:9', {
      ...{ exit: { afterSeconds: 2, code: 1 }, exits: 1, readyAfterSeconds: 3 },
      log: ['run {run}: waiting for cache leader election', 'run {run}: lease is held by another replica'],
    });
    const tides = cluster.deployment('tide-table/tides', { replicas: 2, image: 'registry.example/tides:8' });
    cluster.service('tide-table/tides');
    cluster.at('20s', () => tides.setImage('registry.example/tides:9'));
    cluster.lasts('4m');
  },
);

const harbourCertificateRenewed = scenario(
  'The certificate of a harbour office is renewed and its web server restarted for it',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const tls = cluster.secret('harbour-office/web-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
    const web = cluster.deployment('harbour-office/web', {
      ...{ replicas: 2, image: 'nginx:1.27.3' },
      container: { volumeMounts: [{ name: 'tls', mountPath: '/etc/nginx/tls', readOnly: true }] },
      pod: { volumes: [{ name: 'tls', secret: { secretName: 'web-tls' } }] },
    });
    cluster.service('harbour-office/web');
    cluster.at('20s', () => tls.edit({ 'tls.crt': 'new', 'tls.key': 'new' }));
    cluster.at('22s', () =>
      cluster.event({
        ...{ about: 'Secret/harbour-office/web-tls', type: 'Normal', by: 'cert-manager-certificates-issuing' },
        ...{ reason: 'Issuing', message: 'The certificate has been successfully issued' },
      }),
    );
    cluster.at('40s', () => web.restart());
    cluster.lasts('4m');
  },
);

const foghornNodesReplaced = scenario(
  'A Node is replaced by a new one: it joins, the old one is drained and taken away',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.deployment('foghorn/signal', { replicas: 4, image: 'registry.example/signal:1' });
    cluster.service('foghorn/signal');
    cluster.object(budget('foghorn/signal', { maxUnavailable: 2 }));
    cluster.daemonSet('foghorn/agent', { image: 'registry.example/agent:1' });
    cluster.at('10s', () => cluster.addNode({ name: 'n4' }));
    cluster.at('50s', () => cluster.node('n1').drain());
    cluster.at('2m', () => cluster.node('n1').remove());
    cluster.lasts('5m');
  },
);

const chartroomWaitsForSchema = scenario(
  'Init containers wait half a minute for a schema Job, which then ends well',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/wait-for-schema:1', {
      exit: { afterSeconds: 35, code: 0 },
      log: ['waiting for job/chart-schema to complete', 'schema is at version 31, expected 32'],
    });
    cluster.image('registry.example/chart-schema:32', { exit: { afterSeconds: 30, code: 0 }, log: ['applied 32'] });
    const room = cluster.deployment('chartroom/desk', { replicas: 2, image: 'registry.example/desk:31' });
    cluster.service('chartroom/desk');
    cluster.at('20s', () => {
      cluster.job('chartroom/chart-schema', { image: 'registry.example/chart-schema:32' });
      room.change({ image: 'registry.example/desk:32', init: 'registry.example/wait-for-schema:1' });
    });
    cluster.lasts('5m');
  },
);

const gullCounterNoisyLogs = scenario(
  'A counter writes errors about clients that hang up, and serves all others, also after a rollout',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const log = [
      '2026/11/29 08:11:20 http: TLS handshake error from 10.244.0.1:51102: EOF',
      '2026/11/29 08:11:24 [error] 29#29: *118 recv() failed (104: Connection reset by peer) while reading response header from upstream',
      'level=error ts=2026-11-29T08:11:29Z caller=count.go:88 msg="request failed" err="context canceled"',
      'WARN deprecated option "flock_size" is ignored',
    ];
    cluster.image('registry.example/gulls:1', { log });
    cluster.image('registry.example/gulls:2', { log, readyAfterSeconds: 5 });
    const gulls = cluster.deployment('gull-count/counter', { replicas: 3, image: 'registry.example/gulls:1' });
    cluster.service('gull-count/counter');
    cluster.at('30s', () => gulls.setImage('registry.example/gulls:2'));
    cluster.lasts('4m');
  },
);

const buoyReadingsEveryMinute = scenario(
  'Readings of the buoys are fetched every minute and all end well',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/buoys:2', {
      exit: { afterSeconds: 18, code: 0 },
      log: ['31 buoys, 1 without answer, skipped'],
    });
    const fetch = cluster.cronJob('buoys/fetch', { schedule: '* * * * *', image: 'registry.example/buoys:2' });
    cluster.at('4m', () => fetch.patch({ spec: { suspend: true } }));
    cluster.at('5m', () => fetch.delete());
    cluster.lasts('6m');
  },
);

const beaconAgentsUpdated = scenario('The agents on all Nodes are updated one Node at a time', (cluster) => {
  cluster.recordedFrom('sandbox');
  cluster.image('registry.example/beacon-agent:8', { pullSeconds: 6, readyAfterSeconds: 10 });
  const agents = cluster.daemonSet('beacon/agent', { image: 'registry.example/beacon-agent:7' });
  cluster.at('20s', () => agents.setImage('registry.example/beacon-agent:8'));
  cluster.lasts('5m');
});

const wreckRegisterRolledInOrder = scenario(
  'A store of three is restarted from the last to the first, on a volume that they share',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(storageClass('hull-disk'));
    cluster.object(volume('pv-wrecks', 'hull-disk', { accessModes: ['ReadWriteMany'] }));
    cluster.object(claim('wrecks/register', 'hull-disk', { accessModes: ['ReadWriteMany'] }));
    const image = 'registry.example/register:4';
    cluster.image(image, { readyAfterSeconds: 12, log: ['recovering from checkpoint', 'joined as follower'] });
    const register = cluster.statefulSet('wrecks/register', { replicas: 3, image, pod: mounts('register') });
    cluster.service('wrecks/register');
    cluster.at('15s', () => register.restart());
    cluster.lasts('5m');
  },
);

const sextantPullStutters = scenario(
  'The registry is slow for a moment: one pull fails, the next succeeds',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.image('registry.example/sextant:6', {
      pullError: 'RegistryUnreachable',
      failedPulls: 1,
      readyAfterSeconds: 2,
    });
    const sextant = cluster.deployment('sextant/angles', { replicas: 2, image: 'registry.example/sextant:5' });
    cluster.service('sextant/angles');
    cluster.at('20s', () => sextant.setImage('registry.example/sextant:6'));
    cluster.lasts('4m');
  },
);

const oldFerryShopTakenDown = scenario(
  'An old shop is taken down for good: its route, its Service, its workload, its settings',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.object(ingressClass);
    const settings = cluster.configMap('old-ferry-shop/settings', { CLOSED: 'no' });
    const shop = cluster.deployment('old-ferry-shop/shop', {
      ...{ replicas: 2, image: 'registry.example/ferry-shop:1', envFrom: ['settings'] },
    });
    const service = cluster.service('old-ferry-shop/shop');
    const route = cluster.object(ingress('old-ferry-shop/shop'));
    cluster.at('20s', () => route.delete());
    cluster.at('22s', () => service.delete());
    cluster.at('24s', () => shop.delete());
    cluster.at('30s', () => settings.delete());
    cluster.lasts('3m');
  },
);

const keepersRosterBlueGreen = scenario(
  'A roster is moved from blue to green: green comes up, the Service is turned, blue is scaled to nothing',
  (cluster) => {
    cluster.recordedFrom('sandbox');
    const blue = cluster.deployment('roster/blue', { replicas: 2, image: 'registry.example/roster:1' });
    const service = cluster.service('roster/roster', { selector: { app: 'blue' } });
    cluster.image('registry.example/roster:2', { readyAfterSeconds: 15 });
    cluster.at(
      '15s',
      () => void cluster.deployment('roster/green', { replicas: 2, image: 'registry.example/roster:2' }),
    );
    cluster.at('60s', () => service.patch({ spec: { selector: { app: 'green' } } }));
    cluster.at('2m', () => blue.scale(0));
    cluster.lasts('4m');
  },
);

export const stories = {
  'lamp-rolled-out-slowly': lampRolledOutSlowly,
  'pier-node-drained-for-kernel': pierNodeDrainedForKernel,
  'season-tickets-scale-up-and-down': seasonTicketsScaleUpAndDown,
  'logbook-import-second-try': logbookImportSecondTry,
  'tide-table-stumbles-once': tideTableStumblesOnce,
  'harbour-certificate-renewed': harbourCertificateRenewed,
  'foghorn-nodes-replaced': foghornNodesReplaced,
  'chartroom-waits-for-schema': chartroomWaitsForSchema,
  'gull-counter-noisy-logs': gullCounterNoisyLogs,
  'buoy-readings-every-minute': buoyReadingsEveryMinute,
  'beacon-agents-updated': beaconAgentsUpdated,
  'wreck-register-rolled-in-order': wreckRegisterRolledInOrder,
  'sextant-pull-stutters': sextantPullStutters,
  'old-ferry-shop-taken-down': oldFerryShopTakenDown,
  'keepers-roster-blue-green': keepersRosterBlueGreen,
};
