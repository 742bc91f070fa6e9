import { innocentRelease } from '../../kit/company.ts';
import { after, clients, recover, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What is not in the cluster, and those that need it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/ingress-nginx/issues/8059, https://github.com/kubernetes/ingress-nginx/issues/11457
  'geo-data-cannot-be-downloaded': reported(
    'The makers of a geographical database answer no more, and two ingress controllers that are restarted do not start without it',
    (cluster) => {
      const image = 'registry.k8s.io/ingress-nginx/controller:v1.1.0';
      const names = ['ingress-public', 'ingress-internal'];
      const handles = names.map((name) => {
        cluster.service(`ingress/${name}`);
        return cluster.deployment(`ingress/${name}`, { replicas: 3, image });
      });
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'I1123 09:49:39.403690       7 flags.go:344] "downloading maxmind GeoIP2 databases"',
              'E1123 09:50:09.551307       7 flags.go:346] "unexpected error downloading GeoIP2 database" err="Get \\"https://download.maxmind.com/app/geoip_download?license_key=REDACTED&edition_id=GeoLite2-City&suffix=tar.gz\\": dial tcp 104.17.200.89:443: i/o timeout"',
              'F1123 09:50:09.551460       7 main.go:67] Get "https://download.maxmind.com/app/geoip_download?license_key=REDACTED&edition_id=GeoLite2-City&suffix=tar.gz": dial tcp 104.17.200.89:443: i/o timeout',
            ],
            255,
            31,
          ),
        );
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//download.maxmind.com:443',
        accepts: ['ExternalEndpoint//download.maxmind.com'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: names.map((name) => `Deployment/ingress/${name}` as const),
      });
    },
  ),

  // https://github.com/jenkins-infra/jenkins.io/issues/3962: 502 and 503 from the mirrors, and the chart fetches all plug-ins as it starts.
  'plug-ins-cannot-be-fetched': reported(
    'The server of the plug-ins answers 502, and two Jenkins that are moved to other machines do not get beyond their init containers; over after twelve minutes',
    (cluster, firm) => {
      const image = 'docker.io/jenkins/jenkins:2.462.3-jdk17';
      const places = ['build/jenkins', 'mobile/jenkins'];
      for (const place of places) {
        cluster.statefulSet(place, { image, init: image });
        cluster.service(place);
      }
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        cluster.image(
          image,
          ends(
            [
              'disable Setup Wizard',
              'download plugins',
              'Unable to download from https://get.jenkins.io/plugins/github-branch-source/2.9.1/github-branch-source.hpi: java.io.IOException: Server returned HTTP response code: 502 for URL: https://get.jenkins.io/plugins/github-branch-source/2.9.1/github-branch-source.hpi',
              'io.jenkins.tools.pluginmanager.impl.DownloadPluginException: Unable to download github-branch-source. Skipping...',
            ],
            1,
            22,
          ),
        );
        cluster.evict('build', 'jenkins');
        cluster.evict('mobile', 'jenkins');
      });
      cluster.at(after(720), () => cluster.befall(image, {}));
      cluster.expectIncident({
        root: 'ExternalEndpoint//get.jenkins.io:443',
        firstMessageWithinSeconds: 70,
        accepts: ['ExternalEndpoint//get.jenkins.io'],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: ['StatefulSet/build/jenkins', 'StatefulSet/mobile/jenkins', 'Deployment/logistics/tracking'],
      });
    },
    { minutes: 28 },
  ),

  // https://github.com/oracle/docker-images/issues/2343 for its words: a database of the head office that is down for an hour.
  'head-office-has-no-listener': reported(
    'The Oracle of the head office has no listener any more; three services of the core fail for it',
    (cluster) => {
      const host = 'ora-prod.corp.example';
      const values = { SPRING_DATASOURCE_URL: `jdbc:oracle:thin:@//${host}:1521/CORE` };
      const innocents = clients(cluster, 0, {
        'core/accounts': {
          does: unready([
            `java.sql.SQLRecoverableException: ORA-12541: Cannot connect. No listener at host ${host} port 1521. (CONNECTION_ID=6bCZ1Qn3RkyTgRXcJ2xw2w==)`,
            'HikariPool-1 - Connection is not available, request timed out after 30001ms.',
          ]),
          values,
        },
        'core/statements': {
          does: ends([
            `oracledb.exceptions.OperationalError: DPY-6005: cannot connect to database (CONNECTION_ID=f8Tq). DPY-6003: SID "CORE" is not registered; [Errno 111] Connection refused ${host}:1521`,
          ]),
          values,
        },
        'core/standing-orders': {
          does: ends([
            `level=fatal msg="ping database" error="ORA-12541: TNS:no listener" dsn="core@${host}:1521/CORE"`,
          ]),
          values,
        },
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:1521`,
        accepts: [`ExternalEndpoint//${host}`],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/Automattic/mongoose/issues/9318, https://github.com/Automattic/mongoose/issues/8846: the cluster speaks from another address.
  'managed-documents-know-another-address': reported(
    'The gateway of the cluster gets another address, which a managed MongoDB does not let in; two services lose it until it is told',
    (cluster) => {
      const host = 'cluster0-shard-00-00.ab1cd.mongodb.net';
      const values = {
        MONGODB_URI: 'mongodb+srv://app@cluster0.ab1cd.mongodb.net/recipes?retryWrites=true&w=majority',
      };
      const innocents = clients(cluster, 0, {
        'cook/recipes': {
          does: unready([
            "MongooseServerSelectionError: Could not connect to any servers in your MongoDB Atlas cluster. One common reason is that you're trying to access the database from an IP that isn't whitelisted. Make sure your current IP address is on your Atlas cluster's IP whitelist: https://docs.atlas.mongodb.com/security-whitelist/",
            `  reason: TopologyDescription { type: 'ReplicaSetNoPrimary', servers: Map(3) { '${host}:27017' => [ServerDescription] } }`,
          ]),
          values,
        },
        'cook/planner': {
          does: ends([
            `pymongo.errors.ServerSelectionTimeoutError: ${host}:27017: connection closed, Timeout: 30s, Topology Description: <TopologyDescription topology_type: ReplicaSetNoPrimary>`,
          ]),
          values,
        },
      });
      recover(cluster, 780, 'cook/recipes', 'cook/planner');
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:27017`,
        accepts: [
          `ExternalEndpoint//${host}`,
          'ExternalEndpoint//cluster0.ab1cd.mongodb.net',
          'ExternalEndpoint//cluster0.ab1cd.mongodb.net:27017',
        ],
        messages: { resolve: 1, update: '≤2' },
        mustNotBlame: innocents,
      });
    },
    { minutes: 24 },
  ),
};
