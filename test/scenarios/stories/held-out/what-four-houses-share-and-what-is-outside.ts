/** Machines, autoscalers, doors, shared stores and houses outside, as application teams meet them. */

import { scenario } from '../../kit/scenario.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** What a database listens on instead of HTTP. */
const listens = (name: string, port: number) => ({
  probe: false,
  container: { ports: [{ name, containerPort: port }], readinessProbe: { tcpSocket: { port } } },
});

/** The port of a Service that leads to the same port of its Pods. */
const portOf = (name: string, port: number) => ({ ports: [{ name, port, targetPort: port, protocol: 'TCP' }] });

/** An autoscaler on the processor use of a Deployment. */
const scalerOf = (namespace: string, name: string) => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name, namespace },
  spec: {
    minReplicas: 2,
    maxReplicas: 8,
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name },
    metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 65 } } }],
  },
});

const ableToScale = {
  type: 'AbleToScale',
  status: 'True',
  reason: 'SucceededGetScale',
  message: "the HPA controller was able to get the target's current scale",
  lastTransitionTime: 'now',
};

const scalesWell = {
  currentReplicas: 2,
  desiredReplicas: 2,
  conditions: [
    ableToScale,
    {
      type: 'ScalingActive',
      status: 'True',
      reason: 'ValidMetricFound',
      message:
        'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
      lastTransitionTime: 'now',
    },
  ],
};

