import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two things that go wrong at the same time and have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/103175 and https://github.com/bitnami/charts/issues/36530
  'machine-lost-while-a-tag-does-not-exist': reported(
    'A machine loses its power a minute after a team has released a tag that does not exist',
    (cluster) => {
      const tickets = cluster.deployment('concert/tickets', { replicas: 3, image: imageAt('tickets', '8.4.4') });
      cluster.service('concert/tickets');
      for (const place of ['venue/seats', 'venue/doors'])
        cluster.deployment(place, { replicas: 3, image: imageOf(place) });
      cluster.image(imageAt('tickets', '8.4.5-debian-12-r0'), { pullError: 'NotFound' });
      cluster.at(after(0), () => tickets.setImage(imageAt('tickets', '8.4.5-debian-12-r0')));
      cluster.at(after(60), () => cluster.node('n3').losePower());
      cluster.expectIncident({
        root: 'Deployment/concert/tickets',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Registry//registry.borealis.example'],
      });
      cluster.expectIncident({
        root: 'Node//n3',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: ['Deployment/venue/seats', 'Deployment/venue/doors'],
      });
    },
  ),

  // https://github.com/devtron-labs/devtron/issues/2624 for the shape of the database, https://github.com/argoproj/argo-cd/issues/18993 for the missing piece
  'setting-missing-here-and-memory-there': reported(
    'One team releases a workload that reads a key nobody added to its ConfigMap; the MySQL of another is killed for its memory, with two clients',
    (cluster, firm) => {
      cluster.configMap('forms/survey-settings', { TITLE: 'Survey' });
      const first = { replicas: 2, image: imageAt('survey', 30), env: { TITLE: 'configmap/survey-settings/TITLE' } };
      const survey = cluster.deployment('forms/survey', first);
      cluster.service('forms/survey');
      const mysql = 'docker.io/library/mysql:8.0.36';
      server(cluster, 'store/mysql', mysql, 3306, { clusterIP: '10.96.66.6', memory: '512Mi' });
      innocentRelease(cluster, after(-60), firm);
      cluster.at(after(0), () =>
        survey.change({
          image: imageAt('survey', 31),
          env: { TITLE: 'configmap/survey-settings/TITLE', THEME: 'configmap/survey-settings/THEME' },
        }),
      );
      cluster.at(after(20), () =>
        cluster.befall(
          mysql,
          killed(
            [
              '2026-11-22T09:03:11.402117Z 0 [System] [MY-010116] [Server] /usr/sbin/mysqld (mysqld 8.0.36) starting as process 1',
              '2026-11-22T09:03:11.410093Z 1 [System] [MY-013576] [InnoDB] InnoDB initialization has started.',
            ],
            9,
          ),
        ),
      );
      const values = { MYSQL_HOST: 'mysql.store.svc.cluster.local' };
      const innocents = clients(cluster, 32, {
        'store/magento': {
          does: unready([
            'SQLSTATE[HY000] [2002] Connection refused in /var/www/html/vendor/magento/zendframework1/library/Zend/Db/Adapter/Pdo/Abstract.php:128 (host: mysql.store.svc.cluster.local)',
          ]),
          values,
        },
        'store/stock-sync': {
          does: ends([
            'Error: connect ECONNREFUSED 10.96.66.6:3306',
            "  errno: -111, code: 'ECONNREFUSED', fatal: true",
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/forms/survey',
        accepts: ['ConfigMap/forms/survey-settings'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
      cluster.expectIncident({
        root: 'StatefulSet/store/mysql',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/gitpod-io/gitpod/issues/691 and https://github.com/vercel/next.js/issues/41280: the program ends with 0 at once.
  'outage-outside-while-a-release-ends-at-once': reported(
    'GitHub answers with errors to two services, and at the same time a release of another team ends as soon as it has started',
    (cluster) => {
      const values = { GITHUB_API_URL: 'https://api.github.com' };
      const listings = cluster.deployment('realty/listings', { replicas: 2, image: imageAt('listings', 61) });
      cluster.service('realty/listings');
      cluster.image(imageAt('listings', 62), {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 2, code: 0 },
        log: ['info  - Loaded env from /app/.env.production'],
      });
      const innocents = clients(cluster, 0, {
        'platform/runner-controller': {
          does: ends([
            '{"level":"error","ts":"2026-11-22T09:14:22Z","logger":"setup","msg":"unable to create GitHub client","error":"failed to get access token: POST https://api.github.com/app/installations/4410/access_tokens: 503 Service Unavailable []"}',
          ]),
          values,
        },
        'platform/workspaces': {
          does: unready([
            'HttpError: request to https://api.github.com/user failed with status 502 Bad Gateway',
            '    at /app/node_modules/@octokit/request/dist-node/index.js:124:21',
          ]),
          values,
        },
      });
      cluster.at(after(45), () => listings.setImage(imageAt('listings', 62)));
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.github.com:443',
        accepts: ['ExternalEndpoint//api.github.com'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
      cluster.expectIncident({ root: 'Deployment/realty/listings', messages: { resolve: 0 } });
    },
  ),
};
