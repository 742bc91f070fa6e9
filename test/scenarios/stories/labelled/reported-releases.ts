import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';

/** Releases that do not work. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/cloudnative-pg/charts/issues/28: the chart passes a flag that the new operator no longer has.
  'operator-upgrade-drops-a-flag': reported(
    'An operator is upgraded to a version that no longer knows a flag its chart still passes',
    (cluster) => {
      const repository = 'ghcr.io/cloudnative-pg/cloudnative-pg';
      const operator = cluster.deployment('cnpg-system/cnpg-cloudnative-pg', {
        image: `${repository}:1.15.1`,
        command: ['/manager', 'controller', '--enable-leader-election'],
      });
      server(cluster, 'orders/orders-db', 'ghcr.io/cloudnative-pg/postgresql:14.4', 5432, { replicas: 3 });
      cluster.image(
        `${repository}:1.16.1`,
        ends(
          [
            'Error: unknown flag: --enable-leader-election',
            'Usage:',
            '  manager controller [flags]',
            'unknown flag: --enable-leader-election',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(0), () => operator.setImage(`${repository}:1.16.1`));
      cluster.expectIncident({
        root: 'Deployment/cnpg-system/cnpg-cloudnative-pg',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/orders/orders-db', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/prakhar1989/docker-curriculum/issues/383: rebuilt without pinned dependencies, rolled back ten minutes later.
  'rebuild-pulls-a-newer-library': reported(
    'A rebuilt image pulls a newer Werkzeug than its Flask can use; the release is rolled back after ten minutes',
    (cluster, firm) => {
      const first = { replicas: 3, image: imageAt('invoices', '2.8.0') };
      const invoices = cluster.deployment('billing/invoices', first);
      cluster.service('billing/invoices');
      cluster.image(
        imageAt('invoices', '2.8.1'),
        ends(
          [
            'Traceback (most recent call last):',
            '  File "/app/wsgi.py", line 3, in <module>',
            '    from flask import Flask',
            '  File "/usr/local/lib/python3.8/site-packages/flask/app.py", line 28, in <module>',
            '    from werkzeug.urls import url_quote',
            "ImportError: cannot import name 'url_quote' from 'werkzeug.urls' (/usr/local/lib/python3.8/site-packages/werkzeug/urls.py)",
            '[2026-11-22 09:14:07 +0000] [7] [INFO] Worker exiting (pid: 7)',
            '[2026-11-22 09:14:07 +0000] [1] [ERROR] Worker (pid:7) exited with code 3',
            '[2026-11-22 09:14:07 +0000] [1] [ERROR] Reason: Worker failed to boot.',
          ],
          3,
          4,
        ),
      );
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => invoices.setImage(imageAt('invoices', '2.8.1')));
      cluster.at(after(600), () => invoices.setImage(imageAt('invoices', '2.8.0')));
      cluster.expectIncident({
        root: 'Deployment/billing/invoices',
        messages: { resolve: 1 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/spinnaker/spinnaker/issues/6625: a Pod was killed while it held the lock of the migrations.
  'release-waits-for-a-changelog-lock': reported(
    'The lock of the database migrations was left behind by a killed Pod, and a release waits for it in vain',
    (cluster) => {
      server(cluster, 'policy/postgres', 'docker.io/library/postgres:15.6', 5432);
      const values = { SPRING_DATASOURCE_URL: 'jdbc:postgresql://postgres.policy.svc:5432/policy' };
      const container = { livenessProbe: { httpGet: { path: '/actuator/health/liveness', port: 8080 } } };
      const quotes = cluster.deployment('policy/quotes', {
        replicas: 3,
        image: imageAt('quotes', '41.2'),
        ...{ values, container },
      });
      cluster.service('policy/quotes');
      cluster.image(imageAt('quotes', '41.3'), {
        readyAfterSeconds: 'never',
        readinessSays: 'Get "http://10.244.2.31:8080/ready": dial tcp 10.244.2.31:8080: connect: connection refused',
        livenessFails: {
          afterSeconds: 60,
          says: 'Get "http://10.244.2.31:8080/actuator/health/liveness": dial tcp 10.244.2.31:8080: connect: connection refused',
        },
        log: [
          '2026-11-22T09:20:11.310Z  INFO 1 --- [main] com.zaxxer.hikari.HikariDataSource       : HikariPool-1 - Start completed.',
          '2026-11-22T09:20:11.874Z  INFO 1 --- [main] liquibase.lockservice                    : Waiting for changelog lock....',
          '2026-11-22T09:20:21.880Z  INFO 1 --- [main] liquibase.lockservice                    : Waiting for changelog lock....',
          '2026-11-22T09:20:31.886Z  INFO 1 --- [main] liquibase.lockservice                    : Waiting for changelog lock....',
        ],
      });
      cluster.at(after(0), () => quotes.setImage(imageAt('quotes', '41.3')));
      cluster.expectIncident({
        root: 'Deployment/policy/quotes',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/policy/postgres', 'Service/policy/postgres'],
      });
    },
  ),

  // https://github.com/wekan/wekan/issues/6363: the image of the version was built wrong.
  'image-without-its-program': reported(
    'A new version of a board comes as an image that lacks its program; all Pods are replaced at once, and the version before is put back',
    (cluster) => {
      const repository = 'docker.io/wekanteam/wekan';
      server(cluster, 'boards/mongodb', 'docker.io/library/mongo:7.0.14', 27017);
      const wekan = cluster.deployment('boards/wekan', {
        ...{ replicas: 2, image: `${repository}:v9.30` },
        values: { MONGO_URL: 'mongodb://mongodb.boards.svc.cluster.local:27017/wekan' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('boards/wekan');
      cluster.image(
        `${repository}:v9.31`,
        ends(
          [
            'node:internal/modules/cjs/loader:1503',
            '  throw err;',
            '  ^',
            "Error: Cannot find module '/build/main.js'",
            '    at Module._resolveFilename (node:internal/modules/cjs/loader:1500:15)',
            '    at wrapResolveFilename (node:internal/modules/cjs/loader:1071:27)',
            '    at node:internal/main/run_main_module:33:47 {',
            "  code: 'MODULE_NOT_FOUND',",
            '  requireStack: []',
            '}',
            'Node.js v24.16.0',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(0), () => wekan.setImage(`${repository}:v9.31`));
      cluster.at(after(780), () => wekan.setImage(`${repository}:v9.30`));
      cluster.expectIncident({
        root: 'Deployment/boards/wekan',
        messages: { resolve: 1 },
        mustNotBlame: ['StatefulSet/boards/mongodb', 'Service/boards/wekan'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/nextcloud/helm/issues/333: the liveness probe kills the Pod while it upgrades.
  'upgrade-is-slower-than-its-liveness-probe': reported(
    'Nextcloud takes longer to upgrade itself than its liveness probe allows, and is killed before it is done',
    (cluster) => {
      server(cluster, 'cloud/mariadb', 'docker.io/library/mariadb:11.4', 3306);
      const probe = { httpGet: { path: '/status.php', port: 8080 }, initialDelaySeconds: 10 };
      const cloud = cluster.deployment('cloud/nextcloud', {
        image: 'docker.io/library/nextcloud:30.0.6-apache',
        container: { livenessProbe: probe },
        values: { MYSQL_HOST: 'mariadb.cloud.svc.cluster.local' },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('cloud/nextcloud');
      const refused = 'dial tcp 10.244.1.14:8080: connect: connection refused';
      cluster.image('docker.io/library/nextcloud:31.0.1-apache', {
        readyAfterSeconds: 'never',
        readinessSays: `Get "http://10.244.1.14:8080/ready": ${refused}`,
        livenessFails: { afterSeconds: 20, says: `Get "http://10.244.1.14:8080/status.php": ${refused}` },
        log: [
          'Configuring Redis as session handler',
          'Initializing nextcloud 31.0.1.2 ...',
          'Upgrading nextcloud from 30.0.6.2 ...',
        ],
      });
      cluster.at(after(0), () => cloud.setImage('docker.io/library/nextcloud:31.0.1-apache'));
      cluster.expectIncident({
        root: 'Deployment/cloud/nextcloud',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/cloud/mariadb', 'Service/cloud/nextcloud'],
      });
    },
  ),

  // https://github.com/instana/instana-agent-operator/issues/170: 180 MiB before, 350 MiB after, and a limit of 200.
  'new-version-outgrows-its-memory': reported(
    'A new version of an operator needs more memory than its limit allows, and is killed after some minutes of work',
    (cluster, firm) => {
      const repository = 'icr.io/instana/instana-agent-operator';
      const operator = cluster.deployment('instana-agent/instana-agent-controller-manager', {
        image: `${repository}:2.0.32`,
        memory: '200Mi',
      });
      cluster.daemonSet('instana-agent/instana-agent', { image: 'icr.io/instana/agent:latest', probe: false });
      cluster.image(`${repository}:2.1.0`, {
        readyAfterSeconds: 6,
        exit: { afterSeconds: 95, code: 137, oom: true },
        log: [
          '{"level":"info","ts":"2026-11-22T09:05:14Z","logger":"setup","msg":"starting manager"}',
          '{"level":"info","ts":"2026-11-22T09:05:21Z","msg":"Starting workers","controller":"agent","controllerGroup":"instana.io","controllerKind":"InstanaAgent","worker count":1}',
        ],
      });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => operator.setImage(`${repository}:2.1.0`));
      cluster.expectIncident({
        root: 'Deployment/instana-agent/instana-agent-controller-manager',
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'Deployment/logistics/tracking',
          'DaemonSet/instana-agent/instana-agent',
          ...(['Node//n1', 'Node//n2', 'Node//n3'] as const),
        ],
      });
    },
  ),

  // https://github.com/kubernetes-sigs/external-dns/issues/5572: the new version lists a kind that its ClusterRole does not allow.
  'new-version-needs-a-right-that-nobody-granted': reported(
    'external-dns is updated beyond its chart and may not list what it now watches',
    (cluster) => {
      const repository = 'registry.k8s.io/external-dns/external-dns';
      cluster.object({
        ...{ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name: 'external-dns' } },
        rules: [
          {
            apiGroups: [''],
            resources: ['services', 'endpoints', 'pods', 'nodes'],
            verbs: ['get', 'watch', 'list'],
          },
          { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: ['get', 'watch', 'list'] },
        ],
      });
      const dns = cluster.deployment('external-dns/external-dns', {
        image: `${repository}:v0.17.0`,
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.image(`${repository}:v0.18.0`, {
        ...ends(
          [
            'time="2026-11-22T09:01:07Z" level=info msg="Created Kubernetes client https://10.96.0.1:443"',
            'E1122 09:01:14.098000       1 reflector.go:200] "Failed to watch" err="failed to list *v1.EndpointSlice: endpointslices.discovery.k8s.io is forbidden: User \\"system:serviceaccount:external-dns:external-dns\\" cannot list resource \\"endpointslices\\" in API group \\"discovery.k8s.io\\" at the cluster scope" logger="UnhandledError" reflector="k8s.io/client-go@v0.33.2/tools/cache/reflector.go:285" type="*v1.EndpointSlice"',
            'time="2026-11-22T09:02:07Z" level=fatal msg="failed to sync *v1.EndpointSlice: context deadline exceeded with timeout 1m0s"',
          ],
          1,
          61,
        ),
        readinessSays: 'Get "http://10.244.3.7:7979/healthz": dial tcp 10.244.3.7:7979: connect: connection refused',
      });
      cluster.at(after(0), () => dns.setImage(`${repository}:v0.18.0`));
      cluster.expectIncident({
        root: 'Deployment/external-dns/external-dns',
        accepts: ['ClusterRole//external-dns'],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 240,
      });
    },
  ),

  // https://github.com/kubernetes/ingress-nginx/issues/8851: the cluster was upgraded to 1.22, an old controller asks for an API that is gone.
  'controller-asks-for-an-api-that-is-gone': reported(
    'After an upgrade of the cluster an old ingress controller asks for an API version that is no longer served',
    (cluster) => {
      const image = 'docker.io/nginx/nginx-ingress:1.9.1';
      const controller = cluster.deployment('nginx-ingress/nginx-ingress', {
        ...{ replicas: 2, image },
        spec: { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
      });
      cluster.service('nginx-ingress/nginx-ingress', { type: 'NodePort' });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'I1122 09:57:15.997586       1 main.go:245] Starting NGINX Ingress controller Version=1.9.1 GitCommit=aa19bb4',
              "W1122 09:57:16.022668       1 main.go:284] The '-use-ingress-class-only' flag will be deprecated and has no effect on versions of kubernetes >= 1.18.0. Processing ONLY resources that have the 'ingressClassName' field in Ingress equal to the class.",
              'F1122 09:57:16.025056       1 main.go:288] Error when getting IngressClass nginx: the server could not find the requested resource',
            ],
            255,
            1,
          ),
        );
        controller.restart();
      });
      cluster.expectIncident({
        root: 'Deployment/nginx-ingress/nginx-ingress',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/nginx-ingress/nginx-ingress', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
