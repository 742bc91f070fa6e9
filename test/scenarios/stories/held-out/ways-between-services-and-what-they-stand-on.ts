/** Services, ports, probes, rights, claims and networks of application teams, where one of them is wrong. */

import { scenario } from '../../kit/scenario.ts';
import { budget, claim, dns, networkPolicy, storageClass } from '../../kit/things.ts';

/** What a database listens on instead of HTTP. */
const listens = (name: string, port: number) => ({
  probe: false,
  container: { ports: [{ name, containerPort: port }], readinessProbe: { tcpSocket: { port } } },
});

/** The port of a Service that leads to the same port of its Pods. */
const portOf = (name: string, port: number) => ({ ports: [{ name, port, targetPort: port, protocol: 'TCP' }] });

export const stories = {
  'basket-service-picks-pods-by-a-name-that-none-has': scenario(
    'The selector of a Service is edited to a label that no Pod has; the shop front is refused. A search beside it restarts of its own release',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const front = 'registry.webshop.example/front:30.1.0';
      cluster.deployment('webshop/basket', { replicas: 2, image: 'registry.webshop.example/basket:12.1.4' });
      const basket = cluster.service('webshop/basket');
      cluster.deployment('webshop/front', {
        replicas: 3,
        image: front,
        values: {
          BASKET_URL: 'http://basket.webshop.svc.cluster.local',
          SEARCH_URL: 'http://product-search.webshop.svc.cluster.local',
        },
      });
      cluster.service('webshop/front');
      const search = cluster.deployment('webshop/product-search', {
        replicas: 2,
        image: 'registry.webshop.example/product-search:5.5.0',
      });
      cluster.service('webshop/product-search');
      cluster.at('10s', () => search.setImage('registry.webshop.example/product-search:5.5.1'));
      cluster.at('40s', () => basket.patch({ spec: { selector: { app: 'basket-web' } } }));
      cluster.at('45s', () =>
        cluster.befall(front, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            '{"level":50,"time":1764412845120,"pid":1,"hostname":"front","err":{"type":"Error","message":"connect ECONNREFUSED 10.96.31.18:80","code":"ECONNREFUSED","syscall":"connect","address":"10.96.31.18","port":80},"msg":"GET http://basket.webshop.svc.cluster.local/v1/count failed"}',
            '{"level":40,"time":1764412847008,"pid":1,"hostname":"front","msg":"ready: basket=down search=up"}',
          ],
        }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Service/webshop/basket',
        mustNotBlame: ['Deployment/webshop/product-search', 'Deployment/webshop/basket', 'Deployment/webshop/front'],
      });
    },
  ),

  'exam-service-listens-on-another-port-since-its-release': scenario(
    'A Spring release moves its port to 9090 and its Deployment still probes 8080; the largest size of its autoscaler was raised just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const exams = cluster.deployment('campus/exams', {
        replicas: 2,
        image: 'registry.campus.example/exams:6.8.0',
        cpu: '200m',
        container: { ports: [{ name: 'http', containerPort: 8080 }] },
        spec: { progressDeadlineSeconds: 180 },
      });
      cluster.service('campus/exams');
      const scaler = cluster.object({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'exams', namespace: 'campus' },
        spec: {
          minReplicas: 2,
          maxReplicas: 6,
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'exams' },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          ],
        },
      });
      scaler.status({
        currentReplicas: 2,
        desiredReplicas: 2,
        conditions: [
          {
            type: 'AbleToScale',
            status: 'True',
            reason: 'ReadyForNewScale',
            message: 'recommended size matches current size',
            lastTransitionTime: 'now',
          },
          {
            type: 'ScalingActive',
            status: 'True',
            reason: 'ValidMetricFound',
            message:
              'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
            lastTransitionTime: 'now',
          },
        ],
      });
      cluster.image('registry.campus.example/exams:7.0.0', {
        readyAfterSeconds: 'never',
        readinessSays: 'Get "http://10.244.1.17:8080/ready": dial tcp 10.244.1.17:8080: connect: connection refused',
        log: [
          '2026-11-29T07:02:10.771Z  INFO 1 --- [exams] [main] o.s.b.w.embedded.tomcat.TomcatWebServer : Tomcat initialized with port 9090 (http)',
          "2026-11-29T07:02:15.118Z  INFO 1 --- [exams] [main] o.s.b.w.embedded.tomcat.TomcatWebServer : Tomcat started on port 9090 (http) with context path '/'",
          '2026-11-29T07:02:15.130Z  INFO 1 --- [exams] [main] e.c.exams.ExamsApplication : Started ExamsApplication in 6.903 seconds (process running for 7.51)',
        ],
      });
      cluster.at('10s', () => scaler.patch({ spec: { maxReplicas: 12 } }));
      cluster.at('40s', () => exams.setImage('registry.campus.example/exams:7.0.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/campus/exams',
        mustNotBlame: ['HorizontalPodAutoscaler/campus/exams', 'Service/campus/exams'],
      });
    },
  ),

  'articles-service-leads-to-a-port-name-that-its-pods-have-not': scenario(
    'The target port of a Service is edited to a name that its Pods do not declare; the front page and the app are refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const page = 'registry.newspaper.example/front-page:77.2';
      const app = 'registry.newspaper.example/app-gateway:14.0.1';
      cluster.deployment('newsroom/articles', {
        replicas: 2,
        image: 'registry.newspaper.example/articles:52.3',
        container: { ports: [{ name: 'http', containerPort: 8080 }] },
      });
      const articles = cluster.service('newsroom/articles', {
        ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }],
      });
      const values = { ARTICLES_URL: 'http://articles.newsroom.svc' };
      cluster.deployment('newsroom/front-page', { replicas: 2, image: page, values });
      cluster.service('newsroom/front-page');
      cluster.deployment('readers/app-gateway', { replicas: 2, image: app, values });
      cluster.service('readers/app-gateway');
      cluster.at('20s', () =>
        articles.patch({ spec: { ports: [{ name: 'http', port: 80, targetPort: 'web', protocol: 'TCP' }] } }),
      );
      cluster.at('24s', () => {
        cluster.befall(page, {
          readyAfterSeconds: 'never',
          log: [
            'E, [2026-11-29T05:31:09.114022 #1] ERROR -- : Faraday::ConnectionFailed: Failed to open TCP connection to articles.newsroom.svc:80 (Connection refused - connect(2) for "articles.newsroom.svc" port 80)',
            'W, [2026-11-29T05:31:09.115310 #1]  WARN -- : health: articles unavailable, answering 503',
          ],
        });
        cluster.befall(app, {
          readyAfterSeconds: 'never',
          log: [
            'time=2026-11-29T05:31:12.402Z level=ERROR msg="upstream failed" upstream=articles err="Get \\"http://articles.newsroom.svc/v2/top\\": dial tcp 10.96.112.40:80: connect: connection refused"',
          ],
        });
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Service/newsroom/articles',
        mustNotBlame: [
          'Deployment/newsroom/articles',
          'Deployment/newsroom/front-page',
          'Deployment/readers/app-gateway',
        ],
      });
    },
  ),

  'liveness-command-is-not-in-the-slimmer-image-and-an-importer-trips-over-a-date': scenario(
    'A release on a slimmer base has no curl, which its liveness probe runs; elsewhere an importer dies of a date in its file',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const grades = cluster.deployment('campus/grades', {
        replicas: 2,
        image: 'registry.campus.example/grades:3.14.0-bookworm',
        container: {
          livenessProbe: { exec: { command: ['curl', '-fsS', 'http://localhost:8080/live'] }, periodSeconds: 10 },
        },
      });
      cluster.service('campus/grades');
      cluster.image('registry.campus.example/grades:3.15.0-slim', {
        livenessFails: {
          afterSeconds: 10,
          says: 'OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
        },
        log: [
          '[2026-11-29 08:00:04 +0000] [1] [INFO] Starting gunicorn 23.0.0',
          '[2026-11-29 08:00:04 +0000] [1] [INFO] Listening at: http://0.0.0.0:8080 (1)',
          '[2026-11-29 08:00:04 +0000] [7] [INFO] Booting worker with pid: 7',
        ],
      });
      const importer = 'registry.campus.example/alumni-importer:0.9';
      cluster.deployment('alumni/alumni-importer', { image: importer, probe: false });
      cluster.at('20s', () => grades.setImage('registry.campus.example/grades:3.15.0-slim'));
      cluster.at('90s', () =>
        cluster.befall(importer, {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'Traceback (most recent call last):',
            '  File "/srv/alumni/importer.py", line 58, in <module>',
            '    main()',
            '  File "/srv/alumni/importer.py", line 41, in parse_row',
            '    born = datetime.strptime(row["born"], "%Y-%m-%d")',
            '  File "/usr/local/lib/python3.11/_strptime.py", line 349, in _strptime',
            "ValueError: time data '31.02.1987' does not match format '%Y-%m-%d'",
          ],
        }),
      );
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'Deployment/campus/grades',
        mustNotBlame: ['Deployment/alumni/alumni-importer'],
      });
      cluster.expectIncident({
        root: 'Deployment/alumni/alumni-importer',
        mustNotBlame: ['Deployment/campus/grades'],
      });
    },
  ),

  'quota-for-limits-comes-to-a-team-that-never-gave-any': scenario(
    'The platform gives a team a quota on limits; its next restart is refused for a container without them. An image of a neighbour changed just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const readings = cluster.deployment('metering/readings', {
        replicas: 3,
        image: 'registry.energy.example/readings:4.4.4',
        spec: { progressDeadlineSeconds: 120 },
      });
      cluster.service('metering/readings');
      const plausibility = cluster.deployment('metering-tools/plausibility', {
        image: 'registry.energy.example/plausibility:1.0.8',
        memory: '128Mi',
      });
      cluster.at('10s', () => plausibility.setImage('registry.energy.example/plausibility:1.0.9'));
      cluster.at('30s', () =>
        cluster.quota('metering/team-limits', { 'limits.memory': '8Gi', 'requests.memory': '8Gi' }),
      );
      cluster.at('60s', () => readings.restart());
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ResourceQuota/metering/team-limits',
        accepts: ['Deployment/metering/readings'],
        mustNotBlame: ['Deployment/metering-tools/plausibility'],
      });
    },
  ),

  'digest-of-the-evening-edition-names-a-misspelt-tag-and-a-ticker-divides-by-zero': scenario(
    'A CronJob is edited to a tag that does not exist; independently a Go ticker dies of its own mistake',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const ticker = 'registry.newspaper.example/ticker:2.2.0';
      cluster.deployment('newsroom/ticker', { replicas: 2, image: ticker });
      cluster.service('newsroom/ticker');
      cluster.image('registry.newspaper.example/digest:2026.48', { exit: { afterSeconds: 8, code: 0 } });
      cluster.image('registry.newspaper.example/digest:2026.4g', { pullError: 'NotFound' });
      const digest = cluster.cronJob('readers/evening-digest', {
        schedule: '* * * * *',
        image: 'registry.newspaper.example/digest:2026.48',
        spec: { concurrencyPolicy: 'Forbid' },
      });
      cluster.at('30s', () =>
        digest.patch({
          spec: {
            jobTemplate: {
              spec: {
                template: {
                  spec: {
                    containers: [{ name: 'evening-digest', image: 'registry.newspaper.example/digest:2026.4g' }],
                  },
                },
              },
            },
          },
        }),
      );
      cluster.at('2m', () =>
        cluster.befall(ticker, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 2, code: 2 },
          log: [
            'time=2026-11-29T17:02:12.001Z level=INFO msg="ticker 2.2.0 ready" matches=0',
            'panic: runtime error: integer divide by zero',
            '[signal SIGFPE: floating-point exception code=0x1 addr=0x6f1a2c pc=0x6f1a2c]',
            '',
            'goroutine 34 [running]:',
            'newspaper.example/ticker/internal/rate.(*Limiter).Next(...)',
            '\t/src/internal/rate/limiter.go:27',
          ],
        }),
      );
      cluster.at('6m', () => digest.patch({ spec: { suspend: true } }));
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'CronJob/readers/evening-digest',
        reason: 'ImageNotFound',
        mustNotBlame: ['Deployment/newsroom/ticker', 'Registry//registry.newspaper.example'],
      });
      cluster.expectIncident({ root: 'Deployment/newsroom/ticker', mustNotBlame: ['CronJob/readers/evening-digest'] });
    },
  ),

  'search-of-a-new-namespace-has-no-login-for-its-images': scenario(
    'A StatefulSet in a new namespace names an image pull Secret that nobody created there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.secret('webshop/ghcr-pull', { '.dockerconfigjson': '{"auths":{"ghcr.io":{}}}' });
      cluster.deployment('webshop/product-page', {
        replicas: 2,
        image: 'registry.webshop.example/product-page:8.1',
        pod: { imagePullSecrets: [{ name: 'ghcr-pull' }] },
      });
      cluster.service('webshop/product-page');
      const image = 'ghcr.io/webshop/search-index:3.2.0';
      cluster.image(image, {
        pullError:
          'failed to pull and unpack image "ghcr.io/webshop/search-index:3.2.0": failed to resolve reference "ghcr.io/webshop/search-index:3.2.0": failed to authorize: failed to fetch anonymous token: unexpected status from GET request to https://ghcr.io/token?scope=repository%3Awebshop%2Fsearch-index%3Apull&service=ghcr.io: 401 Unauthorized',
      });
      cluster.at('20s', () => {
        cluster.statefulSet('webshop-outlet/search-index', {
          image,
          pod: { imagePullSecrets: [{ name: 'ghcr-pull' }] },
        });
        cluster.service('webshop-outlet/search-index');
      });
      for (const [when, count] of [
        ['23s', 1],
        ['40s', 3],
        ['75s', 6],
      ] as const)
        cluster.at(when, () =>
          cluster.event({
            about: 'Pod/webshop-outlet/search-index-0',
            reason: 'FailedToRetrieveImagePullSecret',
            message:
              'Unable to retrieve some image pull secrets (ghcr-pull); attempting to pull the image may not succeed.',
            by: 'kubelet',
            count,
          }),
        );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Secret/webshop-outlet/ghcr-pull',
        accepts: ['StatefulSet/webshop-outlet/search-index'],
        mustNotBlame: ['Registry//ghcr.io', 'Secret/webshop/ghcr-pull'],
      });
    },
  ),

  'cache-image-has-left-the-public-catalogue-when-its-machine-is-emptied': scenario(
    'A Redis of a public catalogue is moved by a drain, and its image is no longer there; the machine is only being upgraded',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'docker.io/bitnami/redis:7.2.4-debian-12-r9';
      const portal = 'registry.energy.example/customer-portal:16.0.2';
      cluster.statefulSet('customers/session-cache', { image, ...listens('redis', 6379) });
      cluster.service('customers/session-cache', portOf('redis', 6379));
      cluster.deployment('customers/customer-portal', {
        replicas: 2,
        image: portal,
        values: { SESSION_STORE: 'redis://session-cache.customers.svc:6379/0' },
        pod: { nodeSelector: { 'pool.energy.example/name': 'web' } },
      });
      cluster.service('customers/customer-portal');
      cluster.nodes([
        'n1',
        { name: 'n2', labels: { 'pool.energy.example/name': 'web' } },
        { name: 'n3', labels: { 'pool.energy.example/name': 'web' } },
      ]);
      cluster.at('20s', () => {
        cluster.image(image, { pullError: 'NotFound' });
        cluster.node('n1').drain();
      });
      cluster.at('30s', () =>
        cluster.befall(portal, {
          readyAfterSeconds: 'never',
          log: [
            '[ioredis] Unhandled error event: Error: connect ECONNREFUSED 10.96.88.5:6379',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
            'MaxRetriesPerRequestError: Reached the max retries per request limit (which is 20). Refer to "maxRetriesPerRequest" option for details. (session-cache.customers.svc:6379)',
          ],
        }),
      );
      cluster.at('3m', () => cluster.node('n1').uncordon());
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/customers/session-cache',
        reason: 'ImageNotFound',
        mustNotBlame: ['Node//n1', 'Deployment/customers/customer-portal', 'Registry//docker.io'],
      });
    },
  ),

  'theses-want-a-claim-that-was-never-made': scenario(
    'A release mounts a claim of a name that nobody made; the old one is bound and well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({ ...storageClass('standard'), provisioner: 'disk.csi.example' });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: {},
      });
      cluster.object(claim('library/theses-files', 'standard', { accessModes: ['ReadWriteMany'] }));
      const withClaim = (claimName: string) => ({
        container: { volumeMounts: [{ name: 'files', mountPath: '/srv/files' }] },
        pod: { volumes: [{ name: 'files', persistentVolumeClaim: { claimName } }] },
      });
      const theses = cluster.deployment('library/theses', {
        replicas: 2,
        image: 'registry.campus.example/theses:1.30',
        ...withClaim('theses-files'),
      });
      cluster.service('library/theses');
      cluster.at('20s', () =>
        theses.change({ image: 'registry.campus.example/theses:1.31', ...withClaim('theses-files-v2') }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/library/theses',
        accepts: ['PersistentVolumeClaim/library/theses-files-v2'],
        mustNotBlame: ['PersistentVolumeClaim/library/theses-files', 'StorageClass//standard'],
      });
    },
  ),

  'log-of-the-readings-database-fills-its-disk-after-a-release-of-its-client': scenario(
    'A PostgreSQL stops because its volume is full; its two clients fail with it, and one of them had a release shortly before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const database = 'docker.io/library/postgres:15.8';
      const ingest = 'registry.energy.example/ingest:20.1.1';
      const reports = 'registry.energy.example/load-reports:6.0';
      cluster.object({ ...storageClass('fast'), provisioner: 'disk.csi.example' });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: {},
      });
      cluster.statefulSet('grid/readings-db', {
        image: database,
        probe: false,
        container: {
          ports: [{ name: 'postgres', containerPort: 5432 }],
          readinessProbe: { exec: { command: ['pg_isready', '-U', 'postgres'] } },
          volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }],
        },
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                storageClassName: 'fast',
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '200Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('grid/readings-db', portOf('postgres', 5432));
      const values = { PGHOST: 'readings-db.grid.svc', PGPORT: '5432', PGDATABASE: 'readings' };
      const client = cluster.deployment('grid/ingest', {
        replicas: 2,
        image: 'registry.energy.example/ingest:20.1.0',
        values,
      });
      cluster.service('grid/ingest');
      cluster.deployment('grid/load-reports', { replicas: 2, image: reports, values });
      cluster.service('grid/load-reports');
      cluster.at('10s', () => client.setImage(ingest));
      cluster.at('2m', () =>
        cluster.befall(database, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 4, code: 1 },
          log: [
            '2026-11-29 06:14:02.118 UTC [1] LOG:  starting PostgreSQL 15.8 (Debian 15.8-1.pgdg120+1) on x86_64-pc-linux-gnu',
            '2026-11-29 06:14:02.290 UTC [29] LOG:  database system was interrupted while in recovery at 2026-11-29 06:13:31 UTC',
            '2026-11-29 06:14:03.004 UTC [29] LOG:  redo starts at 8F/2A000028',
            '2026-11-29 06:14:03.911 UTC [29] FATAL:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
            '2026-11-29 06:14:03.915 UTC [1] LOG:  startup process (PID 29) exited with exit code 1',
            '2026-11-29 06:14:03.915 UTC [1] LOG:  aborting startup due to startup process failure',
            '2026-11-29 06:14:03.921 UTC [1] LOG:  database system is shut down',
          ],
        }),
      );
      cluster.at('2m8s', () => {
        cluster.befall(ingest, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 6, code: 1 },
          log: [
            'time=2026-11-29T06:14:11.220Z level=INFO msg="ingest 20.1.1"',
            'time=2026-11-29T06:14:14.229Z level=FATAL msg="database" err="failed to connect to `user=ingest database=readings`: 10.96.4.71:5432 (readings-db.grid.svc): dial error: dial tcp 10.96.4.71:5432: connect: connection refused"',
          ],
        });
        cluster.befall(reports, {
          readyAfterSeconds: 'never',
          log: [
            'django.db.utils.OperationalError: connection failed: connection to server at "10.96.4.71", port 5432 failed: Connection refused',
            '\tIs the server running on that host and accepting TCP/IP connections?',
          ],
        });
      });
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'StatefulSet/grid/readings-db',
        accepts: ['PersistentVolumeClaim/grid/data-readings-db-0', 'Pod/grid/readings-db-0'],
        mustNotBlame: ['Deployment/grid/ingest', 'Deployment/grid/load-reports', 'StorageClass//fast'],
      });
    },
  ),

  'price-sync-may-no-longer-read-settings-since-its-binding-was-tidied-away': scenario(
    'The RoleBinding of a Go service is deleted in a clean-up and it may not list ConfigMaps any more; one of those was edited just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.webshop.example/price-sync:2.0.6';
      const meta = { name: 'price-sync', namespace: 'webshop' };
      cluster.object({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: meta });
      cluster.object({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'Role',
        metadata: meta,
        rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'] }],
      });
      const binding = cluster.object({
        apiVersion: 'rbac.authorization.k8s.io/v1',
        kind: 'RoleBinding',
        metadata: meta,
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'price-sync' },
        subjects: [{ kind: 'ServiceAccount', name: 'price-sync', namespace: 'webshop' }],
      });
      const lists = cluster.configMap('webshop/price-lists', { 'de.csv': 'sku;net\n1001;9.90' });
      cluster.deployment('webshop/price-sync', { replicas: 2, image, pod: { serviceAccountName: 'price-sync' } });
      cluster.service('webshop/price-sync');
      cluster.at('10s', () => lists.edit({ 'de.csv': 'sku;net\n1001;8.90' }));
      cluster.at('60s', () => binding.delete());
      cluster.at('75s', () =>
        cluster.befall(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'I1129 11:20:14.201119       1 main.go:52] price-sync 2.0.6, watching ConfigMaps in "webshop"',
            'W1129 11:20:14.230871       1 reflector.go:569] k8s.io/client-go/informers/factory.go:160: failed to list *v1.ConfigMap: configmaps is forbidden: User "system:serviceaccount:webshop:price-sync" cannot list resource "configmaps" in API group "" in the namespace "webshop"',
            'E1129 11:20:14.230901       1 reflector.go:166] "Unhandled Error" err="k8s.io/client-go/informers/factory.go:160: Failed to watch *v1.ConfigMap: failed to list *v1.ConfigMap: configmaps is forbidden: User \\"system:serviceaccount:webshop:price-sync\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"webshop\\""',
            'F1129 11:20:19.232004       1 main.go:71] cache did not sync in time',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'RoleBinding/webshop/price-sync',
        accepts: ['ServiceAccount/webshop/price-sync'],
        mustNotBlame: ['ConfigMap/webshop/price-lists', 'Role/webshop/price-sync'],
      });
    },
  ),

  'editors-are-locked-out-of-their-database-by-a-policy-of-its-namespace': scenario(
    'The data team admits callers of one label only; the newsroom does not wear it and times out. Its settings were edited just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const desk = 'registry.newspaper.example/desk:7.10.2';
      const workers = 'registry.newspaper.example/desk-workers:7.10.2';
      cluster.statefulSet('data/mysql', { image: 'docker.io/library/mysql:8.4.3', ...listens('mysql', 3306) });
      cluster.service('data/mysql', portOf('mysql', 3306));
      cluster.deployment('data/mysql-exporter', { image: 'docker.io/prom/mysqld-exporter:v0.16.0' });
      const settings = cluster.configMap('newsroom/desk-settings', {
        DB_HOST: 'mysql.data.svc.cluster.local',
        LOCALE: 'en',
      });
      cluster.deployment('newsroom/desk', { replicas: 3, image: desk, envFrom: ['desk-settings'] });
      cluster.service('newsroom/desk');
      cluster.deployment('newsroom/desk-workers', {
        replicas: 2,
        image: workers,
        probe: false,
        envFrom: ['desk-settings'],
      });
      cluster.at('10s', () => settings.edit({ LOCALE: 'en-GB' }));
      cluster.at('50s', () =>
        cluster.object(
          networkPolicy('data/mysql', {
            ingress: [
              {
                from: [{ namespaceSelector: { matchLabels: { 'data.newspaper.example/reads': 'mysql' } } }],
                ports: [{ protocol: 'TCP', port: 3306 }],
              },
            ],
          }),
        ),
      );
      cluster.at('65s', () => {
        cluster.befall(desk, {
          readyAfterSeconds: 'never',
          readinessSays:
            'Get "http://10.244.2.9:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
          log: [
            "ActiveRecord::ConnectionNotEstablished (Can't connect to MySQL server on 'mysql.data.svc.cluster.local:3306' (110)):",
            "Caused by: Mysql2::Error::ConnectionError (Can't connect to MySQL server on 'mysql.data.svc.cluster.local:3306' (110))",
            "app/controllers/health_controller.rb:7:in `ready'",
          ],
        });
        cluster.befall(workers, {
          exit: { afterSeconds: 20, code: 1 },
          log: [
            '2026-11-29T09:12:40.100Z pid=1 tid=gq5 INFO: Booted Rails 7.2.2 application in production environment',
            "2026-11-29T09:12:59.818Z pid=1 tid=gq5 ERROR: Can't connect to MySQL server on 'mysql.data.svc.cluster.local:3306' (110)",
            "/usr/local/bundle/gems/trilogy-2.9.0/lib/trilogy.rb:18:in `_connect': Can't connect to MySQL server on 'mysql.data.svc.cluster.local:3306' (110) (ActiveRecord::ConnectionNotEstablished)",
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'NetworkPolicy/data/mysql',
        mustNotBlame: [
          'ConfigMap/newsroom/desk-settings',
          'StatefulSet/data/mysql',
          'Deployment/newsroom/desk',
          'Deployment/data/mysql-exporter',
        ],
      });
    },
  ),

  'names-of-the-cluster-run-out-of-memory-while-a-shop-releases': scenario(
    'CoreDNS is killed for its memory after its limit was cut; three teams cannot resolve names, one of them has just had a release',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const returns = 'registry.webshop.example/returns:2.7.1';
      const stories = 'registry.newspaper.example/story-worker:1.18';
      const forecast = 'registry.energy.example/forecast:3.3';
      const coredns = cluster.deployment('kube-system/coredns', { ...dns.workload, memory: '170Mi' });
      cluster.object(dns.service);
      const release = cluster.deployment('webshop/returns', {
        replicas: 2,
        image: 'registry.webshop.example/returns:2.7.0',
        values: { ORDERS_URL: 'http://orders.webshop.svc.cluster.local' },
      });
      cluster.service('webshop/returns');
      cluster.deployment('newsroom/story-worker', { replicas: 2, image: stories });
      cluster.deployment('grid/forecast', { replicas: 2, image: forecast });
      cluster.at('10s', () => release.setImage(returns));
      cluster.at('60s', () => {
        cluster.image(dns.workload.image, {
          exit: { afterSeconds: 12, code: 137, oom: true },
          log: [
            'maxprocs: Leaving GOMAXPROCS=4: CPU quota undefined',
            '.:53',
            '[INFO] plugin/reload: Running configuration SHA512 = 591cf328cccc12bc490481273e738df59329c62c0b729d94e8b61db9961c2fa5f046dd37f1cf888b953814040d180f52594972691cd6ff41be96639138a43908',
            'CoreDNS-1.12.1',
            'linux/amd64, go1.24.1, 707c7c1',
          ],
        });
        coredns.change({ memory: '24Mi', spec: { strategy: { type: 'Recreate' } } });
      });
      cluster.at('80s', () => {
        cluster.befall(returns, {
          readyAfterSeconds: 'never',
          log: [
            'java.net.UnknownHostException: orders.webshop.svc.cluster.local: Temporary failure in name resolution',
          ],
        });
        cluster.befall(stories, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 15, code: 1 },
          log: [
            'kombu.exceptions.OperationalError: [Errno -3] Temporary failure in name resolution',
            "[2026-11-29 12:02:19,004: CRITICAL/MainProcess] Unrecoverable error: OperationalError('[Errno -3] Temporary failure in name resolution')",
          ],
        });
        cluster.befall(forecast, {
          readyAfterSeconds: 'never',
          log: [
            'level=ERROR msg="weather" err="Get \\"http://weather.grid.svc.cluster.local/v1/de\\": dial tcp: lookup weather.grid.svc.cluster.local on 10.96.0.10:53: read udp 10.244.3.8:39112->10.96.0.10:53: i/o timeout"',
          ],
        });
      });
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        mustNotBlame: ['Deployment/webshop/returns', 'Deployment/newsroom/story-worker', 'Deployment/grid/forecast'],
      });
    },
  ),

  'live-coverage-allows-no-pod-to-go-and-a-machine-waits-to-be-emptied': scenario(
    'A budget that allows no disruption keeps a drain from ending; the Deployment is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('newsroom/live-coverage', {
        replicas: 3,
        image: 'registry.newspaper.example/live-coverage:21.4',
      });
      cluster.service('newsroom/live-coverage');
      cluster.object(budget('newsroom/live-coverage', { maxUnavailable: 0 }));
      cluster.deployment('newsroom/comments', { replicas: 3, image: 'registry.newspaper.example/comments:5.0' });
      cluster.object(budget('newsroom/comments', { maxUnavailable: 1 }));
      cluster.service('newsroom/comments');
      cluster.at('20s', () => cluster.node('n2').drain());
      cluster.lasts('20m');
      cluster.expectIncident({
        root: 'PodDisruptionBudget/newsroom/live-coverage',
        reason: 'PDBBlocksDrain',
        beginsAfterSeconds: 20,
        mustNotBlame: ['PodDisruptionBudget/newsroom/comments', 'Deployment/newsroom/live-coverage', 'Node//n2'],
      });
    },
  ),
};
