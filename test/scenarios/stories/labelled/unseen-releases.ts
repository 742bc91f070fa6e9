import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { ingress, ingressClass } from '../../kit/things.ts';

/** Releases of the house, and upgrades of what others make. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/traefik/traefik/issues/5422: the options of the first major version are unknown to the second.
  'proxy-tag-moves-to-another-major': reported(
    'A reverse proxy is set to another major version, which does not know the options it is started with',
    (cluster, firm) => {
      const repository = 'docker.io/library/traefik';
      const traefik = cluster.deployment('edge/traefik', {
        ...{ replicas: 2, image: `${repository}:v1.7.34` },
        command: ['/traefik', '--entryPoints=Name:http Address::80 Redirect.EntryPoint:https'],
      });
      cluster.service('edge/traefik');
      cluster.deployment('store/front', { replicas: 2, image: imageAt('front', 12) });
      cluster.service('store/front');
      cluster.object(ingressClass);
      cluster.object(ingress('store/front'));
      innocentRelease(cluster, after(-40), firm);
      cluster.image(
        `${repository}:v2.11.2`,
        ends(['2026/11/23 09:18:31 command traefik error: field not found, node: redirect'], 1, 1),
      );
      cluster.at(after(0), () => traefik.setImage(`${repository}:v2.11.2`));
      cluster.expectIncident({
        root: 'Deployment/edge/traefik',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/store/front', 'Ingress/store/front', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/ssanj/enter-the-metrics/pull/1, https://github.com/grafana/loki/pull/12453: taken back after a quarter of an hour.
  'log-store-wants-a-newer-schema': reported(
    'A log store is upgraded over a major version and refuses its settings of old; the version before is put back',
    (cluster) => {
      const repository = 'docker.io/grafana/loki';
      const loki = server(cluster, 'logging/loki', `${repository}:2.9.8`, 3100);
      cluster.deployment('logging/loki-gateway', { replicas: 2, image: 'docker.io/nginxinc/nginx-unprivileged:1.24' });
      cluster.image(
        `${repository}:3.1.0`,
        ends(
          [
            'level=error ts=2026-11-23T09:36:13.764610843Z caller=main.go:70 msg="validating config" err="MULTIPLE CONFIG ERRORS FOUND, PLEASE READ CAREFULLY\\nCONFIG ERROR: schema v13 is required to store Structured Metadata and use native OTLP ingestion, your schema version is v11. Set `allow_structured_metadata: false` in the `limits_config` section or set the command line argument `-validation.allow-structured-metadata=false` and restart Loki.\\nCONFIG ERROR: `tsdb` index type is required to store Structured Metadata and use native OTLP ingestion, your index type is `boltdb-shipper` (defined in the `store` parameter of the schema_config)."',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(0), () => loki.setImage(`${repository}:3.1.0`));
      cluster.at(after(900), () => {
        loki.setImage(`${repository}:2.9.8`);
        cluster.befall(`${repository}:3.1.0`, {});
      });
      cluster.expectIncident({
        root: 'StatefulSet/logging/loki',
        messages: { resolve: 1 },
        mustNotBlame: ['Deployment/logging/loki-gateway'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/keycloak/keycloak/issues/33539, https://github.com/keycloak/keycloak/issues/38413
  'sign-on-upgrade-wants-its-host-name': reported(
    'An upgrade of the sign-on makes its host name mandatory; it does not start, and a portal and a dashboard lose it',
    (cluster, firm) => {
      const repository = 'quay.io/keycloak/keycloak';
      const keycloak = server(cluster, 'auth/keycloak', `${repository}:24.0.3`, 8080, { clusterIP: '10.96.40.12' });
      innocentRelease(cluster, after(-30), firm);
      cluster.image(
        `${repository}:26.1.4`,
        ends(
          [
            'ERROR: Unexpected error when starting the server in (production) mode',
            'ERROR: Failed to start quarkus',
            'ERROR: Strict hostname resolution configured but no hostname setting provided',
            "For more details run the same command passing the '--verbose' option. Also you can use '--help' to see the details about the usage of the particular command.",
          ],
          1,
          9,
        ),
      );
      cluster.at(after(0), () => keycloak.setImage(`${repository}:26.1.4`));
      const values = { OIDC_ISSUER: 'http://keycloak.auth.svc.cluster.local:8080/realms/staff' };
      const innocents = clients(cluster, 12, {
        'people/portal': {
          does: unready([
            'ERROR o.s.b.a.h.HealthEndpoint : I/O error on GET request for "http://keycloak.auth.svc.cluster.local:8080/realms/staff/.well-known/openid-configuration": Connection refused',
          ]),
          values,
        },
        'people/directory': {
          does: ends([
            'time="2026-11-23T09:13:02Z" level=fatal msg="failed to initialize provider" error="Get \\"http://keycloak.auth.svc.cluster.local:8080/realms/staff/.well-known/openid-configuration\\": dial tcp 10.96.40.12:8080: connect: connection refused"',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/auth/keycloak',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Service/auth/keycloak', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/prisma/orm/issues/21502: built on one base image, run on another.
  'query-engine-for-another-openssl': reported(
    'A release comes on a newer base image, and the query engine of its ORM was made for the older one',
    (cluster) => {
      server(cluster, 'games/postgres', 'docker.io/library/postgres:15.8', 5432);
      const scores = cluster.deployment('games/scores', {
        ...{ replicas: 3, image: imageAt('scores', '0.31') },
        values: { DATABASE_URL: 'postgresql://scores@postgres.games.svc.cluster.local:5432/scores' },
      });
      cluster.service('games/scores');
      cluster.image(
        imageAt('scores', '0.32'),
        ends(
          [
            'Invalid `prisma.game.findFirstOrThrow()` invocation:',
            'Prisma Client could not locate the Query Engine for runtime "debian-openssl-3.0.x".',
            'This happened because Prisma Client was generated for "debian-openssl-1.1.x", but the actual deployment required "debian-openssl-3.0.x".',
            'Add "debian-openssl-3.0.x" to `binaryTargets` in the "schema.prisma" file and run `prisma generate` after saving it:',
            '    at handleRequestError (/app/node_modules/@prisma/client/runtime/library.js:123:7089)',
          ],
          1,
          3,
        ),
      );
      cluster.at(after(0), () => scores.setImage(imageAt('scores', '0.32')));
      cluster.expectIncident({
        root: 'Deployment/games/scores',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/games/postgres', 'Service/games/postgres'],
      });
    },
  ),

  // https://github.com/spring-projects/spring-amqp/issues/1150, https://github.com/linagora/tmail-backend/issues/1119
  'consumer-declares-its-queue-otherwise': reported(
    'A release declares its queue with another type than it has; the broker refuses it, and other clients work on',
    (cluster, firm) => {
      server(cluster, 'mailbus/rabbitmq', 'docker.io/library/rabbitmq:3.13.7', 5672, { clusterIP: '10.96.50.9' });
      const values = { SPRING_RABBITMQ_HOST: 'rabbitmq.mailbus.svc.cluster.local' };
      const dispatch = cluster.deployment('mailbus/dispatch', {
        ...{ replicas: 2, image: imageAt('dispatch', '5.0') },
        values,
      });
      cluster.service('mailbus/dispatch');
      cluster.deployment('mailbus/archive', { replicas: 2, image: imageAt('archive', '2.2'), values });
      innocentRelease(cluster, after(-55), firm);
      cluster.image(
        imageAt('dispatch', '5.1'),
        ends(
          [
            "2026-11-23 09:53:32.752 ERROR 1 --- [ 10.96.50.9:5672] o.s.a.r.c.CachingConnectionFactory       : Channel shutdown: channel error; protocol method: #method<channel.close>(reply-code=406, reply-text=PRECONDITION_FAILED - inequivalent arg 'x-queue-type' for queue 'dispatch' in vhost '/': received the value 'quorum' of type 'longstr' but current is none, class-id=50, method-id=10)",
            '2026-11-23 09:53:41.118 ERROR 1 --- [           main] o.s.boot.SpringApplication               : Application run failed',
            "org.springframework.amqp.rabbit.listener.QueuesNotAvailableException: Cannot prepare queue for listener. Either the queue doesn't exist or the broker will not allow us to use it.",
          ],
          1,
          14,
        ),
      );
      cluster.at(after(0), () => dispatch.setImage(imageAt('dispatch', '5.1')));
      cluster.expectIncident({
        root: 'Deployment/mailbus/dispatch',
        messages: { resolve: 0 },
        mustNotBlame: [
          ...(['StatefulSet/mailbus/rabbitmq', 'Service/mailbus/rabbitmq', 'Deployment/mailbus/archive'] as const),
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),
};
