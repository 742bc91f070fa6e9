import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
const allAtOnce = { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } };

/** What the platform runs for everybody else. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/istio/istio/issues/31717
  'mesh-without-its-head': scenario(
    'The control plane of the service mesh crashes on its new settings; who starts now gets no proxy configuration',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const settings = cluster.configMap('istio-system/istio', { mesh: 'accessLogFile: /dev/stdout\n' });
      cluster.deployment('istio-system/istiod', {
        image: image('pilot:1.23'),
        pod: { volumes: [{ name: 'config', configMap: { name: 'istio' } }] },
        container: { volumeMounts: [{ name: 'config', mountPath: '/etc/istio/config' }] },
      });
      cluster.service('istio-system/istiod', {
        ports: [{ name: 'grpc', port: 15012, targetPort: 15012, protocol: 'TCP' }],
      });
      const names = ['reviews', 'details'];
      const probe = (port: number) => ({ httpGet: { path: '/healthz/ready', port } });
      const all = names.map((name) =>
        cluster.deployment(`books/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          pod: {
            containers: [
              { name, image: image(`${name}:1`), readinessProbe: probe(8080) },
              { name: 'istio-proxy', image: image('proxyv2:1.23'), readinessProbe: probe(15021) },
            ],
          },
        }),
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () => settings.edit({ mesh: 'accessLogFile: [/dev/stdout\n' }));
      cluster.at('16s', () =>
        cluster.befall(
          image('pilot:1.23'),
          ends(
            [
              "error\tfailed to read mesh configuration: error converting YAML to JSON: yaml: line 1: did not find expected ',' or ']'",
              'Error: failed to create discovery service: failed to initialize mesh config',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('32s', () => {
        cluster.image(
          image('proxyv2:1.23'),
          unready(
            [
              'warn\tca\tca request failed, starting attempt 4 in 861.32147ms',
              'info\tEnvoy proxy is NOT ready: config not received from XDS server (is Istiod running?): cds updates: 0 successful, 0 rejected; lds updates: 0 successful, 0 rejected',
              'warning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/grpc_stream.h:190\tStreamAggregatedResources gRPC config stream to xds-grpc closed: 14, connection error: desc = "transport: Error while dialing: dial tcp: connect to istiod.istio-system.svc:15012: connect: connection refused"',
            ],
            'HTTP probe failed with statuscode: 500',
          ),
        );
        for (const workload of all) workload.restart();
      });
      cluster.lasts('2m50s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/istio-system/istio',
        accepts: ['Deployment/istio-system/istiod'],
        mustNotBlame: [...names.map((name): Ref => `Deployment/books/${name}`), 'Deployment/office/wiki'],
      });
    },
  ),
  // https://github.com/uswitch/kiam/blob/master/docs/TLS.md
  'no-cloud-credentials-anywhere': scenario(
    'The agent that hands out cloud credentials crashes on all machines after its release',
    (cluster) => {
      surroundings(cluster);
      const agent = cluster.daemonSet('kube-system/kiam-agent', {
        image: image('kiam:4.1'),
        labels: { component: 'kiam-agent' },
        spec: allAtOnce,
      });
      const names = ['exports', 'invoices', 'photos'];
      for (const name of names) cluster.deployment(`docs/${name}`, { replicas: 2, image: image(`${name}:1`) });
      cluster.image(
        image('kiam:4.2'),
        ends(
          [
            '{"level":"fatal","msg":"error creating server gateway: error dialing grpc server: x509: certificate relies on legacy Common Name field, use SANs instead"}',
          ],
          1,
          1,
        ),
      );
      cluster.at('10s', () => agent.setImage(image('kiam:4.2')));
      cluster.at('26s', () => {
        cluster.befall(
          image('exports:1'),
          ends(['botocore.exceptions.NoCredentialsError: Unable to locate credentials'], 1, 6),
        );
        cluster.befall(
          image('invoices:1'),
          ends(
            [
              'level=fatal err="NoCredentialProviders: no valid providers in chain. EC2RoleRequestError: no EC2 instance role found caused by: dial tcp 169.254.169.254:80: connect: connection refused"',
            ],
            1,
            6,
          ),
        );
        cluster.befall(
          image('photos:1'),
          unready([
            'CredentialsProviderError: Could not load credentials from any providers: connect ECONNREFUSED 169.254.169.254:80',
          ]),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kiam-agent',
        mustNotBlame: names.map((name): Ref => `Deployment/docs/${name}`),
      });
    },
  ),
  // https://docs.datadoghq.com/containers/troubleshooting/
  'agent-too-small-for-the-busiest-machine': scenario(
    'The monitoring agent is killed for its memory on the busiest machine, after its limit was lowered for all',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const agent = cluster.daemonSet('monitoring/datadog', {
        image: image('datadog-agent:7.57'),
        memory: '512Mi',
        spec: allAtOnce,
      });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => {
        cluster.image(image('datadog-agent:7.57'), (pod) =>
          pod.spec.nodeName === 'n2'
            ? {
                exit: { afterSeconds: 5, code: 137, oom: true },
                readyAfterSeconds: 'never',
                log: ['CORE | INFO | (pkg/collector/worker/check_logger.go:40) | check:kubelet | Running check...'],
              }
            : {},
        );
        agent.change({ memory: '192Mi' });
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'DaemonSet/monitoring/datadog',
        mustNotBlame: ['Node//n2', 'Deployment/web/storefront', 'DaemonSet/monitoring/node-exporter'],
      });
    },
  ),
  // https://github.com/spiffe/spiffe-helper/issues/221
  'no-identities-are-issued': scenario(
    'The server that issues identities does not start after its release; its agents and two workloads follow',
    (cluster) => {
      surroundings(cluster);
      const server = cluster.statefulSet('spire/spire-server', { image: image('spire-server:1.9') });
      cluster.service('spire/spire-server', {
        ports: [{ name: 'grpc', port: 8081, targetPort: 8081, protocol: 'TCP' }],
      });
      cluster.daemonSet('spire/spire-agent', { image: image('spire-agent:1.9') });
      const names = ['gateway', 'signer'];
      for (const name of names) cluster.deployment(`trust/${name}`, { replicas: 2, image: image(`${name}:1`) });
      cluster.image(
        image('spire-server:1.11'),
        ends(
          [
            'level=error msg="Server crashed" error="datastore-sql: unable to migrate database: migrating from schema version 21 requires a previous SPIRE release; please follow the upgrade strategy at doc/upgrading.md"',
          ],
          1,
          2,
        ),
      );
      cluster.at('8s', () => server.setImage(image('spire-server:1.11')));
      cluster.at('20s', () =>
        cluster.befall(
          image('spire-agent:1.9'),
          ends(
            [
              'level=error msg="Agent crashed" error="failed to attest: could not open attestation stream to SPIRE server: rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial tcp: connect to spire-server.spire.svc:8081: connect: connection refused\\""',
            ],
            1,
            5,
          ),
        ),
      );
      cluster.at('36s', () => {
        for (const name of names)
          cluster.befall(
            image(`${name}:1`),
            ends(
              [
                'level=error msg="Unable to update X.509 SVID: rpc error: code = Unavailable desc = connection error: desc = \\"transport: Error while dialing: dial unix /run/spire/sockets/agent.sock: connect: connection refused\\""',
              ],
              1,
              6,
            ),
          );
      });
      cluster.lasts('2m45s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/spire/spire-server',
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/trust/${name}`),
          'DaemonSet/spire/spire-agent',
          'Node//n1',
        ],
      });
    },
  ),
};
