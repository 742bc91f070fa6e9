import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases and upgrades that go wrong, and those who call what was released. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/hasura/graphql-engine/issues/2573, https://github.com/hasura/graphql-engine/issues/2132
  'graph-engine-refuses-its-own-metadata': reported(
    'A GraphQL engine is upgraded while its metadata name a column that is gone; it ends at each start, and two that ask it fail',
    (cluster, firm) => {
      server(cluster, 'market/hasura-postgres', 'docker.io/library/postgres:15.7', 5432);
      const repository = 'docker.io/hasura/graphql-engine';
      const engine = cluster.deployment('market/hasura', {
        ...{ image: `${repository}:v2.36.1`, spec: { strategy: { type: 'Recreate' } } },
        values: { HASURA_GRAPHQL_DATABASE_URL: 'postgres://hasura@hasura-postgres.market.svc:5432/market' },
      });
      cluster.service('market/hasura', { clusterIP: '10.96.31.18' });
      innocentRelease(cluster, after(-25), firm);
      cluster.image(
        `${repository}:v2.40.0`,
        ends(
          [
            '{"type":"startup","timestamp":"2026-11-23T09:12:03.380+0000","level":"info","detail":{"kind":"server_configuration","info":{"enabled_log_types":["startup","http-log"]}}}',
            '{"internal":[{"definition":{"table":{"schema":"public","name":"offers"},"role":"seller"},"reason":"in permission for role \\"seller\\": \\"discount\\" does not exist","type":"select_permission"}],"path":"$","error":"cannot continue due to inconsistent metadata","code":"unexpected"}',
          ],
          1,
          4,
        ),
      );
      cluster.at(after(0), () => engine.setImage(`${repository}:v2.40.0`));
      const values = { GRAPHQL_URL: 'http://hasura.market.svc.cluster.local/v1/graphql' };
      const innocents = clients(cluster, 12, {
        'market/storefront-bff': {
          does: unready([
            'FetchError: request to http://hasura.market.svc.cluster.local/v1/graphql failed, reason: connect ECONNREFUSED 10.96.31.18:80',
          ]),
          values,
        },
        'market/price-feed': {
          does: ends([
            'ApolloError: Network error: connect ECONNREFUSED 10.96.31.18:80 (http://hasura.market.svc.cluster.local/v1/graphql)',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/market/hasura',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/market/hasura-postgres', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/sentry-kubernetes/charts/issues/1137: the check was written for an older library.
  'liveness-check-uses-a-name-that-the-library-dropped': reported(
    'The workers of an error tracker are upgraded; they work, but their liveness check fails in a library, and they are killed again and again',
    (cluster) => {
      const repository = 'docker.io/getsentry/sentry';
      cluster.deployment('errors/sentry-web', { replicas: 2, image: `${repository}:23.11.2` });
      cluster.service('errors/sentry-web');
      const worker = cluster.deployment('errors/sentry-worker', {
        ...{ replicas: 2, image: `${repository}:23.11.2`, probe: false },
        container: {
          livenessProbe: { exec: { command: ['sentry', 'exec', '-c', 'import celery'] }, periodSeconds: 10 },
        },
      });
      cluster.image(`${repository}:24.1.1`, {
        livenessFails: {
          afterSeconds: 25,
          says: "Traceback (most recent call last):\n  File \"<string>\", line 7, in <module>\nAttributeError: module 'celery' has no attribute 'task'. Did you mean: 'Task'?",
        },
        log: [
          "09:14:22 [INFO] sentry.bgtasks: bgtask.spawn (task_name='sentry.bgtasks.clean_dsymcache:clean_dsymcache')",
          'worker: Warm shutdown (MainProcess)',
        ],
      });
      cluster.at(after(0), () => worker.setImage(`${repository}:24.1.1`));
      cluster.expectIncident({
        root: 'Deployment/errors/sentry-worker',
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/errors/sentry-web'],
      });
    },
  ),

  // https://github.com/RocketChat/helm-charts/issues/93, https://github.com/RocketChat/helm-charts/issues/90: back after thirteen minutes.
  'chat-wants-a-newer-document-store': reported(
    'A chat is upgraded past what its document store may be; it ends at each start until the release is taken back',
    (cluster) => {
      server(cluster, 'talk/rocketchat-mongodb', 'docker.io/bitnamilegacy/mongodb:4.4.11-debian-10-r12', 27017, {
        replicas: 3,
      });
      const repository = 'docker.io/rocketchat/rocket.chat';
      const chat = cluster.deployment('talk/rocketchat', {
        ...{ replicas: 2, image: `${repository}:5.1.0` },
        values: { MONGO_URL: 'mongodb://rocketchat@rocketchat-mongodb.talk.svc:27017/rocketchat?replicaSet=rs0' },
        spec: { strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } } },
      });
      cluster.service('talk/rocketchat');
      cluster.image(
        `${repository}:6.3.0`,
        ends(
          [
            '+----------------------------------------------------------------------+',
            '|                            SERVER ERROR                              |',
            '|  YOUR CURRENT MONGODB VERSION (4.4.11) IS NOT SUPPORTED BY ROCKET.CHAT |',
            '|  PLEASE UPGRADE TO VERSION 5.0 OR LATER                               |',
            '+----------------------------------------------------------------------+',
          ],
          1,
          9,
        ),
      );
      cluster.at(after(0), () => chat.setImage(`${repository}:6.3.0`));
      cluster.at(after(780), () => chat.setImage(`${repository}:5.1.0`));
      cluster.expectIncident({
        root: 'Deployment/talk/rocketchat',
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: ['StatefulSet/talk/rocketchat-mongodb', 'Service/talk/rocketchat-mongodb'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/jupyterhub/zero-to-jupyterhub-k8s/issues/1244, https://github.com/jupyterhub/mybinder.org-deploy/issues/2667
  'hub-finds-tables-of-an-older-version': reported(
    'A hub of notebooks is upgraded without its tables; it ends at each start, its proxy and its culler lose it',
    (cluster, firm) => {
      const repository = 'quay.io/jupyterhub/k8s-hub';
      const hub = cluster.deployment('notebooks/hub', {
        ...{ image: `${repository}:3.3.8`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('notebooks/hub', { clusterIP: '10.96.40.81' });
      cluster.image(
        `${repository}:4.0.0`,
        ends(
          [
            'Loading /usr/local/etc/jupyterhub/secret/values.yaml',
            '[I 2026-11-23 09:41:47.559 JupyterHub app:3307] Running JupyterHub version 5.2.1',
            '[I 2026-11-23 09:41:47.559 JupyterHub app:3337] Using Spawner: kubespawner.spawner.KubeSpawner-7.0.0',
            'Found database schema version 651f5419b74d != 4621fec11365. Backup your database and run `jupyterhub upgrade-db` to upgrade to the latest schema.',
          ],
          1,
          3,
        ),
      );
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => hub.setImage(`${repository}:4.0.0`));
      const values = { JUPYTERHUB_API_URL: 'http://hub.notebooks.svc.cluster.local:8081/hub/api' };
      const innocents = clients(cluster, 10, {
        'notebooks/proxy': {
          does: unready(['09:41:55.210 [ConfigProxy] error: 503 GET /hub/ connect ECONNREFUSED 10.96.40.81:8081']),
          values,
        },
        'notebooks/culler': {
          does: ends([
            '[E 261123 09:41:58 ioloop:770] Exception in callback functools.partial(<function cull_idle>)',
            'ConnectionRefusedError: [Errno 111] Connection refused: http://hub.notebooks.svc.cluster.local:8081/hub/api/users',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/notebooks/hub',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/vllm-project/vllm/issues/18163, https://github.com/vllm-project/aibrix/issues/1054
  'model-is-too-large-for-its-card': reported(
    'A server of language models is given a longer context, for which its card has no memory; an assistant and a search lose it',
    (cluster) => {
      const image = 'docker.io/vllm/vllm-openai:v0.8.5';
      const model = cluster.deployment('assist/llama', {
        ...{ image, container: { args: ['--max-model-len', '16384'] }, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('assist/llama', { clusterIP: '10.96.55.7' });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'INFO 11-23 09:20:13 [model_runner.py:1110] Starting to load model meta-llama/Llama-3.1-8B-Instruct...',
              'ERROR 11-23 09:20:49 [engine.py:448] CUDA out of memory. Tried to allocate 96.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 64.44 MiB is free.',
              'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 96.00 MiB. GPU 0 has a total capacity of 15.77 GiB of which 64.44 MiB is free. Including non-PyTorch memory, this process has 15.70 GiB memory in use.',
              'RuntimeError: Engine process failed to start. See stack trace for the root cause.',
            ],
            1,
            36,
          ),
        );
        model.change({ container: { args: ['--max-model-len', '131072'] } });
      });
      const values = { OPENAI_API_BASE: 'http://llama.assist.svc.cluster.local/v1' };
      const innocents = clients(cluster, 20, {
        'assist/chat-gateway': {
          does: unready([
            'httpx.ConnectError: [Errno 111] Connection refused',
            'openai.APIConnectionError: Connection error. base_url=http://llama.assist.svc.cluster.local/v1',
          ]),
          values,
        },
        'assist/document-search': {
          does: ends([
            "requests.exceptions.ConnectionError: HTTPConnectionPool(host='llama.assist.svc.cluster.local', port=80): Max retries exceeded with url: /v1/embeddings (Caused by NewConnectionError('[Errno 111] Connection refused'))",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/assist/llama',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/caronc/apprise-api/issues/355, https://github.com/shadowmere-xyz/shadowmere/pull/858
  'worker-class-misses-a-package': reported(
    'A relay of notifications is released with a newer server, whose worker class imports a package that nobody installs; two that notify fail',
    (cluster, firm) => {
      const repository = 'docker.io/caronc/apprise';
      const relay = cluster.deployment('notify/apprise', {
        ...{ replicas: 2, image: `${repository}:v1.5.1`, spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('notify/apprise', { clusterIP: '10.96.90.34' });
      innocentRelease(cluster, after(-15), firm);
      cluster.image(
        `${repository}:v1.5.2`,
        ends(
          [
            "INFO spawned: 'gunicorn' with pid 26",
            "Error: class uri 'gevent' invalid or not found:",
            '  File "/opt/venv/lib/python3.13/site-packages/gunicorn/workers/ggevent.py", line 16, in <module>',
            "ModuleNotFoundError: No module named 'packaging'",
            'INFO gave up: gunicorn entered FATAL state, too many start retries too quickly',
          ],
          1,
          5,
        ),
      );
      cluster.at(after(0), () => relay.setImage(`${repository}:v1.5.2`));
      const values = { APPRISE_URL: 'http://apprise.notify.svc.cluster.local' };
      const innocents = clients(cluster, 10, {
        'billing/dunning': {
          does: unready([
            'error notify: Post "http://apprise.notify.svc.cluster.local/notify/mail": dial tcp 10.96.90.34:80: connect: connection refused',
          ]),
          values,
        },
        'ops/report-sender': {
          does: ends([
            'fatal: cannot reach http://apprise.notify.svc.cluster.local: dial tcp 10.96.90.34:80: connect: connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/notify/apprise',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://learn.microsoft.com/en-us/dotnet/core/runtime-config/globalization: the smaller base image has no ICU; the words are those of the runtime.
  'smaller-base-image-has-no-cultures': reported(
    'A release moves to a smaller base image, on which .NET finds no ICU; its new Pods abort at once, the old ones serve on',
    (cluster) => {
      const quotes = cluster.deployment('insure/quotes', { replicas: 3, image: imageAt('quotes', '4.17') });
      cluster.service('insure/quotes');
      cluster.image(
        imageAt('quotes', '4.18'),
        ends(
          [
            "Process terminated. Couldn't find a valid ICU package installed on the system. Please install libicu (or icu-libs) using your package manager and try again. Alternatively you can set the configuration flag System.Globalization.Invariant to true if you want to run with no globalization support.",
            '   at System.Environment.FailFast(System.String)',
            '   at System.Globalization.GlobalizationMode+Settings..cctor()',
          ],
          134,
          1,
        ),
      );
      cluster.at(after(0), () => quotes.setImage(imageAt('quotes', '4.18')));
      cluster.expectIncident({
        root: 'Deployment/insure/quotes',
        messages: { resolve: 0 },
        mustNotBlame: ['Service/insure/quotes', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/DefectDojo/django-DefectDojo/issues/10727: the migration would run only after the upgrade has succeeded.
  'start-waits-for-a-migration-that-comes-afterwards': reported(
    'A chart makes new Pods wait for a migration that itself waits for the upgrade to be done; the release never ends',
    (cluster) => {
      server(cluster, 'security/defectdojo-postgresql', 'docker.io/library/postgres:16.3', 5432);
      const repository = 'docker.io/defectdojo/defectdojo-django';
      const old = `${repository}:2.36.6`;
      const django = cluster.deployment('security/defectdojo-django', { replicas: 2, image: old });
      cluster.service('security/defectdojo-django');
      const image = `${repository}:2.37.0`;
      cluster.image(
        image,
        ends(
          [
            'Waiting for database to be reachable ',
            'Database is reachable',
            'Checking migrations: [ ] 0214_test_type_dynamically_generated',
            'Database has not been initialized yet... retrying',
            'Giving up after 60 attempts: migrations were not applied',
          ],
          1,
          58,
        ),
      );
      cluster.at(after(0), () => django.change({ image, init: image }));
      cluster.expectIncident({
        root: 'Deployment/security/defectdojo-django',
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['StatefulSet/security/defectdojo-postgresql', 'Service/security/defectdojo-postgresql'],
      });
    },
    { minutes: 24 },
  ),
};
