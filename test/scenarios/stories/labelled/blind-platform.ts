import { condition, imageAt, innocentRelease, port } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, killed, reported, server } from '../../kit/reported.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { dns, networkPolicy, webhook } from '../../kit/things.ts';

const brief = { minutes: 7 };

/** What all share: machines, the network, names, admission, quotas. */
export const stories: Readonly<Record<string, Scenario>> = {
  'machine-loses-its-power': reported(
    'A machine loses its power with the Pods of four workloads on it; one of them has been released a minute before, and is well',
    (cluster) => {
      const places = ['ski/lifts', 'ski/passes', 'ski/weather'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      server(cluster, 'ski/redis', 'docker.io/library/redis:7.4', 6379);
      const lifts = cluster.deployment('ski/slopes', { replicas: 3, image: imageAt('slopes', '3.0') });
      cluster.at(after(-60), () => lifts.setImage(imageAt('slopes', '3.1')));
      cluster.at(after(0), () => cluster.node('n2').losePower());
      cluster.expectIncident({
        root: 'Node//n2',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/ski/slopes', 'StatefulSet/ski/redis', 'Node//n1', 'Node//n3'],
      });
    },
    { minutes: 9 },
  ),

  'machine-runs-out-of-disk': reported(
    'The disk of a machine fills up; its kubelet evicts one Pod after the other, which come up elsewhere',
    (cluster, firm) => {
      const places = ['maps/tiles', 'maps/routes', 'maps/search'];
      for (const place of places) {
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () => cluster.node('n1').press('DiskPressure'));
      for (const seconds of [4, 24, 44])
        cluster.at(after(seconds), () =>
          cluster
            .node('n1')
            .evict(
              'The node was low on resource: ephemeral-storage. Threshold quantity: 3219131190, available: 2764540Ki. ',
            ),
        );
      cluster.at(after(30), () =>
        cluster
          .node('n1')
          .warn(
            'FreeDiskSpaceFailed',
            'Failed to garbage collect required amount of images. Attempted to free 7184236544 bytes, but only found 0 bytes eligible to free.',
          ),
      );
      cluster.expectIncident({
        root: 'Node//n1',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/maps/tiles', 'Deployment/maps/routes', 'Deployment/maps/search'],
      });
    },
    brief,
  ),

  'server-above-is-misspelt-in-the-corefile': reported(
    'The Corefile is edited by hand with an address that is none; both CoreDNS are restarted by hand and end, and nobody finds a name',
    (cluster, firm) => {
      const corefile = (above: string): Readonly<Record<string, string>> => ({
        Corefile: `.:53 {\n    errors\n    health\n    ready\n    kubernetes cluster.local\n    forward . ${above}\n    cache 30\n    reload\n}\n`,
      });
      const settings = cluster.configMap('kube-system/coredns', corefile('10.20.0.2'));
      cluster.deployment('kube-system/coredns', { ...dns.workload, pod: settingsVolume('coredns') });
      cluster.object(dns.service);
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => settings.edit(corefile('10.20.0.2.53')));
      cluster.at(after(25), () =>
        cluster.befall(dns.workload.image, ends(['plugin/forward: not an IP address or file: "10.20.0.2.53"'], 1, 1)),
      );
      const innocents = clients(cluster, 35, {
        'bakery/orders': {
          does: ends([
            'Error: getaddrinfo EAI_AGAIN postgres.bakery.svc.cluster.local',
            "    errno: -3001, code: 'EAI_AGAIN', syscall: 'getaddrinfo'",
          ]),
          values: { DB_HOST: 'postgres.bakery.svc.cluster.local' },
        },
        'florist/wreaths': {
          does: unready(['socket.gaierror: [Errno -3] Temporary failure in name resolution']),
          values: { API_URL: 'http://stock.florist.svc.cluster.local' },
        },
        'butcher/scales': {
          does: unready([
            'level=error msg="sync failed" err="dial tcp: lookup mqtt.butcher.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.9:41121->10.96.0.10:53: read: connection refused"',
          ]),
          values: { MQTT_HOST: 'mqtt.butcher.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    { ...brief, dnsService: 'none' },
  ),

  'policy-shuts-a-database-off': reported(
    'A network policy is applied that shuts a database off from those who use it; the database itself is well',
    (cluster, firm) => {
      server(cluster, 'fleet/postgres', 'docker.io/library/postgres:16.4', 5432);
      innocentRelease(cluster, after(-35), firm);
      const policy = cluster.planned(networkPolicy('fleet/postgres'));
      cluster.at(after(0), () => policy.create());
      const values = { DATABASE_HOST: 'postgres.fleet.svc.cluster.local', DATABASE_PORT: '5432' };
      const innocents = clients(cluster, 30, {
        'fleet/vans': {
          does: ends(
            [
              'Npgsql.NpgsqlException (0x80004005): Failed to connect to 10.96.9.30:5432',
              ' ---> System.TimeoutException: Timeout during connection attempt',
              '   at Fleet.Vans.Db.OpenAsync() host=postgres.fleet.svc.cluster.local',
            ],
            134,
          ),
          values,
        },
        'fleet/drivers': {
          does: unready([
            'ActiveRecord::ConnectionNotEstablished: connection to server at "postgres.fleet.svc.cluster.local" (10.96.9.30), port 5432 failed: Connection timed out',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'NetworkPolicy/fleet/postgres',
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/fleet/postgres', 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'quota-is-cut-below-what-runs': reported(
    'The quota of a namespace is cut below what runs there already; the next release gets no new Pod',
    (cluster) => {
      const quota = cluster.quota('lab/compute', { pods: '10' });
      const simulate = cluster.deployment('lab/simulate', { replicas: 3, image: imageAt('simulate', '1.4') });
      cluster.deployment('lab/view', { replicas: 2, image: imageAt('view', '2.2') });
      cluster.service('lab/view');
      cluster.at(after(0), () => quota.edit({ pods: '4' }));
      cluster.at(after(60), () => simulate.setImage(imageAt('simulate', '1.5')));
      cluster.expectIncident({
        root: 'ResourceQuota/lab/compute',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/lab/simulate', 'Deployment/lab/view'],
      });
    },
    { minutes: 13 },
  ),

  'head-of-the-mesh-is-killed': reported(
    'The control plane of a mesh grows over its limit after a merge of many namespaces: gateways that restart get no configuration',
    (cluster, firm) => {
      const image = 'docker.io/istio/pilot:1.23.2';
      cluster.deployment('istio-system/istiod', { image, memory: '1Gi' });
      cluster.service('istio-system/istiod', {
        ...{ clusterIP: '10.96.7.7', ports: [{ name: 'https-dns', port: 15012, targetPort: 15012, protocol: 'TCP' }] },
      });
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed([
            '2026-11-23T09:51:16.220Z\tinfo\tads\tPush debounce stable[38] 2114 for config ServiceEntry/istio-system/egress: 101.2ms since last change',
            '2026-11-23T09:51:17.903Z\tinfo\tads\tXDS: Pushing Services:4412 ConnectedEndpoints:318 Version:2026-11-23T09:51:17Z/40',
          ]),
        ),
      );
      const innocents = clients(cluster, 15, {
        'istio-ingress/gateway': {
          does: unready([
            '2026-11-23T09:51:44.009Z\twarning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:152\tStreamAggregatedResources gRPC config stream to xds-grpc closed since 38s ago: 14, connection error: desc = "transport: Error while dialing: dial tcp 10.96.7.7:15012: connect: connection refused"',
            '2026-11-23T09:51:45.110Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
          ]),
          values: { CA_ADDR: 'istiod.istio-system.svc:15012' },
        },
        'istio-egress/gateway-out': {
          does: unready([
            '2026-11-23T09:51:46.781Z\twarn\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
          ]),
          values: { CA_ADDR: 'istiod.istio-system.svc:15012' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'network-of-the-pods-finds-no-address': reported(
    'Calico is raised a version and finds no address of its machines any more: what runs runs on, and no new Pod gets a network',
    (cluster) => {
      const next = 'docker.io/calico/node:v3.28.1';
      const calico = cluster.daemonSet('kube-system/calico-node', {
        image: 'docker.io/calico/node:v3.27.4',
        probe: false,
      });
      const places = ['cinema/seats', 'cinema/snacks', 'radio/charts'];
      const handles = places.map((place) => cluster.deployment(place, { replicas: 2, image: imageOf(place) }));
      cluster.image(
        next,
        ends([
          '2026-11-23 09:08:14.122 [INFO][9] startup/startup.go 431: Early log level set to info',
          '2026-11-23 09:08:14.189 [WARNING][9] startup/autodetection_methods.go 99: Unable to auto-detect an IPv4 address using interface regexes [eth0]: no valid host interfaces found',
          "2026-11-23 09:08:14.189 [ERROR][9] startup/startup.go 211: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.",
          'Calico node failed to start',
        ]),
      );
      cluster.at(after(0), () =>
        calico.patch({
          spec: {
            updateStrategy: { rollingUpdate: { maxUnavailable: 3 } },
            template: { spec: { containers: [{ name: 'calico-node', image: next }] } },
          },
        }),
      );
      cluster.at(after(40), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedCreatePodSandBox',
              message:
                'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "9a6be0d3": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/',
            },
          });
        for (const handle of handles) handle.scale(4);
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/cinema/seats', 'Deployment/cinema/snacks', 'Deployment/radio/charts'],
      });
    },
    brief,
  ),

  'measurer-of-usage-is-not-let-in-by-the-kubelets': reported(
    'metrics-server is upgraded without the flag for self-signed kubelets: it is never ready, and two autoscalers see nothing',
    (cluster) => {
      const repository = 'registry.k8s.io/metrics-server/metrics-server';
      const server = cluster.deployment('kube-system/metrics-server', {
        ...{ image: `${repository}:v0.7.1`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('kube-system/metrics-server', port(443, 'https'));
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
      });
      api.status(condition('Available', 'True', 'Passed', 'all checks passed'));
      const scalers = ['radar', 'tower'].map((name) => {
        cluster.deployment(`airport/${name}`, { replicas: 2, image: imageAt(name, 4), cpu: '100m' });
        const target = { type: 'Utilization', averageUtilization: 70 };
        const scaler = cluster.object({
          ...{
            apiVersion: 'autoscaling/v2',
            kind: 'HorizontalPodAutoscaler',
            metadata: { name, namespace: 'airport' },
          },
          spec: {
            ...{ minReplicas: 2, maxReplicas: 8, scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name } },
            metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }],
          },
        });
        scaler.status({
          ...{ currentReplicas: 2, desiredReplicas: 2 },
          ...condition(
            'ScalingActive',
            'True',
            'ValidMetricFound',
            'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
          ),
        });
        return scaler;
      });
      cluster.image(
        `${repository}:v0.7.2`,
        unready(
          [
            'E1123 09:22:41.118221       1 scraper.go:149] "Failed to scrape node" err="Get \\"https://10.0.3.11:10250/metrics/resource\\": tls: failed to verify certificate: x509: cannot validate certificate for 10.0.3.11 because it doesn\'t contain any IP SANs" node="n1"',
            'I1123 09:22:44.901222       1 server.go:191] "Failed probe" probe="metric-storage-ready" err="no metrics to serve"',
          ],
          'HTTP probe failed with statuscode: 500',
        ),
      );
      cluster.at(after(0), () => server.setImage(`${repository}:v0.7.2`));
      cluster.at(after(20), () =>
        api.status(
          condition(
            'Available',
            'False',
            'MissingEndpoints',
            'endpoints for service/metrics-server in "kube-system" have no addresses with port name "https"',
          ),
        ),
      );
      cluster.at(after(45), () => {
        const message =
          'the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server is currently unable to handle the request (get pods.metrics.k8s.io)';
        for (const scaler of scalers)
          scaler.status(condition('ScalingActive', 'False', 'FailedGetResourceMetric', message));
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/metrics-server',
        accepts: ['APIService//v1beta1.metrics.k8s.io'],
        messages: { update: '≤2' },
        mustNotBlame: [
          'HorizontalPodAutoscaler/airport/radar',
          'HorizontalPodAutoscaler/airport/tower',
          'Deployment/airport/radar',
        ],
      });
    },
    { minutes: 10 },
  ),

  'policy-engine-does-not-come-up-and-refuses-all': scenario(
    'A policy engine is installed whose Pod ends as it starts, while its webhook already asks it about every Pod: a release gets none',
    (cluster) => {
      const engine = 'ghcr.io/kyverno/kyverno:v1.12.5';
      const desk = cluster.deployment('embassy/desk', { replicas: 2, image: imageAt('desk', '6.0') });
      cluster.deployment('embassy/visa', { replicas: 2, image: imageAt('visa', '2.0') });
      cluster.service('embassy/desk');
      cluster.image(
        engine,
        ends([
          'I1123 09:12:08.116201       1 setup.go:55] "setup maxprocs..." logger="setup/maxprocs"',
          'E1123 09:12:08.771420       1 main.go:271] "sanity checks failed" err="failed to check CRD clusterpolicies.kyverno.io is installed: customresourcedefinitions.apiextensions.k8s.io \\"clusterpolicies.kyverno.io\\" not found" logger="setup"',
        ]),
      );
      const hook = cluster.planned(
        webhook('resource.kyverno.svc', { namespace: 'kyverno', name: 'kyverno-svc' }, { namespace: 'embassy' }),
      );
      cluster.at('10s', () => {
        cluster.deployment('kyverno/kyverno-admission-controller', { image: engine });
        cluster.service('kyverno/kyverno-svc', {
          selector: { app: 'kyverno-admission-controller' },
          ports: [{ name: 'https', port: 443, targetPort: 9443, protocol: 'TCP' }],
        });
        hook.create();
      });
      cluster.at('50s', () => desk.setImage(imageAt('desk', '6.1')));
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Deployment/kyverno/kyverno-admission-controller',
        accepts: ['ValidatingWebhookConfiguration//resource.kyverno.svc'],
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/embassy/desk', 'Deployment/embassy/visa'],
      });
    },
  ),

  'namespace-becomes-restricted': scenario(
    'A namespace is labelled to enforce the restricted Pod security standard; what runs there runs on until it is restarted',
    (cluster) => {
      const namespace = cluster.object({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'observatory' } });
      const dome = cluster.deployment('observatory/dome', { replicas: 2, image: imageAt('dome', '3.3') });
      cluster.deployment('museum/guide', { replicas: 2, image: imageAt('guide', '1.0') });
      cluster.at('10s', () =>
        namespace.patch({ metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } } }),
      );
      cluster.at('40s', () => dome.restart());
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Namespace//observatory',
        accepts: ['Deployment/observatory/dome'],
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/museum/guide'],
      });
    },
  ),
};
