import { imageAt, innocentRelease, onlyOn } from '../../kit/company.ts';
import { after, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Upgrades of what keeps a cluster going, and one of the house. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/argoproj/argo-cd/issues/26595, https://github.com/argoproj/argo-cd/pull/26613
  'link-of-the-helper-is-there-already': reported(
    'An upgrade of Argo CD brings an init container that makes a link, fails as it is there, and never gets by',
    (cluster) => {
      const repository = 'quay.io/argoproj/argocd';
      const argo = cluster.deployment('argocd/argocd-repo-server', {
        ...{ image: `${repository}:v3.2.6`, init: `${repository}:v3.2.6`, replicas: 2 },
      });
      cluster.service('argocd/argocd-repo-server');
      cluster.deployment('argocd/argocd-server', { image: imageAt('argocd-server', 3) });
      cluster.image(
        `${repository}:v3.3.0`,
        ends(["/bin/ln: failed to create symbolic link '/var/run/argocd/argocd-cmp-server': File exists"], 1, 1),
      );
      cluster.at(after(0), () => argo.change({ image: `${repository}:v3.3.0`, init: `${repository}:v3.3.0` }));
      cluster.expectIncident({
        root: 'Deployment/argocd/argocd-repo-server',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/argocd/argocd-server', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/fluent/fluentd/issues/1774: the plug-in is not in the image.
  'agent-image-without-its-output': reported(
    'The log agent of all machines gets another flavour of its image, in which the plug-in of its output is missing',
    (cluster, firm) => {
      const repository = 'docker.io/fluent/fluentd-kubernetes-daemonset';
      const fluentd = cluster.daemonSet('logging/fluentd', { image: `${repository}:v1.16-debian-cloudwatch-1` });
      innocentRelease(cluster, after(-20), firm);
      cluster.image(
        `${repository}:v1.17-debian-elasticsearch8-1`,
        ends(
          [
            '2026-11-23 09:46:55 +0000 [info]: parsing config file is succeeded path="/fluentd/etc/fluent.conf"',
            "2026-11-23 09:46:55 +0000 [info]: gem 'fluent-plugin-elasticsearch' version '5.4.3'",
            '2026-11-23 09:46:56 +0000 [error]: config error file="/fluentd/etc/fluent.conf" error_class=Fluent::ConfigError error="Unknown output plugin \'cloudwatch_logs\'. Run \'gem search -rd fluent-plugin\' to find plugins"',
          ],
          1,
          3,
        ),
      );
      cluster.at(after(0), () => fluentd.setImage(`${repository}:v1.17-debian-elasticsearch8-1`));
      cluster.expectIncident({
        root: 'DaemonSet/logging/fluentd',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/logistics/tracking', 'DaemonSet/observability/agent'],
      });
    },
  ),

  // https://github.com/killbill/killbill-admin-ui-standalone/pull/120: the newer framework reads another variable.
  'framework-reads-another-variable': reported(
    'A release on a newer Rails reads its key from another variable than the one it is given; taken back after ten minutes',
    (cluster) => {
      const admin = cluster.deployment('billing/admin-console', {
        ...{ replicas: 2, image: imageAt('admin-console', '4.0.9') },
        env: { KAUI_SECRET_KEY_BASE: 'secret/admin-console/secret_key_base' },
      });
      cluster.secret('billing/admin-console', { secret_key_base: 'one' });
      cluster.service('billing/admin-console');
      cluster.image(
        imageAt('admin-console', '4.1.0'),
        ends(
          [
            "! Unable to load application: ArgumentError: Missing `secret_key_base` for 'production' environment, set this string with `bin/rails credentials:edit`",
            "/usr/local/bundle/gems/railties-7.2.1/lib/rails/application.rb:676:in `validate_secret_key_base': Missing `secret_key_base` for 'production' environment, set this string with `bin/rails credentials:edit` (ArgumentError)",
            "/app/config/environment.rb:5:in `<main>'",
          ],
          1,
          6,
        ),
      );
      cluster.at(after(0), () => admin.setImage(imageAt('admin-console', '4.1.0')));
      cluster.at(after(600), () => admin.setImage(imageAt('admin-console', '4.0.9')));
      cluster.expectIncident({
        root: 'Deployment/billing/admin-console',
        messages: { resolve: 1 },
        mustNotBlame: ['Secret/billing/admin-console'],
      });
    },
  ),

  // https://github.com/SumoLogic/fluentd-kubernetes-sumologic/issues/135: the same manifest, and another image behind its tag.
  'latest-is-something-else-on-a-new-machine': reported(
    'A machine joins and pulls what the tag latest is today: the collector fails there, with the older image it runs elsewhere',
    (cluster) => {
      const image = 'docker.io/sumologic/fluentd-kubernetes-sumologic:latest';
      cluster.daemonSet('sumologic/collector', { image });
      const web = cluster.deployment('fitness/web', { replicas: 3, image: imageAt('web', 22) });
      cluster.service('fitness/web');
      cluster.at(after(0), () => {
        cluster.image(
          image,
          onlyOn(
            'n4',
            ends([
              "ls: cannot access '/fluentd/etc/fluent.file.conf': No such file or directory",
              "Unknown source 'file'",
            ]),
          ),
        );
        cluster.addNode({ name: 'n4' });
      });
      cluster.at(after(30), () => web.scale(8));
      cluster.expectIncident({
        root: 'DaemonSet/sumologic/collector',
        messages: { resolve: 0 },
        mustNotBlame: ['Node//n4', 'Deployment/fitness/web', 'DaemonSet/observability/agent'],
      });
    },
  ),

  // https://github.com/istio/istio/pull/60486: older sidecars refuse what the newer control plane sends.
  'control-plane-outruns-its-sidecars': reported(
    'The control plane of the mesh is upgraded, and the sidecars of two workloads refuse what it sends; taken back after twelve minutes',
    (cluster) => {
      const repository = 'docker.io/istio/pilot';
      const istiod = cluster.deployment('istio-system/istiod', { replicas: 2, image: `${repository}:1.29.1` });
      cluster.service('istio-system/istiod', {
        ports: [{ name: 'https-dns', port: 15012, targetPort: 15012, protocol: 'TCP' }],
      });
      const proxy = 'docker.io/istio/proxyv2:1.29.1';
      const names = ['rides', 'drivers'];
      for (const name of names) {
        const containers = [
          { name, image: imageAt(name, 6), readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
          { name: 'istio-proxy', image: proxy, readinessProbe: { httpGet: { path: '/healthz/ready', port: 15021 } } },
        ];
        cluster.deployment(`taxi/${name}`, { replicas: 2, image: imageAt(name, 6), pod: { containers } });
        cluster.service(`taxi/${name}`);
      }
      cluster.at(after(0), () => istiod.setImage(`${repository}:1.30.0`));
      cluster.at(after(25), () =>
        cluster.befall(
          proxy,
          unready([
            "2026-11-23T09:49:38.685080Z\twarning\tenvoy config external/envoy/source/extensions/config_subscription/grpc/delta_subscription_state.cc:283\tdelta config for type.googleapis.com/envoy.config.listener.v3.Listener rejected: Error adding/updating listener(s) connect_terminate: 'io.istio.connect_authority' does not have an object factory",
            '2026-11-23T09:49:39.163854Z\twarn\tEnvoy proxy is NOT ready: config received from XDS server, but was rejected: cds updates: 2 successful, 0 rejected; lds updates: 0 successful, 2 rejected',
          ]),
        ),
      );
      cluster.at(after(720), () => istiod.setImage(`${repository}:1.29.1`));
      cluster.at(after(750), () => cluster.befall(proxy, {}));
      cluster.expectIncident({
        root: 'Deployment/istio-system/istiod',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/taxi/${name}` as const),
      });
    },
    { minutes: 24 },
  ),
};
