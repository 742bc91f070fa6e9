import { scenario } from '../../kit/scenario.ts';
import { claim, dns, volume } from '../../kit/things.ts';

/** A server that listens on a port of its own and is probed there. */
const serves = (port: number, more: object = {}): { readonly probe: false; readonly container: object } => ({
  probe: false,
  container: { ports: [{ containerPort: port }], readinessProbe: { tcpSocket: { port } }, ...more },
});
const onPort = (port: number): object => ({ ports: [{ name: 'main', port, targetPort: port, protocol: 'TCP' }] });
const fromConfigMap = (name: string, mountPath: string): { readonly pod: object; readonly container: object } => ({
  pod: { volumes: [{ name: 'conf', configMap: { name } }] },
  container: { volumeMounts: [{ name: 'conf', mountPath }] },
});

/** Of `scores.examboard.svc`, and over since the first of January 2025. */
const expiredCertificate = [
  '-----BEGIN CERTIFICATE-----',
  'MIIBbzCCARWgAwIBAgIBATAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRzY29yZXMu',
  'ZXhhbWJvYXJkLnN2YzAeFw0yNDAxMDEwMDAwMDBaFw0yNTAxMDEwMDAwMDBaMB8x',
  'HTAbBgNVBAMMFHNjb3Jlcy5leGFtYm9hcmQuc3ZjMFkwEwYHKoZIzj0CAQYIKoZI',
  'zj0DAQcDQgAEbFHbMXQkwK7aZrPyPJCwKOfjCBKRqH3O6fqUY9iYMTTZ0Mga7ZFE',
  'fflIleFJn9kWfXugbiZNJfmyq3L9Y2vRC6NCMEAwHwYDVR0RBBgwFoIUc2NvcmVz',
  'LmV4YW1ib2FyZC5zdmMwHQYDVR0OBBYEFPbKjo0MS7EoUXvA/P16Ty+wUk0vMAoG',
  'CCqGSM49BAMCA0gAMEUCIQCnMLlkdR1GcJZdGFjJv5fExQvZHa2c6HO9k7ub68HX',
  'AwIgeDSoBmvgyOd/fbm+7IfUkZfn0N8RlBTbmzW1cjU+JZ0=',
  '-----END CERTIFICATE-----',
].join('\n');

