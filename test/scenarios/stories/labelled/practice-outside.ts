import { company, dnsAt, imageAt, innocentRelease } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';

/** Addresses outside the cluster that do not answer as they should. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://www.rfc-editor.org/rfc/rfc9110#name-503-service-unavailable
  'exchange-rates-answer-503': scenario(
    'A provider of exchange rates answers 503 to two services of two teams',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      const firm = company(cluster);
      innocentRelease(cluster, '3s', firm);
      const values = { RATES_URL: 'https://api.fxrates.example/v2' };
      const clients = dependants(cluster, '8s', {
        'bank/treasury': {
          does: unready([
            'requests.exceptions.HTTPError: 503 Server Error: Service Unavailable for url: https://api.fxrates.example/v2/latest?base=EUR',
          ]),
          values,
        },
        'shop/currency': {
          does: unready(['ERROR GET https://api.fxrates.example/v2/latest: unexpected status 503 Service Unavailable']),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.fxrates.example:443',
        accepts: ['ExternalEndpoint//api.fxrates.example'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/inject-data-application/define-environment-variable-container/
  'release-misspells-the-geocoder': scenario(
    'A release misspells the host of a geocoder that another service reaches',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster, { dnsService: dnsAt('10.96.0.10') });
      const first = { replicas: 2, image: imageAt('routes', 12), values: { GEOCODER: 'geo.maps.example:443' } };
      const routes = cluster.deployment('delivery/routes', first);
      cluster.deployment('delivery/addresses', { replicas: 2, image: imageAt('addresses', 4), values: first.values });
      cluster.image(imageAt('routes', 13), ends(['dial tcp: lookup geo.mapps.example on 10.96.0.10:53: no such host']));
      cluster.at('6s', () =>
        routes.change({ image: imageAt('routes', 13), values: { GEOCODER: 'geo.mapps.example:443' } }),
      );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/delivery/routes',
        accepts: ['ExternalEndpoint//geo.mapps.example:443', 'ExternalEndpoint//geo.mapps.example'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/delivery/addresses', 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://man.openbsd.org/ssh#VERIFYING_HOST_KEYS
  'partner-changes-its-host-key': scenario(
    'A partner puts up another server for its files, and two workloads no longer trust it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const values = { SFTP_HOST: 'sftp.hauler.example:22' };
      const clients = dependants(cluster, '7s', {
        'freight/waybills': {
          does: ends(
            [
              '@    WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!     @',
              'Host key for sftp.hauler.example has changed and you have requested strict checking.',
              'Host key verification failed. (sftp.hauler.example:22)',
            ],
            255,
          ),
          values,
        },
        'customs/declarations': {
          does: ends([
            "paramiko.ssh_exception.BadHostKeyException: Host key for server 'sftp.hauler.example' does not match: got 'AAAAC3Nza***', expected 'AAAAB3Nza***' (sftp.hauler.example:22)",
          ]),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//sftp.hauler.example:22',
        accepts: ['ExternalEndpoint//sftp.hauler.example'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://docs.aws.amazon.com/AmazonElastiCache/latest/dg/AutoFailover.html: a managed cache fails over and comes back.
  'managed-cache-fails-over': scenario(
    'A managed Redis is away for two minutes while it fails over, and all are healthy again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const values = { REDIS_ADDR: 'sessions.cache.cloud.example:6379' };
      const clients = dependants(cluster, '8s', {
        'shop/signin': {
          does: unready(['redis: dial tcp: connect to sessions.cache.cloud.example:6379: i/o timeout']),
          values,
        },
        'shop/wishlist': {
          does: unready([
            'redis.exceptions.TimeoutError: Timeout connecting to server sessions.cache.cloud.example:6379',
          ]),
          values,
        },
        'shop/offers': { does: unready(['Error: connect ETIMEDOUT sessions.cache.cloud.example:6379']), values },
      });
      for (const name of ['signin', 'wishlist', 'offers'])
        cluster.at('2m10s', () => cluster.befall(`registry.acme.example/${name}:7`, {}));
      cluster.lasts('4m');
      cluster.expectIncident({
        root: 'ExternalEndpoint//sessions.cache.cloud.example:6379',
        accepts: ['ExternalEndpoint//sessions.cache.cloud.example'],
        messages: { resolve: 1 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://www.rfc-editor.org/rfc/rfc6585#section-4
  'tile-service-counts-too-many': scenario('A service for map tiles answers 429 to all that ask it', (cluster) => {
    cluster.recordedFrom('sandbox');
    company(cluster);
    const values = { TILES: 'https://tiles.cartography.example' };
    const clients = dependants(cluster, '8s', {
      'taxi/dispatch': {
        does: unready([
          'ERROR tiles: GET https://tiles.cartography.example/14/8300/5600.pbf: 429 Too Many Requests, retry after 3600',
        ]),
        values,
      },
      'estate/viewer': {
        does: unready([
          'AxiosError: Request failed with status code 429 (https://tiles.cartography.example/12/2100/1400.png)',
        ]),
        values,
      },
    });
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'ExternalEndpoint//tiles.cartography.example:443',
      accepts: ['ExternalEndpoint//tiles.cartography.example'],
      messages: { resolve: 0 },
      mustNotBlame: clients,
    });
  }),

  // https://www.rfc-editor.org/rfc/rfc8996: a bank turns old versions of TLS off.
  'bank-turns-old-tls-off': scenario(
    'A bank turns old versions of TLS off, and two old clients cannot talk to it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const values = { BANK_URL: 'https://xs2a.savings.example' };
      const clients = dependants(cluster, '8s', {
        'finance/payouts': {
          does: ends([
            'javax.net.ssl.SSLHandshakeException: Received fatal alert: protocol_version',
            '    at com.borealis.payouts.BankClient.connect(xs2a.savings.example:443)',
          ]),
          values,
        },
        'finance/direct-debit': {
          does: ends(
            [
              'curl: (35) TLS connect error: error:0A00042E:SSL routines::tlsv1 alert protocol version while connecting to xs2a.savings.example:443',
            ],
            35,
          ),
          values,
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//xs2a.savings.example:443',
        accepts: ['ExternalEndpoint//xs2a.savings.example'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://media.3ds.com/support/simulia/public/flexlm108/EndUser/chap13.htm: a server of licences outside the cluster.
  'nobody-hands-out-licences': scenario(
    'The server that hands out licences to three renderers in two namespaces does not answer',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const values = { LM_SERVER: 'lm.studio.example:27000' };
      const does = ends(
        [
          'Cannot connect to license server system.',
          'The license server manager (lmgrd) has not been started yet, the wrong port@host is being used (27000@lm.studio.example)',
          'FlexNet Licensing error:-15,578.  System Error: 110 "Connection timed out" connecting to lm.studio.example:27000',
        ],
        15,
      );
      const clients = dependants(cluster, '8s', {
        'film/render-a': { does, values },
        'film/render-b': { does, values },
        'adverts/render': { does, values },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ExternalEndpoint//lm.studio.example:27000',
        accepts: ['ExternalEndpoint//lm.studio.example'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),
};
