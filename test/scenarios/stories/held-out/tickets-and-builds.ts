import { scenario } from '../../kit/scenario.ts';
import { crash, definition, listens, serves } from '../../kit/things.ts';

export const stories = {
  'build-runners-may-no-longer-make-secrets-for-their-builds': scenario(
    'A binding that gave the runners their rights is pruned; they had been upgraded a minute earlier, which has nothing to do with it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const runner = 'registry.gitlab.com/gitlab-org/gitlab-runner:alpine-v17.4.0';
      cluster.object({
        ...{ apiVersion: 'v1', kind: 'ServiceAccount' },
        metadata: { name: 'gitlab-runner', namespace: 'buildfarm' },
      });
      cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role' },
        metadata: { name: 'gitlab-runner', namespace: 'buildfarm' },
        rules: [{ apiGroups: [''], resources: ['pods', 'pods/exec', 'secrets', 'configmaps'], verbs: ['*'] }],
      });
      const binding = cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding' },
        metadata: { name: 'gitlab-runner', namespace: 'buildfarm' },
        subjects: [{ kind: 'ServiceAccount', name: 'gitlab-runner', namespace: 'buildfarm' }],
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'gitlab-runner' },
      });
      const runners = cluster.deployment('buildfarm/gitlab-runner', {
        replicas: 2,
        image: 'registry.gitlab.com/gitlab-org/gitlab-runner:alpine-v17.3.1',
        pod: { serviceAccountName: 'gitlab-runner' },
      });
      cluster.at('5s', () => runners.setImage(runner));
      cluster.at('65s', () => binding.delete());
      cluster.at('80s', () =>
        cluster.befall(
          runner,
          crash([
            'Checking for jobs... received                       job=482113 repo_url=https://git.ticket.example/shop/checkout.git runner=ixrh87RG',
            'ERROR: Job failed (system failure): prepare environment: setting up credentials: secrets is forbidden: User "system:serviceaccount:buildfarm:gitlab-runner" cannot create resource "secrets" in API group "" in the namespace "buildfarm"',
            'FATAL: runner health check failed: 5 consecutive system failures',
          ]),
        ),
      );
      cluster.lasts('190s');
      cluster.expectIncident({
        root: 'RoleBinding/buildfarm/gitlab-runner',
        accepts: ['ServiceAccount/buildfarm/gitlab-runner'],
        mustNotBlame: ['Deployment/buildfarm/gitlab-runner'],
      });
    },
  ),

  'ticket-metrics-stop-at-a-word-that-is-spelled-wrong': scenario(
    'The settings of the metric server get a misspelled field; it is read when the machine it runs on is rebooted for a kernel update',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'quay.io/prometheus/prometheus:v2.54.1';
      const yml = (field: string) => ({
        'prometheus.yml': `global:\n  ${field}: 15s\nscrape_configs:\n  - job_name: turnstiles\n    kubernetes_sd_configs:\n      - role: pod\n`,
      });
      const conf = cluster.configMap('ticket-metrics/prometheus-config', yml('scrape_interval'));
      cluster.statefulSet('ticket-metrics/prometheus', {
        image,
        container: {
          ports: [{ containerPort: 9090 }],
          args: ['--config.file=/etc/prometheus/prometheus.yml', '--storage.tsdb.path=/prometheus'],
          volumeMounts: [{ name: 'config', mountPath: '/etc/prometheus' }],
        },
        pod: { volumes: [{ name: 'config', configMap: { name: 'prometheus-config' } }] },
      });
      cluster.service('ticket-metrics/prometheus', serves('http', 9090));
      cluster.at('10s', () => {
        conf.edit(yml('scrape_intervall'));
        cluster.image(
          image,
          crash(
            [
              'ts=2026-11-29T05:00:41.337Z caller=main.go:601 level=info msg="No time or size retention was set so using the default time retention" duration=15d',
              'ts=2026-11-29T05:00:41.338Z caller=main.go:645 level=info msg="Starting Prometheus Server" mode=server version="(version=2.54.1, branch=HEAD)"',
              'ts=2026-11-29T05:00:41.352Z caller=main.go:497 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 2: field scrape_intervall not found in type config.plain"',
            ],
            1,
            2,
          ),
        );
      });
      cluster.at('50s', () => cluster.node('n1').reboot('25s'));
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'ConfigMap/ticket-metrics/prometheus-config',
        mustNotBlame: ['Node//n1'],
      });
    },
  ),

  'seat-plans-are-not-backed-up-since-their-key-was-drawn-anew': scenario(
    'An upgrade of a chart draws a new random password for a backup repository that was made with the old one; the database is restarted in the same hour and is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'restic/restic:0.17.1';
      const key = cluster.secret('box-office/seat-plans-restic', {
        RESTIC_REPOSITORY: 's3:https://s3.ticket.example/seat-plans',
        RESTIC_PASSWORD: 'q8Zr2LwT',
      });
      const database = cluster.statefulSet('box-office/seat-plans-db', { image: 'postgres:16.4', ...listens(5432) });
      cluster.service('box-office/seat-plans-db', serves('postgres', 5432));
      const backup = cluster.cronJob('box-office/seat-plans-backup', {
        image,
        schedule: '*/3 * * * *',
        job: {
          backoffLimit: 0,
          template: {
            metadata: { labels: { app: 'seat-plans-backup' } },
            spec: {
              restartPolicy: 'Never',
              containers: [
                {
                  ...{ name: 'restic', image, args: ['backup', '--tag', 'seat-plans', '/dump'] },
                  envFrom: [{ secretRef: { name: 'seat-plans-restic' } }],
                },
              ],
            },
          },
        },
      });
      cluster.image(image, {
        log: [
          'repository 6f3a1c9e opened (version 2, compression level auto)',
          'using parent snapshot 1b2d7a40',
          'Added to the repository: 41.118 MiB (12.402 MiB stored)',
          'snapshot 9c0f6e12 saved',
        ],
        exit: { afterSeconds: 6, code: 0 },
      });
      cluster.at('200s', () => database.restart());
      cluster.at('240s', () => {
        key.edit({ RESTIC_REPOSITORY: 's3:https://s3.ticket.example/seat-plans', RESTIC_PASSWORD: 'hN5vXo0c' });
        cluster.image(image, {
          log: ['Fatal: wrong password or no key found'],
          exit: { afterSeconds: 2, code: 12 },
        });
      });
      cluster.at('880s', () => backup.patch({ spec: { suspend: true } }));
      cluster.lasts('900s');
      cluster.expectIncident({
        root: 'Secret/box-office/seat-plans-restic',
        mustNotBlame: ['StatefulSet/box-office/seat-plans-db'],
      });
    },
  ),

  'payment-keys-stay-sealed-after-a-machine-came-back': scenario(
    'The machine of the key store is rebooted; the store comes back sealed, and whoever asks it for keys fails',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const vault = 'hashicorp/vault:1.17.5';
      const pay = 'registry.ticket.example/payments/pay-gate:10.1';
      cluster.statefulSet('payment-keys/vault', { image: vault, ...listens(8200) });
      cluster.service('payment-keys/vault', serves('http', 8200));
      const gates = cluster.deployment('payments-gate/pay-gate', {
        replicas: 2,
        image: 'registry.ticket.example/payments/pay-gate:10.0',
        values: { VAULT_ADDR: 'http://vault.payment-keys.svc:8200' },
      });
      cluster.at('5s', () => gates.setImage(pay));
      cluster.at('40s', () =>
        cluster.image(vault, {
          readyAfterSeconds: 'never',
          readinessSays:
            'Key                Value\n---                -----\nSeal Type          shamir\nInitialized        true\nSealed             true\nTotal Shares       5\nThreshold          3\nUnseal Progress    0/3',
          log: [
            '==> Vault server started! Log data will stream in below:',
            '2026-11-29T06:30:10.115Z [INFO]  core: raft retry join initiated',
            '2026-11-29T06:30:15.206Z [INFO]  core: security barrier not initialized: sealed, waiting for unseal keys',
            '2026-11-29T06:31:02.913Z [ERROR] core: failed to read request: error="Vault is sealed"',
          ],
        }),
      );
      cluster.at('45s', () => cluster.node('n1').reboot('20s'));
      cluster.at('90s', () =>
        cluster.befall(
          pay,
          crash([
            'pay-gate 10.1: reading transit key payments',
            'Error making API request. URL: PUT http://vault.payment-keys.svc:8200/v1/transit/sign/payments Code: 503. Errors: * Vault is sealed',
            'pay-gate: cannot sign, exiting',
          ]),
        ),
      );
      cluster.lasts('240s');
      cluster.expectIncident({
        root: 'StatefulSet/payment-keys/vault',
        accepts: ['Node//n1', 'Pod/payment-keys/vault-0'],
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/payments-gate/pay-gate'],
      });
    },
  ),

  'festival-shop-is-synced-to-a-tag-nobody-pushed': scenario(
    'The desired state in Git names an image tag that was never pushed, and is synced',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const group = 'argoproj.io';
      cluster.object(definition(group, 'v1alpha1', 'Application'));
      const shop = cluster.deployment('festival-shop/storefront', {
        replicas: 3,
        image: 'registry.ticket.example/festival/storefront:2026.10.2',
        labels: { 'app.kubernetes.io/instance': 'festival-shop' },
        spec: { progressDeadlineSeconds: 120 },
      });
      cluster.service('festival-shop/storefront');
      const application = cluster.object({
        ...{ apiVersion: `${group}/v1alpha1`, kind: 'Application' },
        metadata: { name: 'festival-shop', namespace: 'argocd' },
        spec: {
          project: 'default',
          source: { repoURL: 'https://git.ticket.example/deploy/festival.git', path: 'shop', targetRevision: 'main' },
          destination: { server: 'https://kubernetes.default.svc', namespace: 'festival-shop' },
          syncPolicy: { automated: { prune: true, selfHeal: true } },
        },
      });
      application.status({ health: { status: 'Healthy' }, sync: { status: 'Synced', revision: '41c0d9e' } });
      cluster.image('registry.ticket.example/festival/storefront:2026.11.0', { pullError: 'NotFound' });
      cluster.at('10s', () => {
        shop.setImage('registry.ticket.example/festival/storefront:2026.11.0');
        application.status({ health: { status: 'Progressing' }, sync: { status: 'Synced', revision: 'b7721fa' } });
      });
      cluster.at('135s', () =>
        application.status({
          health: { status: 'Degraded' },
          sync: { status: 'Synced', revision: 'b7721fa' },
          resources: [
            {
              ...{ group: 'apps', version: 'v1', kind: 'Deployment', namespace: 'festival-shop', name: 'storefront' },
              ...{
                status: 'Synced',
                health: { status: 'Degraded', message: 'Deployment "storefront" exceeded its progress deadline' },
              },
            },
          ],
        }),
      );
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'Deployment/festival-shop/storefront',
        reason: 'ImageNotFound',
        accepts: ['Application.argoproj.io/argocd/festival-shop'],
        messages: { update: '≤1' },
        mustNotBlame: ['Registry//registry.ticket.example'],
      });
    },
  ),

  'order-workers-declare-a-queue-as-it-no-longer-is': scenario(
    'The workers of a new version declare their queue with other arguments than it has; the brokers were restarted one by one just before, and are well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const next = 'registry.ticket.example/orders/worker:5.0';
      const broker = cluster.statefulSet('ordering/broker', {
        replicas: 3,
        image: 'rabbitmq:3.12.14',
        labels: { 'app.kubernetes.io/component': 'rabbitmq' },
        ...listens(5672),
      });
      cluster.service('ordering/broker', serves('amqp', 5672));
      const worker = cluster.deployment('ordering/order-worker', {
        replicas: 3,
        image: 'registry.ticket.example/orders/worker:4.9',
        values: { BROKER_URL: 'amqp://orders@broker.ordering.svc:5672//' },
      });
      cluster.image(
        next,
        crash([
          '[2026-11-29 18:40:02,331: INFO/MainProcess] Connected to amqp://orders:**@broker.ordering.svc:5672//',
          "[2026-11-29 18:40:02,377: CRITICAL/MainProcess] Unrecoverable error: PreconditionFailed(406, \"PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'orders' in vhost '/': received none but current is the value 'quorum' of type 'longstr'\", (50, 10), 'Queue.declare')",
          'amqp.exceptions.PreconditionFailed: Queue.declare: (406) PRECONDITION_FAILED',
        ]),
      );
      cluster.at('5s', () => broker.restart());
      cluster.at('60s', () => worker.setImage(next));
      cluster.lasts('190s');
      cluster.expectIncident({
        root: 'Deployment/ordering/order-worker',
        mustNotBlame: ['StatefulSet/ordering/broker', 'Service/ordering/broker'],
      });
    },
  ),

  'turnstiles-on-one-machine-get-no-network-from-its-agent': scenario(
    'The network agent of one machine does not find its address after a second interface came up; Pods that land there get no network, a rollout shows it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const agent = 'docker.io/calico/node:v3.28.1';
      const next = 'registry.ticket.example/arena/turnstile:2.1';
      cluster.daemonSet('kube-system/calico-node', { image: agent, labels: { 'k8s-app': 'calico-node' } });
      const turnstile = cluster.deployment('arena/turnstile', {
        replicas: 6,
        image: 'registry.ticket.example/arena/turnstile:2.0',
        spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 3 } } },
      });
      cluster.service('arena/turnstile');
      cluster.image(next, ({ spec }) =>
        spec.nodeName === 'n2'
          ? {
              heldUp: {
                reason: 'FailedCreatePodSandBox',
                message:
                  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "6f1f3bd4a1b0c0f0a1d5e5c2d9a7b4c3": plugin type="calico" failed (add): stat /var/lib/calico/nodename: no such file or directory: check that the calico/node container is running and has mounted /var/lib/calico/',
              },
            }
          : {},
      );
      cluster.at('10s', () =>
        cluster.befall(agent, ({ spec }) =>
          spec.nodeName === 'n2'
            ? crash(
                [
                  '2026-11-29 05:44:18.602 [INFO][9] startup/startup.go 431: Early log level set to info',
                  '2026-11-29 05:44:18.611 [WARNING][9] startup/autodetection_methods.go 99: Unable to auto-detect an IPv4 address by interface name="eth0": no valid host interfaces found',
                  "2026-11-29 05:44:18.611 [WARNING][9] startup/startup.go 579: Couldn't autodetect an IPv4 address. If auto-detecting, choose a different autodetection method. Otherwise provide an explicit address.",
                  '2026-11-29 05:44:18.612 [WARNING][9] startup/startup.go 1409: Terminating',
                  'Calico node failed to start',
                ],
                2,
              )
            : {},
        ),
      );
      cluster.at('60s', () => turnstile.setImage(next));
      cluster.lasts('220s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/calico-node',
        accepts: ['Node//n2'],
        messages: { update: '≤1' },
        mustNotBlame: ['Deployment/arena/turnstile'],
      });
    },
  ),
};
