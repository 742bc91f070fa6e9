import { dependants } from '../../kit/dependants.ts';
import { field, image } from '../../kit/field.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** What is outside the cluster and fails those who need it. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.mathworks.com/support/search.html: what the client of a floating licence says.
  'licence-server-does-not-answer': field(
    'The licence server of the house does not answer; two programs for engineers end on it',
    (cluster, { wiki }) => {
      const values = { LM_LICENSE_FILE: '27000@lic.corp.example' };
      cluster.at('4s', () => wiki.setImage(image('wiki:4.0')));
      const names = dependants(cluster, '14s', {
        'cad/mesher': {
          values,
          does: ends([
            'Cannot connect to license server system.',
            ' The license server manager (lmgrd) has not been started yet,',
            ' the wrong port@host or license file is being used, or the',
            ' port or hostname in the license file has been changed.',
            'Server name:   lic.corp.example',
            'License path:  27000@lic.corp.example',
            'FlexNet Licensing error:-15,570.  System Error: 111 "Connection refused"',
          ]),
        },
        'cad/solver': {
          values,
          does: ends([
            'ERROR: failed to check out feature SOLVER: could not connect to lic.corp.example:27000: Connection refused',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//lic.corp.example:27000',
        accepts: ['ExternalEndpoint//lic.corp.example'],
        mustNotBlame: [...names, 'Deployment/office/wiki'],
      });
    },
  ),
  // https://learn.microsoft.com/en-us/troubleshoot/developer/webapps/aspnetcore/idx20803
  'sign-on-outside-does-not-answer': field(
    'The sign-on of a cloud does not answer; programs in three languages cannot load its keys',
    (cluster) => {
      const names = dependants(cluster, '12s', {
        'hr/leave': {
          does: unready([
            "System.InvalidOperationException: IDX20803: Unable to obtain configuration from: 'https://login.microsoftonline.com/acme/v2.0/.well-known/openid-configuration'.",
            ' ---> System.Threading.Tasks.TaskCanceledException: The request was canceled due to the configured HttpClient.Timeout of 100 seconds elapsing.',
          ]),
        },
        'hr/travel': {
          does: ends([
            "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='login.microsoftonline.com', port=443): Max retries exceeded with url: /acme/discovery/v2.0/keys (Caused by ConnectTimeoutError(<urllib3.connection.HTTPSConnection object at 0x7f1c>, 'Connection to login.microsoftonline.com timed out. (connect timeout=5)'))",
          ]),
        },
        'finance/approvals': {
          does: ends([
            '{"level":"fatal","ts":"2026-11-22T09:00:19.004Z","caller":"auth/oidc.go:41","msg":"init provider","error":"Get \\"https://login.microsoftonline.com/acme/v2.0/.well-known/openid-configuration\\": net/http: TLS handshake timeout"}',
          ]),
        },
      });
      cluster.expectIncident({ root: 'ExternalEndpoint//login.microsoftonline.com:443', mustNotBlame: names });
    },
  ),
  // https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Limits.html
  'managed-database-has-no-connections-left': field(
    'A managed database has given all its connections away; two workloads of two teams get none',
    (cluster, { storefront }) => {
      const host = 'orders.cluster-c9akciq32.eu-central-1.rds.amazonaws.com';
      const values = { DB_HOST: host, DB_PORT: '5432' };
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          values,
          does: ends([
            `psycopg2.OperationalError: connection to server at "${host}" (10.0.41.7), port 5432 failed: FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute`,
          ]),
        },
        'finance/exports': {
          values,
          does: ends([
            `{"level":"fatal","time":"2026-11-22T09:00:17Z","error":"failed to connect to \`user=exports database=orders\`: 10.0.41.7:5432 (${host}): server error: FATAL: sorry, too many clients already (SQLSTATE 53300)"}`,
          ]),
        },
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:5432`,
        mustNotBlame: [...names, 'Deployment/web/storefront'],
      });
    },
  ),
  // https://www.mongodb.com/docs/atlas/troubleshoot-connection/: the list of allowed addresses lost those of the cluster.
  'managed-database-lets-nobody-in': field(
    'The allowed addresses of a managed MongoDB lost those of the cluster; drivers in two languages find no server',
    (cluster) => {
      const names = dependants(cluster, '12s', {
        'crm/leads': {
          values: { MONGODB_URI: 'mongodb+srv://crm.ab12c.mongodb.net/crm' },
          does: ends([
            'MongoServerSelectionError: connection <monitor> to 10.4.7.9:27017 closed',
            "    reason: TopologyDescription { type: 'ReplicaSetNoPrimary', servers: Map(3) { 'crm-shard-00-00.ab12c.mongodb.net:27017' => [ServerDescription] } }",
            "MongooseServerSelectionError: Could not connect to any servers in your MongoDB Atlas cluster. One common reason is that you're trying to access the database from an IP that isn't whitelisted.",
          ]),
        },
        'crm/imports': {
          values: { MONGODB_URI: 'mongodb+srv://crm.ab12c.mongodb.net/crm' },
          does: ends([
            'pymongo.errors.ServerSelectionTimeoutError: crm-shard-00-00.ab12c.mongodb.net:27017: connection closed (configured timeouts: socketTimeoutMS: 20000.0ms, connectTimeoutMS: 20000.0ms), Timeout: 30s',
          ]),
        },
      });
      cluster.expectIncident({
        root: 'ExternalEndpoint//crm-shard-00-00.ab12c.mongodb.net:27017',
        accepts: ['ExternalEndpoint//crm.ab12c.mongodb.net', 'ExternalEndpoint//crm-shard-00-00.ab12c.mongodb.net'],
        mustNotBlame: names,
      });
    },
  ),
};