const scalesNot = (message: string) => ({
  currentReplicas: 2,
  desiredReplicas: 2,
  conditions: [
    ableToScale,
    { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric', message, lastTransitionTime: 'now' },
  ],
});

export const stories = {
  'run-of-the-invoices-hangs-and-all-that-follow-are-held-back': scenario(
    'One run of a CronJob that forbids a second never ends; every later one is skipped',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.energy.example/invoice-export:4.9';
      cluster.image(image, { exit: { afterSeconds: 6, code: 0 } });
      cluster.cronJob('billing/invoice-export', {
        schedule: '*/2 * * * *',
        image,
        spec: { concurrencyPolicy: 'Forbid', startingDeadlineSeconds: 60 },
      });
      cluster.deployment('billing/dunning', { replicas: 2, image: 'registry.energy.example/dunning:1.12' });
      cluster.service('billing/dunning');
      cluster.at('5m', () => cluster.image(image, { log: ['connecting to sftp.bank.example:22 ...'] }));
      cluster.lasts('50m');
      cluster.expectIncident({
        root: 'CronJob/billing/invoice-export',
        beginsAfterSeconds: 500,
        mustNotBlame: ['Deployment/billing/dunning'],
      });
    },
  ),

  'login-at-the-old-ledger-has-expired-for-two-of-its-callers': scenario(
    'The password of an account at an Oracle outside has expired; two services that read it from one Secret cannot start. The settings of one were edited before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const bills = 'registry.energy.example/bills:9.2.3';
      const dunning = 'registry.energy.example/reminders:3.0.1';
      cluster.secret('billing/ledger-login', { username: 'BILLS_APP', password: 'spring-2026' });
      const settings = cluster.configMap('billing/bills-settings', { PAGE_SIZE: '200' });
      const values = { LEDGER_URL: 'jdbc:oracle:thin:@//oracle.ledger.example:1521/LEDG' };
      const env = {
        LEDGER_USER: 'secret/ledger-login/username',
        LEDGER_PASSWORD: 'secret/ledger-login/password',
      };
      cluster.deployment('billing/bills', { replicas: 2, image: bills, values, env, envFrom: ['bills-settings'] });
      cluster.service('billing/bills');
      cluster.deployment('billing/reminders', { replicas: 2, image: dunning, values, env });
      cluster.service('billing/reminders');
      cluster.deployment('billing/archive', { replicas: 1, image: 'registry.energy.example/bill-archive:1.1' });
      const log = [
        '2026-11-29T00:00:41.870Z  INFO 1 --- [main] com.zaxxer.hikari.HikariDataSource : HikariPool-1 - Starting...',
        '2026-11-29T00:00:43.011Z ERROR 1 --- [main] com.zaxxer.hikari.pool.HikariPool : HikariPool-1 - Exception during pool initialization.',
        'java.sql.SQLException: ORA-28001: the password has expired',
        'https://docs.oracle.com/error-help/db/ora-28001/',
        '\tat oracle.jdbc.driver.T4CTTIoer11.processError(T4CTTIoer11.java:702)',
        '\tat oracle.jdbc.driver.T4CTTIoauthenticate.processError(T4CTTIoauthenticate.java:521)',
        'Caused by: Error : 28001, Position : 0, SQL = null, User = BILLS_APP, Url = jdbc:oracle:thin:@//oracle.ledger.example:1521/LEDG',
        '2026-11-29T00:00:43.120Z ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed',
      ];
      cluster.at('10s', () => settings.edit({ PAGE_SIZE: '100' }));
      cluster.at('60s', () =>
        cluster.befall(bills, { readyAfterSeconds: 'never', exit: { afterSeconds: 8, code: 1 }, log }),
      );
      cluster.at('64s', () =>
        cluster.befall(dunning, { readyAfterSeconds: 'never', exit: { afterSeconds: 8, code: 1 }, log }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Secret/billing/ledger-login',
        accepts: ['Endpoint//oracle.ledger.example:1521', 'ExternalEndpoint//oracle.ledger.example:1521'],
        mustNotBlame: ['ConfigMap/billing/bills-settings', 'Deployment/billing/archive'],
      });
    },
  ),

  'house-that-carries-parcels-does-not-answer-three-teams': scenario(
    'The interface of a parcel carrier outside times out for services of two namespaces; one of them had a release a minute before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const labels = 'registry.webshop.example/shipping-labels:2.5.0';
      const tracking = 'registry.webshop.example/tracking:4.4.0';
      const returns = 'registry.webshop.example/return-desk:1.0.9';
      const values = { CARRIER_URL: 'https://api.parcelhop.example/v3' };
      const release = cluster.deployment('webshop/shipping-labels', {
        replicas: 2,
        image: 'registry.webshop.example/shipping-labels:2.4.9',
        values,
      });
      cluster.service('webshop/shipping-labels');
      cluster.deployment('webshop/tracking', { replicas: 2, image: tracking, values });
      cluster.service('webshop/tracking');
      cluster.deployment('service-centre/return-desk', { replicas: 2, image: returns, values });
      cluster.service('service-centre/return-desk');
      cluster.at('10s', () => release.setImage(labels));
      cluster.at('90s', () => {
        cluster.befall(labels, {
          readyAfterSeconds: 'never',
          log: [
            '{"level":"error","msg":"carrier request failed","url":"https://api.parcelhop.example/v3/labels","err":"connect ETIMEDOUT 203.0.113.40:443","code":"ETIMEDOUT"}',
          ],
        });
        cluster.befall(tracking, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 31, code: 1 },
          log: [
            'time=2026-11-29T14:20:08.911Z level=FATAL msg="carrier handshake" err="Get \\"https://api.parcelhop.example/v3/ping\\": dial tcp 203.0.113.40:443: i/o timeout"',
          ],
        });
        cluster.befall(returns, {
          readyAfterSeconds: 'never',
          log: [
            '[2026-11-29 14:20:11] production.ERROR: cURL error 28: Failed to connect to api.parcelhop.example port 443 after 10001 ms: Timeout was reached (see https://curl.haxx.se/libcurl/c/libcurl-errors.html) for https://api.parcelhop.example/v3/returns',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Endpoint//api.parcelhop.example:443',
        accepts: [
          'ExternalEndpoint//api.parcelhop.example:443',
          'Endpoint//api.parcelhop.example',
          'ExternalEndpoint//api.parcelhop.example',
          'Host//api.parcelhop.example',
          'External//api.parcelhop.example',
        ],
        mustNotBlame: [
          'Deployment/webshop/shipping-labels',
          'Deployment/webshop/tracking',
          'Deployment/service-centre/return-desk',
        ],
      });
    },
  ),

  'tokens-of-the-campus-come-from-the-future-since-a-clock-runs-ahead': scenario(
    'The clock of the machine with the identity server runs ahead; services elsewhere refuse its tokens as not yet valid',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'n1', labels: { 'campus.example/role': 'apps' } },
        { name: 'n2', labels: { 'campus.example/role': 'identity' } },
        { name: 'n3', labels: { 'campus.example/role': 'apps' } },
      ]);
      const timetable = 'registry.campus.example/timetable:4.2.0';
      const canteen = 'registry.campus.example/canteen:2.0.1';
      const elsewhere = { 'campus.example/role': 'apps' };
      cluster.deployment('identity/keycloak', {
        image: 'quay.io/keycloak/keycloak:26.0.7',
        nodeSelector: { 'campus.example/role': 'identity' },
      });
      cluster.service('identity/keycloak');
      const values = { OIDC_ISSUER: 'http://keycloak.identity.svc/realms/campus' };
      cluster.deployment('campus/timetable', { replicas: 2, image: timetable, values, nodeSelector: elsewhere });
      cluster.service('campus/timetable');
      cluster.deployment('campus/canteen', { replicas: 2, image: canteen, values, nodeSelector: elsewhere });
      cluster.service('campus/canteen');
      cluster.at('15s', () =>
        cluster.node('n2').condition('NTPProblem', 'True', 'NTPIsDown', 'ntp service is down, clock offset is 412 s'),
      );
      cluster.at('60s', () => {
        cluster.befall(timetable, {
          readyAfterSeconds: 'never',
          log: [
            '2026-11-29T08:31:02.440Z  WARN 1 --- [nio-8080-exec-4] o.s.s.o.s.r.w.BearerTokenAuthenticationFilter : self check with a fresh token of http://keycloak.identity.svc/realms/campus failed',
            'org.springframework.security.oauth2.jwt.JwtValidationException: An error occurred while attempting to decode the Jwt: Jwt used before 2026-11-29T08:37:54Z',
          ],
        });
        cluster.befall(canteen, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 11, code: 1 },
          log: [
            'Traceback (most recent call last):',
            '  File "/app/canteen/auth.py", line 33, in verify',
            '    claims = jwt.decode(token, key, algorithms=["RS256"], audience="canteen")',
            'jwt.exceptions.ImmatureSignatureError: The token is not yet valid (iat)',
            'canteen: issuer http://keycloak.identity.svc/realms/campus issued iat=1764405474, local clock is 1764405062',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Node//n2',
        mustNotBlame: ['Deployment/campus/timetable', 'Deployment/campus/canteen', 'Service/identity/keycloak'],
      });
    },
  ),

  'machine-of-the-tariff-store-falls-silent-and-a-widget-names-no-image': scenario(
    'A machine loses its power with the only member of a store; its caller fails with it. Elsewhere a release names a tag that is not there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'n3', labels: { 'disk.energy.example/kind': 'local' } }]);
      const caller = 'registry.energy.example/contract-portal:5.0.0';
      cluster.statefulSet('contracts/contract-store', {
        image: 'docker.io/library/mongo:7.0.15',
        nodeSelector: { 'disk.energy.example/kind': 'local' },
        ...listens('mongodb', 27017),
      });
      cluster.service('contracts/contract-store', portOf('mongodb', 27017));
      cluster.deployment('contracts/contract-portal', {
        replicas: 2,
        image: caller,
        values: { MONGODB_URI: 'mongodb://contract-store.contracts.svc:27017/contracts' },
      });
      cluster.service('contracts/contract-portal');
      const widget = cluster.deployment('website/price-widget', {
        replicas: 2,
        image: 'registry.energy.example/price-widget:1.4.0',
      });
      cluster.service('website/price-widget');
      cluster.image('registry.energy.example/price-widget:1.5', { pullError: 'NotFound' });
      cluster.at('20s', () => cluster.node('n3').losePower());
      cluster.at('55s', () =>
        cluster.befall(caller, {
          readyAfterSeconds: 'never',
          log: [
            'MongoServerSelectionError: Server selection timed out after 30000 ms',
            '    at Topology.selectServer (/app/node_modules/mongodb/lib/sdam/topology.js:303:38) {',
            "  reason: TopologyDescription { type: 'Unknown', servers: Map(1) { 'contract-store.contracts.svc:27017' => [ServerDescription] } }",
          ],
        }),
      );
      cluster.at('3m', () => widget.setImage('registry.energy.example/price-widget:1.5'));
      cluster.lasts('9m');
      cluster.expectIncident({
        root: 'Node//n3',
        mustNotBlame: [
          'StatefulSet/contracts/contract-store',
          'Deployment/contracts/contract-portal',
          'Deployment/website/price-widget',
        ],
      });
      cluster.expectIncident({
        root: 'Deployment/website/price-widget',
        reason: 'ImageNotFound',
        mustNotBlame: ['Node//n3'],
      });
    },
  ),

  'server-of-metrics-gets-a-flag-it-does-not-know-and-autoscalers-are-blind': scenario(
    'metrics-server is edited with a flag of another program; two autoscalers cannot read processor use. They are well themselves',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.k8s.io/metrics-server/metrics-server:v0.7.2';
      const args = [
        '--cert-dir=/tmp',
        '--secure-port=10250',
        '--kubelet-use-node-status-port',
        '--metric-resolution=15s',
      ];
      const server = cluster.deployment('kube-system/metrics-server', {
        image,
        labels: { 'k8s-app': 'metrics-server' },
        container: { args },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('kube-system/metrics-server', {
        selector: { 'k8s-app': 'metrics-server' },
        ports: [{ name: 'https', port: 443, targetPort: 10250, protocol: 'TCP' }],
      });
      const served = cluster.object({
        apiVersion: 'apiregistration.k8s.io/v1',
        kind: 'APIService',
        metadata: { name: 'v1beta1.metrics.k8s.io' },
        spec: {
          group: 'metrics.k8s.io',
          version: 'v1beta1',
          groupPriorityMinimum: 100,
          versionPriority: 100,
          insecureSkipTLSVerify: true,
          service: { name: 'metrics-server', namespace: 'kube-system', port: 443 },
        },
      });
      served.status({
        conditions: [
          {
            type: 'Available',
            status: 'True',
            reason: 'Passed',
            message: 'all checks passed',
            lastTransitionTime: 'now',
          },
        ],
      });
      const scalers = (['front', 'search'] as const).map((name) => {
        cluster.deployment(`webshop/${name}`, {
          replicas: 2,
          image: `registry.webshop.example/${name}:3.1`,
          cpu: '100m',
        });
        cluster.service(`webshop/${name}`);
        const scaler = cluster.object(scalerOf('webshop', name));
        scaler.status(scalesWell);
        return { name, scaler };
      });
      cluster.at('20s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 1, code: 1 },
          log: ['Error: unknown flag: --scrape-interval', 'Usage:', '   [flags]'],
        });
        server.change({ container: { args: [...args, '--scrape-interval=10s'] } });
      });
      cluster.at('35s', () =>
        served.status({
          conditions: [
            {
              type: 'Available',
              status: 'False',
              reason: 'MissingEndpoints',
              message: 'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
              lastTransitionTime: 'now',
            },
          ],
        }),
      );
      cluster.at('50s', () => {
        const message =
          'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
        for (const { name, scaler } of scalers) {
          scaler.status(scalesNot(message));
          cluster.event({
            about: `HorizontalPodAutoscaler/webshop/${name}`,
            reason: 'FailedGetResourceMetric',
            message: message.replace('the HPA was unable to compute the replica count: ', ''),
            by: 'horizontal-pod-autoscaler',
            count: 2,
          });
        }
      });
      cluster.lasts('7m');
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        mustNotBlame: [
          'HorizontalPodAutoscaler/webshop/front',
          'HorizontalPodAutoscaler/webshop/search',
          'Deployment/webshop/front',
          'Deployment/webshop/search',
        ],
      });
    },
  ),

  'portal-loses-what-it-asks-of-a-processor-and-its-autoscaler-counts-nothing': scenario(
    'An edit takes the requests out of a Deployment whose autoscaler measures by them',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.energy.example/outage-map:2.2';
      const map = cluster.deployment('grid/outage-map', { replicas: 2, image, cpu: '250m' });
      cluster.service('grid/outage-map');
      const scaler = cluster.object(scalerOf('grid', 'outage-map'));
      scaler.status(scalesWell);
      const readinessProbe = { httpGet: { path: '/ready', port: 8080 } };
      cluster.at('30s', () =>
        map.patch({ spec: { template: { spec: { containers: [{ name: 'outage-map', image, readinessProbe }] } } } }),
      );
      for (const [when, count] of [
        ['75s', 1],
        ['105s', 3],
        ['4m', 12],
      ] as const)
        cluster.at(when, () => {
          const why =
            'failed to get cpu utilization: missing request for cpu in container outage-map of Pod outage-map-6d8f9c7b5-x2x4q';
          scaler.status(scalesNot(`the HPA was unable to compute the replica count: ${why}`));
          for (const [reason, message] of [
            ['FailedGetResourceMetric', why],
            [
              'FailedComputeMetricsReplicas',
              `invalid metrics (1 invalid out of 1), first error is: failed to get cpu resource metric value: ${why}`,
            ],
          ] as const)
            cluster.event({
              about: 'HorizontalPodAutoscaler/grid/outage-map',
              reason,
              message,
              by: 'horizontal-pod-autoscaler',
              count,
            });
        });
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Deployment/grid/outage-map',
        accepts: ['HorizontalPodAutoscaler/grid/outage-map'],
        beginsAfterSeconds: 75,
      });
    },
  ),

  'door-of-the-outlet-leads-to-a-service-that-nobody-made': scenario(
    'An Ingress is edited to a Service of a name that does not exist; the shop behind had a good release just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const outlet = cluster.deployment('webshop/outlet', {
        replicas: 2,
        image: 'registry.webshop.example/outlet:6.0',
      });
      cluster.service('webshop/outlet');
      const door = cluster.object(ingress('webshop/outlet'));
      cluster.deployment('webshop/gift-cards', { replicas: 2, image: 'registry.webshop.example/gift-cards:2.2' });
      cluster.service('webshop/gift-cards');
      cluster.object(ingress('webshop/gift-cards'));
      cluster.at('10s', () => outlet.setImage('registry.webshop.example/outlet:6.1'));
      cluster.at('60s', () =>
        door.patch({
          spec: {
            rules: [
              {
                host: 'outlet.example',
                http: {
                  paths: [
                    {
                      path: '/',
                      pathType: 'Prefix',
                      backend: { service: { name: 'outlet-web', port: { number: 80 } } },
                    },
                  ],
                },
              },
            ],
          },
        }),
      );
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Ingress/webshop/outlet',
        accepts: ['Service/webshop/outlet-web'],
        beginsAfterSeconds: 60,
        mustNotBlame: ['Deployment/webshop/outlet', 'Service/webshop/outlet', 'Ingress/webshop/gift-cards'],
      });
    },
  ),

  'certificate-that-the-front-page-shows-is-deleted-in-a-clean-up': scenario(
    'The Secret that an Ingress names for its TLS is deleted; readers see the certificate of the proxy instead',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(ingressClass);
      const secret = cluster.object({
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'kubernetes.io/tls',
        metadata: { name: 'daily-tls', namespace: 'newsroom' },
        stringData: { 'tls.crt': '-', 'tls.key': '-' },
      });
      cluster.secret('newsroom/daily-cms', { token: 'abc' });
      cluster.deployment('newsroom/daily', { replicas: 3, image: 'registry.newspaper.example/daily:2026.48' });
      cluster.service('newsroom/daily');
      const plain = ingress('newsroom/daily');
      cluster.object({
        ...plain,
        spec: { ...(plain.spec as object), tls: [{ hosts: ['daily.example'], secretName: 'daily-tls' }] },
      });
      cluster.at('40s', () => secret.delete());
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Secret/newsroom/daily-tls',
        accepts: ['Ingress/newsroom/daily'],
        beginsAfterSeconds: 40,
        mustNotBlame: ['Deployment/newsroom/daily', 'Service/newsroom/daily'],
      });
    },
  ),

  'registry-of-devices-loses-its-majority-when-somebody-scales-it-to-one': scenario(
    'A Consul of three is scaled to one and elects nobody any more; its caller, whose settings were edited just before, fails with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'docker.io/hashicorp/consul:1.20.1';
      const caller = 'registry.energy.example/device-gateway:12.0';
      const consul = cluster.statefulSet('grid/consul', { replicas: 3, image, ...listens('http', 8500) });
      cluster.service('grid/consul', portOf('http', 8500));
      const settings = cluster.configMap('grid/gateway-settings', { POLL_SECONDS: '30' });
      cluster.deployment('grid/device-gateway', {
        replicas: 3,
        image: caller,
        envFrom: ['gateway-settings'],
        values: { CONSUL_HTTP_ADDR: 'http://consul.grid.svc:8500' },
      });
      cluster.service('grid/device-gateway');
      cluster.at('10s', () => settings.edit({ POLL_SECONDS: '20' }));
      cluster.at('60s', () => consul.scale(1));
      cluster.at('75s', () => {
        cluster.befall(image, {
          readyAfterSeconds: 'never',
          readinessSays: 'dial tcp 10.244.1.4:8500: i/o timeout',
          log: [
            '2026-11-29T03:10:17.201Z [WARN]  agent.server.raft: heartbeat timeout reached, starting election: last-leader-addr=10.244.2.6:8300 last-leader-id=3f1c',
            '2026-11-29T03:10:17.201Z [INFO]  agent.server.raft: entering candidate state: node="Node at 10.244.1.4:8300 [Candidate]" term=9',
            '2026-11-29T03:10:22.714Z [ERROR] agent.server.raft: failed to make requestVote RPC: target="{Voter 3f1c 10.244.2.6:8300}" error="dial tcp <nil>->10.244.2.6:8300: i/o timeout" term=9',
            '2026-11-29T03:10:22.714Z [ERROR] agent.server.raft: failed to make requestVote RPC: target="{Voter a902 10.244.3.5:8300}" error="dial tcp <nil>->10.244.3.5:8300: i/o timeout" term=9',
            '2026-11-29T03:10:28.011Z [ERROR] agent: Coordinate update error: error="No cluster leader"',
          ],
        });
        cluster.befall(caller, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 7, code: 1 },
          log: [
            '2026/11/29 03:10:31 device-gateway 12.0, consul at http://consul.grid.svc:8500',
            '2026/11/29 03:10:38 fatal: read devices: Unexpected response code: 500 (No cluster leader)',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/grid/consul',
        mustNotBlame: ['ConfigMap/grid/gateway-settings', 'Deployment/grid/device-gateway'],
      });
    },
  ),

  'shared-queue-store-takes-no-more-writes-from-two-newsrooms': scenario(
    'A shared Redis without eviction has reached its most memory; the workers of two teams fail, one of them after a release',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const mails = 'registry.newspaper.example/mail-workers:8.8.1';
      const push = 'registry.newspaper.example/push-workers:3.5.0';
      cluster.statefulSet('shared/queue-redis', {
        image: 'docker.io/library/redis:7.2.5',
        command: ['redis-server', '--maxmemory', '256mb', '--maxmemory-policy', 'noeviction'],
        memory: '512Mi',
        ...listens('redis', 6379),
      });
      cluster.service('shared/queue-redis', portOf('redis', 6379));
      const values = { REDIS_URL: 'redis://queue-redis.shared.svc:6379/2' };
      const release = cluster.deployment('newsroom/mail-workers', {
        replicas: 2,
        image: 'registry.newspaper.example/mail-workers:8.8.0',
        probe: false,
        values,
      });
      cluster.deployment('apps/push-workers', { replicas: 2, image: push, values });
      cluster.service('apps/push-workers');
      cluster.at('10s', () => release.setImage(mails));
      cluster.at('90s', () => {
        cluster.befall(mails, {
          exit: { afterSeconds: 6, code: 1 },
          log: [
            '2026-11-29T16:40:02.113Z pid=1 tid=1rk INFO: Running in ruby 3.3.6 (2024-11-05 revision 75015d4c1f) [x86_64-linux]',
            '2026-11-29T16:40:02.113Z pid=1 tid=1rk INFO: Booting Sidekiq 7.3.6 with Sidekiq::Config::RedisOptions redis://queue-redis.shared.svc:6379/2',
            "2026-11-29T16:40:08.140Z pid=1 tid=1sc ERROR: heartbeat: OOM command not allowed when used memory > 'maxmemory'. (redis://queue-redis.shared.svc:6379/2)",
            "OOM command not allowed when used memory > 'maxmemory'. (redis://queue-redis.shared.svc:6379/2) (RedisClient::OutOfMemoryError)",
          ],
        });
        cluster.befall(push, {
          readyAfterSeconds: 'never',
          log: [
            "ReplyError: OOM command not allowed when used memory > 'maxmemory'. script: 8f2c0a, on @user_script:204.",
            '    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)',
            "    at parseType (/app/node_modules/redis-parser/lib/parser.js:302:14) { command: { name: 'evalsha' } } host: queue-redis.shared.svc:6379",
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'StatefulSet/shared/queue-redis',
        accepts: ['Service/shared/queue-redis'],
        mustNotBlame: ['Deployment/newsroom/mail-workers', 'Deployment/apps/push-workers'],
      });
    },
  ),

  'address-of-the-writing-database-leads-to-the-reading-one': scenario(
    'The selector of the Service for writes is edited to the replica; Rails and PHP callers are told that it is read-only. Both databases are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const subs = 'registry.newspaper.example/subscriptions:5.19';
      const shop = 'registry.newspaper.example/reader-shop:3.3';
      const mysql = 'docker.io/library/mysql:8.0.40';
      cluster.statefulSet('data/mysql-primary', { image: mysql, ...listens('mysql', 3306) });
      cluster.statefulSet('data/mysql-replica', {
        replicas: 2,
        image: mysql,
        command: ['mysqld', '--read-only=ON'],
        ...listens('mysql', 3306),
      });
      const writes = cluster.service('data/mysql-primary', portOf('mysql', 3306));
      cluster.service('data/mysql-replica', portOf('mysql', 3306));
      const values = { DB_HOST: 'mysql-primary.data.svc' };
      cluster.deployment('newsroom/subscriptions', { replicas: 2, image: subs, values });
      cluster.service('newsroom/subscriptions');
      cluster.deployment('newsroom/reader-shop', { replicas: 2, image: shop, values });
      cluster.service('newsroom/reader-shop');
      cluster.at('30s', () => writes.patch({ spec: { selector: { app: 'mysql-replica' } } }));
      cluster.at('50s', () => {
        cluster.befall(subs, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 9, code: 1 },
          log: [
            'ActiveRecord::StatementInvalid: Mysql2::Error: The MySQL server is running with the --read-only option so it cannot execute this statement (mysql-primary.data.svc:3306)',
            "app/models/heartbeat.rb:12:in `touch!'",
            "config/puma.rb:31:in `block in _load_from'",
          ],
        });
        cluster.befall(shop, {
          readyAfterSeconds: 'never',
          log: [
            'NOTICE: fpm is running, pid 1',
            '[2026-11-29 18:12:30] production.ERROR: SQLSTATE[HY000]: General error: 1290 The MySQL server is running with the --read-only option so it cannot execute this statement (Connection: mysql, Host: mysql-primary.data.svc, SQL: insert into `sessions` ...)',
          ],
        });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Service/data/mysql-primary',
        mustNotBlame: [
          'StatefulSet/data/mysql-primary',
          'StatefulSet/data/mysql-replica',
          'Deployment/newsroom/subscriptions',
          'Deployment/newsroom/reader-shop',
        ],
      });
    },
  ),

  'nightly-copy-of-the-library-shows-a-token-that-has-expired': scenario(
    'The token in the Secret of a backup has expired; every run is refused by the store outside',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.campus.example/library-backup:2.1';
      cluster.image(image, {
        exit: { afterSeconds: 9, code: 0 },
        log: ['upload: ../tmp/library.dump to s3://campus-copies/library.dump'],
      });
      cluster.secret('library/backup-s3', {
        access_key: 'ASIAEXAMPLE',
        secret_key: 'x',
        session_token: 'FwoGZXIvYXdz',
      });
      const from = (name: string, key: string) => ({ name, valueFrom: { secretKeyRef: { name: 'backup-s3', key } } });
      const copy = cluster.cronJob('library/library-backup', {
        schedule: '*/2 * * * *',
        image,
        job: {
          backoffLimit: 0,
          template: {
            metadata: { labels: { app: 'library-backup' } },
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  name: 'library-backup',
                  image,
                  env: [
                    from('AWS_ACCESS_KEY_ID', 'access_key'),
                    from('AWS_SECRET_ACCESS_KEY', 'secret_key'),
                    from('AWS_SESSION_TOKEN', 'session_token'),
                    { name: 'PGHOST', value: 'library-db.library.svc' },
                  ],
                },
              ],
            },
          },
        },
      });
      cluster.statefulSet('library/library-db', {
        image: 'docker.io/library/postgres:16.6',
        ...listens('postgres', 5432),
      });
      cluster.service('library/library-db', portOf('postgres', 5432));
      cluster.at('3m', () =>
        cluster.image(image, {
          exit: { afterSeconds: 9, code: 1 },
          log: [
            'pg_dump: last built-in OID is 16383',
            'upload failed: ../tmp/library.dump to s3://campus-copies/library.dump An error occurred (ExpiredToken) when calling the PutObject operation: The provided token has expired.',
          ],
        }),
      );
      cluster.at('12m', () => copy.patch({ spec: { suspend: true } }));
      cluster.lasts('13m');
      cluster.expectIncident({
        root: 'Secret/library/backup-s3',
        accepts: ['CronJob/library/library-backup'],
        mustNotBlame: ['StatefulSet/library/library-db', 'Service/library/library-db'],
      });
    },
  ),

  'agents-of-all-machines-ask-for-more-memory-than-is-left-beside-their-neighbours': scenario(
    'The size of a DaemonSet is edited far up; beside large neighbours its new Pods find no room',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const agent = cluster.daemonSet('observability/node-agent', {
        image: 'registry.energy.example/node-agent:7.60',
        memory: '256Mi',
      });
      cluster.deployment('grid/load-flow', {
        replicas: 3,
        image: 'registry.energy.example/load-flow:1.18',
        memory: '5Gi',
      });
      cluster.service('grid/load-flow');
      cluster.at('30s', () => agent.change({ memory: '4Gi' }));
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'DaemonSet/observability/node-agent',
        mustNotBlame: ['Deployment/grid/load-flow', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'topic-of-the-readings-is-asked-to-have-fewer-parts': scenario(
    'A KafkaTopic is edited to fewer partitions, which its operator refuses; another topic and its users are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      cluster.object({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'kafkatopics.kafka.strimzi.io' },
        spec: {
          group: 'kafka.strimzi.io',
          scope: 'Namespaced',
          names: {
            kind: 'KafkaTopic',
            plural: 'kafkatopics',
            singular: 'kafkatopic',
            listKind: 'KafkaTopicList',
            shortNames: ['kt'],
          },
          versions: [
            {
              name: 'v1beta2',
              served: true,
              storage: true,
              subresources: { status: {} },
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      });
      const topic = (name: string, partitions: number) =>
        cluster.object({
          apiVersion: 'kafka.strimzi.io/v1beta2',
          kind: 'KafkaTopic',
          metadata: { name, namespace: 'streams', labels: { 'strimzi.io/cluster': 'meters' } },
          spec: { partitions, replicas: 3, config: { 'retention.ms': 604800000 } },
        });
      const ready = (name: string) => ({
        observedGeneration: 1,
        topicName: name,
        conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: 'now' }],
      });
      const readings = topic('meter-readings', 24);
      readings.status(ready('meter-readings'));
      topic('outages', 6).status(ready('outages'));
      cluster.deployment('streams/meters-entity-operator', { image: 'quay.io/strimzi/operator:0.44.0' });
      cluster.deployment('streams/reading-consumer', {
        replicas: 3,
        image: 'registry.energy.example/reading-consumer:9.1',
      });
      cluster.at('30s', () => readings.patch({ spec: { partitions: 12 } }));
      cluster.at('34s', () =>
        readings.status({
          observedGeneration: 2,
          topicName: 'meter-readings',
          conditions: [
            {
              type: 'Ready',
              status: 'False',
              reason: 'NotSupported',
              message: 'Decreasing partitions not supported',
              lastTransitionTime: 'now',
            },
          ],
        }),
      );
      cluster.lasts('20m');
      cluster.expectIncident({
        root: 'KafkaTopic.kafka.strimzi.io/streams/meter-readings',
        beginsAfterSeconds: 34,
        mustNotBlame: [
          'KafkaTopic/streams/outages',
          'Deployment/streams/meters-entity-operator',
          'Deployment/streams/reading-consumer',
        ],
      });
    },
  ),
};
