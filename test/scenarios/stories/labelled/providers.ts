import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { dns } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** The cluster DNS at its usual address. */
const nameService = { ...dns.service, spec: { ...dns.service.spec, clusterIP: '10.96.0.10' } };

/** Addresses outside the cluster, the way to them, and the names of both. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://learn.microsoft.com/en-us/azure/virtual-network/troubleshoot-outbound-smtp-connectivity
  'mail-relay-does-not-answer': scenario(
    'The mail relay outside does not answer any more; two teams send mail through it',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const values = { SMTP_HOST: 'smtp.relay.example', SMTP_PORT: '587' };
      cluster.deployment('crm/mailings', { replicas: 2, image: image('mailings:2'), values });
      cluster.deployment('accounts/signup', { replicas: 2, image: image('signup:8'), values });
      cluster.service('accounts/signup');
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('16s', () => {
        cluster.befall(
          image('mailings:2'),
          ends(
            [
              'Traceback (most recent call last):',
              '  File "/usr/local/lib/python3.12/smtplib.py", line 255, in __init__',
              'TimeoutError: [Errno 110] Connection timed out: smtp.relay.example:587',
            ],
            1,
            8,
          ),
        );
        cluster.befall(
          image('signup:8'),
          unready([
            'jakarta.mail.MessagingException: Could not connect to SMTP host: smtp.relay.example, port: 587, response: -1',
          ]),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ExternalEndpoint//smtp.relay.example:587',
        mustNotBlame: ['Deployment/crm/mailings', 'Deployment/accounts/signup', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://docs.aws.amazon.com/AmazonRDS/latest/UserGuide/CHAP_Troubleshooting.html
  'managed-database-has-no-name': scenario(
    'A managed database was deleted, and its name with it; all other names resolve',
    (cluster) => {
      surroundings(cluster);
      const host = 'prod-orders.c9akciq32.eu-west-1.rds.amazonaws.com';
      const names = ['orders', 'invoicing'];
      for (const name of names)
        cluster.deployment(`sales/${name}`, {
          replicas: 2,
          image: image(`${name}:12`),
          values: { DB_HOST: host, DB_PORT: '5432' },
        });
      cluster.at('15s', () => {
        cluster.befall(
          image('orders:12'),
          ends([
            `django.db.utils.OperationalError: could not translate host name "${host}" to address: Name or service not known`,
          ]),
        );
        cluster.befall(
          image('invoicing:12'),
          ends([
            `level=fatal msg="open database" err="failed to connect to \`host=${host} user=app database=orders\`: hostname resolving error (lookup ${host}: no such host)"`,
          ]),
        );
      });
      cluster.lasts('2m15s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}:5432`,
        accepts: [`ExternalEndpoint//${host}`],
        mustNotBlame: [...names.map((name): Ref => `Deployment/sales/${name}`), 'Deployment/kube-system/coredns'],
      });
    },
  ),
  // https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
  'object-store-answers-slow-down': scenario(
    'The object store of the cloud answers with errors; three workloads of three teams end on it',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const places = ['photos/thumbnails', 'video/transcoder', 'archive/uploader'] as const;
      const url = 'https://s3.eu-central-1.amazonaws.com';
      for (const place of places)
        cluster.deployment(place, {
          replicas: 2,
          image: image(`${place.split('/')[1]}:3`),
          values: { S3_ENDPOINT: url },
          probe: false,
        });
      cluster.at('6s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('18s', () => {
        cluster.befall(
          image('thumbnails:3'),
          ends(
            [
              `botocore.exceptions.ClientError: An error occurred (SlowDown) when calling the PutObject operation (reached max retries: 4): Please reduce your request rate. endpoint: ${url}`,
            ],
            1,
            6,
          ),
        );
        cluster.befall(
          image('transcoder:3'),
          ends(
            [
              `operation error S3: GetObject, https response error StatusCode: 503, Get "${url}/acme-video/raw/81": api error SlowDown: Please reduce your request rate.`,
            ],
            1,
            7,
          ),
        );
        cluster.befall(image('uploader:3'), ends([`Error: PUT ${url}/acme-archive/2026/11: 503 Slow Down`], 1, 5));
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ExternalEndpoint//s3.eu-central-1.amazonaws.com:443',
        // Its URL has no port.
        accepts: ['ExternalEndpoint//s3.eu-central-1.amazonaws.com'],
        mustNotBlame: [...places.map((place): Ref => `Deployment/${place}`), 'Deployment/office/wiki'],
      });
    },
  ),
  // https://docs.docker.com/engine/cli/proxy/
  'proxy-to-the-outside-is-gone': scenario(
    'The proxy through which all leave the company network refuses connections; each workload was on its way elsewhere',
    (cluster) => {
      surroundings(cluster);
      const values = { HTTPS_PROXY: 'http://proxy.corp.example:3128' };
      const names = ['exchange-rates', 'parcel-labels', 'tax-numbers'];
      for (const name of names)
        cluster.deployment(`integrations/${name}`, { replicas: 1, image: image(`${name}:2`), values });
      cluster.at('15s', () => {
        cluster.befall(
          image('exchange-rates:2'),
          ends([
            'level=fatal err="Get \\"https://api.rates.example/latest\\": proxyconnect tcp: dial tcp: connect to proxy.corp.example:3128: connect: connection refused"',
          ]),
        );
        cluster.befall(
          image('parcel-labels:2'),
          ends([
            "requests.exceptions.ProxyError: HTTPSConnectionPool(host='labels.parcel.example', port=443): Max retries exceeded with url: /v2/ping (Caused by ProxyError('Unable to connect to proxy proxy.corp.example:3128', NewConnectionError('Failed to establish a new connection: [Errno 111] Connection refused')))",
          ]),
        );
        cluster.befall(
          image('tax-numbers:2'),
          ends([
            'Error: tunneling socket could not be established, cause=connect ECONNREFUSED proxy.corp.example:3128',
          ]),
        );
      });
      cluster.lasts('2m15s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ExternalEndpoint//proxy.corp.example:3128',
        mustNotBlame: [
          ...names.map((name): Ref => `Deployment/integrations/${name}`),
          'ExternalEndpoint//api.rates.example:443',
          'ExternalEndpoint//labels.parcel.example:443',
        ],
      });
    },
  ),
  // https://docs.stripe.com/error-low-level
  'carrier-takes-the-token-no-more': scenario(
    'A carrier outside has revoked the token that two workloads share; nothing was changed in the cluster',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      cluster.secret('shipping/carrier-token', { token: 'guess' });
      const names = ['rates', 'tracking-sync'];
      for (const name of names)
        cluster.deployment(`shipping/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          env: { CARRIER_TOKEN: 'secret/carrier-token/token' },
          values: { CARRIER_URL: 'https://api.carrier.example' },
        });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('16s', () => {
        cluster.befall(
          image('rates:1'),
          ends([
            'level=fatal msg="carrier refused us" url=https://api.carrier.example/v3/rates status=401 body="{\\"error\\":\\"invalid_token\\",\\"error_description\\":\\"The access token was revoked\\"}"',
          ]),
        );
        cluster.befall(
          image('tracking-sync:1'),
          ends([
            'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.carrier.example/v3/tracking',
          ]),
        );
      });
      cluster.lasts('2m15s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'ExternalEndpoint//api.carrier.example:443',
        // Its URL has no port.
        accepts: ['Secret/shipping/carrier-token', 'ExternalEndpoint//api.carrier.example'],
        mustNotBlame: [...names.map((name): Ref => `Deployment/shipping/${name}`), 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/administer-cluster/dns-horizontal-autoscaling/
  'name-service-scaled-to-nothing': scenario(
    'Somebody scales the cluster DNS to nothing while they tidy up; within a minute four workloads resolve no name',
    (cluster) => {
      const coredns = cluster.deployment('kube-system/coredns', { ...dns.workload });
      cluster.object(nameService);
      cluster.deployment('tools/dashboard', { image: image('dashboard:2') });
      const says: Readonly<Record<string, string>> = {
        basket:
          'level=fatal err="dial tcp: lookup redis.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.8:41712->10.96.0.10:53: i/o timeout"',
        checkout: 'getaddrinfo EAI_AGAIN payments.shop.svc.cluster.local',
        offers: "socket.gaierror: [Errno -3] Temporary failure in name resolution: 'catalogue.shop.svc.cluster.local'",
        ratings: 'java.net.UnknownHostException: mongo.shop.svc.cluster.local: Temporary failure in name resolution',
      };
      for (const name of Object.keys(says))
        cluster.deployment(`shop/${name}`, { replicas: 2, image: image(`${name}:1`) });
      cluster.at('8s', () => coredns.scale(0));
      cluster.at('25s', () => {
        for (const [name, line] of Object.entries(says)) cluster.befall(image(`${name}:1`), ends([line], 1, 6));
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['Service/kube-system/kube-dns'],
        mustNotBlame: Object.keys(says).map((name): Ref => `Deployment/shop/${name}`),
      });
    },
  ),
  // https://github.com/kubernetes/dns/issues/292
  'name-cache-of-the-machines-crashes': scenario(
    'A release of the DNS cache on every machine crashes; who asks it for a name is refused',
    (cluster) => {
      surroundings(cluster);
      const cache = cluster.daemonSet('kube-system/node-local-dns', {
        image: image('k8s-dns-node-cache:1.22'),
        labels: { 'k8s-app': 'node-local-dns' },
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      const refused = (name: string): string =>
        `dial tcp: lookup ${name} on 169.254.20.10:53: read udp 169.254.20.10:53: read: connection refused`;
      for (const name of ['menu', 'tables'])
        cluster.deployment(`dining/${name}`, {
          replicas: 3,
          image: image(`${name}:1`),
          values: { DB: 'postgres.dining.svc:5432' },
        });
      cluster.image(
        image('k8s-dns-node-cache:1.23'),
        ends(
          [
            '[INFO] Using Corefile /etc/coredns/Corefile',
            '[FATAL] Failed to setup node-local-dns: failed to ensure iptables rules: exit status 4: Another app is currently holding the xtables lock',
          ],
          1,
          2,
        ),
      );
      cluster.at('10s', () => cache.setImage(image('k8s-dns-node-cache:1.23')));
      cluster.at('26s', () => {
        for (const name of ['menu', 'tables'])
          cluster.befall(
            image(`${name}:1`),
            ends([`level=fatal msg="connect" err="${refused('postgres.dining.svc')}"`], 1, 6),
          );
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/node-local-dns',
        mustNotBlame: [
          'Deployment/dining/menu',
          'Deployment/dining/tables',
          'Node//n1',
          'Deployment/kube-system/coredns',
        ],
      });
    },
  ),
  // https://devopsaitoolkit.com/blog/kubernetes-error-coredns-servfail/
  'names-outside-do-not-resolve': scenario(
    'The cluster DNS cannot reach the resolvers it forwards to: names inside resolve, names outside do not',
    (cluster) => {
      cluster.deployment('kube-system/coredns', { ...dns.workload });
      cluster.object(nameService);
      cluster.deployment('shop/inventory', { replicas: 2, image: image('inventory:4') });
      cluster.service('shop/inventory');
      const names = ['fx', 'geocoder', 'newsletter'];
      for (const name of names) cluster.deployment(`shop/${name}`, { replicas: 2, image: image(`${name}:4`) });
      cluster.at('12s', () => {
        cluster.befall(
          image('fx:4'),
          ends(
            [
              'level=fatal err="Get \\"https://api.fx.example/v1\\": dial tcp: lookup api.fx.example on 10.96.0.10:53: server misbehaving"',
            ],
            1,
            5,
          ),
        );
        cluster.befall(image('geocoder:4'), ends(['getaddrinfo EAI_AGAIN maps.geo.example'], 1, 6));
        cluster.befall(
          image('newsletter:4'),
          unready([
            "urllib3.exceptions.NameResolutionError: Failed to resolve 'api.mail.example' ([Errno -3] Temporary failure in name resolution)",
          ]),
        );
      });
      cluster.lasts('2m30s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['Service/kube-system/kube-dns'],
        mustNotBlame: [...names.map((name): Ref => `Deployment/shop/${name}`), 'ExternalEndpoint//api.fx.example:443'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/services-networking/service/#externalname
  'alias-points-to-the-wrong-host': scenario(
    'The alias for the billing system outside is edited to a host that does not exist',
    (cluster) => {
      cluster.pro();
      const { wiki } = surroundings(cluster);
      const alias = cluster.object({
        ...{ apiVersion: 'v1', kind: 'Service', metadata: { name: 'billing-legacy', namespace: 'finance' } },
        spec: { type: 'ExternalName', externalName: 'billing.dc1.acme.example' },
      });
      const names = ['statements', 'dunning'];
      for (const name of names)
        cluster.deployment(`finance/${name}`, {
          replicas: 2,
          image: image(`${name}:2`),
          values: { BILLING_HOST: 'billing-legacy.finance.svc.cluster.local' },
        });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('14s', () => alias.patch({ spec: { externalName: 'biling.dc2.acme.example' } }));
      cluster.at('24s', () => {
        cluster.befall(
          image('statements:2'),
          ends(['java.net.UnknownHostException: billing-legacy.finance.svc.cluster.local: Name or service not known']),
        );
        cluster.befall(
          image('dunning:2'),
          ends(['level=fatal err="dial tcp: lookup billing-legacy.finance.svc.cluster.local: no such host"']),
        );
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Service/finance/billing-legacy',
        mustNotBlame: [...names.map((name): Ref => `Deployment/finance/${name}`), 'Deployment/office/wiki'],
      });
    },
  ),
};
