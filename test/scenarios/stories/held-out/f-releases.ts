import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases and upgrades that do not start, and one that was taken back. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/Oteemo/charts/issues/259, https://github.com/bcgov/platform-services-registry/issues/5759
  'quality-server-skips-a-long-term-version': reported(
    'A SonarQube is raised past a long-term version that it would have had to stop at, and its web server does not start',
    (cluster, firm) => {
      server(cluster, 'quality/sonarqube-postgresql', 'docker.io/library/postgres:15.6', 5432);
      const repository = 'docker.io/library/sonarqube';
      const sonar = cluster.deployment('quality/sonarqube', {
        ...{ image: `${repository}:9.9.4-community`, spec: { strategy: { type: 'Recreate' } } },
        values: { SONAR_JDBC_URL: 'jdbc:postgresql://sonarqube-postgresql.quality.svc.cluster.local:5432/sonar' },
      });
      cluster.service('quality/sonarqube', {
        ports: [{ name: 'http', port: 9000, targetPort: 9000, protocol: 'TCP' }],
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.image(
        `${repository}:25.6.0.109173-community`,
        ends(
          [
            '2026.11.23 09:12:07 INFO  app[][o.s.a.SchedulerImpl] Process[es] is up',
            '2026.11.23 09:12:31 ERROR web[][o.s.s.p.PlatformImpl] Web server startup failed: The version of SonarQube you are trying to upgrade from is too old. Please upgrade to the 2025.1 Long-Term Active version first.',
            '2026.11.23 09:12:31 INFO  web[][o.s.p.ProcessEntryPoint] Hard stopping process',
            '2026.11.23 09:12:33 INFO  app[][o.s.a.SchedulerImpl] SonarQube is stopped',
          ],
          1,
          26,
        ),
      );
      cluster.at(after(0), () => sonar.setImage(`${repository}:25.6.0.109173-community`));
      cluster.expectIncident({
        root: 'Deployment/quality/sonarqube',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/quality/sonarqube-postgresql', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/jupyterhub/zero-to-jupyterhub-k8s/issues/1244, https://github.com/jupyterhub/mybinder.org-deploy/issues/2667
  'notebook-hub-finds-an-older-schema': reported(
    'A JupyterHub is upgraded without the upgrade of its database and ends; the two services that ask it fail; mended after twelve minutes',
    (cluster) => {
      const repository = 'quay.io/jupyterhub/k8s-hub';
      const hub = cluster.deployment('jhub/hub', {
        ...{ image: `${repository}:2.0.0`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('jhub/hub', {
        ...{ clusterIP: '10.96.52.81', ports: [{ name: 'hub', port: 8081, targetPort: 8081, protocol: 'TCP' }] },
      });
      cluster.deployment('jhub/proxy', { image: 'quay.io/jupyterhub/configurable-http-proxy:4.6.1' });
      cluster.image(
        `${repository}:3.3.7`,
        ends(
          [
            '[I 2026-11-23 09:41:47.559 JupyterHub app:2859] Running JupyterHub version 4.1.5',
            '[I 2026-11-23 09:41:47.559 JupyterHub app:2889] Using Proxy: jupyterhub.proxy.ConfigurableHTTPProxy-4.1.5',
            'Found database schema version 651f5419b74d != 0eee8c825d24. Backup your database and run `jupyterhub upgrade-db` to upgrade to the latest schema.',
          ],
          1,
          4,
        ),
      );
      cluster.at(after(0), () => hub.setImage(`${repository}:3.3.7`));
      const values = { HUB_API_URL: 'http://hub.jhub.svc.cluster.local:8081/hub/api' };
      const innocents = clients(cluster, 15, {
        'jhub/binder': {
          does: unready([
            '[E 2026-11-23 09:42:21.118 BinderHub health:78] Error checking JupyterHub API: [Errno 111] Connection refused (http://hub.jhub.svc.cluster.local:8081/hub/api/health)',
          ]),
          values,
        },
        'jhub/usage-report': {
          does: ends([
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='hub.jhub.svc.cluster.local', port=8081): Max retries exceeded with url: /hub/api/users (Caused by NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused'))",
          ]),
          values,
        },
      });
      cluster.at(after(720), () => {
        cluster.befall(`${repository}:3.3.7`, {});
        for (const place of ['binder', 'usage-report']) cluster.befall(`registry.acme.example/${place}:7`, {});
      });
      cluster.expectIncident({
        root: 'Deployment/jhub/hub',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/jhub/proxy', 'Service/jhub/hub'],
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/metabase/metabase/issues/30053, https://github.com/metabase/metabase/issues/41295: up without a word, and not down again.
  'dashboards-go-back-a-version': reported(
    'A Metabase is upgraded, disliked and taken back; the older version does not know the changes of the newer one; forward again after a quarter of an hour',
    (cluster) => {
      server(cluster, 'bi/metabase-db', 'docker.io/library/postgres:14.11', 5432);
      const repository = 'docker.io/metabase/metabase';
      const metabase = cluster.deployment('bi/metabase', { replicas: 2, image: `${repository}:v0.48.8` });
      cluster.service('bi/metabase');
      cluster.at('90s', () => metabase.setImage(`${repository}:v0.49.2`));
      cluster.at(after(0), () => {
        cluster.image(
          `${repository}:v0.48.8`,
          ends(
            [
              '2026-11-23 09:51:02,001 INFO db.setup :: Successfully verified PostgreSQL 14.11 application database connection. ✅',
              '2026-11-23 09:51:02,749 INFO db.liquibase :: Checking if Database has unrun migrations...',
              '2026-11-23 09:51:03,825 ERROR metabase.core :: Metabase Initialization FAILED',
              'liquibase.exception.ValidationFailedException: Validation Failed:',
              '     5 change sets check sum',
              '          migrations/001_update_migrations.yaml::v48.00-024::qnkhuat was: 8:33f9d29d709afd0c02bd47367c7d9181 but is now: 8:a26e31914822a5176848abbb7c5415bd',
            ],
            1,
            24,
          ),
        );
        metabase.setImage(`${repository}:v0.48.8`);
      });
      cluster.at(after(900), () => metabase.setImage(`${repository}:v0.49.2`));
      cluster.expectIncident({
        root: 'Deployment/bi/metabase',
        messages: { resolve: 1 },
        mustNotBlame: ['StatefulSet/bi/metabase-db'],
      });
    },
    { minutes: 26 },
  ),

  // https://github.com/vllm-project/vllm/issues/2418, https://github.com/kaito-project/kaito/issues/2132
  'model-is-longer-than-its-cache': reported(
    'A model server is released with a longer context than its card has room for; there is no second card, so the assistant has no model',
    (cluster, firm) => {
      const image = 'docker.io/vllm/vllm-openai:v0.6.3';
      const llm = cluster.deployment('assist/llm', {
        ...{ image, container: { args: ['--model=mistral-7b', '--max-model-len=16384'] } },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('assist/llm', {
        ...{ clusterIP: '10.96.71.8', ports: [{ name: 'http', port: 8000, targetPort: 8000, protocol: 'TCP' }] },
      });
      innocentRelease(cluster, after(-20), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'INFO 11-23 09:30:18 gpu_executor.py:122] # GPU blocks: 3184, # CPU blocks: 2048',
              "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (50944). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
            ],
            1,
            38,
          ),
        );
        llm.change({ container: { args: ['--model=mistral-7b', '--max-model-len=131072'] } });
      });
      const values = { OPENAI_BASE_URL: 'http://llm.assist.svc.cluster.local:8000/v1' };
      const innocents = clients(cluster, 12, {
        'assist/chat': {
          does: unready([
            'openai.APIConnectionError: Connection error.',
            'httpx.ConnectError: [Errno 111] Connection refused: http://llm.assist.svc.cluster.local:8000/v1/models',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/assist/llm',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/assist/llm', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/nodejs/docker-node/issues/1600, https://github.com/credential-handler/authn.io/issues/121
  'newer-runtime-without-old-digests': reported(
    'A release comes on a newer Node.js, whose OpenSSL has no digests of the past; its new Pods end as they start',
    (cluster) => {
      const portal = cluster.deployment('campus/portal', { replicas: 4, image: imageAt('portal', '12.3') });
      cluster.service('campus/portal');
      cluster.deployment('campus/library', { replicas: 2, image: imageAt('library', 6) });
      cluster.image(
        imageAt('portal', '12.4'),
        ends([
          'node:internal/crypto/hash:71',
          '  this[kHandle] = new _Hash(algorithm, xofLen);',
          'Error: error:0308010C:digital envelope routines::unsupported',
          '    at new Hash (node:internal/crypto/hash:71:19)',
          '    at Object.createHash (node:crypto:133:10)',
          "  code: 'ERR_OSSL_EVP_UNSUPPORTED'",
          'Node.js v18.20.4',
        ]),
      );
      cluster.at(after(0), () => portal.setImage(imageAt('portal', '12.4')));
      cluster.expectIncident({
        root: 'Deployment/campus/portal',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/campus/library', 'Service/campus/portal'],
      });
    },
  ),
};
