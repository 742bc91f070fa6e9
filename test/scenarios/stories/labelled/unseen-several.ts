import { imageAt, innocentRelease } from '../../kit/company.ts';
import { after, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Two things that go wrong at the same time and have nothing to do with each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/apache/superset/issues/24201 and https://github.com/microservices-demo/microservices-demo/issues/875
  'weak-key-here-and-old-processors-there': reported(
    'One team upgrades a dashboard that refuses its key as too weak; another upgrades a MongoDB that the processors of the cluster are too old for',
    (cluster, firm) => {
      const dashboards = 'docker.io/apache/superset';
      const superset = cluster.deployment('insight/superset', { replicas: 2, image: `${dashboards}:1.5.0` });
      cluster.service('insight/superset');
      cluster.image(
        `${dashboards}:2.1.0`,
        ends(
          [
            'A Default SECRET_KEY was detected, please use superset_config.py to override it.',
            'Use a strong complex alphanumeric string and use a tool to help you generate ',
            'a sufficiently random sequence, ex: openssl rand -base64 42',
            'Refusing to start due to insecure SECRET_KEY',
            '[2026-11-23 09:05:11 +0000] [215] [INFO] Worker exiting (pid: 215)',
          ],
          1,
          5,
        ),
      );
      const documents = 'docker.io/library/mongo';
      const mongo = server(cluster, 'sock-shop/orders-db', `${documents}:4.4.29`, 27017, { clusterIP: '10.96.88.3' });
      cluster.image(
        `${documents}:5.0.26`,
        ends(
          [
            'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!',
            '  see https://jira.mongodb.org/browse/SERVER-54407',
            '  see also https://github.com/docker-library/mongo/issues/485#issuecomment-891991814',
          ],
          132,
          1,
        ),
      );
      innocentRelease(cluster, after(-70), firm);
      cluster.at(after(0), () => superset.setImage(`${dashboards}:2.1.0`));
      cluster.at(after(35), () => mongo.setImage(`${documents}:5.0.26`));
      const innocents = clients(cluster, 45, {
        'sock-shop/orders': {
          does: unready([
            'com.mongodb.MongoSocketOpenException: Exception opening socket',
            'Caused by: java.net.ConnectException: Connection refused (orders-db.sock-shop.svc.cluster.local:27017)',
          ]),
          values: { MONGO_HOST: 'orders-db.sock-shop.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: 'Deployment/insight/superset',
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking', 'StatefulSet/sock-shop/orders-db'],
      });
      cluster.expectIncident({
        root: 'StatefulSet/sock-shop/orders-db',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/ministryofjustice/analytics-platform-helm-charts/pull/164 ("fluend") and https://github.com/saveourtool/save-cloud/pull/2271
  'repository-misspelt-while-a-graph-goes-back': reported(
    'The agents of all machines are set to a repository that is misspelt; a graph database is put back to a version that cannot read its files',
    (cluster) => {
      const agents = cluster.daemonSet('shipping/fluentd', { image: 'quay.io/mojanalytics/fluentd:v1.2' });
      cluster.image('quay.io/mojanalytics/fluend:v1.3', {
        pullError:
          'failed to pull and unpack image "quay.io/mojanalytics/fluend:v1.3": failed to resolve reference "quay.io/mojanalytics/fluend:v1.3": pulling from host quay.io failed with status code [manifests v1.3]: 401 UNAUTHORIZED',
      });
      const repository = 'docker.io/library/neo4j';
      const neo4j = server(cluster, 'fraud/neo4j', `${repository}:5.7.0`, 7687, {
        ...{ clusterIP: '10.96.91.6', spec: disks(cluster) },
      });
      cluster.image(
        `${repository}:5.4.0`,
        ends(
          [
            '2026-11-23 09:24:18.139+0000 INFO  ======== Neo4j 5.4.0 ========',
            '2026-11-23 09:24:28.657+0000 ERROR Failed to start Neo4j on 0.0.0.0:7474.',
            'java.lang.RuntimeException: Error starting Neo4j database server at /data/databases',
            '\tat org.neo4j.graphdb.facade.DatabaseManagementServiceFactory.startDatabaseServer(DatabaseManagementServiceFactory.java:255) ~[neo4j-5.4.0.jar:5.4.0]',
            "Caused by: java.lang.IllegalArgumentException: Unknown store version 'record-aligned-1.2'",
          ],
          1,
          16,
        ),
      );
      cluster.at(after(0), () => neo4j.setImage(`${repository}:5.4.0`));
      cluster.at(after(20), () => agents.setImage('quay.io/mojanalytics/fluend:v1.3'));
      const values = { NEO4J_URI: 'bolt://neo4j.fraud.svc.cluster.local:7687' };
      const innocents = clients(cluster, 25, {
        'fraud/rings': {
          does: unready([
            "neo4j.exceptions.ServiceUnavailable: Couldn't connect to neo4j.fraud.svc.cluster.local:7687 (resolved to ('10.96.91.6:7687',)):",
            "Failed to establish connection to ResolvedIPv4Address(('10.96.91.6', 7687)) (reason [Errno 111] Connection refused)",
          ]),
          values,
        },
        'fraud/scoring': {
          does: ends([
            'ServiceUnavailable: Connection refused to bolt://neo4j.fraud.svc.cluster.local:7687: dial tcp 10.96.91.6:7687: connect: connection refused',
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/fraud/neo4j',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [...innocents, 'DaemonSet/shipping/fluentd'],
      });
      cluster.expectIncident({
        root: 'DaemonSet/shipping/fluentd',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Registry//quay.io', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  // https://github.com/sidekiq/sidekiq/issues/4167 and https://github.com/oscarfonts/docker-geoserver/issues/42
  'no-more-clients-here-and-an-old-option-there': reported(
    'A Redis takes no more clients from three services; at the same time maps are released on a Java that does not know one of its options',
    (cluster) => {
      server(cluster, 'social/redis', 'docker.io/library/redis:6.2.14', 6379, { clusterIP: '10.96.12.61' });
      const values = { REDIS_URL: 'redis://redis.social.svc.cluster.local:6379/0' };
      const innocents = clients(cluster, 0, {
        'social/sidekiq': {
          does: ends([
            '2026-11-23T09:00:00.004Z pid=1 tid=10fun0 ERROR: Error fetching job: ERR max number of clients reached',
            'Redis::CommandError: ERR max number of clients reached (redis://redis.social.svc.cluster.local:6379/0)',
          ]),
          values,
        },
        'social/timeline': {
          does: unready([
            'Redis::CommandError (ERR max number of clients reached):',
            "app/health.rb:14:in `ping redis://redis.social.svc.cluster.local:6379/0'",
          ]),
          values,
        },
        'social/streaming': {
          does: unready(['ReplyError: ERR max number of clients reached', "  command: { name: 'info', args: [] }"]),
          values,
        },
      });
      const maps = cluster.deployment('maps/geoserver', { replicas: 2, image: imageAt('geoserver', '2.22.5') });
      cluster.service('maps/geoserver');
      cluster.image(
        imageAt('geoserver', '2.24.0'),
        ends(
          [
            'NOTE: Picked up JDK_JAVA_OPTIONS:  --add-opens=java.base/java.lang=ALL-UNNAMED --add-opens=java.base/java.io=ALL-UNNAMED',
            "Unrecognized VM option 'UseConcMarkSweepGC'",
            'Error: Could not create the Java Virtual Machine.',
            'Error: A fatal exception has occurred. Program will exit.',
          ],
          1,
          1,
        ),
      );
      cluster.at(after(50), () => maps.setImage(imageAt('geoserver', '2.24.0')));
      cluster.expectIncident({
        root: 'StatefulSet/social/redis',
        accepts: ['Service/social/redis'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
      cluster.expectIncident({
        root: 'Deployment/maps/geoserver',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/social/redis'],
      });
    },
  ),
};
