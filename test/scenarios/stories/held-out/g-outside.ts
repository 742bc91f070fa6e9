import { innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What is not in the cluster, and those that need it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/thingsboard/thingsboard/issues/13239, https://github.com/thingsboard/thingsboard.github.io/issues/628
  'licence-server-of-a-device-platform-is-away': reported(
    'The licence server of ThingsBoard cannot be reached; its nodes and its rule engine end one after the other, the database is well',
    (cluster, firm) => {
      server(cluster, 'devices/postgres', 'docker.io/library/postgres:12.20', 5432, { spec: disks(cluster) });
      innocentRelease(cluster, after(-20), firm);
      const log = [
        '2026-11-23 09:42:49,613 [main] ERROR o.t.license.client.TbLicenseClient - License Error: CONNECTION_ERROR(400) - Failed to connect to ThingsBoard License Server!',
        '2026-11-23 09:42:49,614 [main] ERROR o.t.license.client.TbLicenseClient - Unable to connect to ThingsBoard License Server within allowed offline timeout!',
        'Caused by: org.apache.http.conn.HttpHostConnectException: Connect to license.thingsboard.io:443 [license.thingsboard.io/34.220.176.162] failed: Connection timed out (Connection timed out)',
        '2026-11-23 09:42:49,615 [main] INFO  o.t.s.d.s.BasicSubscriptionService - Terminating application due to critical License Error CONNECTION_ERROR(400), exit code [-1]...',
      ];
      const values = { TB_LICENSE_URL: 'https://license.thingsboard.io' };
      const innocents = clients(cluster, 0, {
        'devices/tb-node': { does: ends(log, 255, 40), values },
        'devices/tb-rule-engine': { does: ends(log, 255, 45), values },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//license.thingsboard.io:443',
        accepts: ['ExternalEndpoint//license.thingsboard.io'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/devices/postgres', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/canonical/snapcraft.io/issues/329: the API is slow, and the probes of those who ask it run out.
  'shop-of-packages-answers-too-slowly': reported(
    'A store of packages outside answers slowly; three websites that ask it in their health pages are taken out, until it is fast again',
    (cluster) => {
      const values = { STORE_API: 'https://api.store.example' };
      const says =
        'Get "http://10.244.1.31:8080/ready": context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
      const innocents = clients(cluster, 0, {
        'web/storefront': {
          does: unready(
            [
              "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='api.store.example', port=443): Read timed out. (read timeout=3)",
              '[2026-11-23 09:12:41 +0000] [8] [ERROR] Error handling request /ready',
            ],
            says,
          ),
          values,
        },
        'web/publisher': {
          does: unready(
            [
              "urllib3.exceptions.ReadTimeoutError: HTTPSConnectionPool(host='api.store.example', port=443): Read timed out. (read timeout=3)",
            ],
            says,
          ),
          values,
        },
        'web/docs-search': {
          does: unready(['Error: timeout of 3000ms exceeded, GET https://api.store.example/v2/find'], says),
          values,
        },
      });
      recover(cluster, 840, 'web/storefront', 'web/publisher', 'web/docs-search');
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.store.example:443',
        accepts: ['ExternalEndpoint//api.store.example'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/coredns'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/mishk0/slack-bot-api/issues/146
  'bots-do-not-reach-their-chat-outside': reported(
    'The API of a chat outside cannot be reached; two bots of two teams end as they start',
    (cluster, firm) => {
      innocentRelease(cluster, after(-45), firm);
      const values = { SLACK_API_URL: 'https://slack.com/api/' };
      const innocents = clients(cluster, 0, {
        'oncall/pager-bot': {
          does: ends([
            '[ERROR]  web-api:WebClient:0 http request failed connect EHOSTUNREACH 13.225.226.153:443',
            'Error: A request error occurred: connect EHOSTUNREACH 13.225.226.153:443 https://slack.com/api/apps.connections.open',
            '    at requestErrorWithOriginal (/app/node_modules/@slack/web-api/dist/errors.js:34:19)',
          ]),
          values,
        },
        'people/standup-bot': {
          does: ends(
            [
              'Traceback (most recent call last):',
              '  File "/usr/local/lib/python3.12/site-packages/slack_sdk/web/base_client.py", line 290, in _urllib_api_call',
              "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='slack.com', port=443): Max retries exceeded with url: /api/auth.test (Caused by NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f1>: Failed to establish a new connection: [Errno 113] No route to host'))",
            ],
            1,
            9,
          ),
          values,
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//slack.com:443',
        accepts: ['ExternalEndpoint//slack.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/aquasecurity/trivy-db/issues/442: everybody downloads the same database from there.
  'scanner-is-refused-its-list-of-holes': reported(
    'A scanner downloads its list of vulnerabilities before each run; the place it comes from counts too many requests, and every run fails',
    (cluster) => {
      const image = 'docker.io/aquasec/trivy:0.55.2';
      cluster.image(image, { exit: { afterSeconds: 30, code: 0 }, log: ['INFO\tDetected OS\tfamily="debian"'] });
      const scan = cluster.cronJob('security/trivy-scan', { schedule: '*/5 * * * *', image });
      cluster.at(after(-30), () =>
        cluster.image(image, {
          exit: { afterSeconds: 5, code: 1 },
          log: [
            '2026-11-23T14:45:16Z\tINFO\tNeed to update DB',
            '2026-11-23T14:45:16Z\tINFO\tDownloading DB...\trepository="ghcr.io/aquasecurity/trivy-db:2"',
            '2026-11-23T14:45:16Z\tFATAL\tFatal error\tinit error: DB error: failed to download vulnerability DB: database download error: OCI repository error: 1 error occurred:',
            '\t* GET https://ghcr.io/v2/aquasecurity/trivy-db/manifests/2: TOOMANYREQUESTS: retry-after: 35.852µs, allowed: 44000/minute',
          ],
        }),
      );
      cluster.at(after(900), () => scan.patch({ spec: { suspend: true } }));
      cluster.expectIncident({
        root: 'CronJob/security/trivy-scan',
        accepts: ['ExternalEndpoint//ghcr.io:443', 'ExternalEndpoint//ghcr.io', 'Registry//ghcr.io'],
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 1200,
        mustNotBlame: ['Registry//docker.io'],
      });
    },
    { minutes: 25 },
  ),
};
