/** A web shop, a university, an energy supplier and a newspaper: settings that are edited and releases that do not fit them. */

import { scenario } from '../../kit/scenario.ts';
import { budget } from '../../kit/things.ts';

export const stories = {
  'checkout-reads-a-key-that-was-renamed-in-its-settings': scenario(
    'A key of a ConfigMap is renamed; the next restart of the checkout finds the old name nowhere. A quota was raised a minute before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('webshop/checkout-settings', {
        PAYMENT_BASE_URL: 'https://pay.internal.example/v2',
        CURRENCY: 'EUR',
      });
      const quota = cluster.quota('webshop/team-share', { pods: '30' });
      const checkout = cluster.deployment('webshop/checkout', {
        replicas: 3,
        image: 'registry.webshop.example/checkout:5.12.0',
        memory: '512Mi',
        env: {
          PAYMENT_BASE_URL: 'configmap/checkout-settings/PAYMENT_BASE_URL',
          CURRENCY: 'configmap/checkout-settings/CURRENCY',
        },
      });
      cluster.service('webshop/checkout');
      cluster.deployment('webshop/catalogue', { replicas: 2, image: 'registry.webshop.example/catalogue:2.40.1' });
      cluster.service('webshop/catalogue');
      cluster.at('10s', () => quota.edit({ pods: '40' }));
      cluster.at('70s', () =>
        settings.edit({ PAYMENT_BASE_URL: null, PAYMENTS_URL: 'https://pay.internal.example/v3' }),
      );
      cluster.at('95s', () => checkout.restart());
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'ConfigMap/webshop/checkout-settings',
        mustNotBlame: ['ResourceQuota/webshop/team-share', 'Deployment/webshop/catalogue'],
      });
    },
  ),

  'address-of-a-database-gets-a-misspelt-scheme-in-the-learning-platform': scenario(
    'Somebody edits the DATABASE_URL that a Django platform reads; its database was restarted a little before, and is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('campus/learning-settings', {
        DATABASE_URL: 'postgres://learning@learning-db.campus.svc:5432/learning',
        DJANGO_SETTINGS_MODULE: 'learning.settings.production',
      });
      const database = cluster.statefulSet('campus/learning-db', {
        image: 'docker.io/library/postgres:16.4',
        probe: false,
        container: {
          ports: [{ name: 'postgres', containerPort: 5432 }],
          readinessProbe: { tcpSocket: { port: 5432 } },
        },
      });
      cluster.service('campus/learning-db', {
        clusterIP: 'None',
        ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }],
      });
      const web = cluster.deployment('campus/learning-web', {
        replicas: 3,
        image: 'registry.campus.example/learning:2026.11.3',
        envFrom: ['learning-settings'],
      });
      cluster.service('campus/learning-web');
      cluster.at('10s', () => database.restart());
      cluster.at('90s', () =>
        settings.edit({ DATABASE_URL: 'postgress://learning@learning-db.campus.svc:5432/learning' }),
      );
      cluster.at('110s', () => {
        cluster.image('registry.campus.example/learning:2026.11.3', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 3, code: 1 },
          log: [
            'Traceback (most recent call last):',
            '  File "/app/manage.py", line 22, in <module>',
            '    main()',
            '  File "/app/learning/settings/production.py", line 31, in <module>',
            "    DATABASES = {'default': dj_database_url.config(conn_max_age=600)}",
            '  File "/usr/local/lib/python3.12/site-packages/dj_database_url/__init__.py", line 163, in parse',
            '    raise UnknownSchemeError(spliturl.scheme)',
            "dj_database_url.UnknownSchemeError: Scheme 'postgress://' is unknown. Did you forget to register custom backend? Following schemes have registered backends: cockroach, mssql, mysql, oracle, postgis, postgres, postgresql, redshift, spatialite, sqlite, timescale.",
          ],
        });
        web.restart();
      });
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/campus/learning-settings',
        mustNotBlame: ['StatefulSet/campus/learning-db', 'Service/campus/learning-db'],
      });
    },
  ),

  'meter-interface-cannot-parse-its-settings-and-a-portal-has-an-unpushed-tag': scenario(
    'A comma too many in a mounted appsettings.json, and in another namespace a release whose image was never pushed',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const settings = cluster.configMap('metering/meter-appsettings', {
        'appsettings.json':
          '{ "Logging": { "LogLevel": { "Default": "Information" } }, "Ingest": { "BatchSize": 500 } }',
      });
      const api = cluster.deployment('metering/meter-interface', {
        replicas: 2,
        image: 'registry.energy.example/meter-interface:8.0.7',
        container: { volumeMounts: [{ name: 'settings', mountPath: '/app/config' }] },
        pod: { volumes: [{ name: 'settings', configMap: { name: 'meter-appsettings' } }] },
      });
      cluster.service('metering/meter-interface');
      const portal = cluster.deployment('customers/self-service-portal', {
        replicas: 2,
        image: 'registry.energy.example/self-service-portal:3.1.0',
      });
      cluster.service('customers/self-service-portal');
      cluster.image('registry.energy.example/self-service-portal:3.2.0', { pullError: 'NotFound' });
      cluster.at('10s', () =>
        settings.edit({
          'appsettings.json':
            '{ "Logging": { "LogLevel": { "Default": "Information" } }, "Ingest": { "BatchSize": 800,, } }',
        }),
      );
      cluster.at('25s', () => {
        cluster.image('registry.energy.example/meter-interface:8.0.7', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 2, code: 134 },
          log: [
            "Unhandled exception. System.IO.InvalidDataException: Failed to load configuration from file '/app/config/appsettings.json'.",
            ' ---> System.FormatException: Could not parse the JSON file.',
            " ---> System.Text.Json.JsonReaderException: ',' is an invalid start of a property name. Expected a '\"'. LineNumber: 0 | BytePositionInLine: 96.",
            '   at System.Text.Json.ThrowHelper.ThrowJsonReaderException(Utf8JsonReader& json, ExceptionResource resource, Byte nextByte, ReadOnlySpan`1 bytes)',
            '   at Microsoft.Extensions.Configuration.Json.JsonConfigurationFileParser.ParseStream(Stream input)',
            '   at Microsoft.Extensions.Configuration.FileConfigurationProvider.Load(Boolean reload)',
            '   at Program.<Main>$(String[] args) in /src/MeterInterface/Program.cs:line 9',
          ],
        });
        api.restart();
      });
      cluster.at('80s', () => portal.setImage('registry.energy.example/self-service-portal:3.2.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/metering/meter-appsettings',
        mustNotBlame: ['Deployment/customers/self-service-portal'],
      });
      cluster.expectIncident({
        root: 'Deployment/customers/self-service-portal',
        reason: 'ImageNotFound',
        mustNotBlame: ['ConfigMap/metering/meter-appsettings', 'Registry//registry.energy.example'],
      });
    },
  ),

  'editorial-system-gets-the-master-key-of-another-stage': scenario(
    'The Secret with the Rails master key is overwritten with that of another stage; what is started afterwards cannot decrypt its credentials',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const key = cluster.secret('newsroom/editorial-rails', { master_key: '0f3b7c12aa9e4d56b8c0d1e2f3a4b5c6' });
      const web = cluster.deployment('newsroom/editorial-web', {
        replicas: 3,
        image: 'registry.newspaper.example/editorial:26.48.1',
        env: { RAILS_MASTER_KEY: 'secret/editorial-rails/master_key' },
        values: { RAILS_ENV: 'production', RAILS_LOG_TO_STDOUT: '1' },
      });
      cluster.service('newsroom/editorial-web');
      cluster.deployment('newsroom/feeds', { replicas: 2, image: 'registry.newspaper.example/feeds:9.3.0' });
      cluster.at('15s', () => key.edit({ master_key: '77a1c0ffee00d1e2f3a4b5c60f3b7c12' }));
      cluster.at('40s', () => {
        cluster.image('registry.newspaper.example/editorial:26.48.1', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 5, code: 1 },
          log: [
            '=> Booting Puma',
            '=> Rails 7.1.5 application starting in production',
            '=> Run `bin/rails server --help` for more startup options',
            'Exiting',
            "/usr/local/bundle/gems/activesupport-7.1.5/lib/active_support/messages/codec.rb:57:in `catch_and_raise': ActiveSupport::MessageEncryptor::InvalidMessage (ActiveSupport::MessageEncryptor::InvalidMessage)",
            "\tfrom /usr/local/bundle/gems/activesupport-7.1.5/lib/active_support/message_encryptor.rb:242:in `decrypt_and_verify'",
            "\tfrom /usr/local/bundle/gems/activesupport-7.1.5/lib/active_support/encrypted_file.rb:121:in `decrypt'",
            "\tfrom /usr/local/bundle/gems/activesupport-7.1.5/lib/active_support/encrypted_configuration.rb:57:in `read'",
            "\tfrom /app/config/initializers/storage.rb:4:in `<main>'",
          ],
        });
        web.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Secret/newsroom/editorial-rails',
        mustNotBlame: ['Deployment/newsroom/feeds'],
      });
    },
  ),

  'flag-for-new-prices-is-switched-on-and-the-shop-front-falls-over': scenario(
    'A feature flag is switched on in a ConfigMap that a Node service watches; every replica dies of it. A neighbour is scaled at the same time',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.webshop.example/shop-front:18.4.2';
      const flags = cluster.configMap('webshop/shop-front-flags', {
        'flags.json': '{"newPrices":false,"wishlist":true}',
      });
      cluster.deployment('webshop/shop-front', {
        replicas: 4,
        image,
        container: { volumeMounts: [{ name: 'flags', mountPath: '/app/flags' }] },
        pod: { volumes: [{ name: 'flags', configMap: { name: 'shop-front-flags' } }] },
      });
      cluster.service('webshop/shop-front');
      const hints = cluster.deployment('webshop/recommendations', {
        replicas: 2,
        image: 'registry.webshop.example/recommendations:4.0.3',
      });
      cluster.service('webshop/recommendations');
      cluster.at('20s', () => hints.scale(3));
      cluster.at('40s', () => flags.edit({ 'flags.json': '{"newPrices":true,"wishlist":true}' }));
      cluster.at('85s', () =>
        cluster.befall(image, {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 4, code: 1 },
          log: [
            '{"level":"info","time":"2026-11-29T10:41:12.120Z","msg":"flags loaded from /app/flags/flags.json","newPrices":true,"wishlist":true}',
            '{"level":"info","time":"2026-11-29T10:41:12.533Z","msg":"price engine: newPrices is on, using tier table"}',
            '/app/dist/prices/tiers.js:41',
            '    return tiers[region].net * (1 + vat);',
            '                         ^',
            "TypeError: Cannot read properties of undefined (reading 'net')",
            '    at priceFor (/app/dist/prices/tiers.js:41:26)',
            '    at warmUp (/app/dist/prices/index.js:17:9)',
            '    at process.processTicksAndRejections (node:internal/process/task_queues:105:5)',
            '',
            'Node.js v22.11.0',
          ],
        }),
      );
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'ConfigMap/webshop/shop-front-flags',
        mustNotBlame: ['Deployment/webshop/recommendations'],
      });
    },
  ),

  'tariff-service-needs-a-region-that-nobody-gave-it': scenario(
    'A release of a Go service wants a variable that its Deployment does not set; a banner of another service was edited just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const banner = cluster.configMap('tariffs/banner-texts', { TEXT: 'Meter readings are due until Sunday' });
      cluster.deployment('tariffs/banner', {
        replicas: 2,
        image: 'registry.energy.example/banner:1.9.0',
        envFrom: ['banner-texts'],
      });
      const tariffs = cluster.deployment('tariffs/tariff-engine', {
        replicas: 3,
        image: 'registry.energy.example/tariff-engine:2.3.4',
        values: { TARIFF_DB_HOST: 'tariff-db.tariffs.svc', TARIFF_LOG_LEVEL: 'info' },
      });
      cluster.service('tariffs/tariff-engine');
      cluster.image('registry.energy.example/tariff-engine:2.4.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 1, code: 2 },
        log: [
          '2026/11/29 10:12:44 tariff-engine 2.4.0 (go1.25.3) starting',
          'panic: required key TARIFF_REGION missing value',
          '',
          'goroutine 1 [running]:',
          'github.com/kelseyhightower/envconfig.MustProcess({0x9f3c11?, 0xc00011fe58?}, {0x8b0f20?, 0xc0001a6000?})',
          '\t/go/pkg/mod/github.com/kelseyhightower/envconfig@v1.4.0/envconfig.go:233 +0x5c',
          'main.main()',
          '\t/src/cmd/tariff-engine/main.go:38 +0x9d',
        ],
      });
      cluster.at('20s', () => banner.edit({ TEXT: 'Meter readings are due until Monday' }));
      cluster.at('50s', () => tariffs.setImage('registry.energy.example/tariff-engine:2.4.0'));
      cluster.lasts('5m');
      cluster.expectIncident({
        root: 'Deployment/tariffs/tariff-engine',
        mustNotBlame: ['ConfigMap/tariffs/banner-texts', 'Deployment/tariffs/banner'],
      });
    },
  ),

  'web-server-before-php-includes-a-file-that-is-not-there': scenario(
    'The nginx beside PHP-FPM gets a misspelt include in its ConfigMap; PHP itself is well',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const site = cluster.configMap('newsroom/archive-site', {
        'site.conf':
          'server { listen 8080; location ~ \\.php$ { include fastcgi_params; fastcgi_pass 127.0.0.1:9000; } }',
      });
      cluster.image('docker.io/library/nginx:1.29.1', {
        log: ['/docker-entrypoint.sh: Configuration complete; ready for start up'],
      });
      const archive = cluster.deployment('newsroom/archive', {
        replicas: 2,
        image: 'registry.newspaper.example/archive-php:8.3.14',
        pod: {
          containers: [
            {
              name: 'archive',
              image: 'registry.newspaper.example/archive-php:8.3.14',
              ports: [{ name: 'fpm', containerPort: 9000 }],
            },
            {
              name: 'nginx',
              image: 'docker.io/library/nginx:1.29.1',
              ports: [{ name: 'http', containerPort: 8080 }],
              readinessProbe: { httpGet: { path: '/ping', port: 8080 } },
              volumeMounts: [{ name: 'site', mountPath: '/etc/nginx/conf.d' }],
            },
          ],
          volumes: [{ name: 'site', configMap: { name: 'archive-site' } }],
        },
      });
      cluster.service('newsroom/archive');
      cluster.at('15s', () =>
        site.edit({
          'site.conf':
            'server { listen 8080; location ~ \\.php$ { include fastcgi_parms; fastcgi_pass 127.0.0.1:9000; } }',
        }),
      );
      cluster.at('30s', () => {
        cluster.image('docker.io/library/nginx:1.29.1', {
          readyAfterSeconds: 'never',
          exit: { afterSeconds: 1, code: 1 },
          log: [
            '/docker-entrypoint.sh: /docker-entrypoint.d/ is not empty, will attempt to perform configuration',
            '/docker-entrypoint.sh: Configuration complete; ready for start up',
            '2026/11/29 09:31:07 [emerg] 1#1: open() "/etc/nginx/fastcgi_parms" failed (2: No such file or directory) in /etc/nginx/conf.d/site.conf:1',
            'nginx: [emerg] open() "/etc/nginx/fastcgi_parms" failed (2: No such file or directory) in /etc/nginx/conf.d/site.conf:1',
          ],
        });
        archive.restart();
      });
      cluster.lasts('5m');
      cluster.expectIncident({ root: 'ConfigMap/newsroom/archive-site' });
    },
  ),

  'orders-cannot-add-a-column-that-may-not-be-empty-and-a-mailing-has-no-image': scenario(
    'A Flyway migration of a release meets rows without a value; in marketing a nightly run names an image that does not exist',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('webshop/orders-db', {
        image: 'docker.io/library/postgres:17.2',
        probe: false,
        container: { ports: [{ containerPort: 5432 }], readinessProbe: { tcpSocket: { port: 5432 } } },
      });
      cluster.service('webshop/orders-db', { ports: [{ name: 'postgres', port: 5432, targetPort: 5432 }] });
      const orders = cluster.deployment('webshop/orders', {
        replicas: 3,
        image: 'registry.webshop.example/orders:41.0.2',
        memory: '768Mi',
        values: { SPRING_DATASOURCE_URL: 'jdbc:postgresql://orders-db.webshop.svc:5432/orders' },
      });
      cluster.service('webshop/orders');
      cluster.image('registry.webshop.example/orders:42.0.0', {
        readyAfterSeconds: 'never',
        exit: { afterSeconds: 14, code: 1 },
        log: [
          '2026-11-29T10:02:11.310Z  INFO 1 --- [orders] [main] com.zaxxer.hikari.HikariDataSource : HikariPool-1 - Start completed.',
          '2026-11-29T10:02:11.502Z  INFO 1 --- [orders] [main] o.f.core.internal.command.DbMigrate : Current version of schema "public": 41',
          '2026-11-29T10:02:11.517Z  INFO 1 --- [orders] [main] o.f.core.internal.command.DbMigrate : Migrating schema "public" to version "42 - vat id of customers"',
          '2026-11-29T10:02:11.561Z ERROR 1 --- [orders] [main] o.f.core.internal.command.DbMigrate : Migration of schema "public" to version "42 - vat id of customers" failed! Changes successfully rolled back.',
          '2026-11-29T10:02:11.702Z ERROR 1 --- [orders] [main] o.s.boot.SpringApplication : Application run failed',
          'org.flywaydb.core.internal.command.DbMigrate$FlywayMigrateException: Script V42__vat_id_of_customers.sql failed',
          'SQL State  : 23502',
          'Error Code : 0',
          'Message    : ERROR: column "vat_id" of relation "customers" contains null values',
          'Location   : db/migration/V42__vat_id_of_customers.sql (/app/BOOT-INF/classes/db/migration/V42__vat_id_of_customers.sql)',
          'Line       : 3',
          'Statement  : ALTER TABLE customers ADD COLUMN vat_id varchar(20) NOT NULL',
        ],
      });
      cluster.image('registry.webshop.example/mailing:7.7', { pullError: 'NotFound' });
      const mailing = cluster.cronJob('marketing/newsletter-run', {
        schedule: '*/2 * * * *',
        image: 'registry.webshop.example/mailing:7.7',
        spec: { concurrencyPolicy: 'Forbid' },
      });
      cluster.at('10s', () => orders.setImage('registry.webshop.example/orders:42.0.0'));
      cluster.at('5m', () => mailing.patch({ spec: { suspend: true } }));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/webshop/orders',
        mustNotBlame: ['StatefulSet/webshop/orders-db', 'CronJob/marketing/newsletter-run'],
      });
      cluster.expectIncident({
        root: 'CronJob/marketing/newsletter-run',
        reason: 'ImageNotFound',
        mustNotBlame: ['Deployment/webshop/orders', 'Registry//registry.webshop.example'],
      });
    },
  ),

  'schema-run-of-the-term-release-finds-no-enrolment-table': scenario(
    'The migration Job that goes before a Django release fails for good; the old release keeps serving',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.deployment('campus/enrolment', { replicas: 2, image: 'registry.campus.example/enrolment:80' });
      cluster.service('campus/enrolment');
      cluster.object(budget('campus/enrolment', { minAvailable: 1 }));
      cluster.image('registry.campus.example/enrolment:81', {
        exit: { afterSeconds: 6, code: 1 },
        log: [
          'Operations to perform:',
          '  Apply all migrations: admin, auth, contenttypes, courses, sessions',
          'Running migrations:',
          '  Applying courses.0081_waiting_list...Traceback (most recent call last):',
          '  File "/usr/local/lib/python3.12/site-packages/django/db/backends/utils.py", line 105, in _execute',
          '    return self.cursor.execute(sql, params)',
          'psycopg.errors.UndefinedTable: relation "courses_enrolment" does not exist',
          '',
          'The above exception was the direct cause of the following exception:',
          'django.db.utils.ProgrammingError: relation "courses_enrolment" does not exist',
        ],
      });
      cluster.at('20s', () => {
        cluster.job('campus/enrolment-migrate-81', {
          image: 'registry.campus.example/enrolment:81',
          command: ['python', 'manage.py', 'migrate', '--noinput'],
          spec: { backoffLimit: 2 },
        });
      });
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'Job/campus/enrolment-migrate-81',
        mustNotBlame: ['Deployment/campus/enrolment', 'PodDisruptionBudget/campus/enrolment'],
      });
    },
  ),

  'balance-service-may-take-more-memory-than-it-is-given-after-an-edit-of-its-heap': scenario(
    'The share of memory that a Java service may use as heap is edited to nearly all; it is killed over and over. A cache was restarted just before',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const image = 'registry.webshop.example/stock-balance:11.2.0';
      const cache = cluster.deployment('webshop/stock-cache', { image: 'docker.io/library/redis:7.4.1' });
      cluster.service('webshop/stock-cache', { ports: [{ name: 'redis', port: 6379, targetPort: 6379 }] });
      const balance = cluster.deployment('webshop/stock-balance', {
        replicas: 2,
        image,
        memory: '1Gi',
        values: { JAVA_TOOL_OPTIONS: '-XX:MaxRAMPercentage=60', SPRING_DATA_REDIS_HOST: 'stock-cache.webshop.svc' },
      });
      cluster.service('webshop/stock-balance');
      cluster.at('10s', () => cache.restart());
      cluster.at('60s', () => {
        cluster.image(image, {
          readyAfterSeconds: 11,
          exit: { afterSeconds: 32, code: 137, oom: true },
          log: [
            'Picked up JAVA_TOOL_OPTIONS: -XX:MaxRAMPercentage=97',
            '2026-11-29T08:20:03.871Z  INFO 1 --- [main] e.w.s.StockBalanceApplication : Started StockBalanceApplication in 9.814 seconds (process running for 10.6)',
            '2026-11-29T08:20:19.102Z  INFO 1 --- [scheduling-1] e.w.s.b.BalanceJob : Loading 412338 positions',
          ],
        });
        balance.change({
          values: { JAVA_TOOL_OPTIONS: '-XX:MaxRAMPercentage=97', SPRING_DATA_REDIS_HOST: 'stock-cache.webshop.svc' },
        });
      });
      cluster.lasts('8m');
      cluster.expectIncident({
        root: 'Deployment/webshop/stock-balance',
        reason: 'OOMKilled',
        mustNotBlame: ['Deployment/webshop/stock-cache', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),

  'thumbnails-are-written-beyond-the-scratch-space-that-is-allowed': scenario(
    'A release of a picture service keeps its temporary files; its Pods are evicted for more scratch space than their limit',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const thumbs = cluster.deployment('newsroom/thumbnails', {
        replicas: 2,
        image: 'registry.newspaper.example/thumbnails:3.9.1',
        container: {
          resources: { requests: { 'ephemeral-storage': '500Mi' }, limits: { 'ephemeral-storage': '1Gi' } },
        },
      });
      cluster.service('newsroom/thumbnails');
      cluster.image('registry.newspaper.example/thumbnails:4.0.0', {
        evicted: {
          afterSeconds: 40,
          message: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
        },
      });
      cluster.at('10s', () => thumbs.setImage('registry.newspaper.example/thumbnails:4.0.0'));
      cluster.lasts('6m');
      cluster.expectIncident({
        root: 'Deployment/newsroom/thumbnails',
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
