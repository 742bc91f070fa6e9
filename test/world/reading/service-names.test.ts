import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceNames, serviceOfHost } from '../../../src/world/reading/service-names.ts';
import { service } from '../network-objects.ts';
import { pod, start } from '../objects.ts';
import { story } from '../story.ts';

function named(read: (names: ServiceNames) => void): readonly string[] | undefined {
  const names = new ServiceNames();
  read(names);
  return names.all();
}

const hosts: readonly (readonly [string, string | undefined])[] = [
  ['db', 'db'],
  ['DB.', 'db'],
  ['db.data', 'db.data'],
  ['db.data.svc', 'db.data'],
  ['db.data.svc.cluster.local', 'db.data'],
  ['db-0.db', 'db'],
  ['kafka-0.kafka.data', 'kafka.data'],
  ['kafka-0.kafka.data.svc.cluster.local', 'kafka.data'],
  ['localhost', undefined],
  ['api.stripe.com', undefined],
  ['10.0.0.1', undefined],
  ['eu-west-1.rds.amazonaws.com', undefined],
  ['', undefined],
];

test('a host is a Service by its short name, with its namespace, or in full; what is outside is none', () => {
  for (const [host, is] of hosts) assert.equal(serviceOfHost(host), is, host);
});

const settings: readonly (readonly [string, string, readonly string[] | undefined])[] = [
  ['DB_HOST', 'db', ['db']],
  ['PGHOST', 'db.data', ['db.data']],
  ['DATABASE_URL', 'postgres://app:p4ss:w0rd@db.data.svc:5432/shop?sslmode=disable', ['db.data']],
  ['SPRING_DATASOURCE', 'jdbc:postgresql://db:5432/shop', ['db']],
  ['KAFKA_BROKERS', 'kafka-0.kafka:9092,kafka-1.kafka:9092', ['kafka']],
  ['MONGO', 'mongodb://u:p@mongo-0.mongo:27017,mongo-1.mongo:27017/?replicaSet=rs0', ['mongo']],
  ['PEERS', 'redis:6379', ['redis']],
  ['CONFIG', '{"cache": "redis.shop.svc.cluster.local"}', ['redis.shop']],
  ['UPSTREAM', 'http://api/v1', ['api']],
  ['PASSWORD', 'postgres', undefined],
  ['OTEL_SERVICE_NAME', 'checkout', undefined],
  ['STARTED', '2026-11-20T08:00:00Z', undefined],
  ['IMAGE', 'registry.example/shop/api:1.0', undefined],
  ['LOG', 'level: debug', undefined],
  ['EXTERNAL', 'https://api.stripe.com/v1', undefined],
];

test('hosts are read of variables where a host stands, and nothing else of their values', () => {
  for (const [name, value, found] of settings)
    assert.deepEqual(
      named((names) => names.setting(name, value)),
      found,
      name,
    );
});

test('hosts are read of arguments: of flags with a value, of flags before one, and of URLs', () => {
  assert.deepEqual(
    named((names) => names.args(['--db-host=db', '--cache-addr', 'redis', '--verbose', 'true', 'http://search:9200'])),
    ['db', 'redis', 'search'],
  );
  assert.deepEqual(
    named((names) =>
      names.args(['sh', '-c', 'until nc -z db 5432; do sleep 1; done; exec app --queue=amqp://mq:5672']),
    ),
    ['mq'],
  );
});

test('a text of any length and kind is read in little time', () => {
  for (const text of [
    'a'.repeat(70_000),
    'a:'.repeat(35_000),
    '://'.repeat(20_000),
    'a.'.repeat(35_000),
    '@:'.repeat(9),
  ]) {
    const began = performance.now();
    named((names) => names.text(`${text} :`));
    assert.ok(performance.now() - began < 50, text.slice(0, 8));
  }
});

test('at most 32 are kept', () => {
  const many = Array.from({ length: 99 }, (_, at) => `http://api-x${at}y/`).join(' ');
  assert.equal(named((names) => names.text(many))?.length, 32);
});

test('a Pod depends on the Services that there are of those that it names', () => {
  const { world, put } = story();
  const env = [
    { name: 'DB_HOST', value: 'db' },
    { name: 'CACHE', value: 'redis://cache.data:6379' },
  ];
  const spec = { containers: [{ name: 'api', image: 'api:1', env }] };
  put(start, pod('api-1', { spec }), service('cache', { namespace: 'data' }));
  assert.deepEqual([...world.linked('Pod/shop/api-1', 'depends-on', 'out')], ['Service/data/cache']);
  put(start, service('db'));
  assert.deepEqual([...world.linked('Pod/shop/api-1', 'depends-on', 'out')], ['Service/data/cache', 'Service/shop/db']);
  assert.deepEqual([...world.linked('Service/shop/db', 'depends-on', 'in')], ['Pod/shop/api-1']);
});

test('hosts outside are read in the same places, in full and without their ports', () => {
  const names = new ServiceNames();
  names.setting('DB_URL', 'jdbc:oracle:thin:@//erp.corp.example:1521/ERP');
  names.setting('S3', 'https://key:secret@s3.eu-central-3.cloud.example/bucket');
  names.setting('SMTP_HOST', 'Mail.Corp.Example.');
  names.setting('CACHE', 'redis-0.redis.data:6379,db.data.svc.cluster.local:5432,10.0.0.7:80');
  names.setting('NOTE', 'see erp.other.example for more');
  assert.deepEqual(names.hosts(), ['erp.corp.example', 'mail.corp.example', 's3.eu-central-3.cloud.example']);
  assert.equal(new ServiceNames().hosts(), undefined);
});

test('a Pod asks the hosts outside that it names', () => {
  const { world, put } = story();
  const env = [{ name: 'API', value: 'https://api.payments.example/v1' }];
  put(start, pod('api-1', { spec: { containers: [{ name: 'api', image: 'api:1', env }] } }));
  assert.deepEqual([...world.linked('Pod/shop/api-1', 'asks', 'out')], ['ExternalEndpoint//api.payments.example']);
  assert.deepEqual([...world.linked('ExternalEndpoint//api.payments.example', 'asks', 'in')], ['Pod/shop/api-1']);
});
