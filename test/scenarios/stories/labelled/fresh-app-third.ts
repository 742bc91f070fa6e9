import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { settingsVolume } from '../../kit/field.ts';
import { after, clients, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Of workloads and what they call: several at once, some members only, and what stands between. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.pgbouncer.org/config.html, query_wait_timeout
  'pooler-between-is-scaled-down': reported(
    'The pooler before a database is scaled from three to one and keeps everybody waiting; the database itself is well',
    (cluster) => {
      server(cluster, 'core/postgres', 'docker.io/library/postgres:16.2', 5432, { clusterIP: '10.96.80.2' });
      const pooler = cluster.deployment('core/pgbouncer', {
        replicas: 3,
        image: 'docker.io/edoburu/pgbouncer:1.22.1',
        values: { DB_HOST: 'postgres.core.svc' },
      });
      cluster.service('core/pgbouncer', { clusterIP: '10.96.80.3' });
      cluster.at(after(0), () => pooler.scale(1));
      const values = { DATABASE_HOST: 'pgbouncer.core.svc' };
      const innocents = clients(cluster, 30, {
        'core/checkout': {
          does: unready(['psycopg.OperationalError: connection failed: FATAL:  query_wait_timeout']),
          values,
        },
        'core/search': { does: ends(['error: query_wait_timeout', "  code: '08P01',"]), values },
      });
      cluster.expectIncident({
        root: 'Deployment/core/pgbouncer',
        accepts: ['Service/core/pgbouncer'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [...innocents, 'StatefulSet/core/postgres', 'Service/core/postgres'],
      });
    },
  ),

  // https://github.com/fluent/fluent-bit/issues/2005: the settings are read at the next start, machine by machine.
  'agents-read-their-broken-settings-one-by-one': reported(
    'The settings of a log agent are broken; only those agents that are started anew with their machines read them',
    (cluster, firm) => {
      const settings = cluster.configMap('logging/fluent-bit', { 'fluent-bit.conf': '[OUTPUT]\n  Name es' });
      const image = 'cr.fluentbit.io/fluent/fluent-bit:3.1.4';
      cluster.daemonSet('logging/fluent-bit', {
        image,
        pod: settingsVolume('fluent-bit'),
        container: { volumeMounts: [{ name: 'settings', mountPath: '/fluent-bit/etc' }] },
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () => settings.edit({ 'fluent-bit.conf': '[OUTPUT]\n  Nme es' }));
      cluster.at(after(120), () => {
        cluster.image(
          image,
          ends(
            [
              '[2026/11/22 09:31:01] [error] [config] no "name" property in section OUTPUT',
              '[2026/11/22 09:31:01] [error] configuration file contains errors, aborting.',
            ],
            1,
            1,
          ),
        );
        cluster.evict('logging', 'fluent-bit');
      });
      cluster.expectIncident({
        root: 'ConfigMap/logging/fluent-bit',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://dev.mysql.com/doc/refman/9.0/en/upgrading-from-previous-series.html, options that are gone
  'two-servers-of-one-client-fail-in-turn': reported(
    'The cache of an application is killed for its memory, and ten minutes later its database does not start after a change of its image',
    (cluster) => {
      const redis = 'docker.io/library/redis:7.2.5';
      server(cluster, 'game/redis', redis, 6379, { clusterIP: '10.96.81.2', memory: '128Mi' });
      const mysql = server(cluster, 'game/mysql', 'docker.io/library/mysql:8.0.39', 3306, { clusterIP: '10.96.81.3' });
      cluster.image(
        'docker.io/library/mysql:9.0.1',
        ends(
          [
            "2026-11-22T09:40:11.004411Z 0 [ERROR] [MY-000067] [Server] unknown variable 'default_authentication_plugin=mysql_native_password'.",
            '2026-11-22T09:40:11.004432Z 0 [ERROR] [MY-010119] [Server] Aborting',
          ],
          7,
          2,
        ),
      );
      cluster.at(after(0), () => cluster.befall(redis, killed([], 20)));
      cluster.at(after(600), () => mysql.setImage('docker.io/library/mysql:9.0.1'));
      const values = { REDIS_HOST: 'redis.game.svc', MYSQL_HOST: 'mysql.game.svc' };
      clients(cluster, 24, {
        'game/lobby': {
          does: unready(['[ioredis] Unhandled error event: Error: connect ECONNREFUSED 10.96.81.2:6379']),
          values,
        },
      });
      clients(cluster, 610, {
        'game/inventory': {
          does: ends([
            'Error: connect ECONNREFUSED 10.96.81.3:3306',
            '    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)',
          ]),
          values: { MYSQL_HOST: 'mysql.game.svc' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/game/redis',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/game/lobby'],
      });
      cluster.expectIncident({
        root: 'StatefulSet/game/mysql',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/game/inventory'],
      });
    },
    { minutes: 25 },
  ),

  // Words of cloudflared: a companion ends, the program itself is well.
  'companion-of-every-pod-loses-its-token': reported(
    'The tunnel beside an application is told that its token is not valid any more; the application runs on without traffic',
    (cluster) => {
      cluster.secret('site/tunnel', { token: 'one' });
      const [app, tunnel] = [imageAt('site', 77), 'docker.io/cloudflare/cloudflared:2024.8.3'];
      cluster.deployment('site/site', {
        ...{ replicas: 2, image: app },
        pod: {
          containers: [
            { name: 'site', image: app, readinessProbe: { httpGet: { path: '/ready', port: 8080 } } },
            {
              ...{ name: 'tunnel', image: tunnel },
              env: [{ name: 'TUNNEL_TOKEN', valueFrom: { secretKeyRef: { name: 'tunnel', key: 'token' } } }],
            },
          ],
        },
      });
      cluster.service('site/site');
      cluster.at(after(0), () =>
        cluster.befall(
          tunnel,
          ends(
            [
              '2026-11-22T09:11:02Z INF Starting tunnel tunnelID=5a1c1d0e',
              '2026-11-22T09:11:03Z ERR Register tunnel error from server side error="Unauthorized: Invalid tunnel secret" connIndex=0',
              'Unauthorized: Invalid tunnel secret',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'Deployment/site/site',
        accepts: ['Secret/site/tunnel'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Service/site/site', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // One key of a ConfigMap that two kinds of workloads read.
  'one-wrong-url-for-a-service-and-a-run': reported(
    'The address of a server in a ConfigMap gets a wrong port; what is started anew with it and each run by the clock are refused',
    (cluster) => {
      const settings = cluster.configMap('media/common', { ENCODER_URL: 'http://encoder.media.svc:80' });
      cluster.deployment('media/encoder', { replicas: 2, image: imageOf('media/encoder') });
      cluster.service('media/encoder', { clusterIP: '10.96.82.4' });
      const ingest = cluster.deployment('media/ingest', {
        replicas: 2,
        image: imageOf('media/ingest'),
        envFrom: ['common'],
      });
      const image = imageOf('media/thumbs');
      const runs = cluster.cronJob('media/thumbs', {
        ...{ schedule: '*/3 * * * *', image },
        job: {
          template: {
            spec: {
              restartPolicy: 'Never',
              containers: [{ name: 'thumbs', image, envFrom: [{ configMapRef: { name: 'common' } }] }],
            },
          },
        },
      });
      cluster.image(image, { exit: { afterSeconds: 6, code: 0 }, log: ['12 thumbnails'] });
      cluster.at(after(0), () => settings.edit({ ENCODER_URL: 'http://encoder.media.svc:8800' }));
      cluster.at(after(5), () => {
        const refused =
          'Post "http://encoder.media.svc:8800/jobs": dial tcp 10.96.82.4:8800: connect: connection refused';
        cluster.image(image, { exit: { afterSeconds: 2, code: 1 }, log: [`panic: ${refused}`] });
        cluster.image(
          imageOf('media/ingest'),
          ends([`level=fatal msg="encoder" err="${refused.replaceAll('"', '\\"')}"`]),
        );
        ingest.restart();
      });
      cluster.at(after(960), () => runs.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'ConfigMap/media/common',
        accepts: ['Service/media/encoder'],
        messages: { update: '≤2', resolve: '≤1' },
        mustNotBlame: ['Deployment/media/encoder', 'Deployment/media/ingest'],
      });
    },
    { minutes: 24 },
  ),

  // https://redis.io/docs/latest/operate/oss_and_stack/management/security, rename-command
  'only-one-of-four-clients-of-a-server': reported(
    'One of four clients of a Redis asks for a command that its server has renamed since the last release of the client',
    (cluster, firm) => {
      server(cluster, 'chat/redis', 'docker.io/library/redis:7.2.5', 6379, { clusterIP: '10.96.83.5' });
      const values = { REDIS_URL: 'redis://redis.chat.svc:6379' };
      for (const name of ['rooms', 'presence', 'history'])
        cluster.deployment(`chat/${name}`, { replicas: 2, image: imageOf(`chat/${name}`), values });
      const moderation = cluster.deployment('chat/moderation', {
        replicas: 2,
        image: imageAt('moderation', 4),
        values,
      });
      cluster.image(
        imageAt('moderation', 5),
        ends(["redis.exceptions.ResponseError: unknown command 'KEYS', with args beginning with: 'flag:*'"]),
      );
      innocentRelease(cluster, after(-55), firm);
      cluster.at(after(0), () => moderation.setImage(imageAt('moderation', 5)));
      cluster.expectIncident({
        root: 'Deployment/chat/moderation',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['StatefulSet/chat/redis', 'Service/chat/redis', 'Deployment/logistics/tracking'],
      });
    },
  ),
};
