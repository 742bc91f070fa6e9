import { type ClusterBuilder, scenario } from '../../kit/scenario.ts';

/** Logs are read at these times, too. */
const look = (cluster: ClusterBuilder, ...times: readonly string[]): void => {
  for (const time of times) cluster.at(time, () => undefined);
};

const crashes = (code: number, ...log: readonly string[]) => ({ exit: { afterSeconds: 3, code }, log });

/** What mounts a ConfigMap at a path. */
const mountsConfig = (name: string, mountPath: string) => ({
  pod: { volumes: [{ name: 'config', configMap: { name } }] },
  container: { volumeMounts: [{ name: 'config', mountPath }] },
});

export const stories = {
  'transform-of-the-log-agents-does-not-compile-and-a-builder-image-is-gone': scenario(
    'The settings of the log agents hold a transform that does not compile; of its own a builder asks for a tag that was cleaned up',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const config = cluster.configMap('logging/vector-agent', {
        'vector.yaml': 'transforms:\n  parse:\n    type: remap\n    source: .ok = true\n',
      });
      const agents = cluster.daemonSet('logging/vector-agent', {
        ...{ image: 'registry.example/vector:0.46', ...mountsConfig('vector-agent', '/etc/vector') },
      });
      const builder = cluster.deployment('ci/builder', { replicas: 2, image: 'registry.example/ci/builder:jdk21' });
      cluster.image('registry.example/ci/builder:jdk21-2025w40', { pullError: 'NotFound' });
      cluster.at('10s', () => {
        config.edit({
          'vector.yaml': 'transforms:\n  parse:\n    type: remap\n    source: . = parse_json(.message)\n',
        });
        cluster.image(
          'registry.example/vector:0.46',
          crashes(
            78,
            '2026-11-29T07:10:14.220114Z  INFO vector::app: Loading configs. paths=["/etc/vector"]',
            '2026-11-29T07:10:14.301220Z ERROR vector::cli: Configuration error. error=Transform "parse":',
            'error[E103]: unhandled fallible assignment',
            '  ┌─ :1:5',
            '1 │ . = parse_json(.message)',
            "  │ --- ^^^^^^^^^^^^^^^^^^^^ this expression is fallible because at least one argument's type cannot be verified to be valid",
          ),
        );
        agents.restart();
      });
      cluster.at('50s', () => builder.setImage('registry.example/ci/builder:jdk21-2025w40'));
      look(cluster, '45s', '90s');
      cluster.expectIncident({ root: 'ConfigMap/logging/vector-agent', mustNotBlame: ['Deployment/ci/builder'] });
      cluster.expectIncident({ root: 'Deployment/ci/builder', mustNotBlame: ['ConfigMap/logging/vector-agent'] });
    },
  ),

  'store-of-logs-refuses-its-settings-since-its-third-generation': scenario(
    'A log store is upgraded a generation and no longer takes its old settings; a sender that was edited before is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.configMap('logging/loki', { 'config.yaml': 'compactor:\n  retention_enabled: true\n' });
      const store = cluster.statefulSet('logging/loki', {
        image: 'registry.example/loki:2.9.10',
        ...mountsConfig('loki', '/etc/loki'),
      });
      cluster.service('logging/loki', { ports: [{ name: 'http', port: 3100, targetPort: 3100 }] });
      const senders = cluster.configMap('logging/promtail', {
        'promtail.yaml': 'clients:\n  - url: http://loki.logging.svc:3100/loki/api/v1/push\n',
      });
      cluster.daemonSet('logging/promtail', {
        image: 'registry.example/promtail:2.9.10',
        ...mountsConfig('promtail', '/etc/promtail'),
      });
      cluster.image(
        'registry.example/loki:3.4.2',
        crashes(
          1,
          'level=error ts=2026-11-29T15:02:11.881Z caller=main.go:73 msg="validating config" err="CONFIG ERROR: invalid compactor config: compactor.delete-request-store should be configured when retention is enabled"',
          'CONFIG ERROR: schema v13 is required to store Structured Metadata and use native OTLP ingestion, your schema version is v11. Set `allow_structured_metadata: false` in the `limits_config` section or set the command line argument `-validation.allow-structured-metadata=false` and restart Loki.',
        ),
      );
      cluster.at('5s', () =>
        senders.edit({
          'promtail.yaml': 'clients:\n  - url: http://loki.logging.svc:3100/loki/api/v1/push\n    batchwait: 2s\n',
        }),
      );
      cluster.at('15s', () => store.setImage('registry.example/loki:3.4.2'));
      look(cluster, '50s', '90s');
      cluster.expectIncident({
        root: 'StatefulSet/logging/loki',
        accepts: ['ConfigMap/logging/loki'],
        mustNotBlame: ['ConfigMap/logging/promtail', 'DaemonSet/logging/promtail'],
      });
    },
  ),

  'inner-container-daemon-finds-no-tables-since-its-upgrade': scenario(
    'The container daemon of the runners is upgraded to a release that cannot set up its network on these machines',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const daemon = cluster.deployment('ci/dind', {
        ...{ image: 'registry.example/docker:24-dind', spec: { strategy: { type: 'Recreate' } } },
        container: { securityContext: { privileged: true } },
      });
      cluster.service('ci/dind', { ports: [{ name: 'docker', port: 2376, targetPort: 2376 }] });
      cluster.deployment('ci/runner', {
        replicas: 2,
        image: 'registry.example/runner:2.325',
        values: { DOCKER_HOST: 'tcp://dind.ci.svc:2376' },
      });
      cluster.image(
        'registry.example/docker:28-dind',
        crashes(
          1,
          'time="2026-11-29T09:50:02.101211904Z" level=info msg="Starting up"',
          'time="2026-11-29T09:50:03.440218110Z" level=info msg="stopping event stream following graceful shutdown" error="<nil>" module=libcontainerd namespace=moby',
          'failed to start daemon: Error initializing network controller: error obtaining controller instance: failed to register "bridge" driver: failed to create NAT chain DOCKER: iptables failed: iptables -t nat -N DOCKER: iptables v1.8.11 (nf_tables): Could not fetch rule set generation id: Invalid argument',
          ' (exit status 4)',
        ),
      );
      cluster.at('10s', () => daemon.setImage('registry.example/docker:28-dind'));
      cluster.at('20s', () =>
        cluster.befall('registry.example/runner:2.325', {
          readyAfterSeconds: 'never',
          log: [
            'Cannot connect to the Docker daemon at tcp://dind.ci.svc:2376. Is the docker daemon running?',
            'error during connect: Get "http://dind.ci.svc:2376/_ping": dial tcp 10.96.81.3:2376: connect: connection refused',
          ],
        }),
      );
      look(cluster, '55s', '90s');
      cluster.expectIncident({ root: 'Deployment/ci/dind', mustNotBlame: ['Deployment/ci/runner'] });
    },
  ),

  'share-of-a-tenant-is-cut-below-what-a-release-needs': scenario(
    'The quota of a tenant is lowered and its next release gets no Pods; a machine under repair is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const share = cluster.quota('tenant-blau/compute', { 'requests.memory': '4Gi', pods: '20' });
      const app = cluster.deployment('tenant-blau/planner', {
        replicas: 3,
        image: 'registry.example/planner:1',
        memory: '512Mi',
      });
      cluster.deployment('tenant-blau/exporter', { image: 'registry.example/exporter:1', memory: '256Mi' });
      cluster.deployment('tenant-rot/planner', { replicas: 2, image: 'registry.example/planner:1', memory: '512Mi' });
      cluster.at('5s', () => cluster.node('n1').cordon());
      cluster.at('10s', () => share.edit({ 'requests.memory': '1792Mi', pods: '20' }));
      cluster.at('30s', () => app.setImage('registry.example/planner:2'));
      cluster.at('170s', () => cluster.node('n1').uncordon());
      cluster.lasts('300s');
      cluster.expectIncident({
        root: 'ResourceQuota/tenant-blau/compute',
        mustNotBlame: ['Node//n1', 'Deployment/tenant-rot/planner'],
      });
    },
  ),

  'publisher-of-names-gets-an-unknown-flag-and-dumps-go-to-a-lost-bucket': scenario(
    'The publisher of names is given a flag that it does not know; of its own the dumps of a database are sent to a bucket that is not there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const publisher = cluster.deployment('dns/external-dns', {
        ...{ image: 'registry.example/external-dns:v0.16', probe: false, spec: { strategy: { type: 'Recreate' } } },
        container: { args: ['--source=ingress', '--provider=aws'] },
      });
      const env = cluster.configMap('data/dump-env', { BUCKET: 's3://kontor-dumps' });
      const dump = cluster.cronJob('data/pg-dump', {
        ...{ schedule: '* * * * *', image: 'registry.example/pg-dump:16' },
        job: {
          template: {
            metadata: { labels: { app: 'pg-dump' } },
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  name: 'pg-dump',
                  image: 'registry.example/pg-dump:16',
                  envFrom: [{ configMapRef: { name: 'dump-env' } }],
                },
              ],
            },
          },
        },
      });
      cluster.image('registry.example/pg-dump:16', {
        exit: { afterSeconds: 5, code: 0 },
        log: ['upload: - to s3://kontor-dumps/orders.dump'],
      });
      cluster.at('10s', () => {
        cluster.image(
          'registry.example/external-dns:v0.16',
          crashes(
            1,
            'time="2026-11-29T11:30:12Z" level=fatal msg="flag parsing error: unknown long flag \'--txt-new-format-only\'"',
          ),
        );
        publisher.change({ container: { args: ['--source=ingress', '--provider=aws', '--txt-new-format-only'] } });
      });
      cluster.at('75s', () => {
        env.edit({ BUCKET: 's3://kontor-dumps-fra' });
        cluster.image('registry.example/pg-dump:16', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'pg_dump: dumping contents of table "public.orders"',
            'upload failed: - to s3://kontor-dumps-fra/orders.dump An error occurred (NoSuchBucket) when calling the CreateMultipartUpload operation: The specified bucket does not exist',
          ],
        });
      });
      look(cluster, '40s', '140s', '200s', '260s');
      cluster.at('310s', () => dump.patch({ spec: { suspend: true } }));
      cluster.lasts('330s');
      cluster.expectIncident({ root: 'Deployment/dns/external-dns', mustNotBlame: ['ConfigMap/data/dump-env'] });
      cluster.expectIncident({
        root: 'ConfigMap/data/dump-env',
        accepts: ['CronJob/data/pg-dump'],
        mustNotBlame: ['Deployment/dns/external-dns'],
      });
    },
  ),

  'settings-that-two-share-are-pruned-before-a-drain': scenario(
    'Settings that two services read are pruned; a drain, which is innocent, makes it seen',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const region = cluster.configMap('geo/region-settings', { REGION: 'eu', CURRENCY: 'EUR' });
      cluster.deployment('geo/zones', { replicas: 3, image: 'registry.example/zones:2', envFrom: ['region-settings'] });
      cluster.deployment('geo/holidays', {
        replicas: 3,
        image: 'registry.example/holidays:2',
        envFrom: ['region-settings'],
      });
      cluster.deployment('geo/clocks', { replicas: 3, image: 'registry.example/clocks:2' });
      cluster.at('10s', () => region.delete());
      cluster.at('50s', () => cluster.node('n1').drain());
      cluster.at('90s', () => cluster.node('n1').uncordon());
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'ConfigMap/geo/region-settings',
        mustNotBlame: ['Node//n1', 'Deployment/geo/zones', 'Deployment/geo/holidays'],
      });
    },
  ),

  'server-of-outside-metrics-finds-no-certificate-in-its-secret': scenario(
    'The Secret of the server of outside metrics loses the file it reads; its API is gone and an autoscaler is blind',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const certs = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'kedaorg-certs', namespace: 'keda' } },
        stringData: { 'tls.crt': 'x', 'tls.key': 'y', 'ca.crt': 'z' },
      });
      const server = cluster.deployment('keda/keda-operator-metrics-apiserver', {
        ...{ image: 'registry.example/keda-metrics-apiserver:2.17', spec: { strategy: { type: 'Recreate' } } },
        pod: { volumes: [{ name: 'certificates', secret: { secretName: 'kedaorg-certs' } }] },
        container: { volumeMounts: [{ name: 'certificates', mountPath: '/certs' }] },
      });
      cluster.service('keda/keda-operator-metrics-apiserver', {
        ports: [{ name: 'https', port: 443, targetPort: 6443 }],
      });
      const api = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.external.metrics.k8s.io' },
        },
        spec: {
          ...{ group: 'external.metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'keda', name: 'keda-operator-metrics-apiserver', port: 443 },
        },
      });
      const available = (status: string, reason: string, message: string) => ({
        conditions: [{ type: 'Available', status, reason, message, lastTransitionTime: 'now' }],
      });
      api.status(available('True', 'Passed', 'all checks passed'));
      cluster.deployment('mail/sender', { replicas: 2, image: 'registry.example/sender:2' });
      const scaler = cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { name: 'keda-hpa-sender', namespace: 'mail' },
        },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'sender' },
          minReplicas: 2,
          maxReplicas: 9,
        },
      });
      cluster.at('10s', () => {
        certs.patch({ data: { 'tls.crt': null }, stringData: { 'server.crt': 'x' } });
        cluster.image(
          'registry.example/keda-metrics-apiserver:2.17',
          crashes(
            1,
            'I1129 06:30:11.004121       1 main.go:131] keda_metrics_adapter "msg"="KEDA Version: 2.17.1"',
            'E1129 06:30:12.229411       1 dynamic_serving_content.go:113] "Loading only the certificate failed" err="open /certs/tls.crt: no such file or directory"',
            'F1129 06:30:12.230011       1 main.go:262] keda_metrics_adapter "msg"="unable to run external metrics adapter" "error"="open /certs/tls.crt: no such file or directory"',
          ),
        );
        server.restart();
      });
      cluster.at('30s', () => {
        api.status(
          available(
            'False',
            'MissingEndpoints',
            'endpoints for service/keda-operator-metrics-apiserver in "keda" have no addresses with port name "https"',
          ),
        );
        scaler.status({
          ...{ currentReplicas: 2, desiredReplicas: 2 },
          conditions: [
            {
              type: 'AbleToScale',
              status: 'True',
              reason: 'SucceededGetScale',
              message: "the HPA controller was able to get the target's current scale",
              lastTransitionTime: 'now',
            },
            {
              ...{
                type: 'ScalingActive',
                status: 'False',
                reason: 'FailedGetExternalMetric',
                lastTransitionTime: 'now',
              },
              message:
                'the HPA was unable to compute the replica count: unable to get external metric mail/s0-rabbitmq-outbox/nil: unable to fetch metrics from external metrics API: the server is currently unable to handle the request (get s0-rabbitmq-outbox.external.metrics.k8s.io)',
            },
          ],
        });
      });
      look(cluster, '60s', '100s');
      cluster.expectIncident({
        root: 'Secret/keda/kedaorg-certs',
        mustNotBlame: ['HorizontalPodAutoscaler/mail/keda-hpa-sender', 'Deployment/mail/sender'],
      });
    },
  ),

  'machine-at-the-rim-dies-and-a-counter-knows-no-such-queue': scenario(
    'A machine is lost with what ran on it; of its own a worker is released with the misspelt name of its queue',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes(['n1', 'n2', { name: 'rim-1', labels: { place: 'rim' } }]);
      cluster.deployment('rim/collector', {
        image: 'registry.example/rim-collector:3',
        nodeSelector: { place: 'rim' },
      });
      cluster.statefulSet('rim/buffer', { image: 'registry.example/rim-buffer:3', nodeSelector: { place: 'rim' } });
      const values = (queue: string) => ({ SQS_QUEUE: queue, AWS_REGION: 'eu-central-1' });
      const inland = { nodeSelector: { 'kubernetes.io/hostname': 'n1' } };
      const counter = cluster.deployment('stats/counter', {
        ...inland,
        image: 'registry.example/counter:8',
        values: values('page-hits'),
      });
      cluster.at('10s', () => cluster.node('rim-1').losePower());
      cluster.at('80s', () => {
        cluster.image('registry.example/counter:8', (pod) =>
          JSON.stringify(pod.spec).includes('pagehits')
            ? crashes(
                1,
                'botocore.errorfactory.QueueDoesNotExist: An error occurred (AWS.SimpleQueueService.NonExistentQueue) when calling the GetQueueUrl operation: The specified queue does not exist.',
                'counter: cannot resolve queue "pagehits", exiting',
              )
            : {},
        );
        counter.change({ values: values('pagehits') });
      });
      look(cluster, '110s', '150s');
      cluster.lasts('420s');
      cluster.expectIncident({ root: 'Node//rim-1', mustNotBlame: ['Deployment/stats/counter'] });
      cluster.expectIncident({ root: 'Deployment/stats/counter', mustNotBlame: ['Node//rim-1'] });
    },
  ),

  'project-of-images-becomes-private-and-a-cache-reads-a-word-as-a-number': scenario(
    'A registry no longer lets anybody pull without a login, which hits two teams; of its own a cache gets a word where a number belongs',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const lobby = cluster.deployment('hotel/lobby', { replicas: 2, image: 'hafen.kontor.example/apps/lobby:5' });
      const keys = cluster.deployment('locks/keys', { replicas: 2, image: 'hafen.kontor.example/apps/keys:5' });
      const menu = cluster.deployment('hotel/menu', { image: 'hafen.kontor.example/apps/menu:5' });
      const config = cluster.configMap('cache/valkey', { 'valkey.conf': 'maxmemory 256mb\nmaxclients 10000\n' });
      const cache = cluster.statefulSet('cache/valkey', {
        image: 'registry.example/valkey:8',
        ...mountsConfig('valkey', '/etc/valkey'),
      });
      cluster.at('10s', () => {
        for (const name of ['lobby:6', 'keys:6', 'menu:6'])
          cluster.image(`hafen.kontor.example/apps/${name}`, { pullError: 'Unauthorized' });
        lobby.setImage('hafen.kontor.example/apps/lobby:6');
        keys.setImage('hafen.kontor.example/apps/keys:6');
      });
      cluster.at('25s', () => menu.setImage('hafen.kontor.example/apps/menu:6'));
      cluster.at('50s', () => {
        config.edit({ 'valkey.conf': 'maxmemory 256mb\nmaxclients many\n' });
        cluster.image(
          'registry.example/valkey:8',
          crashes(
            1,
            '*** FATAL CONFIG FILE ERROR (Version 8.1.1) ***',
            'Reading the configuration file, at line 2',
            ">>> 'maxclients many'",
            "argument couldn't be parsed into an integer",
          ),
        );
        cache.restart();
      });
      look(cluster, '80s', '110s');
      cluster.expectIncident({
        root: 'Registry//hafen.kontor.example',
        mustNotBlame: ['ConfigMap/cache/valkey', 'Deployment/hotel/lobby'],
      });
      cluster.expectIncident({ root: 'ConfigMap/cache/valkey', mustNotBlame: ['Registry//hafen.kontor.example'] });
    },
  ),

  'collector-is-told-an-attribute-that-does-not-exist': scenario(
    'The settings of the collectors hold an attribute that they do not know; the restart of the store behind them is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const config = cluster.configMap('observe/alloy', {
        'config.alloy': 'loki.write "default" {\n  external_labels = { site = "fra" }\n}\n',
      });
      const collectors = cluster.daemonSet('observe/alloy', {
        image: 'registry.example/alloy:v1.9',
        ...mountsConfig('alloy', '/etc/alloy'),
      });
      const store = cluster.statefulSet('observe/mimir', { image: 'registry.example/mimir:2.16' });
      cluster.at('3s', () => store.restart());
      cluster.at('20s', () => {
        config.edit({ 'config.alloy': 'loki.write "default" {\n  external_label = { site = "fra" }\n}\n' });
        cluster.image(
          'registry.example/alloy:v1.9',
          crashes(
            1,
            'Error: /etc/alloy/config.alloy:2:3: unrecognized attribute name "external_label"',
            '',
            '1 | loki.write "default" {',
            '2 |   external_label = { site = "fra" }',
            '  |   ^^^^^^^^^^^^^^',
            'Error: could not perform the initial load successfully',
          ),
        );
        collectors.restart();
      });
      look(cluster, '55s', '100s');
      cluster.expectIncident({ root: 'ConfigMap/observe/alloy', mustNotBlame: ['StatefulSet/observe/mimir'] });
    },
  ),

  'list-of-things-to-measure-is-no-longer-a-list': scenario(
    'A Secret with more things to measure is edited into something that cannot be read; the drain that restarts the server is innocent',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const list = cluster.secret('monitoring/additional-scrape-configs', { 'extra.yaml': '- job_name: edge\n' });
      cluster.statefulSet('monitoring/prometheus-k8s', {
        image: 'registry.example/prometheus:v3.3',
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        pod: { volumes: [{ name: 'extra', secret: { secretName: 'additional-scrape-configs' } }] },
        container: { volumeMounts: [{ name: 'extra', mountPath: '/etc/prometheus/extra' }] },
      });
      cluster.service('monitoring/prometheus-k8s', { ports: [{ name: 'web', port: 9090, targetPort: 9090 }] });
      cluster.deployment('monitoring/grafana', { image: 'registry.example/grafana:12' });
      cluster.at('10s', () => {
        list.edit({ 'extra.yaml': 'job_name: edge\nstatic_configs: [\n' });
        cluster.image(
          'registry.example/prometheus:v3.3',
          crashes(
            2,
            'time=2026-11-29T03:12:44.101Z level=INFO source=main.go:640 msg="Starting Prometheus Server" mode=server version="(version=3.3.1)"',
            'time=2026-11-29T03:12:44.380Z level=ERROR source=main.go:1330 msg="Error loading config (--config.file=/etc/prometheus/config_out/prometheus.env.yaml)" file=/etc/prometheus/config_out/prometheus.env.yaml err="loading additional scrape configs from /etc/prometheus/extra/extra.yaml: yaml: line 2: did not find expected node content"',
          ),
        );
      });
      for (const name of ['n1', 'n2'] as const) {
        cluster.at('40s', () => cluster.node(name).drain());
        cluster.at('80s', () => cluster.node(name).uncordon());
      }
      cluster.at('100s', () => cluster.node('n3').drain());
      cluster.at('130s', () => cluster.node('n3').uncordon());
      look(cluster, '75s', '125s', '160s');
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'Secret/monitoring/additional-scrape-configs',
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'Deployment/monitoring/grafana'],
      });
    },
  ),
};
