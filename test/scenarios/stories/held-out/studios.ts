/** A studio that makes and runs a game: its lobby and matches, its renderers, its builders and its shop. */
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { account, definition, onPort, readsFiles, serves } from './parts/houses.ts';

export const stories: Readonly<Record<string, Scenario>> = {
  'launch-day-meets-a-quota-of-twenty': scenario(
    'On the day of a launch the gateway is scaled beyond the number of Pods that its namespace may have',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.quota('lobby/pods', { pods: '20' });
      const gateway = cluster.deployment('lobby/gateway', { replicas: 8, image: 'registry.studio.example/gateway:44' });
      cluster.deployment('lobby/friends', { replicas: 4, image: 'registry.studio.example/friends:12' });
      cluster.service('lobby/gateway');
      cluster.service('lobby/friends');
      cluster.at('20s', () => gateway.scale(30));
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'ResourceQuota/lobby/pods',
        accepts: ['Deployment/lobby/gateway'],
        mustNotBlame: ['Deployment/lobby/friends'],
      });
    },
  ),

  'bakers-of-light-lose-their-toleration': scenario(
    'A chart drops the toleration with which the bakers of light may use the machines with cards; the scaler of machines restarts before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const gpu = {
        labels: { accelerator: 'l40s' },
        taints: [{ key: 'nvidia.com/gpu', value: 'present', effect: 'NoSchedule' }],
      };
      cluster.nodes(['n1', 'n2', { name: 'g1', ...gpu }, { name: 'g2', ...gpu }]);
      const scaler = cluster.deployment('kube-system/cluster-autoscaler', {
        image: 'registry.example/cluster-autoscaler:1.31',
      });
      const baker = cluster.deployment('render/light-baker', {
        ...{ replicas: 4, image: 'registry.studio.example/light-baker:8.0', nodeSelector: { accelerator: 'l40s' } },
        pod: { tolerations: [{ key: 'nvidia.com/gpu', operator: 'Exists', effect: 'NoSchedule' }] },
      });
      cluster.service('render/light-baker');
      cluster.at('10s', () => scaler.restart());
      cluster.at('40s', () =>
        baker.patch({
          spec: {
            template: {
              metadata: { labels: { 'helm.sh/chart': 'light-baker-3.0.0' } },
              spec: { tolerations: null },
            },
          },
        }),
      );
      cluster.lasts('160s');
      cluster.expectIncident({
        root: 'Deployment/render/light-baker',
        mustNotBlame: ['Deployment/kube-system/cluster-autoscaler', 'Node//g1', 'Node//g2'],
      });
    },
  ),

  'cards-of-a-new-machine-have-no-driver-and-a-cache-of-textures-bursts': scenario(
    'A machine with cards joins without their driver; of its own, a release of the cache of textures is killed for its memory',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const labels = { accelerator: 'l40s' };
      cluster.nodes(['n1', 'n2', { name: 'g1', labels }]);
      cluster.image('registry.example/k8s-device-plugin:0.17', (pod) =>
        pod.spec.nodeName === 'g2'
          ? {
              exit: { afterSeconds: 1, code: 1 },
              readyAfterSeconds: 'never',
              log: [
                'I1129 10:14:11.984927       1 main.go:199] Starting FS watcher.',
                'I1129 10:14:11.985244       1 main.go:221] Starting Plugins.',
                'E1129 10:14:11.987035       1 factory.go:112] Incompatible strategy detected auto',
                'E1129 10:14:11.987060       1 factory.go:113] If this is a GPU node, did you configure the NVIDIA Container Toolkit?',
                'E1129 10:14:11.987066       1 factory.go:116] If this is not a GPU node, you should set up a toleration or nodeSelector to only deploy this plugin on GPU nodes',
                'E1129 10:14:11.987402       1 main.go:132] error starting plugins: unable to create plugin manager: failed to construct resource managers: failed to initialize NVML: ERROR_LIBRARY_NOT_FOUND',
              ],
            }
          : {},
      );
      cluster.daemonSet('gpu-operator/nvidia-device-plugin', {
        ...{ image: 'registry.example/k8s-device-plugin:0.17', nodeSelector: labels, probe: false },
      });
      const cache = cluster.deployment('render/texture-cache', {
        ...{ replicas: 2, image: 'registry.studio.example/texture-cache:2.8', memory: '512Mi' },
      });
      cluster.service('render/texture-cache');
      cluster.image('registry.studio.example/texture-cache:2.9', {
        exit: { afterSeconds: 14, code: 137, oom: true },
        log: [
          '{"lvl":"info","msg":"warming textures","pak":"season-9","count":41200}',
          '{"lvl":"info","msg":"resident","mib":498}',
        ],
      });
      cluster.at('15s', () => cluster.addNode({ name: 'g2', labels }));
      cluster.at('30s', () => cache.setImage('registry.studio.example/texture-cache:2.9'));
      cluster.lasts('260s');
      cluster.expectIncident({
        root: 'Node//g2',
        accepts: ['DaemonSet/gpu-operator/nvidia-device-plugin'],
        mustNotBlame: ['Deployment/render/texture-cache'],
      });
      cluster.expectIncident({
        root: 'Deployment/render/texture-cache',
        reason: 'OOMKilled',
        mustNotBlame: ['Node//g2', 'DaemonSet/gpu-operator/nvidia-device-plugin'],
      });
    },
  ),

  'list-of-plugins-of-the-builders-pins-one-too-old': scenario(
    'A plug-in is pinned to an old version in the list of the build server, and it cannot be started again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const list = cluster.configMap('ci/jenkins', {
        'plugins.txt': 'kubernetes:4295.v7fa_01b_309c95\ngit:5.6.0\nconfiguration-as-code:1903.v004d55388f30\n',
      });
      cluster.image('registry.example/jenkins:2.479', { readyAfterSeconds: 15 });
      const jenkins = cluster.statefulSet('ci/jenkins', {
        ...{ image: 'registry.example/jenkins:2.479', init: 'registry.example/jenkins-init:2.479' },
        container: { volumeMounts: [{ name: 'config', mountPath: '/var/jenkins_config' }] },
        pod: {
          volumes: [{ name: 'config', configMap: { name: 'jenkins' } }],
        },
      });
      cluster.service('ci/jenkins');
      cluster.at('20s', () =>
        list.edit({
          'plugins.txt': 'kubernetes:4295.v7fa_01b_309c95\ngit:5.6.0\nconfiguration-as-code:1810.v9b_c30a_249a_4c\n',
        }),
      );
      cluster.at('45s', () => {
        cluster.image('registry.example/jenkins-init:2.479', {
          exit: { afterSeconds: 9, code: 1 },
          log: [
            'disable Setup Wizard',
            'download plugins',
            'Multiple plugin prerequisites not met:',
            'Plugin git:5.6.0 (via credentials:1413.va_51c53703df1) depends on configuration-as-code:1850.va_a_8c31d3158b_, but there is an older version defined on the top level - configuration-as-code:1810.v9b_c30a_249a_4c,',
            'Plugin kubernetes:4295.v7fa_01b_309c95 (via credentials:1413.va_51c53703df1) depends on configuration-as-code:1850.va_a_8c31d3158b_, but there is an older version defined on the top level - configuration-as-code:1810.v9b_c30a_249a_4c',
          ],
        });
        jenkins.restart();
      });
      cluster.lasts('240s');
      cluster.expectIncident({ root: 'ConfigMap/ci/jenkins' });
    },
  ),

  'password-of-the-deployers-cache-is-pruned': scenario(
    "The Secret with the password of the deployer's cache is pruned, and what is restarted needs it",
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const secret = cluster.secret('argocd/argocd-redis', { auth: 'k3yk3y' });
      cluster.statefulSet('argocd/argocd-application-controller', { image: 'registry.example/argocd:2.13' });
      cluster.deployment('argocd/argocd-redis', { image: 'registry.example/redis:7.4', container: serves(6379) });
      cluster.service('argocd/argocd-redis', onPort(6379, 'redis'));
      const env = { REDIS_PASSWORD: 'secret/argocd-redis/auth' };
      const values = { REDIS_SERVER: 'argocd-redis:6379' };
      const image = 'registry.example/argocd:2.13';
      const both = ['argocd-repo-server', 'argocd-server'].map((name) => {
        cluster.service(`argocd/${name}`);
        return cluster.deployment(`argocd/${name}`, { replicas: 2, image, env, values });
      });
      cluster.at('20s', () => secret.delete());
      cluster.at('40s', () => {
        for (const one of both) one.restart();
      });
      cluster.lasts('180s');
      cluster.expectIncident({
        root: 'Secret/argocd/argocd-redis',
        mustNotBlame: [
          'Deployment/argocd/argocd-redis',
          'Deployment/argocd/argocd-repo-server',
          'Deployment/argocd/argocd-server',
        ],
      });
    },
  ),

  'shipper-of-logs-dies-where-the-matches-are-loud': scenario(
    'The shipper of logs is killed for its memory on the one machine where a match writes a lot',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'n1' }, { name: 'n2', labels: { pool: 'match' } }, { name: 'n3' }]);
      cluster.daemonSet('logging/fluent-bit', {
        ...{ image: 'registry.example/fluent-bit:3.2', memory: '64Mi' },
        pod: { tolerations: [{ operator: 'Exists' }] },
      });
      const battle = cluster.deployment('match/battle', {
        ...{ replicas: 4, image: 'registry.studio.example/battle:77', nodeSelector: { pool: 'match' } },
      });
      cluster.service('match/battle', { ports: [{ name: 'game', port: 7777, targetPort: 7777, protocol: 'UDP' }] });
      cluster.at('15s', () => battle.scale(10));
      cluster.at('40s', () =>
        cluster.befall('registry.example/fluent-bit:3.2', (pod) =>
          pod.spec.nodeName === 'n2'
            ? {
                exit: { afterSeconds: 16, code: 137, oom: true },
                log: [
                  '[2026/11/29 10:31:02] [ info] [fluent bit] version=3.2.2, commit=a59c867924, pid=1',
                  '[2026/11/29 10:31:02] [ info] [input:tail:tail.0] inotify_fs_add(): inode=1180422 watch_fd=11 name=/var/log/containers/battle-6d8f_match_battle-0f2a.log',
                  '[2026/11/29 10:31:14] [ warn] [input] tail.0 paused (mem buf overlimit)',
                  '[2026/11/29 10:31:15] [ info] [input] tail.0 resume (mem buf overlimit)',
                ],
              }
            : {},
        ),
      );
      cluster.lasts('300s');
      cluster.expectIncident({
        root: 'DaemonSet/logging/fluent-bit',
        reason: 'OOMKilled',
        mustNotBlame: ['Node//n2'],
      });
    },
  ),

  'two-defaults-for-a-dashboard-and-a-scaler-without-its-target': scenario(
    'A second source of a dashboard is marked as the default; elsewhere a workload is renamed and its scaler is not',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const source = (name: string, type: string, isDefault: boolean): string =>
        `  - name: ${name}\n    type: ${type}\n    url: http://${type}.monitoring.svc\n    isDefault: ${isDefault}\n`;
      const sources = cluster.configMap('monitoring/grafana-datasources', {
        'datasources.yaml': `apiVersion: 1\ndatasources:\n${source('Prometheus', 'prometheus', true)}${source('Loki', 'loki', false)}`,
      });
      const grafana = cluster.deployment('monitoring/grafana', {
        ...{ image: 'registry.example/grafana:11.4' },
        ...readsFiles('grafana-datasources', '/etc/grafana/provisioning/datasources'),
      });
      cluster.service('monitoring/grafana');
      const old = cluster.deployment('match/matchmaker', {
        replicas: 2,
        image: 'registry.studio.example/matchmaker:5',
      });
      cluster.service('match/matchmaker', { selector: { role: 'matchmaker' } });
      old.patch({
        metadata: { labels: { role: 'matchmaker' } },
        spec: { template: { metadata: { labels: { role: 'matchmaker' } } } },
      });
      const scaler = cluster.object({
        ...{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' },
        metadata: { namespace: 'match', name: 'matchmaker' },
        spec: {
          ...{ minReplicas: 2, maxReplicas: 12 },
          scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'matchmaker' },
          metrics: [
            { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
          ],
        },
      });
      const condition = (type: string, status: string, reason: string, message: string): object => ({
        ...{ type, status, reason, message, lastTransitionTime: 'now' },
      });
      scaler.status({
        ...{ currentReplicas: 2, desiredReplicas: 2 },
        conditions: [
          condition('AbleToScale', 'True', 'ReadyForNewScale', 'recommended size matches current size'),
          condition(
            'ScalingActive',
            'True',
            'ValidMetricFound',
            'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
          ),
        ],
      });
      cluster.at('15s', () =>
        sources.edit({
          'datasources.yaml': `apiVersion: 1\ndatasources:\n${source('Prometheus', 'prometheus', true)}${source('Loki', 'loki', true)}`,
        }),
      );
      cluster.at('30s', () => {
        cluster.image('registry.example/grafana:11.4', {
          exit: { afterSeconds: 4, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            'logger=provisioning.datasources t=2026-11-29T10:40:33.101Z level=info msg="inserting datasource from configuration" name=Loki uid=P8E80F9AEF21F6940',
            'logger=provisioning t=2026-11-29T10:40:33.140Z level=error msg="Failed to provision data sources" error="Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default"',
            'Error: ✗ *provisioning.ProvisioningServiceImpl run error: Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default',
          ],
        });
        grafana.restart();
      });
      cluster.at('50s', () => {
        cluster.deployment('match/matchmaker-ranked', {
          ...{ replicas: 2, image: 'registry.studio.example/matchmaker:5', labels: { role: 'matchmaker' } },
        });
      });
      cluster.at('60s', () => old.delete());
      cluster.at('75s', () => {
        const message =
          'the HPA controller was unable to get the target\'s current scale: deployments/scale.apps "matchmaker" not found';
        scaler.status({
          ...{ currentReplicas: 2, desiredReplicas: 2 },
          conditions: [
            condition('AbleToScale', 'False', 'FailedGetScale', message),
            condition(
              'ScalingActive',
              'True',
              'ValidMetricFound',
              'the HPA was able to successfully calculate a replica count from cpu resource utilization (percentage of request)',
            ),
          ],
        });
        cluster.event({
          about: 'HorizontalPodAutoscaler/match/matchmaker',
          reason: 'FailedGetScale',
          message: 'deployments/scale.apps "matchmaker" not found',
          by: 'horizontal-pod-autoscaler',
        });
      });
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'ConfigMap/monitoring/grafana-datasources',
        mustNotBlame: ['HorizontalPodAutoscaler/match/matchmaker'],
      });
      cluster.expectIncident({
        root: 'HorizontalPodAutoscaler/match/matchmaker',
        beginsAfterSeconds: 75,
        mustNotBlame: ['ConfigMap/monitoring/grafana-datasources', 'Deployment/match/matchmaker-ranked'],
      });
    },
  ),

  'port-of-the-inventory-is-renamed-under-its-service': scenario(
    'A release names the port of its container anew, the Service still asks for the old name, and its caller is refused',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const inventory = cluster.deployment('lobby/inventory', {
        ...{ replicas: 2, image: 'registry.studio.example/inventory:19' },
        container: { ports: [{ name: 'http', containerPort: 8080 }] },
      });
      cluster.service('lobby/inventory', { ports: [{ name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' }] });
      cluster.deployment('lobby/hangar', {
        ...{
          replicas: 2,
          image: 'registry.studio.example/hangar:6',
          values: { INVENTORY_URL: 'http://inventory.lobby.svc' },
        },
      });
      cluster.service('lobby/hangar');
      cluster.at('20s', () =>
        inventory.patch({
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    ...{ name: 'inventory', image: 'registry.studio.example/inventory:20' },
                    ports: [{ $patch: 'replace' }, { name: 'web', containerPort: 8080 }],
                  },
                ],
              },
            },
          },
        }),
      );
      cluster.at('40s', () =>
        cluster.befall('registry.studio.example/hangar:6', {
          readyAfterSeconds: 'never',
          log: [
            'thread \'tokio-runtime-worker\' WARN hangar::inventory: request failed err=reqwest::Error { kind: Request, url: "http://inventory.lobby.svc/v1/items", source: hyper_util::client::legacy::Error(Connect, ConnectError("tcp connect error", Os { code: 111, kind: ConnectionRefused, message: "Connection refused" })) }',
            'ERROR hangar::health: inventory is not reachable at inventory.lobby.svc:80',
          ],
        }),
      );
      cluster.lasts('160s');
      cluster.expectIncident({
        root: 'Deployment/lobby/inventory',
        accepts: ['Service/lobby/inventory'],
        beginsAfterSeconds: 25,
        mustNotBlame: ['Deployment/lobby/hangar'],
      });
    },
  ),

  'name-of-the-studio-registry-is-gone': scenario(
    'The name of a registry does not resolve, and rollouts in two namespaces hang; the name service was restarted well before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const coredns = cluster.deployment('kube-system/coredns', {
        ...{ replicas: 2, image: 'registry.example/coredns:1.12', labels: { 'k8s-app': 'kube-dns' } },
      });
      const at = (name: string, tag: number): string => `registry.studio.example/${name}:${tag}`;
      const places = [
        ['lobby', 'chat'],
        ['shop', 'offers'],
      ] as const;
      const both = places.map(([namespace, name]) => {
        cluster.image(at(name, 11), { pullError: 'RegistryUnreachable' });
        cluster.service(`${namespace}/${name}`);
        return { name, one: cluster.deployment(`${namespace}/${name}`, { replicas: 2, image: at(name, 10) }) };
      });
      cluster.at('8s', () => coredns.restart());
      cluster.at('40s', () => {
        for (const { name, one } of both) one.setImage(at(name, 11));
      });
      cluster.lasts('200s');
      cluster.expectIncident({
        root: 'Registry//registry.studio.example',
        mustNotBlame: ['Deployment/kube-system/coredns', 'Deployment/lobby/chat', 'Deployment/shop/offers'],
      });
    },
  ),

  'entry-proxy-reads-an-option-of-its-last-generation': scenario(
    'An option of an older generation is written into the settings of the entry proxy; a certificate was renewed just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('edge/traefik', {
        'traefik.yaml': 'entryPoints:\n  websecure:\n    address: ":8443"\nproviders:\n  kubernetesIngress: {}\n',
      });
      const certificate = cluster.secret('shop/storefront-tls', { 'tls.crt': 'old', 'tls.key': 'old' });
      const traefik = cluster.deployment('edge/traefik', {
        ...{ replicas: 2, image: 'registry.example/traefik:3.2' },
        ...readsFiles('traefik', '/etc/traefik', serves(8443)),
      });
      cluster.service('edge/traefik', onPort(8443, 'websecure'));
      cluster.deployment('shop/storefront', { replicas: 2, image: 'registry.studio.example/storefront:3' });
      cluster.service('shop/storefront');
      cluster.at('10s', () => certificate.edit({ 'tls.crt': 'new', 'tls.key': 'new' }));
      cluster.at('25s', () =>
        settings.edit({
          'traefik.yaml':
            'entryPoints:\n  websecure:\n    address: ":8443"\nproviders:\n  kubernetesIngress: {}\npilot:\n  token: "9b1d"\n',
        }),
      );
      cluster.at('40s', () => {
        cluster.image('registry.example/traefik:3.2', {
          exit: { afterSeconds: 1, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            '{"level":"error","loader":"FILE","time":"2026-11-29T10:52:41Z","message":"Pilot configuration has been removed in v3, please remove all Pilot-related static configuration for Traefik to start. For more information please read the migration guide: https://doc.traefik.io/traefik/v3.2/migration/v2-to-v3/#pilot"}',
            '{"level":"error","error":"command traefik error: incompatible deprecated static option found","time":"2026-11-29T10:52:41Z","message":"Command error"}',
          ],
        });
        traefik.restart();
      });
      cluster.lasts('190s');
      cluster.expectIncident({ root: 'ConfigMap/edge/traefik', mustNotBlame: ['Secret/shop/storefront-tls'] });
    },
  ),

  'route-of-the-season-shop-leads-to-nothing': scenario(
    'A Service is taken away that a route of the gateway still leads to',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'gateway.networking.k8s.io';
      cluster.object(definition('Gateway', 'gateways', group));
      cluster.object(definition('HTTPRoute', 'httproutes', group));
      const apiVersion = `${group}/v1`;
      cluster.deployment('envoy-gateway-system/envoy-gateway', { image: 'registry.example/envoy-gateway:1.2' });
      const gateway = cluster.object({
        ...{ apiVersion, kind: 'Gateway', metadata: { namespace: 'edge', name: 'public' } },
        spec: {
          gatewayClassName: 'envoy',
          listeners: [{ name: 'https', port: 443, protocol: 'HTTPS', allowedRoutes: { namespaces: { from: 'All' } } }],
        },
      });
      gateway.status({
        conditions: [
          {
            type: 'Accepted',
            status: 'True',
            reason: 'Accepted',
            message: 'The Gateway has been scheduled by Envoy Gateway',
            lastTransitionTime: 'now',
          },
          {
            type: 'Programmed',
            status: 'True',
            reason: 'Programmed',
            message: 'Address assigned to the Gateway, 2/2 envoy replicas available',
            lastTransitionTime: 'now',
          },
        ],
      });
      cluster.deployment('shop/season-shop', { replicas: 2, image: 'registry.studio.example/season-shop:9' });
      const service = cluster.service('shop/season-shop');
      const route = cluster.object({
        ...{ apiVersion, kind: 'HTTPRoute', metadata: { namespace: 'shop', name: 'season-shop' } },
        spec: {
          ...{ parentRefs: [{ name: 'public', namespace: 'edge' }], hostnames: ['season.game.example'] },
          rules: [{ backendRefs: [{ name: 'season-shop', port: 80 }] }],
        },
      });
      const parents = (status: 'True' | 'False', reason: string, message: string): object => ({
        parents: [
          {
            parentRef: { group, kind: 'Gateway', name: 'public', namespace: 'edge' },
            controllerName: 'gateway.envoyproxy.io/gatewayclass-controller',
            conditions: [
              {
                type: 'Accepted',
                status: 'True',
                reason: 'Accepted',
                message: 'Route is accepted',
                lastTransitionTime: 'now',
              },
              { type: 'ResolvedRefs', status, reason, message, lastTransitionTime: 'now' },
            ],
          },
        ],
      });
      route.status(parents('True', 'ResolvedRefs', 'Resolved all the Object references for the Route'));
      cluster.at('20s', () => service.delete());
      cluster.at('22s', () =>
        route.status(
          parents(
            'False',
            'BackendNotFound',
            'Failed to process route rule 0 backendRef 0: service shop/season-shop not found.',
          ),
        ),
      );
      cluster.lasts('120s');
      cluster.expectIncident({
        root: 'HTTPRoute/shop/season-shop',
        beginsAfterSeconds: 20,
        accepts: ['Service/shop/season-shop'],
        mustNotBlame: ['Gateway/edge/public', 'Deployment/envoy-gateway-system/envoy-gateway'],
      });
    },
  ),

  'orderer-of-machines-may-not-take-on-its-new-role': scenario(
    'The role of the account that orders machines is edited to one it may not take on: it does not start again, and matches find no room',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.nodes([{ name: 'n1' }, { name: 'n2' }]);
      const role = (name: string): object => ({
        'eks.amazonaws.com/role-arn': `arn:aws:iam::111122223333:role/${name}`,
      });
      const owner = cluster.object(account('karpenter', 'karpenter', role('karpenter-game')));
      const karpenter = cluster.deployment('karpenter/karpenter', {
        ...{ replicas: 1, image: 'registry.example/karpenter:1.1', pod: { serviceAccountName: 'karpenter' } },
        spec: { strategy: { type: 'Recreate' } },
      });
      const arena = cluster.deployment('match/arena', {
        replicas: 4,
        image: 'registry.studio.example/arena:50',
        cpu: '1500m',
      });
      cluster.service('match/arena');
      cluster.at('20s', () => owner.patch({ metadata: { annotations: role('karpenter-game-v2') } }));
      cluster.at('30s', () => {
        cluster.image('registry.example/karpenter:1.1', {
          exit: { afterSeconds: 3, code: 1 },
          readyAfterSeconds: 'never',
          log: [
            '{"level":"DEBUG","time":"2026-11-29T11:08:16.662Z","logger":"controller","message":"discovered karpenter version","commit":"a2f3d91","version":"1.1.0"}',
            '{"level":"ERROR","time":"2026-11-29T11:08:19.277Z","logger":"controller","message":"ec2 api connectivity check failed","commit":"a2f3d91","error":"operation error EC2: DescribeInstanceTypes, get identity: get credentials: failed to refresh cached credentials, failed to retrieve credentials, operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, RequestID: 97ec51e8-f5f8-4aee-bb04-e08f323ebc8a, api error AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity"}',
          ],
        });
        karpenter.restart();
      });
      cluster.at('60s', () => arena.scale(9));
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'ServiceAccount/karpenter/karpenter',
        accepts: ['Deployment/karpenter/karpenter'],
        mustNotBlame: ['Deployment/match/arena', 'Node//n1', 'Node//n2'],
      });
    },
  ),
};
