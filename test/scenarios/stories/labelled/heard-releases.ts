import { custom, define, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Releases and upgrades that do not do what the ones before did. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/uswitch/kiam/issues/128: from 2.7 to 2.8; what the agents give no credentials to fails after them.
  'agents-of-a-release-reach-no-server': reported(
    'The agents that hand out roles of the cloud are upgraded and do not reach their server any more; two that need a role end',
    (cluster, firm) => {
      const repository = 'quay.io/uswitch/kiam';
      cluster.deployment('kube-system/kiam-server', { replicas: 2, image: `${repository}:v2.7-server` });
      cluster.service('kube-system/kiam-server');
      const agent = cluster.daemonSet('kube-system/kiam-agent', { image: `${repository}:v2.7` });
      innocentRelease(cluster, after(-30), firm);
      cluster.image(
        `${repository}:v2.8`,
        ends(
          [
            '{"level":"info","msg":"configuring iptables","time":"2026-11-23T09:33:17Z"}',
            '{"level":"info","msg":"started prometheus metric listener 0.0.0.0:9620","time":"2026-11-23T09:33:17Z"}',
            '{"level":"fatal","msg":"error creating server gateway: error waiting for address being available in the balancer: context deadline exceeded","time":"2026-11-23T09:33:18Z"}',
          ],
          1,
          2,
        ),
      );
      cluster.at(after(0), () => agent.setImage(`${repository}:v2.8`));
      const innocents = clients(cluster, 40, {
        'archive/uploader': {
          does: ends([
            'NoCredentialProviders: no valid providers in chain. Deprecated.',
            'panic: RequestError: send request failed caused by: Get "http://169.254.169.254/latest/meta-data/iam/security-credentials/": dial tcp 169.254.169.254:80: connect: connection refused',
          ]),
        },
        'archive/thumbnails': {
          does: ends(['botocore.exceptions.NoCredentialsError: Unable to locate credentials']),
        },
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/kiam-agent',
        messages: { resolve: 0, update: '≤2', open: '≤3' },
        mustNotBlame: [...innocents, 'Deployment/kube-system/kiam-server', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/PrefectHQ/prefect/issues/21099: clients up to 3.6.13 are refused by a server of 3.6.21.
  'server-refuses-the-workers-of-before': reported(
    'The server of a workflow engine is upgraded, and refuses the connections of its older workers; both pools of them end',
    (cluster) => {
      const repository = 'docker.io/prefecthq/prefect';
      const server = cluster.deployment('flows/prefect-server', { image: `${repository}:3.6.13-python3.12` });
      cluster.service('flows/prefect-server', { clusterIP: '10.96.42.0' });
      cluster.at(after(0), () => server.setImage(`${repository}:3.6.21-python3.12`));
      const values = { PREFECT_API_URL: 'http://prefect-server.flows.svc.cluster.local/api' };
      const does = ends(
        [
          '09:06:20.340 | INFO    | prefect.worker.kubernetes - Worker started! Looking for work from pool',
          '09:06:21.871 | ERROR   | prefect.events - Unable to connect to ws://prefect-server.flows.svc.cluster.local/api/events/in. Please check your network settings to ensure websocket connections to the API are allowed.',
          'websockets.exceptions.InvalidStatus: server rejected WebSocket connection: HTTP 403',
        ],
        1,
        9,
      );
      const innocents = clients(cluster, 20, {
        'flows/worker-crawls': { does, values },
        'flows/worker-exports': { does, values },
      });
      cluster.expectIncident({
        root: 'Deployment/flows/prefect-server',
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        mustNotBlame: [...innocents, 'Service/flows/prefect-server', 'Node//n1'],
      });
    },
  ),

  // https://github.com/Unleash/helm-charts/issues/144: the newer chart asks its database for TLS.
  'switches-ask-their-database-for-encryption': reported(
    'An upgrade makes the server of feature switches ask its database for encryption, which it does not have; two that ask it for switches are not ready',
    (cluster, firm) => {
      server(cluster, 'switches/unleash-postgresql', 'docker.io/library/postgres:15.7', 5432, { spec: disks(cluster) });
      const repository = 'docker.io/unleashorg/unleash-server';
      const unleash = cluster.deployment('switches/unleash', {
        ...{ image: `${repository}:5.11.4`, spec: { strategy: { type: 'Recreate' } } },
        values: { DATABASE_HOST: 'unleash-postgresql.switches.svc.cluster.local' },
      });
      cluster.service('switches/unleash', { clusterIP: '10.96.42.42' });
      innocentRelease(cluster, after(-45), firm);
      cluster.image(
        `${repository}:5.12.0`,
        ends(
          [
            '[2026-11-23T09:01:04.890] [ERROR] server-impl.js - Locking error: The server does not support SSL connections',
            '[2026-11-23T09:01:04.892] [ERROR] server-impl.js - Failed to migrate db Error: The server does not support SSL connections',
            '    at Socket.<anonymous> (/unleash/node_modules/pg/lib/connection.js:77:37)',
          ],
          1,
          4,
        ),
      );
      cluster.at(after(0), () => unleash.setImage(`${repository}:5.12.0`));
      const values = { UNLEASH_URL: 'http://unleash.switches.svc.cluster.local/api' };
      const innocents = clients(cluster, 18, {
        'booking/search': {
          does: unready([
            '[Unleash] FetchError: request to http://unleash.switches.svc.cluster.local/api/client/features failed, reason: connect ECONNREFUSED 10.96.42.42:80',
          ]),
          values,
        },
        'booking/checkout': {
          does: ends([
            'io.getunleash.UnleashException: Could not initialize Unleash: java.net.ConnectException: Connection refused: unleash.switches.svc.cluster.local/10.96.42.42:80',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'Deployment/switches/unleash',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'StatefulSet/switches/unleash-postgresql', 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://github.com/stackabletech/druid-operator/issues/359: its heap follows the limit, and nothing is left beside it.
  'limit-leaves-no-room-beside-the-heap': reported(
    'The servers of old data of an analytics store get a limit for their memory; they end for buffers beside the heap, and those that query fail',
    (cluster) => {
      const image = 'docker.stackable.tech/stackable/druid:24.0.0-stackable0.3.0';
      const historical = server(cluster, 'clicks/druid-historical', image, 8083, {
        ...{ replicas: 2, clusterIP: '10.96.80.83', spec: { podManagementPolicy: 'Parallel' } },
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              '2026-11-23T09:11:05,972 INFO [main] org.apache.druid.offheap.OffheapBufferGenerator - Allocating new intermediate processing buffer[3] of size[524,288,000]',
              'Exception in thread "main" java.lang.RuntimeException: com.google.inject.CreationException: Unable to create injector, see the following errors:',
              'Caused by: java.lang.OutOfMemoryError: Cannot reserve 524288000 bytes of direct buffer memory (allocated: 1573036032, limit: 2097152000)',
            ],
            1,
            13,
          ),
        );
        historical.change({ memory: '4Gi' });
      });
      const values = { DRUID_HISTORICAL: 'druid-historical.clicks.svc.cluster.local:8083' };
      const innocents = clients(cluster, 60, {
        'clicks/druid-broker': {
          does: unready([
            '2026-11-23T09:13:00,118 ERROR [qtp1436326-98] org.apache.druid.client.DirectDruidClient - Query[7f2] url[http://druid-historical.clicks.svc.cluster.local:8083/druid/v2/] failed: Connection refused: druid-historical.clicks.svc.cluster.local/10.96.80.83:8083',
          ]),
          values,
        },
        'clicks/heatmaps': {
          does: ends(['pydruid.db.exceptions.ProgrammingError: Query failed: no historical answered']),
          values: { DRUID_BROKER: 'druid-broker.clicks.svc.cluster.local:8082' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/clicks/druid-historical',
        messages: { resolve: 0, update: '≤2', open: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [...innocents, 'Service/clicks/druid-historical'],
      });
    },
  ),

  // https://github.com/kubernetes/autoscaler/issues/1574, https://github.com/kubernetes/autoscaler/issues/6705
  'autoscaler-recommends-less-than-it-needs': reported(
    'A vertical autoscaler recommends less memory than a program needs, and evicts it for that; it is killed at each start, while its neighbour is well',
    (cluster) => {
      cluster.pro();
      const image = imageOf('stats/rollup');
      const rollup = cluster.deployment('stats/rollup', { replicas: 2, image, memory: '1536Mi' });
      cluster.service('stats/rollup');
      define(cluster, 'autoscaling.k8s.io/v1', ['VerticalPodAutoscaler']);
      custom(cluster, 'autoscaling.k8s.io/v1', 'VerticalPodAutoscaler', 'stats/rollup', {
        targetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'rollup' },
        updatePolicy: { updateMode: 'Auto' },
      });
      cluster.deployment('stats/frontend', { replicas: 2, image: imageAt('stats-frontend', 4) });
      cluster.at(after(0), () => {
        cluster.image(image, {
          exit: { afterSeconds: 14, code: 137, oom: true },
          ...{ readyAfterSeconds: 'never', log: ['level=info msg="loading 31 days of samples"'] },
        });
        rollup.patch({
          spec: {
            template: {
              spec: {
                containers: [
                  { name: 'rollup', resources: { requests: { memory: '262144k' }, limits: { memory: '262144k' } } },
                ],
              },
            },
          },
        });
      });
      cluster.expectIncident({
        root: 'Deployment/stats/rollup',
        accepts: ['VerticalPodAutoscaler.autoscaling.k8s.io/stats/rollup'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/stats/frontend', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
