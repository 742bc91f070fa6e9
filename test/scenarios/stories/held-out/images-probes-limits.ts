import { scenario } from '../../kit/scenario.ts';
import { app, edited, floor, service } from './parts/shop-floor.ts';

export const stories = {
  'login-for-pictures-is-overwritten-with-an-old-token': scenario(
    'A pull secret is applied from an old file; two services that are restarted afterwards may not pull',
    (c) => {
      floor(c, '6m');
      const login = c.secret('pay/regcred', { '.dockerconfigjson': 'eyJhdXRocyI6e319' });
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const names = ['gateway', 'fraud'];
      const all = names.map((name) => {
        c.object(service(`pay/${name}`, 8080));
        return c.object(app('Deployment', `pay/${name}`, `registry.pay.example/${name}:7`, { port: 8080, pod }));
      });
      c.at('5s', () => login.edit({ '.dockerconfigjson': 'eyJhdXRocyI6eyJvbGQiOjF9fQ==' }));
      c.at('40s', () =>
        all.forEach((one, i) => {
          c.image(`registry.pay.example/${names[i]}:8`, { pullError: 'Unauthorized' });
          one.patch(
            edited(app('Deployment', `pay/${names[i]}`, `registry.pay.example/${names[i]}:8`, { port: 8080, pod })),
          );
        }),
      );
      c.expectIncident({ root: 'Secret/pay/regcred', accepts: ['Registry//registry.pay.example'] });
    },
  ),

  'certificate-of-the-house-registry-has-run-out': scenario(
    'Two teams release on the same morning, and neither image can be fetched: the registry shows an expired certificate',
    (c) => {
      floor(c, '6m');
      const error =
        'failed to pull and unpack image: failed to resolve reference: failed to do request: Head "https://registry.corp.example/v2/": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-28T08:10:00Z is after 2026-11-28T07:59:59Z';
      const places = ['hr/portal', 'fleet/tracker'];
      const all = places.map((place) => {
        c.object(service(place, 8080));
        return c.object(app('Deployment', place, `registry.corp.example/${place}:1.0`, { port: 8080 }));
      });
      c.at('15s', () => c.node('n1').cordon());
      c.at('35s', () => c.node('n1').uncordon());
      for (const [i, one] of all.entries())
        c.at(`${50 + 40 * i}s`, () => {
          const image = `registry.corp.example/${places[i]}:1.1`;
          c.image(image, { pullError: error });
          one.patch(edited(app('Deployment', places[i] ?? '', image, { port: 8080 })));
        });
      c.expectIncident({ root: 'Registry//registry.corp.example', mustNotBlame: ['Node//n1'] });
    },
  ),

  'liveness-asks-the-port-of-yesterday': scenario(
    'A release listens on another port and its liveness probe still asks the old one; another service fails nobody',
    (c) => {
      floor(c, '7m');
      const probe = { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 10, failureThreshold: 3 };
      const container = { livenessProbe: probe };
      const sso = c.object(
        app('Deployment', 'id/sso', 'registry.example/id/sso:19', {
          port: 8080,
          env: { HTTP_PORT: '8080' },
          container,
        }),
      );
      c.object(service('id/sso', 8080));
      const users = c.object(app('Deployment', 'id/users', 'registry.example/id/users:19', { port: 8080 }));
      c.at('10s', () =>
        users.patch(edited(app('Deployment', 'id/users', 'registry.example/id/users:20', { port: 8080 }))),
      );
      c.image('registry.example/id/sso:20', {
        log: ['time="2026-11-28T11:00:03Z" level=info msg="listening" addr=":8090"'],
        readyAfterSeconds: 1,
        livenessFails: {
          afterSeconds: 15,
          says: 'Get "http://10.244.1.23:8080/healthz": dial tcp 10.244.1.23:8080: connect: connection refused',
        },
      });
      c.at('40s', () =>
        sso.patch(
          edited(
            app('Deployment', 'id/sso', 'registry.example/id/sso:20', {
              port: 8080,
              env: { HTTP_PORT: '8090' },
              container,
            }),
          ),
        ),
      );
      c.expectIncident({ root: 'Deployment/id/sso', mustNotBlame: ['Deployment/id/users'] });
    },
  ),

  'heap-in-the-settings-is-above-the-limit': scenario(
    'The settings of a Java service get a heap that its limit does not hold',
    (c) => {
      floor(c, '7m');
      const settings = c.configMap('claims/engine-jvm', { JAVA_TOOL_OPTIONS: '-Xms1g -Xmx1g' });
      const image = 'registry.example/claims/engine:2026.10';
      const parts = {
        replicas: 2,
        port: 8080,
        configEnv: { JAVA_TOOL_OPTIONS: 'engine-jvm.JAVA_TOOL_OPTIONS' },
        resources: { requests: { cpu: '500m', memory: '1536Mi' }, limits: { memory: '1536Mi' } },
      };
      const engine = c.object(app('Deployment', 'claims/engine', image, parts));
      c.object(service('claims/engine', 8080));
      c.at('10s', () => settings.edit({ JAVA_TOOL_OPTIONS: '-Xms4g -Xmx4g -XX:+AlwaysPreTouch' }));
      c.at('20s', () => {
        c.image(image, {
          exit: { afterSeconds: 6, code: 137, oom: true },
          log: ['Picked up JAVA_TOOL_OPTIONS: -Xms4g -Xmx4g -XX:+AlwaysPreTouch'],
        });
        engine.patch({
          spec: {
            template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T09:00:00Z' } } },
          },
        });
      });
      c.expectIncident({ root: 'ConfigMap/claims/engine-jvm', accepts: ['Deployment/claims/engine'] });
    },
  ),

  'start-is-cut-off-here-and-a-path-is-gone-there': scenario(
    'One release needs longer to start than its liveness probe waits; another has renamed the path that is asked for readiness',
    (c) => {
      floor(c, '8m');
      const startup = {
        livenessProbe: { httpGet: { path: '/live', port: 8080 }, initialDelaySeconds: 10, periodSeconds: 5 },
      };
      const planner = c.object(
        app('Deployment', 'routes/planner', 'registry.example/routes/planner:5', { port: 8080, container: startup }),
      );
      c.object(service('routes/planner', 8080));
      c.image('registry.example/routes/planner:6', {
        readyAfterSeconds: 'never',
        log: ['INFO loading road graph europe-2026.osm.pbf (31 GiB)', 'INFO contracted 12 % of nodes'],
        livenessFails: {
          afterSeconds: 15,
          says: 'Get "http://10.244.2.9:8080/live": dial tcp 10.244.2.9:8080: connect: connection refused',
        },
      });
      const ready = { readinessProbe: { httpGet: { path: '/health', port: 5000 }, periodSeconds: 5 } };
      const menu = c.object(
        app('Deployment', 'canteen/menu', 'registry.example/canteen/menu:1', { port: 5000, container: ready }),
      );
      c.object(service('canteen/menu', 5000));
      c.image('registry.example/canteen/menu:2', {
        readyAfterSeconds: 'never',
        readinessSays: 'HTTP probe failed with statuscode: 404',
        log: [
          '[2026-11-28 11:20:01 +0000] [1] [INFO] Listening at: http://0.0.0.0:5000 (1)',
          '10.244.0.1 - - [28/Nov/2026:11:20:09 +0000] "GET /health HTTP/1.1" 404 207 "-" "kube-probe/1.31"',
        ],
      });
      c.at('10s', () =>
        planner.patch(
          edited(
            app('Deployment', 'routes/planner', 'registry.example/routes/planner:6', {
              port: 8080,
              container: startup,
            }),
          ),
        ),
      );
      c.at('30s', () =>
        menu.patch(
          edited(
            app('Deployment', 'canteen/menu', 'registry.example/canteen/menu:2', {
              port: 5000,
              container: ready,
              more: { strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } }, progressDeadlineSeconds: 180 },
            }),
          ),
        ),
      );
      c.expectIncident({ root: 'Deployment/routes/planner' });
      c.expectIncident({ root: 'Deployment/canteen/menu' });
    },
  ),

  'entry-point-is-not-in-the-slim-image': scenario(
    'A slimmer image has no node in its path any more; a Secret of the service was renewed a minute before',
    (c) => {
      floor(c, '6m');
      const secret = c.secret('chat/push-keys', { vapid: 'b25l' });
      const parts = { port: 3000, secretEnv: { VAPID: 'push-keys.vapid' } };
      const chat = c.object(app('Deployment', 'chat/push', 'registry.example/chat/push:210', parts));
      c.image('registry.example/chat/push:211', {
        exit: { afterSeconds: 0.5, code: 127 },
        log: ['/docker-entrypoint.sh: exec: line 11: node: not found'],
      });
      c.at('5s', () => secret.edit({ vapid: 'dHdv' }));
      c.at('65s', () => chat.patch(edited(app('Deployment', 'chat/push', 'registry.example/chat/push:211', parts))));
      c.expectIncident({ root: 'Deployment/chat/push', mustNotBlame: ['Secret/chat/push-keys'] });
    },
  ),

  'catalogue-is-unready-since-its-index-crashes': scenario(
    'An index dies of an option that its new version removed; the catalogue in front, released just before, loses its connection, starts anew and stays unready',
    (c) => {
      floor(c, '7m');
      const image = 'registry.example/elasticsearch:8.15.3';
      const index = c.object(
        app('StatefulSet', 'catalogue/index', 'registry.example/elasticsearch:7.17.24', { replicas: 1, port: 9200 }),
      );
      c.object(service('catalogue/index', 9200));
      const parts = { port: 8080, env: { ELASTICSEARCH_URL: 'http://index.catalogue.svc:9200' } };
      const front = c.object(app('Deployment', 'catalogue/catalogue', 'registry.example/catalogue/web:88', parts));
      c.object(service('catalogue/catalogue', 8080));
      c.image(image, {
        exit: { afterSeconds: 3, code: 1 },
        log: [
          '{"@timestamp":"2026-11-28T12:00:07.113Z", "log.level":"ERROR", "message":"fatal exception while booting Elasticsearch", "ecs.version": "1.2.0","service.name":"ES_ECS","event.dataset":"elasticsearch.server","process.thread.name":"main","log.logger":"org.elasticsearch.bootstrap.Elasticsearch","error.type":"java.lang.IllegalArgumentException","error.message":"unknown setting [xpack.monitoring.exporters.local.type] please check that any required plugins are installed, or check the breaking changes documentation for removed settings"}',
        ],
      });
      c.at('10s', () =>
        front.patch(edited(app('Deployment', 'catalogue/catalogue', 'registry.example/catalogue/web:89', parts))),
      );
      c.at('60s', () => index.patch(edited(app('StatefulSet', 'catalogue/index', image, { replicas: 1, port: 9200 }))));
      c.at('75s', () =>
        c.befall('registry.example/catalogue/web:89', {
          exit: { afterSeconds: 2, code: 1 },
          exits: 1,
          readyAfterSeconds: 'never',
          readinessSays: 'HTTP probe failed with statuscode: 503',
          log: [
            'WARN  catalogue.search - ConnectionError: connect ECONNREFUSED 10.96.31.7:9200 (http://index.catalogue.svc:9200/_search)',
            'ERROR catalogue.health - search backend unavailable, reporting 503',
          ],
        }),
      );
      c.expectIncident({ root: 'StatefulSet/catalogue/index', mustNotBlame: ['Deployment/catalogue/catalogue'] });
    },
  ),

  'runner-image-moved-to-another-project': scenario(
    'Runners are pointed at an image that is in another project now; a wiki next to them loses its settings file',
    (c) => {
      floor(c, '6m');
      const runner = c.object(
        app('Deployment', 'ci/actions-runner', 'registry.example/ci/runner:2.320', { replicas: 3 }),
      );
      c.image('registry.example/platform-ci/runner:2.321', {
        pullError:
          'failed to pull and unpack image "registry.example/platform-ci/runner:2.321": failed to resolve reference "registry.example/platform-ci/runner:2.321": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed',
      });
      const file = c.configMap('wiki/localsettings', { 'LocalSettings.php': '<?php' });
      const parts = { port: 80, mounts: { 'ConfigMap/localsettings': '/config' } };
      const wiki = c.object(app('Deployment', 'wiki/mediawiki', 'registry.example/mediawiki:1.42', parts));
      c.at('10s', () => file.delete());
      c.at('20s', () =>
        runner.patch(
          edited(app('Deployment', 'ci/actions-runner', 'registry.example/platform-ci/runner:2.321', { replicas: 3 })),
        ),
      );
      c.at('30s', () =>
        wiki.patch({
          spec: {
            template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': '2026-11-28T09:30:00Z' } } },
          },
        }),
      );
      c.expectIncident({ root: 'Deployment/ci/actions-runner', accepts: ['Registry//registry.example'] });
      c.expectIncident({ root: 'ConfigMap/wiki/localsettings' });
    },
  ),
};
