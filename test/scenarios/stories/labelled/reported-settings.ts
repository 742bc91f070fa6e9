import { condition, custom, define, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** ConfigMaps and Secrets that are changed, generated anew or gone. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/awslabs/crossplane-on-eks/issues/165, https://github.com/prometheus-community/helm-charts/issues/482
  'two-default-datasources': reported(
    'A second data source of a Grafana is marked as the default, and it does not start any more',
    (cluster) => {
      const settings = cluster.configMap('monitoring/grafana-datasources', {
        'datasource.yaml': 'datasources: [{name: Prometheus, isDefault: true}]',
      });
      const image = 'docker.io/grafana/grafana:10.2.3';
      const grafana = cluster.deployment('monitoring/grafana', { image, pod: settingsVolume('grafana-datasources') });
      cluster.service('monitoring/grafana');
      cluster.at(after(0), () =>
        settings.edit({
          'datasource.yaml': 'datasources: [{name: Prometheus, isDefault: true}, {name: Thanos, isDefault: true}]',
        }),
      );
      cluster.at(after(20), () => {
        cluster.image(
          image,
          ends(
            [
              'logger=settings t=2026-11-22T09:26:17.311401Z level=info msg="Starting Grafana" version=10.2.3 commit=1e84fede54',
              'logger=provisioning t=2026-11-22T09:26:19.066649715Z level=error msg="Failed to provision data sources" error="Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default"',
              'Error: ✗ Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default',
            ],
            1,
            3,
          ),
        );
        grafana.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/monitoring/grafana-datasources',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/monitoring/grafana'],
      });
    },
  ),

  // https://github.com/awslabs/benchmark-ai/issues/552, https://github.com/helm/charts/issues/5423
  'scrape-settings-with-an-unknown-field': reported(
    'The file of a Prometheus gets a field that it does not know; it ends at its next start and is mended after a quarter of an hour',
    (cluster, firm) => {
      const good = { 'prometheus.yml': 'scrape_configs: []' };
      const settings = cluster.configMap('monitoring/prometheus-server', good);
      const image = 'quay.io/prometheus/prometheus:v2.53.1';
      const prometheus = server(cluster, 'monitoring/prometheus-server', image, 9090, {
        pod: settingsVolume('prometheus-server'),
      });
      innocentRelease(cluster, after(-10), firm);
      cluster.at(after(0), () => settings.edit({ 'prometheus.yml': 'scrape_configs: [{honor_timestamp: true}]' }));
      cluster.at(after(10), () => {
        cluster.image(
          image,
          ends(
            [
              'ts=2026-11-22T09:04:21.555Z caller=main.go:541 level=info msg="No time or size retention was set so using the default time retention" duration=15d',
              'ts=2026-11-22T09:04:21.584Z caller=main.go:471 level=error msg="Error loading config (--config.file=/etc/config/prometheus.yml)" file=/etc/config/prometheus.yml err="parsing YAML file /etc/config/prometheus.yml: yaml: unmarshal errors:\\n  line 661: field honor_timestamp not found in type config.ScrapeConfig"',
            ],
            2,
            1,
          ),
        );
        prometheus.restart();
      });
      cluster.at(after(900), () => {
        settings.edit(good);
        cluster.image(image, {});
      });
      cluster.expectIncident({
        root: 'ConfigMap/monitoring/prometheus-server',
        messages: { resolve: 1 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Service/monitoring/prometheus-server'],
      });
    },
    { minutes: 30 },
  ),

  // https://github.com/bitnami/charts/issues/17462: every upgrade of the chart makes another password, and PostgreSQL keeps its own.
  'upgrade-makes-another-password': reported(
    'An upgrade of a chart writes a new random password into the Secret; PostgreSQL still expects the old one of two services',
    (cluster) => {
      const secret = cluster.secret('hr/postgres-secrets', { postgres_password: 'one' });
      server(cluster, 'hr/postgresql', 'docker.io/bitnamilegacy/postgresql:15.3.0', 5432, {
        clusterIP: '10.96.44.18',
        env: { POSTGRES_PASSWORD: 'secret/postgres-secrets/postgres_password' },
      });
      const names = ['payroll', 'leave'];
      const handles = names.map((name) =>
        cluster.deployment(`hr/${name}`, {
          replicas: 2,
          image: imageAt(name, '3.0'),
          env: { DB_PASSWORD: 'secret/postgres-secrets/postgres_password' },
          values: { DB_HOST: 'postgresql.hr.svc.cluster.local' },
        }),
      );
      cluster.at(after(0), () => secret.edit({ postgres_password: 'two' }));
      cluster.at(after(5), () => {
        cluster.image(
          imageAt('payroll', '3.0'),
          ends([
            'org.postgresql.util.PSQLException: FATAL: password authentication failed for user "hr"',
            '\tat org.postgresql.core.v3.ConnectionFactoryImpl.doAuthentication(ConnectionFactoryImpl.java:693)',
          ]),
        );
        cluster.image(
          imageAt('leave', '3.0'),
          ends([
            'panic: failed to connect to `host=postgresql.hr.svc.cluster.local user=hr database=leave`: failed SASL auth (FATAL: password authentication failed for user "hr" (SQLSTATE 28P01))',
          ]),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/hr/postgres-secrets',
        messages: { resolve: 0 },
        mustNotBlame: [...names.map((name) => `Deployment/hr/${name}` as const), 'StatefulSet/hr/postgresql'],
      });
    },
  ),

  // https://github.com/external-secrets/external-secrets/issues/3412, https://github.com/kubara-io/kubara/issues/301
  'store-of-the-secrets-may-not-log-in': reported(
    'The store behind the External Secrets Operator cannot log in, so the Secret of a new service is never made',
    (cluster) => {
      cluster.pro();
      define(cluster, 'external-secrets.io/v1', ['ClusterSecretStore'], 'Cluster');
      define(cluster, 'external-secrets.io/v1', ['ExternalSecret']);
      cluster.deployment('external-secrets/external-secrets', {
        image: 'ghcr.io/external-secrets/external-secrets:v0.16.2',
      });
      const store = custom(cluster, 'external-secrets.io/v1', 'ClusterSecretStore', '/aws', {
        provider: { aws: { service: 'SecretsManager', region: 'eu-west-1' } },
      });
      store.status(condition('Ready', 'True', 'Valid', 'store validated'));
      cluster.at(after(0), () =>
        store.status(condition('Ready', 'False', 'InvalidProviderConfig', 'unable to create client')),
      );
      cluster.at(after(90), () => {
        custom(cluster, 'external-secrets.io/v1', 'ExternalSecret', 'loyalty/points-db', {
          secretStoreRef: { kind: 'ClusterSecretStore', name: 'aws' },
          target: { name: 'points-db' },
        });
        cluster.deployment('loyalty/points', {
          replicas: 2,
          image: imageAt('points', '1.0'),
          env: { DB_PASSWORD: 'secret/points-db/password' },
          broken: true,
        });
      });
      const wanted = cluster.planned({
        ...{ apiVersion: 'external-secrets.io/v1', kind: 'ExternalSecret' },
        metadata: { namespace: 'loyalty', name: 'points-db' },
      });
      cluster.at(after(95), () =>
        wanted.status(
          condition(
            'Ready',
            'False',
            'SecretSyncedError',
            'error processing spec.data[0] (key: loyalty/points-db), err: ClusterSecretStore "aws" is not ready',
          ),
        ),
      );
      cluster.expectIncident({
        root: 'ClusterSecretStore.external-secrets.io//aws',
        accepts: ['ExternalSecret.external-secrets.io/loyalty/points-db', 'Secret/loyalty/points-db'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/loyalty/points', 'Deployment/external-secrets/external-secrets'],
      });
    },
  ),

  // https://github.com/argoproj/argo-cd/issues/22607: what two applications share goes with the first that is deleted.
  'shared-secret-goes-with-the-old-application': reported(
    'An application is deleted with the Secret that two others use; nothing happens until a machine is drained, and then two workloads cannot start',
    (cluster) => {
      const secret = cluster.secret('orders/broker-credentials', { username: 'orders', password: 'one' });
      const env = { BROKER_PASSWORD: 'secret/broker-credentials/password' };
      const old = cluster.deployment('orders/legacy-intake', { image: imageAt('legacy-intake', 12), env });
      const places = ['orders/intake', 'orders/refunds'];
      for (const place of places) cluster.deployment(place, { replicas: 2, image: imageOf(place), env });
      cluster.at(after(0), () => {
        old.delete();
        secret.delete();
      });
      cluster.at(after(120), () => cluster.node('n1').drain());
      cluster.at(after(200), () => cluster.node('n2').drain());
      cluster.expectIncident({
        root: 'Secret/orders/broker-credentials',
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 330,
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/orders/intake', 'Deployment/orders/refunds', 'Node//n1', 'Node//n2'],
      });
    },
  ),

  // https://github.com/coredns/kubernetai/issues/22, https://github.com/ori-edge/k8s_gateway/issues/76
  'corefile-names-a-plugin-that-is-not-built-in': reported(
    'The Corefile is edited to use a plugin that this CoreDNS was not built with; after its restart nobody resolves a name',
    (cluster) => {
      const file = cluster.configMap('kube-system/coredns', { Corefile: '.:53 { kubernetes cluster.local }' });
      const image = 'registry.k8s.io/coredns/coredns:v1.11.3';
      const coredns = cluster.deployment('kube-system/coredns', {
        ...{ replicas: 2, image, labels: { 'k8s-app': 'kube-dns' }, pod: settingsVolume('coredns') },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 2 } } },
      });
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service' },
        metadata: { name: 'kube-dns', namespace: 'kube-system', labels: { 'k8s-app': 'kube-dns' } },
        spec: {
          ...{ clusterIP: '10.96.0.10', selector: { 'k8s-app': 'kube-dns' } },
          ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
        },
      });
      server(cluster, 'shop/mysql', 'docker.io/library/mysql:8.0.36', 3306);
      cluster.at(after(0), () => file.edit({ Corefile: '.:53 { k8s_gateway example.com }' }));
      cluster.at(after(30), () => {
        cluster.image(
          image,
          ends(["/etc/coredns/Corefile:12 - Error during parsing: Unknown directive 'k8s_gateway'"], 1, 1),
        );
        coredns.restart();
      });
      const innocents = clients(cluster, 45, {
        'shop/catalog': {
          does: ends([
            'level=error msg="failed to open database" error="dial tcp: lookup mysql.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.244.2.9:38811->10.96.0.10:53: read: connection refused"',
          ]),
          values: { MYSQL_HOST: 'mysql.shop.svc.cluster.local' },
        },
        'shop/payments': {
          does: unready([
            'Caused by: java.net.UnknownHostException: api.psp.example: Temporary failure in name resolution',
            '\tat java.base/java.net.Inet6AddressImpl.lookupAllHostAddr(Native Method)',
          ]),
          values: { PSP_URL: 'https://api.psp.example' },
        },
        'support/tickets': {
          does: ends(['Error: getaddrinfo EAI_AGAIN mysql.shop.svc.cluster.local']),
          values: { DB_HOST: 'mysql.shop.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'StatefulSet/shop/mysql'],
      });
    },
    { dnsService: 'none' },
  ),
};
