import { scenario } from '../../kit/scenario.ts';
import { claim, ingress, ingressClass, mounts, networkPolicy, storageClass } from '../../kit/things.ts';

/** A server that listens on a port of its own and is probed there. */
const serves = (port: number, more: object = {}): { readonly probe: false; readonly container: object } => ({
  probe: false,
  container: { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port } }, ...more },
});
const onPort = (port: number): object => ({ ports: [{ name: 'main', port, targetPort: port, protocol: 'TCP' }] });

export const stories = {
  'hotel-rate-password-changed-in-the-secret-alone': scenario(
    'Somebody sets a new database password in the Secret, but not in PostgreSQL; the next restart of the rates service cannot log in',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/hotel/rates:3.4.1';
      cluster.statefulSet('hotel-rates/rates-pg', { image: 'registry.example/postgres:16.4', ...serves(5432) });
      cluster.service('hotel-rates/rates-pg', onPort(5432));
      const password = cluster.secret('hotel-rates/rates-pg-login', { username: 'rates', password: 'tulip-42' });
      const banner = cluster.configMap('hotel-rates/rates-banner', { text: 'Spring offers' });
      const rates = cluster.deployment('hotel-rates/rates', {
        ...{ replicas: 2, image, values: { DB_HOST: 'rates-pg.hotel-rates.svc', DB_PORT: '5432' } },
        env: { DB_USER: 'secret/rates-pg-login/username', DB_PASSWORD: 'secret/rates-pg-login/password' },
        envFrom: ['rates-banner'],
      });
      cluster.service('hotel-rates/rates');
      cluster.at('10s', () => banner.edit({ text: 'Summer offers' }));
      cluster.at('25s', () => password.edit({ username: 'rates', password: 'orchid-77' }));
      cluster.at('40s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 4, code: 1 },
          log: [
            '2026-05-11T08:14:02.117Z  INFO 1 --- [rates] [main] com.zaxxer.hikari.HikariDataSource : HikariPool-1 - Starting...',
            '2026-05-11T08:14:03.402Z ERROR 1 --- [rates] [main] com.zaxxer.hikari.pool.HikariPool : HikariPool-1 - Exception during pool initialization.',
            'org.postgresql.util.PSQLException: FATAL: password authentication failed for user "rates"',
            '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:698)',
            '2026-05-11T08:14:03.420Z ERROR 1 --- [rates] [main] o.s.boot.SpringApplication : Application run failed',
          ],
        });
        rates.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/hotel-rates/rates-pg-login',
        mustNotBlame: ['ConfigMap/hotel-rates/rates-banner', 'StatefulSet/hotel-rates/rates-pg'],
      });
    },
  ),
  'pharmacy-label-image-missing-while-stock-sync-crashes': scenario(
    'Two things at once in a pharmacy: a label printer image that was never pushed, and a stock sync that cannot parse what it was given',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const labels = cluster.deployment('apothecary/label-printer', {
        ...{ replicas: 2, image: 'registry.example/apothecary/labels:7.1' },
      });
      cluster.service('apothecary/label-printer');
      cluster.image('registry.example/apothecary/labels:7.2', { pullError: 'NotFound' });
      const feed = cluster.configMap('apothecary-stock/stock-feed', { 'feed.yaml': 'suppliers:\n  - id: north\n' });
      const image = 'registry.example/apothecary/stock-sync:2.0';
      const sync = cluster.deployment('apothecary-stock/stock-sync', {
        image,
        pod: { volumes: [{ name: 'feed', configMap: { name: 'stock-feed' } }] },
        container: { volumeMounts: [{ name: 'feed', mountPath: '/etc/stock' }] },
      });
      cluster.at('15s', () => labels.setImage('registry.example/apothecary/labels:7.2'));
      cluster.at('50s', () => feed.edit({ 'feed.yaml': 'suppliers:\n  - id: north\n   url: sftp://north\n' }));
      cluster.at('60s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            'level=info msg="stock-sync 2.0 starting" config=/etc/stock/feed.yaml',
            'level=fatal msg="cannot load configuration" file=/etc/stock/feed.yaml err="yaml: line 3: mapping values are not allowed in this context"',
          ],
        });
        sync.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/apothecary/label-printer',
        reason: 'ImageNotFound',
        mustNotBlame: ['Registry//registry.example', 'ConfigMap/apothecary-stock/stock-feed'],
      });
      cluster.expectIncident({
        root: 'ConfigMap/apothecary-stock/stock-feed',
        mustNotBlame: ['Deployment/apothecary/label-printer'],
      });
    },
  ),
  'car-sharing-unlock-service-loses-its-selector': scenario(
    'A label that no Pod has is added to the selector of the unlock Service, just after another team rolls out the tariff service',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('carshare/unlock', { replicas: 3, image: 'registry.example/carshare/unlock:5.0' });
      const unlock = cluster.service('carshare/unlock');
      cluster.deployment('carshare/app-gateway', {
        ...{ replicas: 2, image: 'registry.example/carshare/app-gateway:9.2' },
        values: { UNLOCK_URL: 'http://unlock.carshare.svc.cluster.local' },
      });
      const tariffs = cluster.deployment('carshare/tariffs', {
        replicas: 2,
        image: 'registry.example/carshare/tariffs:1.8',
      });
      cluster.at('10s', () => tariffs.setImage('registry.example/carshare/tariffs:1.9'));
      cluster.at('30s', () =>
        unlock.patch({ spec: { selector: { app: 'unlock', 'topology.carshare.example/ring': 'gold' } } }),
      );
      cluster.at('32s', () =>
        cluster.befall('registry.example/carshare/app-gateway:9.2', {
          readyAfterSeconds: 'never',
          log: [
            '{"level":"info","ts":"2026-03-02T06:11:31.004Z","msg":"listening","addr":":8080"}',
            '{"level":"error","ts":"2026-03-02T06:11:41.871Z","msg":"upstream failed","upstream":"unlock","error":"Post \\"http://unlock.carshare.svc.cluster.local/v1/open\\": dial tcp 10.96.44.17:80: connect: connection refused"}',
          ],
        }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Service/carshare/unlock',
        reason: 'ServiceSelectsNothing',
        beginsAfterSeconds: 30,
        mustNotBlame: ['Deployment/carshare/tariffs', 'Deployment/carshare/unlock'],
      });
    },
  ),
  'film-scans-ask-for-a-storage-class-that-went': scenario(
    'A film archive makes a claim of a class that was taken away when the disks were renamed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(storageClass('archive-hdd-v2'));
      cluster.deployment('filmarchive/catalogue', { replicas: 2, image: 'registry.example/filmarchive/catalogue:4.4' });
      cluster.at('10s', () => {
        cluster.object(claim('filmarchive/nitrate-scans', 'archive-hdd'));
        cluster.deployment('filmarchive/scanner', {
          image: 'registry.example/filmarchive/scanner:1.0',
          pod: mounts('nitrate-scans'),
          container: { volumeMounts: [{ name: 'data', mountPath: '/scans' }] },
        });
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/filmarchive/nitrate-scans',
        accepts: ['StorageClass//archive-hdd'],
        mustNotBlame: ['StorageClass//archive-hdd-v2', 'Deployment/filmarchive/catalogue'],
      });
    },
  ),
  'tax-season-scale-up-meets-the-quota': scenario(
    'On the day before the deadline the tax forms are scaled up beyond the quota; a Node with a clock problem has nothing to do with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.quota('taxoffice/compute', { 'requests.cpu': '2', 'requests.memory': '4Gi', pods: '20' });
      const forms = cluster.deployment('taxoffice/forms', {
        ...{ replicas: 3, image: 'registry.example/taxoffice/forms:2026.1', cpu: '500m', memory: '512Mi' },
      });
      cluster.service('taxoffice/forms');
      cluster.at('20s', () =>
        cluster.event({
          ...{ about: 'Node//n2', type: 'Warning', reason: 'NTPIsDown', by: 'ntp-custom-plugin-monitor' },
          message: 'NTP service is not running for 1 check',
        }),
      );
      cluster.at('30s', () => forms.scale(10));
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'ResourceQuota/taxoffice/compute',
        accepts: ['Deployment/taxoffice/forms'],
        beginsAfterSeconds: 30,
        mustNotBlame: ['Node//n2'],
      });
    },
  ),
  'chat-presence-cache-given-too-little-memory': scenario(
    'The cache of a chat service is restarted with a smaller maxmemory and no eviction; whoever writes to it dies of it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = cluster.configMap('chatterbox/presence-cache-conf', {
        'redis.conf': 'maxmemory 2gb\nmaxmemory-policy allkeys-lru\n',
      });
      const cache = cluster.statefulSet('chatterbox/presence-cache', {
        image: 'registry.example/redis:7.4',
        command: ['redis-server', '/etc/redis/redis.conf'],
        ...serves(6379, { volumeMounts: [{ name: 'conf', mountPath: '/etc/redis' }] }),
        pod: { volumes: [{ name: 'conf', configMap: { name: 'presence-cache-conf' } }] },
      });
      cluster.service('chatterbox/presence-cache', onPort(6379));
      cluster.deployment('chatterbox/presence', {
        ...{ replicas: 3, image: 'registry.example/chatterbox/presence:8.3' },
        values: { REDIS_URL: 'redis://presence-cache.chatterbox.svc:6379/0' },
      });
      cluster.deployment('chatterbox/avatars', { replicas: 2, image: 'registry.example/chatterbox/avatars:2.2' });
      cluster.image('registry.example/redis:7.4', {
        log: [
          '1:C 14 Jun 2026 19:02:11.302 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo',
          '1:M 14 Jun 2026 19:02:11.309 * Ready to accept connections tcp',
        ],
      });
      cluster.at('15s', () => conf.edit({ 'redis.conf': 'maxmemory 20mb\nmaxmemory-policy noeviction\n' }));
      cluster.at('25s', () => cache.restart());
      cluster.at('50s', () =>
        cluster.befall('registry.example/chatterbox/presence:8.3', {
          exit: { afterSeconds: 6, code: 1 },
          log: [
            'INFO:presence.main:connected to redis://presence-cache.chatterbox.svc:6379/0',
            'Traceback (most recent call last):',
            '  File "/app/presence/heartbeat.py", line 61, in beat',
            '    await self.redis.setex(key, 30, node)',
            "redis.exceptions.OutOfMemoryError: command not allowed when used memory > 'maxmemory'.",
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/chatterbox/presence-cache-conf',
        accepts: ['StatefulSet/chatterbox/presence-cache'],
        mustNotBlame: ['Deployment/chatterbox/avatars'],
      });
    },
  ),
  'farm-node-dies-and-an-irrigation-exporter-has-a-wrong-flag': scenario(
    'The machine in the barn loses power; in the same minutes an exporter elsewhere is rolled out with a flag that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'barn-1', labels: { site: 'barn' } },
        { name: 'office-1', labels: { site: 'office' } },
        { name: 'office-2', labels: { site: 'office' } },
      ]);
      cluster.statefulSet('farmsense/broker', {
        ...{ image: 'registry.example/eclipse-mosquitto:2.0', nodeSelector: { site: 'barn' }, ...serves(1883) },
      });
      cluster.service('farmsense/broker', onPort(1883));
      const exporter = cluster.deployment('irrigation/valve-exporter', {
        ...{ image: 'registry.example/irrigation/valve-exporter:0.9', nodeSelector: { site: 'office' } },
      });
      cluster.image('registry.example/irrigation/valve-exporter:0.10', {
        exit: { afterSeconds: 1, code: 2 },
        log: [
          'flag provided but not defined: -valve.poll-interval',
          'Usage of /bin/valve-exporter:',
          '  -modbus.address string',
        ],
      });
      cluster.at('10s', () => cluster.node('barn-1').losePower());
      cluster.at('40s', () => exporter.setImage('registry.example/irrigation/valve-exporter:0.10'));
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'Node//barn-1',
        mustNotBlame: ['Deployment/irrigation/valve-exporter', 'StatefulSet/farmsense/broker'],
      });
      cluster.expectIncident({ root: 'Deployment/irrigation/valve-exporter', mustNotBlame: ['Node//barn-1'] });
    },
  ),
  'container-port-customs-cut-off-by-a-new-policy': scenario(
    'A new network policy of the customs service lets nobody in but the auditors; the yard planner runs into timeouts. The customs service itself was rolled out a minute before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const customs = cluster.deployment('seaport/customs', {
        replicas: 2,
        image: 'registry.example/seaport/customs:6.0',
      });
      cluster.service('seaport/customs');
      cluster.deployment('seaport/yard-planner', {
        ...{ replicas: 2, image: 'registry.example/seaport/yard-planner:3.3' },
        values: { CUSTOMS_URL: 'http://customs.seaport.svc.cluster.local/clearance' },
      });
      cluster.at('10s', () => customs.setImage('registry.example/seaport/customs:6.1'));
      cluster.at('1m10s', () =>
        cluster.object(
          networkPolicy('seaport/customs', {
            ingress: [{ from: [{ podSelector: { matchLabels: { app: 'auditor' } } }] }],
          }),
        ),
      );
      cluster.at('1m20s', () =>
        cluster.befall('registry.example/seaport/yard-planner:3.3', {
          exit: { afterSeconds: 12, code: 1 },
          log: [
            'time=2026-02-19T04:40:02.300Z level=INFO msg="yard-planner starting" version=3.3',
            'time=2026-02-19T04:40:12.311Z level=ERROR msg="cannot fetch clearances" err="Get \\"http://customs.seaport.svc.cluster.local/clearance\\": dial tcp 10.96.7.201:80: i/o timeout"',
            'time=2026-02-19T04:40:12.312Z level=ERROR msg=exiting err="no clearances"',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'NetworkPolicy/seaport/customs',
        mustNotBlame: ['Deployment/seaport/customs'],
      });
    },
  ),
  'bakery-shop-ingress-names-a-port-that-was-renamed': scenario(
    'The port of the bakery shop Service is renamed from http to web; its Ingress still says http',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      cluster.deployment('bakery/storefront', { replicas: 2, image: 'registry.example/bakery/storefront:11.0' });
      const shop = cluster.service('bakery/storefront');
      cluster.object(ingress('bakery/storefront', 'storefront', { name: 'http' }));
      const flour = cluster.configMap('bakery/opening-hours', { sunday: '8-11' });
      cluster.at('15s', () => flour.edit({ sunday: 'closed' }));
      cluster.at('30s', () =>
        shop.patch({ spec: { ports: [{ name: 'web', port: 80, targetPort: 8080, protocol: 'TCP' }] } }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Ingress/bakery/storefront',
        accepts: ['Service/bakery/storefront'],
        reason: 'IngressPortMissing',
        beginsAfterSeconds: 30,
        mustNotBlame: ['ConfigMap/bakery/opening-hours', 'Deployment/bakery/storefront'],
      });
    },
  ),
  'language-school-lessons-killed-by-a-new-liveness-path': scenario(
    'A liveness probe is pointed at a path that the lessons service does not have; its database restarts the same minute and is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/polyglot/lessons:2.7';
      const db = cluster.statefulSet('polyglot/lessons-db', {
        image: 'registry.example/mariadb:11.4',
        ...serves(3306),
      });
      cluster.service('polyglot/lessons-db', onPort(3306));
      const liveness = (path: string): object => ({
        livenessProbe: { httpGet: { path, port: 8080 }, periodSeconds: 10, failureThreshold: 3 },
      });
      const lessons = cluster.deployment('polyglot/lessons', {
        ...{ replicas: 2, image, values: { DB_HOST: 'lessons-db.polyglot.svc' } },
        container: liveness('/healthz'),
      });
      cluster.service('polyglot/lessons');
      cluster.at('10s', () => db.restart());
      cluster.at('45s', () => {
        cluster.image(image, {
          livenessFails: { afterSeconds: 25, says: 'HTTP probe failed with statuscode: 404' },
          log: ['[Nest] 1  - LOG [NestApplication] Nest application successfully started +3ms'],
        });
        lessons.patch({
          spec: { template: { spec: { containers: [{ name: 'lessons', image, ...liveness('/live/healthz') }] } } },
        });
      });
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'Deployment/polyglot/lessons',
        mustNotBlame: ['StatefulSet/polyglot/lessons-db'],
      });
    },
  ),
  'hospital-lab-results-fail-their-migration': scenario(
    'A new version of the lab results edits a migration that was applied long ago; its init container refuses. A Node was cordoned before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('hospital-lab/results-pg', { image: 'registry.example/postgres:15.8', ...serves(5432) });
      cluster.service('hospital-lab/results-pg', onPort(5432));
      const results = cluster.deployment('hospital-lab/results', {
        ...{ replicas: 2, image: 'registry.example/lab/results:40', init: 'registry.example/lab/results-migrate:40' },
        values: { SPRING_DATASOURCE_URL: 'jdbc:postgresql://results-pg.hospital-lab.svc:5432/results' },
      });
      cluster.service('hospital-lab/results');
      cluster.image('registry.example/lab/results-migrate:41', {
        exit: { afterSeconds: 5, code: 1 },
        log: [
          'Flyway Community Edition 10.17.0 by Redgate',
          'Database: jdbc:postgresql://results-pg.hospital-lab.svc:5432/results (PostgreSQL 15.8)',
          'ERROR: Validate failed: Migrations have failed validation',
          'Migration checksum mismatch for migration version 17',
          '-> Applied to database : 715094934',
          '-> Resolved locally    : 1869507521',
          'Either revert the changes to the migration, or run repair to update the schema history.',
        ],
      });
      cluster.at('10s', () => cluster.node('n3').cordon());
      cluster.at('30s', () =>
        results.patch({
          spec: {
            template: {
              spec: {
                initContainers: [{ name: 'init', image: 'registry.example/lab/results-migrate:41' }],
                containers: [{ name: 'results', image: 'registry.example/lab/results:41' }],
              },
            },
          },
        }),
      );
      cluster.at('3m', () => cluster.node('n3').uncordon());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/hospital-lab/results',
        mustNotBlame: ['Node//n3', 'StatefulSet/hospital-lab/results-pg'],
      });
    },
  ),
  'satellite-passes-roll-out-slowly': scenario(
    'Ground stations are rolled out one after the other; each takes most of a minute to be ready and says so at length',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/orbit/passes:1.1';
      const passes = cluster.statefulSet('orbit/passes', { replicas: 3, image: 'registry.example/orbit/passes:1.0' });
      cluster.image(image, {
        readyAfterSeconds: 40,
        readinessSays: 'HTTP probe failed with statuscode: 503',
        log: [
          'WARN  ephemeris cache is empty, loading 11204 TLEs from upstream',
          'WARN  not ready yet: 4210/11204 elements propagated',
          'INFO  ephemeris ready',
        ],
      });
      cluster.at('10s', () => passes.setImage(image));
      cluster.lasts('5m');
    },
  ),
  'hotel-night-audit-needs-a-second-try': scenario(
    'The night audit of a hotel meets a lock, fails once and succeeds the second time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('innkeeper/frontdesk', { replicas: 2, image: 'registry.example/innkeeper/frontdesk:5.5' });
      const tried: string[] = [];
      cluster.image('registry.example/innkeeper/night-audit:5.5', ({ metadata: { name } }) => {
        if (!tried.includes(name)) tried.push(name);
        return tried[0] === name
          ? {
              exit: { afterSeconds: 8, code: 1 },
              log: [
                'INFO  closing business day 2026-07-03',
                'ERROR deadlock detected',
                'DETAIL:  Process 4121 waits for ShareLock on transaction 99182; blocked by process 4090.',
              ],
            }
          : { exit: { afterSeconds: 20, code: 0 }, log: ['INFO  business day 2026-07-03 closed, 212 folios posted'] };
      });
      cluster.at('10s', () =>
        cluster.job('innkeeper/night-audit', {
          image: 'registry.example/innkeeper/night-audit:5.5',
          spec: { backoffLimit: 4 },
        }),
      );
      cluster.lasts('4m');
    },
  ),
  'pharmacy-branch-node-drained-for-new-disks': scenario(
    'A Node of a pharmacy chain is drained and put back; every Deployment has a second Pod elsewhere',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('branchnet/prescriptions', {
        replicas: 3,
        image: 'registry.example/branchnet/prescriptions:3.0',
      });
      cluster.service('branchnet/prescriptions');
      cluster.deployment('branchnet/loyalty', { replicas: 2, image: 'registry.example/branchnet/loyalty:1.2' });
      cluster.service('branchnet/loyalty');
      cluster.at('10s', () => cluster.node('n1').drain());
      cluster.at('1m', () => cluster.node('n1').reboot('40s'));
      cluster.at('2m30s', () => cluster.node('n1').uncordon());
      cluster.lasts('5m');
    },
  ),
  'film-transcoders-complain-about-old-reels': scenario(
    'Transcoders write errors about every second reel, which is how old reels are; a queue worker is scaled for the evening',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/reels/transcode:6.1', {
        log: [
          '[h264 @ 0x55d0c8] error while decoding MB 34 12, bytestream -7',
          '[matroska @ 0x55d0f2] Non-monotonous DTS in output stream 0:1; previous: 8812, current: 8790; changing to 8813.',
          'ERROR reel=1931-044 code=corrupt_frame action=skip',
          'frame= 2401 fps=118 q=28.0 size=   90112kB time=00:01:36.04 speed=4.7x',
        ],
      });
      const transcode = cluster.deployment('reels/transcode', {
        replicas: 2,
        image: 'registry.example/reels/transcode:6.1',
      });
      cluster.at('20s', () => transcode.scale(5));
      cluster.at('2m30s', () => transcode.scale(2));
      cluster.lasts('5m');
    },
  ),
} as const;
