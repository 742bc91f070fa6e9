import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

const brief = { minutes: 7 };

/** Releases, and what is set beside them: what goes wrong in most weeks. */
export const stories: Readonly<Record<string, Scenario>> = {
  'release-writes-to-a-map-that-is-not-there': reported(
    'A release of a Go program panics as it starts; something else was released half a minute later, and is well',
    (cluster, firm) => {
      const basket = cluster.deployment('mall/basket', { replicas: 3, image: imageAt('basket', '3.7.0') });
      cluster.service('mall/basket');
      cluster.image(
        imageAt('basket', '3.7.1'),
        ends(
          [
            '{"level":"info","ts":1764000412.118,"caller":"cmd/main.go:41","msg":"starting basket","version":"3.7.1"}',
            'panic: assignment to entry in nil map',
            '',
            'goroutine 1 [running]:',
            'main.(*registry).add(...)',
            '\t/src/internal/registry/registry.go:58',
            'main.main()',
            '\t/src/cmd/main.go:63 +0x1d4',
          ],
          2,
          1,
        ),
      );
      cluster.at(after(0), () => basket.setImage(imageAt('basket', '3.7.1')));
      innocentRelease(cluster, after(30), firm);
      cluster.expectIncident({
        root: 'Deployment/mall/basket',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/logistics/tracking', 'Service/mall/basket'],
      });
    },
    brief,
  ),

  'release-lacks-a-bean-it-wants': reported(
    'A release of a Spring Boot service replaces its only Pod (Recreate) and cannot wire itself; its two clients fail',
    (cluster) => {
      const rates = cluster.deployment('forex/rates', {
        ...{ image: imageAt('rates', '21'), spec: { strategy: { type: 'Recreate' } } },
      });
      cluster.service('forex/rates');
      cluster.image(
        imageAt('rates', '22'),
        ends(
          [
            '2026-11-23T09:20:14.338Z  WARN 1 --- [           main] ConfigServletWebServerApplicationContext : Exception encountered during context initialization - cancelling refresh attempt',
            '***************************',
            'APPLICATION FAILED TO START',
            '***************************',
            'Description:',
            "Parameter 0 of constructor in com.acme.rates.QuoteService required a bean of type 'com.acme.rates.QuoteClient' that could not be found.",
            'Action:',
            "Consider defining a bean of type 'com.acme.rates.QuoteClient' in your configuration.",
          ],
          1,
          14,
        ),
      );
      cluster.at(after(0), () => rates.setImage(imageAt('rates', '22')));
      const values = { RATES_URL: 'http://rates.forex.svc.cluster.local' };
      const innocents = clients(cluster, 14, {
        'forex/transfer': {
          does: unready([
            '2026-11-23T09:20:31.006Z ERROR 1 --- [nio-8080-exec-4] o.a.c.c.C.[.[.[/].[dispatcherServlet]    : feign.RetryableException: Connection refused executing GET http://rates.forex.svc.cluster.local/v1/latest',
          ]),
          values,
        },
        'forex/statement': {
          does: ends(['Error: connect ECONNREFUSED 10.96.141.20:80 (http://rates.forex.svc.cluster.local/v1/latest)']),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/forex/rates',
        messages: { update: '≤2' },
        mustNotBlame: [...innocents, 'Service/forex/rates'],
      });
    },
    brief,
  ),

  'worker-imports-what-its-image-lacks': reported(
    'A Celery worker is released without a dependency that its module imports; the broker beside it is well',
    (cluster) => {
      server(cluster, 'post/redis', 'docker.io/library/redis:7.2', 6379);
      const worker = cluster.deployment('post/sorter', {
        ...{ replicas: 2, image: imageAt('sorter', '2026.47'), probe: false },
        values: { CELERY_BROKER_URL: 'redis://redis.post.svc.cluster.local:6379/0' },
      });
      cluster.image(
        imageAt('sorter', '2026.48'),
        ends([
          'Traceback (most recent call last):',
          '  File "/usr/local/bin/celery", line 8, in <module>',
          '    sys.exit(main())',
          '  File "/app/sorter/tasks.py", line 3, in <module>',
          '    import redis',
          "ModuleNotFoundError: No module named 'redis'",
        ]),
      );
      cluster.at(after(0), () => worker.setImage(imageAt('sorter', '2026.48')));
      cluster.expectIncident({ root: 'Deployment/post/sorter', mustNotBlame: ['StatefulSet/post/redis'] });
    },
    brief,
  ),

  'key-is-renamed-in-the-settings': reported(
    'A key of a ConfigMap is renamed by hand; minutes later the two that read it are restarted, and their new Pods are not made',
    (cluster, firm) => {
      const settings = cluster.configMap('letters/common', { SMTP_HOST: 'mail.letters.svc', LEVEL: 'info' });
      const handles = ['outbox', 'digest'].map((name) =>
        cluster.deployment(`letters/${name}`, {
          ...{ replicas: 2, image: imageAt(name, 5), env: { SMTP_HOST: 'configmap/common/SMTP_HOST' } },
        }),
      );
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => settings.edit({ SMTP_HOST: null, SMTP_SERVER: 'mail.letters.svc', LEVEL: 'info' }));
      cluster.at(after(90), () => {
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ConfigMap/letters/common',
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/letters/outbox', 'Deployment/letters/digest', 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'secret-of-a-release-was-never-made': reported(
    'A release reads a Secret that nobody made in this namespace',
    (cluster) => {
      const gate = cluster.deployment('harbour/gate', { replicas: 2, image: imageAt('gate', '1.8') });
      cluster.service('harbour/gate');
      cluster.at(after(0), () =>
        gate.change({ image: imageAt('gate', '1.9'), env: { SENTRY_DSN: 'secret/sentry/dsn' } }),
      );
      cluster.expectIncident({
        root: 'Secret/harbour/sentry',
        accepts: ['Deployment/harbour/gate'],
        mustNotBlame: ['Service/harbour/gate'],
      });
    },
    brief,
  ),

  'tag-that-was-never-pushed': reported(
    'A pipeline deploys before its image is pushed, and the push has failed; a neighbour whose database was late restarts once',
    (cluster) => {
      const menu = cluster.deployment('canteen/menu', { replicas: 2, image: imageAt('menu', 'a41c9e2') });
      cluster.service('canteen/menu');
      const till = cluster.deployment('canteen/till', { replicas: 2, image: imageAt('till', 6) });
      cluster.image(imageAt('till', 7), {
        ...{ exit: { afterSeconds: 3, code: 1 }, exits: 1 },
        log: ['level=fatal msg="could not reach database, giving up" attempts=3'],
      });
      cluster.image(imageAt('menu', 'f0b72d8'), { pullError: 'NotFound' });
      cluster.at(after(-40), () => till.setImage(imageAt('till', 7)));
      cluster.at(after(0), () => menu.setImage(imageAt('menu', 'f0b72d8')));
      cluster.expectIncident({
        root: 'Deployment/canteen/menu',
        mustNotBlame: ['Deployment/canteen/till', 'Registry//registry.borealis.example'],
      });
    },
    brief,
  ),

  'pull-secret-is-replaced-by-a-wrong-one': reported(
    'The Secret that pulls from the private registry is replaced; the next releases of three teams in that namespace are denied',
    (cluster) => {
      const pull = cluster.secret('studio/regcred', { '.dockerconfigjson': 'one' });
      const pod = { imagePullSecrets: [{ name: 'regcred' }] };
      const names = ['canvas', 'palette', 'frames'];
      const handles = names.map((name) =>
        cluster.deployment(`studio/${name}`, { replicas: 2, image: `ghcr.io/borealis-studio/${name}:4`, pod }),
      );
      for (const name of names) cluster.image(`ghcr.io/borealis-studio/${name}:5`, { pullError: 'Unauthorized' });
      cluster.at(after(0), () => pull.edit({ '.dockerconfigjson': 'two' }));
      for (const [index, handle] of handles.entries())
        cluster.at(after(60 + 25 * index), () => handle.setImage(`ghcr.io/borealis-studio/${names[index]}:5`));
      cluster.expectIncident({
        root: 'Secret/studio/regcred',
        accepts: ['Registry//ghcr.io'],
        messages: { update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/studio/${name}` as const),
      });
    },
    brief,
  ),

  'hub-limits-anonymous-pulls': reported(
    'Docker Hub answers that the limit of anonymous pulls is reached when three workloads of three namespaces are scaled up',
    (cluster) => {
      const images = {
        'press/nginx': 'docker.io/library/nginx:1.27',
        'cache/memcached': 'docker.io/library/memcached:1.6',
        'mail/mailhog': 'docker.io/mailhog/mailhog:v1.0.1',
      };
      const handles = Object.entries(images).map(([place, image]) => cluster.deployment(place, { replicas: 1, image }));
      const limited = (image: string): string =>
        `failed to pull and unpack image "${image}": failed to copy: httpReadSeeker: failed open: unexpected status code https://registry-1.docker.io/v2/${image.slice(10).replace(':', '/manifests/')}: 429 Too Many Requests - Server message: toomanyrequests: You have reached your unauthenticated pull rate limit. https://www.docker.com/increase-rate-limit`;
      cluster.at(after(0), () => {
        for (const image of Object.values(images)) cluster.image(image, { pullError: limited(image) });
        for (const handle of handles) handle.scale(3);
      });
      cluster.expectIncident({
        root: 'Registry//docker.io',
        accepts: ['Registry//registry-1.docker.io'],
        messages: { update: '≤2' },
        mustNotBlame: ['Deployment/press/nginx', 'Deployment/cache/memcached', 'Deployment/mail/mailhog'],
      });
    },
    brief,
  ),

  'probe-asks-a-path-that-moved': reported(
    'A release moves its health endpoint and the readiness probe still asks the old one; the Ingress in front is as before',
    (cluster) => {
      cluster.object(ingressClass);
      const club = cluster.deployment('club/site', { replicas: 3, image: imageAt('site', '11') });
      cluster.service('club/site');
      cluster.object(ingress('club/site'));
      cluster.image(
        imageAt('site', '12'),
        unready(
          [
            ' ✓ Ready in 412ms',
            '10.244.2.1 - - [23/Nov/2026:09:33:10 +0000] "GET /ready HTTP/1.1" 404 9 "-" "kube-probe/1.36"',
          ],
          'HTTP probe failed with statuscode: 404',
        ),
      );
      cluster.at(after(0), () => club.setImage(imageAt('site', '12')));
      cluster.expectIncident({
        root: 'Deployment/club/site',
        mustNotBlame: ['Ingress/club/site', 'Service/club/site'],
      });
    },
    { minutes: 13 },
  ),

  'memory-limit-is-cut-too-far': reported(
    'A limit is cut to save money: a JVM that needs more is killed as it warms up, again and again; its database is well',
    (cluster, firm) => {
      server(cluster, 'claims/postgres', 'docker.io/library/postgres:16', 5432);
      const image = imageAt('intake', '40');
      const intake = cluster.deployment('claims/intake', {
        ...{ replicas: 2, image, memory: '1Gi' },
        values: { DATABASE_URL: 'postgres://postgres.claims.svc.cluster.local:5432/claims' },
      });
      cluster.service('claims/intake');
      innocentRelease(cluster, after(-15), firm);
      cluster.at(after(0), () => {
        cluster.image(image, (pod) =>
          JSON.stringify(pod.spec).includes('384Mi')
            ? {
                ...{ exit: { afterSeconds: 11, code: 137, oom: true }, readyAfterSeconds: 'never' },
                log: ['Picked up JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=75', 'INFO  HikariPool-1 - Start completed.'],
              }
            : {},
        );
        intake.change({ memory: '384Mi' });
      });
      cluster.expectIncident({
        root: 'Deployment/claims/intake',
        mustNotBlame: ['StatefulSet/claims/postgres', 'Deployment/logistics/tracking'],
      });
    },
    brief,
  ),

  'password-is-rotated-in-the-secret-alone': reported(
    'A password is rotated in its Secret and not in the database; the reloader restarts both that read it, and they are refused',
    (cluster) => {
      const password = cluster.secret('school/db-login', { password: 'one' });
      server(cluster, 'school/mysql', 'docker.io/library/mysql:8.0.39', 3306);
      const names = ['grades', 'absence'];
      const denied = ends(
        [
          '[2026-11-23 09:15:20] production.ERROR: SQLSTATE[HY000] [1045] Access denied for user \'school\'@\'10.244.1.17\' (using password: YES) (Connection: mysql, SQL: select * from `settings`) {"exception":"[object] (Illuminate\\\\Database\\\\QueryException(code: 1045)"}',
        ],
        1,
        4,
      );
      let isRotated = false;
      const handles = names.map((name) => {
        cluster.image(imageAt(name, 3), () => (isRotated ? denied : {}));
        return cluster.deployment(`school/${name}`, {
          ...{ replicas: 2, image: imageAt(name, 3), env: { DB_PASSWORD: 'secret/db-login/password' } },
          values: { DB_HOST: 'mysql.school.svc.cluster.local' },
          spec: { strategy: { type: 'Recreate' } },
        });
      });
      cluster.at(after(0), () => {
        isRotated = true;
        password.edit({ password: 'two' });
      });
      cluster.at(after(5), () => {
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/school/db-login',
        messages: { update: '≤2' },
        mustNotBlame: ['StatefulSet/school/mysql', 'Deployment/school/grades', 'Deployment/school/absence'],
      });
    },
    brief,
  ),

  'image-is-built-for-another-processor': reported(
    'A hotfix is built by hand on a notebook with another processor and pushed: it is no program here',
    (cluster, firm) => {
      const image = imageAt('dispatch', '9.1.2-hotfix');
      const dispatch = cluster.deployment('taxi/dispatch', { replicas: 4, image: imageAt('dispatch', '9.1.2') });
      cluster.service('taxi/dispatch');
      cluster.image(image, ends(['exec /usr/local/bin/docker-entrypoint.sh: exec format error'], 255, 0));
      innocentRelease(cluster, after(-10), firm);
      cluster.at(after(0), () => dispatch.setImage(image));
      cluster.expectIncident({
        root: 'Deployment/taxi/dispatch',
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
    brief,
  ),
};
