import { imageAt, innocentRelease } from '../../kit/company.ts';
import { secretVolume } from '../../kit/field.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** ConfigMaps and Secrets that are changed, or that lack what is read. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/prometheus-community/helm-charts/issues/255: its settings are a Secret.
  'alerts-are-routed-to-a-name-that-is-not-defined': reported(
    'The settings of an Alertmanager, which are a Secret, route to a receiver that nobody defined; it ends at its next start',
    (cluster, firm) => {
      const settings = cluster.secret('monitoring/alertmanager-main', {
        'alertmanager.yaml': 'route: {receiver: chat}',
      });
      const image = 'quay.io/prometheus/alertmanager:v0.27.0';
      const manager = server(cluster, 'monitoring/alertmanager-main', image, 9093, {
        pod: secretVolume('alertmanager-main'),
      });
      innocentRelease(cluster, after(-45), firm);
      cluster.at(after(0), () => settings.edit({ 'alertmanager.yaml': 'route: {receiver: "null"}' }));
      cluster.at(after(25), () => {
        cluster.image(
          image,
          ends(
            [
              'ts=2026-11-23T09:12:07.790Z caller=main.go:181 level=info msg="Starting Alertmanager" version="(version=0.27.0, branch=HEAD, revision=0aa3c2aad14cff039931923ab16b26b7481783b5)"',
              'ts=2026-11-23T09:12:07.815Z caller=coordinator.go:118 level=error component=configuration msg="Loading configuration file failed" file=/etc/alertmanager/config/alertmanager.yaml err="undefined receiver \\"null\\" used in route"',
            ],
            1,
            1,
          ),
        );
        manager.restart();
      });
      cluster.expectIncident({
        root: 'Secret/monitoring/alertmanager-main',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/monitoring/alertmanager-main', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/bitnami/charts/issues/34156: the newer chart wants a key that older ones never wrote.
  'chart-reads-a-key-that-the-old-secret-lacks': reported(
    'A newer chart reads a key that the Secret of the first installation does not have; it is added after a quarter of an hour',
    (cluster) => {
      const old = { 'admin-user': 'user', 'admin-password': 'one' };
      const secret = cluster.secret('ml/mlflow-tracking', old);
      const env = { MLFLOW_ADMIN_PASSWORD: 'secret/mlflow-tracking/admin-password' };
      const image = 'docker.io/bitnamilegacy/mlflow:2.22.0';
      const mlflow = cluster.deployment('ml/mlflow-tracking', { replicas: 2, image, env });
      cluster.service('ml/mlflow-tracking');
      cluster.at(after(0), () =>
        mlflow.change({
          image: 'docker.io/bitnamilegacy/mlflow:3.1.0',
          env: { ...env, MLFLOW_FLASK_SERVER_SECRET_KEY: 'secret/mlflow-tracking/flask-server-secret-key' },
        }),
      );
      cluster.at(after(900), () => secret.edit({ ...old, 'flask-server-secret-key': 'two' }));
      cluster.expectIncident({
        root: 'Deployment/ml/mlflow-tracking',
        accepts: ['Secret/ml/mlflow-tracking'],
        messages: { resolve: 1 },
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/oauth2-proxy/oauth2-proxy/issues/579, https://github.com/Smana/cloud-native-ref/pull/1889: 44 characters.
  'cookie-secret-of-a-wrong-length': reported(
    'The cookie secret of two authentication proxies is made anew with a wrong length, and both end as they are restarted',
    (cluster) => {
      const secret = cluster.secret('gatekeeper/oauth2-proxy', { 'cookie-secret': 'one', 'client-secret': 'one' });
      const image = 'quay.io/oauth2-proxy/oauth2-proxy:v7.6.0';
      const names = ['handbook-proxy', 'reports-proxy'];
      const handles = names.map((name) => {
        cluster.service(`gatekeeper/${name}`);
        return cluster.deployment(`gatekeeper/${name}`, {
          ...{ replicas: 2, image },
          env: { OAUTH2_PROXY_COOKIE_SECRET: 'secret/oauth2-proxy/cookie-secret' },
        });
      });
      cluster.at(after(0), () => secret.edit({ 'cookie-secret': 'two', 'client-secret': 'one' }));
      cluster.at(after(15), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026/11/23 09:34:12] [main.go:54] invalid configuration:',
              '  cookie_secret must be 16, 24, or 32 bytes to create an AES cipher, but is 44 bytes',
            ],
            1,
            1,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/gatekeeper/oauth2-proxy',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/gatekeeper/${name}` as const),
      });
    },
  ),

  // https://github.com/rancher/rancher/issues/18919: one team's certificate takes the controller of all down.
  'private-key-with-a-passphrase': reported(
    'A team puts a private key with a passphrase into its TLS Secret; the ingress controller of all crashes for it',
    (cluster, firm) => {
      const image = 'docker.io/rancher/nginx-ingress-controller:nginx-1.9.6-rancher1';
      cluster.deployment('ingress-nginx/ingress-nginx-controller', { replicas: 2, image });
      cluster.service('ingress-nginx/ingress-nginx-controller');
      cluster.object(ingressClass);
      const certificate = cluster.secret('atlas/tracecloud-geo-ip', { 'tls.crt': 'one', 'tls.key': 'one' });
      const way = ingress('atlas/geo-ip');
      cluster.deployment('atlas/geo-ip', { replicas: 2, image: imageAt('geo-ip', 9) });
      cluster.service('atlas/geo-ip');
      cluster.object({
        ...way,
        spec: { ...(way.spec as object), tls: [{ hosts: ['geo-ip.example'], secretName: 'tracecloud-geo-ip' }] },
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => certificate.edit({ 'tls.crt': 'two', 'tls.key': 'two' }));
      cluster.at(after(6), () =>
        cluster.befall(
          image,
          ends(
            [
              'I1123 09:34:25.950120       7 controller.go:169] Configuration changes detected, backend reload required.',
              'E1123 09:34:26.014233       7 controller.go:175] Unexpected failure reloading the backend:',
              'Error: exit status 1',
              'Enter PEM pass phrase:',
              '2026/11/23 09:34:25 [emerg] 6894#6894: SSL_CTX_use_PrivateKey_file("/etc/ingress-controller/ssl/atlas-tracecloud-geo-ip.pem") failed (SSL: error:2807106B:UI routines:UI_process:processing error:while reading strings error:0906406D:PEM routines:PEM_def_callback:problems getting password error:0906A068:PEM routines:PEM_do_header:bad password read error:140B0009:SSL routines:SSL_CTX_use_PrivateKey_file:PEM lib)',
              'nginx: configuration file /tmp/nginx-cfg514102433 test failed',
            ],
            255,
            8,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'Secret/atlas/tracecloud-geo-ip',
        accepts: ['Ingress/atlas/geo-ip'],
        messages: { resolve: 0 },
        mustNotBlame: [
          'Deployment/ingress-nginx/ingress-nginx-controller',
          'Deployment/atlas/geo-ip',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),
};
