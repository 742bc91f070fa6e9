import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** Two causes at once that have nothing to do with each other, and restarts of Tocsin in between. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://sre.google/workbook/incident-response/
  'release-here-and-secret-there': scenario(
    'One team releases what crashes; in another namespace a Secret is deleted before a restart',
    (cluster) => {
      surroundings(cluster);
      const tariffs = cluster.deployment('energy/tariffs', { replicas: 2, image: image('tariffs:1') });
      const token = cluster.secret('meters/mqtt', { password: 'guess' });
      const ingest = cluster.deployment('meters/ingest', {
        replicas: 2,
        image: image('ingest:1'),
        env: { MQTT_PASSWORD: 'secret/mqtt/password' },
      });
      cluster.image(
        image('tariffs:2'),
        ends(
          [
            "thread 'main' panicked at src/main.rs:41:10:",
            'called `Result::unwrap()` on an `Err` value: ParseFloatError { kind: Invalid }',
          ],
          101,
          2,
        ),
      );
      cluster.at('8s', () => tariffs.setImage(image('tariffs:2')));
      cluster.at('10s', () => token.delete());
      cluster.at('14s', () => ingest.restart());
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/energy/tariffs', mustNotBlame: ['Secret/meters/mqtt'] });
      cluster.expectIncident({
        root: 'Secret/meters/mqtt',
        mustNotBlame: ['Deployment/meters/ingest', 'Deployment/energy/tariffs'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/architecture/nodes/#condition
  'machine-lost-and-a-job-fails': scenario(
    'A machine is lost; at the same time a nightly calculation elsewhere fails by its own mistake',
    (cluster) => {
      surroundings(cluster);
      cluster.deployment('shop/cart', { replicas: 3, image: image('cart:1') });
      cluster.service('shop/cart');
      cluster.image(
        image('interest:4'),
        ends(
          [
            'Traceback (most recent call last):',
            '  File "/job/interest.py", line 77, in accrue',
            'ZeroDivisionError: division by zero',
          ],
          1,
          3,
        ),
      );
      cluster.at('8s', () => cluster.node('n3').losePower());
      cluster.at('20s', () =>
        cluster.job('ledger/interest', {
          image: image('interest:4'),
          spec: { backoffLimit: 1 },
          nodeSelector: { 'kubernetes.io/hostname': 'n1' },
        }),
      );
      cluster.lasts('3m');
      cluster.expectIncident({ root: 'Node//n3', mustNotBlame: ['Deployment/shop/cart', 'Job/ledger/interest'] });
      cluster.expectIncident({ root: 'Job/ledger/interest', mustNotBlame: ['Node//n3'] });
    },
  ),
  // https://sre.google/sre-book/effective-troubleshooting/
  'broker-here-and-typo-there': scenario(
    'The message broker of one product crashes and takes its workers along; another product releases a tag with a typing error',
    (cluster) => {
      surroundings(cluster);
      cluster.statefulSet('travel/activemq', { image: image('activemq:6.1') });
      cluster.service('travel/activemq', {
        ports: [{ name: 'openwire', port: 61616, targetPort: 61616, protocol: 'TCP' }],
      });
      for (const name of ['mailer', 'seats'])
        cluster.deployment(`travel/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { BROKER_URL: 'tcp://activemq.travel.svc:61616' },
        });
      const hotel = cluster.deployment('hotels/search', { replicas: 2, image: image('hotel-search:2.0') });
      cluster.image(image('hotel-search:v2.1'), { pullError: 'NotFound' });
      cluster.at('8s', () =>
        cluster.befall(
          image('activemq:6.1'),
          ends(
            [
              'ERROR | Failed to start Apache ActiveMQ (localhost, ID:activemq-0-1)',
              'java.io.IOException: Failed to create page file: /data/kahadb/db.data (Input/output error)',
            ],
            1,
            3,
          ),
        ),
      );
      cluster.at('12s', () => hotel.setImage(image('hotel-search:v2.1')));
      cluster.at('18s', () => {
        for (const name of ['mailer', 'seats'])
          cluster.befall(
            image(`${name}:1`),
            ends(
              [
                'jakarta.jms.JMSException: Could not connect to broker URL: tcp://activemq.travel.svc:61616. Reason: java.net.ConnectException: Connection refused',
              ],
              1,
              5,
            ),
          );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'StatefulSet/travel/activemq',
        mustNotBlame: ['Deployment/travel/mailer', 'Deployment/travel/seats', 'Deployment/hotels/search'],
      });
      cluster.expectIncident({
        root: 'Deployment/hotels/search',
        mustNotBlame: ['Registry//registry.acme.example', 'StatefulSet/travel/activemq'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/debug/debug-cluster/
  'policy-here-and-memory-there': scenario(
    'Settings of one team are edited wrongly; on the other side of the cluster a release runs out of memory',
    (cluster) => {
      surroundings(cluster);
      const settings = cluster.configMap('ads/bidder', { 'bidder.toml': 'timeout_ms = 80\n' });
      const bidder = cluster.deployment('ads/bidder', {
        replicas: 2,
        image: image('bidder:6'),
        pod: { volumes: [{ name: 'settings', configMap: { name: 'bidder' } }] },
        container: { volumeMounts: [{ name: 'settings', mountPath: '/etc/bidder' }] },
      });
      const render = cluster.deployment('print/render', { replicas: 2, image: image('render:1'), memory: '256Mi' });
      cluster.image(image('render:2'), {
        exit: { afterSeconds: 5, code: 137, oom: true },
        readyAfterSeconds: 'never',
        log: ['[render] warming up 4 browsers'],
      });
      cluster.at('8s', () => render.setImage(image('render:2')));
      cluster.at('12s', () => settings.edit({ 'bidder.toml': 'timeout_ms = eighty\n' }));
      cluster.at('18s', () => {
        cluster.image(
          image('bidder:6'),
          ends(
            [
              'Error: failed to parse /etc/bidder/bidder.toml: TOML parse error at line 1, column 14: invalid type: string "eighty", expected u64',
            ],
            1,
            1,
          ),
        );
        bidder.restart();
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ConfigMap/ads/bidder',
        mustNotBlame: ['Deployment/print/render', 'Deployment/ads/bidder'],
      });
      cluster.expectIncident({ root: 'Deployment/print/render', mustNotBlame: ['ConfigMap/ads/bidder'] });
    },
  ),
  // https://www.postgresql.org/docs/current/server-shutdown.html
  'restart-after-the-first-message': scenario(
    'A database does not start; Tocsin itself is moved to another machine while people are at it',
    (cluster) => {
      surroundings(cluster);
      const database = cluster.statefulSet('tours/postgres', { image: image('postgres:16.2') });
      cluster.service('tours/postgres', {
        ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }],
      });
      for (const name of ['guides', 'bookings'])
        cluster.deployment(`tours/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { PGHOST: 'postgres.tours.svc' },
        });
      cluster.image(
        image('postgres:16.4'),
        ends(
          [
            'FATAL:  could not access file "pg_stat_statements": No such file or directory',
            'LOG:  database system is shut down',
          ],
          1,
          2,
        ),
      );
      cluster.at('10s', () => database.setImage(image('postgres:16.4')));
      cluster.at('22s', () => {
        for (const name of ['guides', 'bookings'])
          cluster.befall(
            image(`${name}:1`),
            unready([
              'level=error msg="ping" err="dial tcp: connect to postgres.tours.svc:5432: connect: connection refused"',
            ]),
          );
      });
      cluster.at('1m40s', () => cluster.restartTocsin());
      cluster.lasts('3m');
      cluster.recordedFrom('sandbox');
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'StatefulSet/tours/postgres',
        mustNotBlame: ['Deployment/tours/guides', 'Deployment/tours/bookings'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#restart-policy
  'installed-into-an-old-mess': scenario(
    'Tocsin is installed where two workloads have been broken for long; a third breaks under its eyes',
    (cluster) => {
      surroundings(cluster);
      cluster.image(image('poc:1'), ends(["Error: Cannot find module './dist/index.js'"], 1, 1));
      cluster.image(image('demo:0'), { pullError: 'NotFound' });
      cluster.deployment('sandbox/poc', { replicas: 1, image: image('poc:1'), broken: true });
      cluster.deployment('sandbox/demo', { replicas: 1, image: image('demo:0'), broken: true });
      const billing = cluster.deployment('core/billing', { replicas: 3, image: image('billing:8') });
      cluster.service('core/billing');
      cluster.startsAfter('20m');
      cluster.image(image('billing:9'), ends(['fatal: morestack on g0', 'SIGTRAP: trace trap'], 2, 2));
      cluster.at('20s', () => billing.setImage(image('billing:9')));
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectSummaries(1);
      cluster.expectIncident({
        root: 'Deployment/core/billing',
        mustNotBlame: ['Deployment/sandbox/poc', 'Deployment/sandbox/demo'],
      });
    },
  ),
};
