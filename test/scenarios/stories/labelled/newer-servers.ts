import { after, clients, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Servers that were upgraded, are Ready, and answer their clients with an error. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/pretix/pretix/issues/6537, https://github.com/galaxyproject/galaxy/issues/22641, https://github.com/pma/amqp/pull/245
  'queues-that-the-new-broker-allows-no-more': reported(
    'A RabbitMQ is upgraded to 4.3, which refuses queues that are neither durable nor exclusive; three workers in two languages end or are unready',
    (cluster) => {
      const repository = 'docker.io/library/rabbitmq';
      const rabbit = server(cluster, 'tickets/rabbitmq', `${repository}:4.2.2-management`, 5672);
      cluster.at(after(0), () => rabbit.setImage(`${repository}:4.3.5-management`));
      const innocents = clients(cluster, 30, {
        'tickets/worker': {
          does: ends(
            [
              '[2026-09-09 07:29:18,719: INFO/MainProcess] Connected to amqp://pretix:**@rabbitmq:5672//',
              '[2026-09-09 07:29:18,723: INFO/MainProcess] mingle: searching for neighbors',
              '[2026-09-09 07:29:18,725: WARNING/MainProcess] consumer: Connection to broker lost. Trying to re-establish the connection...',
              'Traceback (most recent call last):',
              '  File "/usr/local/lib/python3.13/site-packages/celery/worker/consumer/mingle.py", line 37, in start',
              '    self.sync(c)',
              'amqp.exceptions.InternalError: (541) INTERNAL_ERROR - Feature `transient_nonexcl_queues` is deprecated.',
            ],
            1,
            8,
          ),
          values: { PRETIX_CELERY_BROKER: 'amqp://pretix@rabbitmq:5672//' },
        },
        'tickets/mailer': {
          does: ends([
            '09:14:02.118 [error] GenServer Mailer.Consumer terminating',
            '** (stop) {:server_initiated_close, 541, "INTERNAL_ERROR - Feature `transient_nonexcl_queues` is deprecated"}',
          ]),
          values: { RABBIT_HOST: 'rabbitmq' },
        },
        'reports/exports': {
          does: unready(['level=warn msg="consumer channel closed, retrying" attempt=4 wait=8s']),
          values: { AMQP_URL: 'amqp://exports@rabbitmq.tickets.svc:5672/' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/tickets/rabbitmq',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/open-metadata/OpenMetadata/issues/20923, https://github.com/elastic/elasticsearch-ruby/issues/2665
  'search-engine-ahead-of-its-clients': reported(
    'An Elasticsearch is upgraded to 9 and refuses the media type that three clients of version 7 ask for',
    (cluster) => {
      const repository = 'docker.elastic.co/elasticsearch/elasticsearch';
      const engine = server(cluster, 'metadata/elasticsearch', `${repository}:8.17.5`, 9200);
      cluster.at(after(0), () => engine.setImage(`${repository}:9.0.0`));
      const innocents = clients(cluster, 45, {
        'metadata/openmetadata': {
          does: ends([
            'WARN [2026-11-22 09:31:18,004] [main] o.o.s.s.elasticsearch.ElasticSearchClient - Elasticsearch exception [type=media_type_header_exception, reason=Invalid media-type value on headers [Content-Type, Accept]]',
            'ERROR [2026-11-22 09:31:18,220] [main] o.o.s.OpenMetadataApplication - Failed to start: search repository is not available',
          ]),
          values: { ELASTICSEARCH_HOST: 'elasticsearch', ELASTICSEARCH_PORT: '9200' },
        },
        'metadata/ingestion': {
          does: unready([
            "elasticsearch.BadRequestError: BadRequestError(400, 'media_type_header_exception', 'Invalid media-type value on headers [Accept, Content-Type]')",
          ]),
          values: { ES_URL: 'http://elasticsearch.metadata.svc.cluster.local:9200' },
        },
        'storefront/catalogue': {
          does: unready([
            'E, [2026-11-22T09:31:20.551 #1] ERROR -- : [400] {"error":{"root_cause":[{"type":"status_exception","reason":"A compatible version is required on both Content-Type and Accept headers"}]},"status":400}',
          ]),
          values: { ELASTICSEARCH_URL: 'http://elasticsearch.metadata:9200' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/metadata/elasticsearch',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/microservices-demo/carts/issues/45, https://github.com/deployd/deployd/issues/885, https://github.com/comtihon/mongodb-erlang/issues/259
  'old-drivers-of-a-new-document-store': reported(
    'A MongoDB is upgraded to a version that no longer takes the messages of old drivers; a Java, a Node and an Erlang service cannot read',
    (cluster) => {
      const repository = 'docker.io/library/mongo';
      const mongo = server(cluster, 'sock-shop/carts-db', `${repository}:5.0.31`, 27017, { clusterIP: '10.96.71.8' });
      cluster.at(after(0), () => mongo.setImage(`${repository}:6.0.19`));
      const innocents = clients(cluster, 25, {
        'sock-shop/carts': {
          does: unready([
            "com.mongodb.MongoQueryException: Query failed with error code 352 and error message 'Unsupported OP_QUERY command: find. The client driver may require an upgrade. For more details see https://dochub.mongodb.org/core/legacy-opcode-removal' on server carts-db:27017",
          ]),
          values: { SPRING_DATA_MONGODB_URI: 'mongodb://carts-db:27017/data' },
        },
        'sock-shop/sessions': {
          does: ends([
            'session:error Error removing old sessions: MongoError: Unsupported OP_QUERY command: delete. The client driver may require an upgrade. For more details see https://dochub.mongodb.org/core/legacy-opcode-removal +0ms',
          ]),
          values: { MONGO_URL: 'mongodb://carts-db.sock-shop.svc.cluster.local/sessions' },
        },
        'sock-shop/presence': {
          does: unready([
            '=ERROR REPORT==== 22-Nov-2026::09:12:44.201 ===',
            'OP_QUERY is no longer supported. The client driver may require an upgrade.',
          ]),
          values: { DB: '10.96.71.8' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/sock-shop/carts-db',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/ClickHouse/ClickHouse/issues/75494: since 25.1 the image lets the user `default` in from its own machine only.
  'column-store-lets-its-default-user-in-no-more': reported(
    'A ClickHouse is upgraded to an image that lets its default user in from the same machine only; three services that use it fail, one of them without a word',
    (cluster) => {
      const repository = 'docker.io/clickhouse/clickhouse-server';
      const clickhouse = server(cluster, 'analytics/clickhouse', `${repository}:24.12.3`, 8123);
      cluster.at(after(0), () => clickhouse.setImage(`${repository}:25.1.3`));
      const innocents = clients(cluster, 20, {
        'analytics/events': {
          does: ends([
            'time=2026-11-22T09:22:41Z level=ERROR msg="migrator failed" err="code: 516, message: default: Authentication failed: password is incorrect, or there is no user with such name."',
          ]),
          values: { CLICKHOUSE_ADDR: 'clickhouse:9000' },
        },
        'analytics/dashboards': {
          does: unready([
            'sqlalchemy.exc.DatabaseError: (clickhouse_connect.driver.exceptions.DatabaseError) HTTPDriver for http://clickhouse.analytics:8123 returned response code 403',
            ' Code: 194. DB::Exception: default: Authentication failed: password is incorrect, or there is no user with such name. (REQUIRED_PASSWORD)',
          ]),
          values: { CH_HOST: 'clickhouse.analytics' },
        },
        'marketing/attribution': {
          does: unready(['Listening on :8080']),
          values: { CLICKHOUSE_URL: 'http://clickhouse.analytics.svc.cluster.local:8123' },
        },
      });
      cluster.expectIncident({
        root: 'StatefulSet/analytics/clickhouse',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: innocents,
      });
    },
  ),

  // https://github.com/osixia/docker-phpLDAPadmin/issues/72, https://github.com/ldapjs/node-ldapjs/issues/404, https://github.com/hlavki/g-suite-identity-sync/issues/70
  'directory-that-takes-encrypted-requests-only': reported(
    'An OpenLDAP is told to take nothing without TLS; three programs that log in to it in plain text are refused, and it is put back after twelve minutes',
    (cluster) => {
      const image = 'docker.io/osixia/openldap:1.5.0';
      const plain = { LDAP_TLS: 'true', LDAP_TLS_ENFORCE: 'false' };
      const directory = server(cluster, 'directory/openldap', image, 389, { values: plain });
      cluster.at(after(0), () => directory.change({ values: { ...plain, LDAP_TLS_ENFORCE: 'true' } }));
      const places = {
        'directory/portal': {
          does: unready([
            'ConfidentialityRequiredError: confidentiality required',
            '    at messageCallback (/app/node_modules/ldapjs/lib/client/client.js:1419:45)',
          ]),
          values: { LDAP_URL: 'ldap://openldap:389' },
        },
        'staff/sync': {
          does: ends([
            "Caused by: LDAPException(resultCode=13 (confidentiality required), diagnosticMessage='TLS confidentiality required', ldapSDKVersion=4.0.10)",
          ]),
          values: { LDAP_HOST: 'openldap.directory.svc.cluster.local' },
        },
        'staff/mail': {
          does: ends([
            "ldap.CONFIDENTIALITY_REQUIRED: {'msgtype': 97, 'msgid': 1, 'result': 13, 'desc': 'Confidentiality required', 'ctrls': [], 'info': 'TLS confidentiality required'}",
          ]),
          values: { AUTH_SERVER: 'openldap.directory:389' },
        },
      };
      const innocents = clients(cluster, 20, places);
      cluster.at(after(720), () => directory.change({ values: plain }));
      recover(cluster, 740, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/directory/openldap',
        messages: { update: '≤2', resolve: 1 },
        mustNotBlame: innocents,
      });
    },
  ),
};