export const stories = {
  'toll-broker-advertises-a-name-nobody-can-resolve': scenario(
    'The advertised listener of a Kafka broker is changed to the name of the machine; whoever consumes cannot resolve it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = cluster.configMap('tollroad/toll-kafka-conf', {
        KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://toll-kafka.tollroad.svc:9092',
      });
      const kafka = cluster.statefulSet('tollroad/toll-kafka', {
        ...{ image: 'registry.example/apache/kafka:3.9.0', envFrom: ['toll-kafka-conf'], ...serves(9092) },
      });
      cluster.service('tollroad/toll-kafka', onPort(9092));
      cluster.deployment('tollroad/invoicer', {
        ...{ replicas: 2, image: 'registry.example/tollroad/invoicer:4.1' },
        values: { KAFKA_BOOTSTRAP: 'toll-kafka.tollroad.svc:9092' },
      });
      const gates = cluster.deployment('tollroad/gate-ui', {
        replicas: 2,
        image: 'registry.example/tollroad/gate-ui:1.0',
      });
      cluster.at('10s', () => gates.setImage('registry.example/tollroad/gate-ui:1.1'));
      cluster.at('35s', () => conf.edit({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://kafka-host-07:9092' }));
      cluster.at('45s', () => kafka.restart());
      cluster.at('1m', () =>
        cluster.befall('registry.example/tollroad/invoicer:4.1', {
          exit: { afterSeconds: 10, code: 1 },
          log: [
            '[2026-04-01 05:31:20,113] INFO [Consumer clientId=invoicer-1, groupId=invoicer] Discovered group coordinator kafka-host-07:9092 (id: 2147483646 rack: null) (org.apache.kafka.clients.consumer.internals.ConsumerCoordinator)',
            '[2026-04-01 05:31:20,140] WARN [Consumer clientId=invoicer-1, groupId=invoicer] Error connecting to node kafka-host-07:9092 (id: 2147483646 rack: null) (org.apache.kafka.clients.NetworkClient)',
            'java.net.UnknownHostException: kafka-host-07: Name or service not known',
            '[2026-04-01 05:31:29,902] ERROR org.apache.kafka.common.errors.TimeoutException: Timeout of 9000ms expired before the position for partition toll.passages-0 could be determined',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/tollroad/toll-kafka-conf',
        accepts: ['StatefulSet/tollroad/toll-kafka'],
        mustNotBlame: ['Deployment/tollroad/gate-ui'],
      });
    },
  ),
  'log-shipper-told-of-an-output-that-does-not-exist': scenario(
    'Fluent Bit gets a configuration with an output plugin that it does not have; at the same time one machine is short of disk for reasons of its own',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const conf = cluster.configMap('logship/fluent-bit-conf', {
        'fluent-bit.conf': '[OUTPUT]\n    Name  opensearch\n    Match *\n',
      });
      const shipper = cluster.daemonSet('logship/fluent-bit', {
        image: 'registry.example/fluent/fluent-bit:3.2',
        ...fromConfigMap('fluent-bit-conf', '/fluent-bit/etc'),
      });
      cluster.at('10s', () => cluster.node('n3').press('DiskPressure'));
      cluster.at('12s', () =>
        cluster.event({
          ...{ about: 'Node//n3', reason: 'FreeDiskSpaceFailed', by: 'kubelet' },
          message:
            'Failed to garbage collect required amount of images. Attempted to free 9041149952 bytes, but only found 0 bytes eligible to free.',
        }),
      );
      cluster.at('1m20s', () => conf.edit({ 'fluent-bit.conf': '[OUTPUT]\n    Name  opensearch2\n    Match *\n' }));
      cluster.at('1m30s', () => {
        cluster.image('registry.example/fluent/fluent-bit:3.2', {
          exit: { afterSeconds: 1, code: 1 },
          log: [
            'Fluent Bit v3.2.4',
            "[2026/05/02 12:40:11] [error] [config] section 'output' tried to instance a plugin name that doesn't exist",
            '[2026/05/02 12:40:11] [error] configuration file contains errors, aborting.',
          ],
        });
        shipper.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({ root: 'Node//n3', mustNotBlame: ['ConfigMap/logship/fluent-bit-conf'] });
      cluster.expectIncident({
        root: 'ConfigMap/logship/fluent-bit-conf',
        accepts: ['DaemonSet/logship/fluent-bit'],
        mustNotBlame: ['Node//n3'],
      });
    },
  ),
  'gas-meter-metrics-fill-their-disk': scenario(
    'The disk of a Prometheus is full: it ends on every start when it replays its log. A dashboard was edited shortly before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object(volume('pv-gasmeter-tsdb', 'retained'));
      cluster.object(claim('gasmeter/tsdb', 'retained', { volumeName: 'pv-gasmeter-tsdb' }));
      const image = 'registry.example/prometheus:v3.1.0';
      cluster.statefulSet('gasmeter/prometheus', {
        ...{ image, probe: false },
        container: {
          ports: [{ containerPort: 9090 }],
          readinessProbe: { httpGet: { path: '/-/ready', port: 9090 } },
          volumeMounts: [{ name: 'data', mountPath: '/prometheus' }],
        },
        pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'tsdb' } }] },
      });
      const boards = cluster.configMap('gasmeter/dashboards', { 'pressure.json': '{"title":"Pressure"}' });
      cluster.at('10s', () => boards.edit({ 'pressure.json': '{"title":"Pressure by district"}' }));
      cluster.at('40s', () =>
        cluster.befall(image, {
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'time=2026-01-30T03:12:08.551Z level=INFO source=main.go:640 msg="Starting Prometheus Server" mode=server version="(version=3.1.0)"',
            'time=2026-01-30T03:12:09.807Z level=INFO source=head.go:713 msg="Replaying WAL, this may take a while" component=tsdb',
            'time=2026-01-30T03:12:10.914Z level=ERROR source=main.go:1288 msg="Fatal error" err="opening storage failed: open /prometheus/wal/00004127: no space left on device"',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/gasmeter/tsdb',
        accepts: ['StatefulSet/gasmeter/prometheus'],
        mustNotBlame: ['ConfigMap/gasmeter/dashboards'],
      });
    },
  ),
  'build-runners-pull-with-a-revoked-token': scenario(
    'The pull secret of the build runners is replaced by a token that the registry does not take; what runs elsewhere from the same registry pulls well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const login = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'buildfarm', name: 'registry-pull' } },
        ...{ type: 'kubernetes.io/dockerconfigjson' },
        stringData: { '.dockerconfigjson': '{"auths":{"ghcr.io":{"auth":"cnVubmVyOm9sZA=="}}}' },
      });
      const runner = cluster.deployment('buildfarm/runner', {
        ...{ replicas: 3, image: 'ghcr.io/acme-builds/runner:2.320.0' },
        pod: { imagePullSecrets: [{ name: 'registry-pull' }] },
      });
      const cache = cluster.deployment('buildfarm/artifact-cache', { image: 'ghcr.io/acme-builds/artifact-cache:1.4' });
      cluster.at('15s', () =>
        login.patch({ stringData: { '.dockerconfigjson': '{"auths":{"ghcr.io":{"auth":"cnVubmVyOm5ldw=="}}}' } }),
      );
      cluster.at('30s', () => cache.setImage('ghcr.io/acme-builds/artifact-cache:1.5'));
      cluster.image('ghcr.io/acme-builds/runner:2.321.0', {
        pullError:
          'failed to pull and unpack image "ghcr.io/acme-builds/runner:2.321.0": failed to resolve reference "ghcr.io/acme-builds/runner:2.321.0": failed to authorize: failed to fetch oauth token: unexpected status from GET request to https://ghcr.io/token?scope=repository%3Aacme-builds%2Frunner%3Apull&service=ghcr.io: 401 Unauthorized',
      });
      cluster.at('45s', () => runner.setImage('ghcr.io/acme-builds/runner:2.321.0'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/buildfarm/registry-pull',
        mustNotBlame: ['Deployment/buildfarm/artifact-cache', 'Registry//ghcr.io'],
      });
    },
  ),
  'land-registry-snapshots-no-longer-allowed': scenario(
    'The role binding of the snapshot service of a land registry is deleted in a clean-up; a restart brings it to light',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.object({
        apiVersion: 'v1',
        kind: 'ServiceAccount',
        metadata: { namespace: 'landregistry', name: 'snapshotter' },
      });
      cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'Role',
          metadata: { namespace: 'landregistry', name: 'snapshotter' },
        },
        rules: [{ apiGroups: [''], resources: ['persistentvolumeclaims'], verbs: ['get', 'list', 'watch'] }],
      });
      const binding = cluster.object({
        ...{
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'RoleBinding',
          metadata: { namespace: 'landregistry', name: 'snapshotter' },
        },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'snapshotter' },
        subjects: [{ kind: 'ServiceAccount', name: 'snapshotter', namespace: 'landregistry' }],
      });
      const image = 'registry.example/landregistry/snapshotter:1.6';
      const snapshotter = cluster.deployment('landregistry/snapshotter', {
        image,
        pod: { serviceAccountName: 'snapshotter' },
      });
      cluster.at('15s', () => binding.delete());
      cluster.at('40s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 2, code: 1 },
          log: [
            'I0611 02:00:01.114203       1 main.go:88] snapshotter 1.6 in namespace landregistry',
            'E0611 02:00:01.220471       1 reflector.go:166] "Unhandled Error" err="pkg/claims.go:41: Failed to watch *v1.PersistentVolumeClaim: failed to list *v1.PersistentVolumeClaim: persistentvolumeclaims is forbidden: User \\"system:serviceaccount:landregistry:snapshotter\\" cannot list resource \\"persistentvolumeclaims\\" in API group \\"\\" in the namespace \\"landregistry\\""',
            'F0611 02:00:02.220514       1 main.go:97] cache did not sync',
          ],
        });
        snapshotter.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'RoleBinding/landregistry/snapshotter',
        accepts: ['ServiceAccount/landregistry/snapshotter', 'Role/landregistry/snapshotter'],
      });
    },
  ),
  'cluster-names-stop-resolving-after-a-corefile-edit': scenario(
    'A typing error in the Corefile ends the cluster DNS when it is restarted; whoever needs a name fails, while the service that is looked for is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const corefile = cluster.configMap('kube-system/coredns', {
        Corefile: '.:53 {\n    errors\n    kubernetes cluster.local\n    forward . /etc/resolv.conf\n}\n',
      });
      const coredns = cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        spec: { selector: { matchLabels: { app: 'coredns' } }, strategy: { type: 'Recreate' } },
        ...fromConfigMap('coredns', '/etc/coredns'),
      });
      cluster.object(dns.service);
      cluster.deployment('museum/tickets', {
        ...{ replicas: 2, image: 'registry.example/museum/tickets:3.0' },
        values: { PAYMENTS_HOST: 'payments.museum.svc.cluster.local' },
      });
      cluster.deployment('museum/payments', { replicas: 2, image: 'registry.example/museum/payments:1.1' });
      cluster.service('museum/payments');
      cluster.at('10s', () =>
        corefile.edit({
          Corefile: '.:53 {\n    errors\n    kubernetes cluster.local\n    forwrad . /etc/resolv.conf\n}\n',
        }),
      );
      cluster.at('20s', () => {
        cluster.image('registry.example/coredns:1.12', {
          exit: { afterSeconds: 1, code: 1 },
          log: ["/etc/coredns/Corefile:4 - Error during parsing: Unknown directive 'forwrad'"],
        });
        coredns.restart();
      });
      cluster.at('40s', () =>
        cluster.befall('registry.example/museum/tickets:3.0', {
          exit: { afterSeconds: 8, code: 1 },
          log: [
            'Error: getaddrinfo EAI_AGAIN payments.museum.svc.cluster.local',
            '    at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:120:26) {',
            "  errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo', hostname: 'payments.museum.svc.cluster.local'",
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        mustNotBlame: ['Deployment/museum/payments', 'Service/museum/payments'],
      });
    },
  ),
  'metrics-api-gone-after-a-flag-was-taken-away': scenario(
    'The metrics server is no longer told to trust the certificates of the kubelets: it never becomes ready, and autoscalers are blind',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/metrics-server:v0.7.2';
      const server = cluster.deployment('kube-system/metrics-server', {
        image,
        command: ['/metrics-server', '--kubelet-insecure-tls', '--secure-port=10250'],
        spec: { selector: { matchLabels: { app: 'metrics-server' } }, strategy: { type: 'Recreate' } },
      });
      cluster.service('kube-system/metrics-server');
      const api = cluster.object({
        ...{
          apiVersion: 'apiregistration.k8s.io/v1',
          kind: 'APIService',
          metadata: { name: 'v1beta1.metrics.k8s.io' },
        },
        spec: {
          ...{ group: 'metrics.k8s.io', version: 'v1beta1', groupPriorityMinimum: 100, versionPriority: 100 },
          service: { namespace: 'kube-system', name: 'metrics-server', port: 443 },
        },
        status: { conditions: [{ type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' }] },
      });
      cluster.deployment('theatre/seats', { replicas: 2, image: 'registry.example/theatre/seats:2.0', cpu: '100m' });
      cluster.object({
        ...{
          apiVersion: 'autoscaling/v2',
          kind: 'HorizontalPodAutoscaler',
          metadata: { namespace: 'theatre', name: 'seats' },
        },
        spec: {
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'seats' },
          ...{ minReplicas: 2, maxReplicas: 8 },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          ],
        },
      });
      cluster.at('10s', () => {
        cluster.image(image, {
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 500',
          log: [
            'E0807 10:03:01.552201       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.0.11:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.0.11 because it doesn\'t contain any IP SANs" node="n1"',
            'I0807 10:03:11.114892       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
          ],
        });
        server.change({ command: ['/metrics-server', '--secure-port=10250'] });
      });
      cluster.at('40s', () =>
        api.status({
          conditions: [
            {
              ...{ type: 'Available', status: 'False', lastTransitionTime: 'now', reason: 'MissingEndpoints' },
              message: 'endpoints for service/metrics-server in "kube-system" have no addresses with port name "http"',
            },
          ],
        }),
      );
      cluster.at('55s', () =>
        cluster.event({
          ...{
            about: 'HorizontalPodAutoscaler/theatre/seats',
            reason: 'FailedGetResourceMetric',
            by: 'horizontal-pod-autoscaler',
          },
          message:
            'failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)',
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        mustNotBlame: ['Deployment/theatre/seats', 'HorizontalPodAutoscaler/theatre/seats', 'Node//n1'],
      });
    },
  ),
  'herbarium-search-moves-to-a-machine-that-was-not-tuned': scenario(
    'A search node moves in a drain to a new machine whose vm.max_map_count nobody has raised, and refuses to start there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'search-1', labels: { pool: 'search' } }, { name: 'misc-1' }]);
      const image = 'registry.example/elasticsearch:8.17.0';
      cluster.statefulSet('herbarium/specimens-es', { image, nodeSelector: { pool: 'search' }, ...serves(9200) });
      cluster.service('herbarium/specimens-es', onPort(9200));
      cluster.image(image, (pod) =>
        pod.spec.nodeName === 'search-2'
          ? {
              exit: { afterSeconds: 6, code: 78 },
              log: [
                '{"@timestamp":"2026-02-03T09:10:45.611Z", "log.level":"ERROR", "message":"node validation exception\\n[1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch. For more information see [https://www.elastic.co/guide/en/elasticsearch/reference/8.17/bootstrap-checks.html]\\nbootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]"}',
                'ERROR: Elasticsearch did not exit normally - check the logs at /usr/share/elasticsearch/logs/specimens.log',
              ],
            }
          : {},
      );
      cluster.at('10s', () => cluster.addNode({ name: 'search-2', labels: { pool: 'search' } }));
      cluster.at('40s', () => cluster.node('search-1').drain());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Node//search-2',
        accepts: ['StatefulSet/herbarium/specimens-es'],
        mustNotBlame: ['Node//search-1'],
      });
    },
  ),
  'orchestra-scheduler-gets-half-its-memory': scenario(
    'The memory limit of the rehearsal planner is halved and the kernel ends it; a Secret of the same namespace was rotated well just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.example/orchestra/rehearsals:2.4';
      const token = cluster.secret('orchestra/mail-token', { token: 'a1' });
      const planner = cluster.deployment('orchestra/rehearsals', {
        ...{ replicas: 2, image, memory: '1Gi', env: { MAIL_TOKEN: 'secret/mail-token/token' } },
      });
      cluster.service('orchestra/rehearsals');
      cluster.at('10s', () => token.edit({ token: 'b2' }));
      cluster.at('40s', () => {
        cluster.image(image, {
          exit: { afterSeconds: 25, code: 137, oom: true },
          log: ['INFO  loading 4 seasons of rehearsals', 'INFO  solver: building constraint matrix 18240x9921'],
        });
        planner.change({ memory: '512Mi' });
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/orchestra/rehearsals',
        reason: 'OOMKilled',
        mustNotBlame: ['Secret/orchestra/mail-token'],
      });
    },
  ),
  'exam-scores-served-with-a-certificate-of-last-year': scenario(
    'The certificate of the scores service is replaced by one that has expired; those who call it refuse to talk to it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pair = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'examboard', name: 'scores-tls' } },
        ...{ type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'replaced', 'tls.key': 'replaced' } },
      });
      const scores = cluster.deployment('examboard/scores', {
        ...{ replicas: 2, image: 'registry.example/examboard/scores:5.0' },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'scores-tls' } }] },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }], ports: [{ containerPort: 8443 }] },
      });
      cluster.service('examboard/scores', { ports: [{ name: 'https', port: 443, targetPort: 8443, protocol: 'TCP' }] });
      cluster.deployment('examboard/diplomas', {
        ...{ replicas: 2, image: 'registry.example/examboard/diplomas:2.2' },
        values: { SCORES_URL: 'https://scores.examboard.svc' },
      });
      cluster.at('15s', () => pair.patch({ stringData: { 'tls.crt': expiredCertificate, 'tls.key': 'unchanged' } }));
      cluster.at('25s', () => scores.restart());
      cluster.at('50s', () =>
        cluster.befall('registry.example/examboard/diplomas:2.2', {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            'ts=2026-03-09T11:20:04.118Z level=error msg="cannot load scores" err="Get \\"https://scores.examboard.svc/v1/sessions\\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-03-09T11:20:04Z is after 2025-01-01T00:00:00Z"',
          ],
        }),
      );
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/examboard/scores-tls',
        mustNotBlame: ['Deployment/examboard/diplomas'],
      });
    },
  ),
  'ferry-manifest-and-crew-roster-break-apart': scenario(
    'A ferry line has two bad minutes: the manifest service reads a key that was taken out of its ConfigMap, and the crew roster is sent to machines that do not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('ferryline/manifest-settings', { PORT_CODES: 'HEL,TLL', CUTOFF: '30m' });
      const manifest = cluster.deployment('ferryline/manifest', {
        ...{ replicas: 2, image: 'registry.example/ferryline/manifest:3.1' },
        env: { PORT_CODES: 'configmap/manifest-settings/PORT_CODES', CUTOFF: 'configmap/manifest-settings/CUTOFF' },
      });
      const roster = cluster.deployment('ferrycrew/roster', {
        replicas: 2,
        image: 'registry.example/ferrycrew/roster:1.9',
      });
      cluster.at('10s', () => settings.edit({ CUTOFF: null, PORT_CODES: 'HEL,TLL,STO' }));
      cluster.at('20s', () => manifest.restart());
      cluster.at('45s', () => roster.change({ nodeSelector: { 'node.ferry.example/class': 'large' } }));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/ferryline/manifest-settings',
        accepts: ['Deployment/ferryline/manifest'],
        mustNotBlame: ['Deployment/ferrycrew/roster'],
      });
      cluster.expectIncident({
        root: 'Deployment/ferrycrew/roster',
        mustNotBlame: ['ConfigMap/ferryline/manifest-settings', 'Node//n1'],
      });
    },
  ),
  'ticket-sale-grows-onto-a-new-machine': scenario(
    'A ticket sale is scaled out; the last Pods wait for most of a minute until the machine that the autoscaler has ordered is there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([
        { name: 'arena-1', cpu: '2' },
        { name: 'arena-2', cpu: '2' },
      ]);
      const sale = cluster.deployment('arena/sale', {
        replicas: 2,
        image: 'registry.example/arena/sale:1.0',
        cpu: '900m',
      });
      cluster.service('arena/sale');
      cluster.at('10s', () => sale.scale(6));
      cluster.at('55s', () => cluster.addNode({ name: 'arena-3', cpu: '4' }));
      cluster.at('3m', () => sale.scale(2));
      cluster.lasts('5m');
    },
  ),
  'weather-import-retries-in-its-own-container': scenario(
    'A weather import restarts once because its source was busy, and is done the second time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/meteo/grib-import:0.8', {
        exit: { afterSeconds: 6, code: 75, message: 'source busy' },
        exits: 1,
        log: ['INFO run {run}: asking https://opendata.meteo.example/grib for the forecast of 06 UTC'],
      });
      cluster.at('10s', () =>
        cluster.deployment('meteo/grib-import', { image: 'registry.example/meteo/grib-import:0.8' }),
      );
      cluster.lasts('4m');
    },
  ),
  'parcel-consumers-rebalance-aloud': scenario(
    'Consumers of a parcel service are rolled out; the group rebalances for a minute and says so with every word that frightens',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.image('registry.example/parcels/tracker:7.8', {
        readyAfterSeconds: 15,
        log: [
          '[Consumer clientId=tracker-2, groupId=tracker] Request joining group due to: group is already rebalancing',
          '[Consumer clientId=tracker-2, groupId=tracker] Attempt to heartbeat failed since group is rebalancing',
          'WARN Offset commit failed on partition parcels-3 at offset 81920: The coordinator is not aware of this member.',
          '[Consumer clientId=tracker-2, groupId=tracker] Successfully joined group with generation Generation{generationId=88}',
        ],
      });
      const tracker = cluster.deployment('parcels/tracker', {
        replicas: 4,
        image: 'registry.example/parcels/tracker:7.7',
      });
      cluster.at('10s', () => tracker.setImage('registry.example/parcels/tracker:7.8'));
      cluster.lasts('4m');
    },
  ),
  'library-card-certificate-renewed-and-rolled': scenario(
    'The certificate of a library is renewed in its Secret, and what serves it is restarted one Pod after the other',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const pair = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'citylibrary', name: 'cards-tls' } },
        ...{ type: 'Opaque', stringData: { 'tls.crt': 'first', 'tls.key': 'first' } },
      });
      const cards = cluster.deployment('citylibrary/cards', {
        ...{ replicas: 3, image: 'registry.example/citylibrary/cards:4.0' },
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'cards-tls' } }] },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }] },
      });
      cluster.service('citylibrary/cards');
      cluster.image('registry.example/citylibrary/cards:4.0', {
        readyAfterSeconds: 8,
        log: [
          '2026/04/12 02:00:14 [warn] 7#7: "ssl_stapling" ignored, no OCSP responder URL in the certificate "/tls/tls.crt"',
          '2026/04/12 02:00:14 [notice] 1#1: signal 3 (SIGQUIT) received, shutting down',
        ],
      });
      cluster.at('15s', () => pair.patch({ stringData: { 'tls.crt': 'second', 'tls.key': 'second' } }));
      cluster.at('20s', () => cards.restart());
      cluster.lasts('4m');
    },
  ),
} as const;
