import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** Services, ways in, policies and what is trusted between them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/stackabletech/trino-operator/issues/792: the Service is named otherwise since the upgrade.
  'coordinator-answers-to-another-name': reported(
    'An operator is upgraded and names the Service of a query engine otherwise; three that know the old name find nobody',
    (cluster, firm) => {
      cluster.deployment('queries/trino-coordinator', { image: 'oci.stackable.tech/sdp/trino:470-stackable25.7.0' });
      const old = cluster.service('queries/trino-coordinator-default', { selector: { app: 'trino-coordinator' } });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        old.delete();
        cluster.service('queries/trino-coordinator');
      });
      const host = 'trino-coordinator-default.queries.svc.cluster.local';
      const values = { TRINO_URL: `http://${host}` };
      const innocents = clients(cluster, 20, {
        'queries/metrics-board': {
          does: unready([`socket.gaierror: [Errno -2] Name or service not known: ${host}`]),
          values,
        },
        'queries/report-builder': {
          does: ends([`java.net.UnknownHostException: ${host}: Name or service not known`]),
          values,
        },
        'finance/closing': {
          does: ends([
            `level=fatal msg="cannot query" error="dial tcp: lookup ${host} on 10.96.0.10:53: no such host"`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Service/queries/trino-coordinator-default',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/queries/trino-coordinator', 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://github.com/dapr/dapr/issues/3058, https://github.com/dapr/dapr/issues/1621: the trust is a year old.
  'trust-of-the-companions-has-run-out': reported(
    'The certificates that the companions of three applications trust have run out; at their next start none of the companions comes up',
    (cluster) => {
      cluster.secret('dapr-system/dapr-trust-bundle', { 'ca.crt': 'one', 'issuer.crt': 'one', 'issuer.key': 'one' });
      cluster.deployment('dapr-system/dapr-sentry', {
        ...{ image: 'ghcr.io/dapr/sentry:1.11.3', pod: secretVolume('dapr-trust-bundle') },
      });
      cluster.service('dapr-system/dapr-sentry');
      const companion = 'ghcr.io/dapr/daprd:1.11.3';
      const names = ['cart', 'payments', 'shipping'];
      const handles = names.map((name) => {
        const image = imageAt(name, 2);
        cluster.service(`store/${name}`);
        return cluster.deployment(`store/${name}`, {
          ...{ replicas: 2, image },
          pod: {
            containers: [
              { name, image, readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
              {
                ...{ name: 'daprd', image: companion },
                args: ['--sentry-address', 'dapr-sentry.dapr-system.svc.cluster.local:80'],
              },
            ],
          },
        });
      });
      cluster.at(after(0), () => {
        cluster.image(
          companion,
          ends(
            [
              'time="2026-11-23T09:05:55.147808821Z" level=info msg="starting Dapr Runtime -- version 1.11.3" app_id=cart scope=dapr.runtime type=log ver=1.11.3',
              'time="2026-11-23T09:05:57.761065457Z" level=fatal msg="failed to start internal gRPC server: error from authenticator CreateSignedWorkloadCert: error from sentry SignCertificate: rpc error: code = Unavailable desc = connection error: desc = \\"transport: authentication handshake failed: x509: certificate has expired or is not yet valid: current time 2026-11-23T09:05:55Z is after 2026-11-23T00:00:00Z\\"" app_id=cart scope=dapr.runtime type=log ver=1.11.3',
            ],
            1,
            3,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Deployment/dapr-system/dapr-sentry',
        accepts: ['Secret/dapr-system/dapr-trust-bundle', 'Service/dapr-system/dapr-sentry'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/store/${name}` as const),
      });
    },
  ),

  // https://github.com/nais/texas/issues/149: nobody allowed the way to the issuer of tokens; taken back after twelve minutes.
  'policy-forgets-the-issuer-of-tokens': reported(
    'A namespace gets a policy for what may leave it, and the issuer of tokens is not in it; two workloads get no tokens any more',
    (cluster, firm) => {
      server(cluster, 'nais/tokendings', 'docker.io/nais/tokendings:2026.11', 8080, { clusterIP: '10.96.99.7' });
      const policy = cluster.planned(
        networkPolicy('pension/egress', {
          podSelector: {},
          policyTypes: ['Egress'],
          egress: [
            { ports: [{ protocol: 'UDP', port: 53 }] },
            { to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'pension' } } }] },
          ],
        }),
      );
      innocentRelease(cluster, after(-35), firm);
      cluster.at(after(0), () => policy.create());
      const values = { TOKEN_X_JWKS_URI: 'http://tokendings.nais.svc.cluster.local:8080/jwks' };
      const places = {
        'pension/calculator': {
          does: ends([
            'ERROR texas: failed to fetch jwks: error sending request for url (http://tokendings.nais.svc.cluster.local:8080/jwks): operation timed out',
            'FATAL texas: giving up after 5 attempts',
          ]),
          values,
        },
        'pension/letters': {
          does: unready([
            'level=error msg="token exchange failed" error="Post \\"http://tokendings.nais.svc.cluster.local:8080/token\\": dial tcp 10.96.99.7:8080: i/o timeout"',
          ]),
          values,
        },
      };
      const innocents = clients(cluster, 15, places);
      cluster.at(after(720), () => policy.delete());
      recover(cluster, 728, ...Object.keys(places));
      cluster.expectIncident({
        root: 'NetworkPolicy/pension/egress',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/nais/tokendings', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 24 },
  ),

  // https://github.com/apache/apisix-ingress-controller/issues/338: the definitions are of an older version than the controller.
  'controller-of-routes-is-ahead-of-its-definitions': reported(
    'The controller of an API gateway is upgraded, and its definitions are not; it ends at each start, while the gateway serves on',
    (cluster) => {
      cluster.deployment('apisix/apisix', { replicas: 2, image: 'docker.io/apache/apisix:2.15.3' });
      cluster.service('apisix/apisix');
      const repository = 'docker.io/apache/apisix-ingress-controller';
      const controller = cluster.deployment('apisix/apisix-ingress-controller', { image: `${repository}:0.4.0` });
      cluster.image(
        `${repository}:1.0.0`,
        ends(
          [
            '2026-11-23T09:17:02+08:00\tinfo\tingress/ingress.go:93\tversion:\tapisix ingress controller version 1.0.0',
            'E1123 09:17:05.104218       1 reflector.go:178] pkg/mod/k8s.io/client-go@v0.20.2/tools/cache/reflector.go:125: Failed to list *v2beta1.ApisixRoute: the server could not find the requested resource (get apisixroutes.apisix.apache.org)',
            '2026-11-23T09:17:35+08:00\terror\tingress/controller.go:241\tno matches for kind "ApisixRoute" in version "apisix.apache.org/v2beta1"',
          ],
          1,
          34,
        ),
      );
      cluster.at(after(0), () => controller.setImage(`${repository}:1.0.0`));
      cluster.expectIncident({
        root: 'Deployment/apisix/apisix-ingress-controller',
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/apisix/apisix', 'Service/apisix/apisix'],
      });
    },
  ),
};
