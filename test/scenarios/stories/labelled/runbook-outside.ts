import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings, unready } from '../../kit/surroundings.ts';
import { networkPolicy } from '../../kit/things.ts';

/** What is outside the cluster, and how one gets there: names, proxies, DNS. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html: 503 Slow Down.
  'bucket-throttles': scenario('An object store throttles two workloads of two teams', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const host = 's3.eu-central-1.amazonaws.com';
    const names = dependants(cluster, '8s', {
      'media/uploads': {
        does: ends([
          `Put "https://${host}/acme-media/42": SlowDown: Please reduce your request rate. status code: 503, host: ${host}`,
        ]),
      },
      'data/exports': {
        does: ends([
          `requests.exceptions.RetryError: HTTPSConnectionPool(host='${host}', port=443): Max retries exceeded with url: /acme-exports (Caused by ResponseError('too many 503 error responses'))`,
        ]),
      },
    });
    cluster.lasts('2m10s');
    cluster.expectIncident({
      root: `ExternalEndpoint//${host}:443`,
      accepts: [`ExternalEndpoint//${host}`],
      messages: { resolve: 0 },
      mustNotBlame: names,
    });
  }),

  // https://kubernetes.io/docs/tasks/debug/debug-application/debug-service/: who is behind an address outside answers with a reset.
  'mail-relay-refuses': scenario('The mail relay of the company refuses connections of two namespaces', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const values = { SMTP_HOST: 'smtp.corp.example', SMTP_PORT: '587' };
    const names = dependants(cluster, '8s', {
      'shop/mailer': {
        values,
        does: ends(['panic: dial tcp: connect to smtp.corp.example:587: connect: connection refused']),
      },
      'office/tickets': {
        values,
        does: ends([
          'Error: connect ECONNREFUSED smtp.corp.example:587',
          "  errno: -111, code: 'ESOCKET', syscall: 'connect', command: 'CONN'",
        ]),
      },
    });
    // Somebody else releases at the same time, and all is well with it.
    const wikiNews = cluster.deployment('office/news', { replicas: 2, image: 'registry.acme.example/news:1' });
    cluster.at('7s', () => wikiNews.setImage('registry.acme.example/news:2'));
    cluster.lasts('2m10s');
    cluster.expectIncident({
      root: 'ExternalEndpoint//smtp.corp.example:587',
      accepts: ['ExternalEndpoint//smtp.corp.example'],
      messages: { resolve: 0 },
      mustNotBlame: [...names, 'Deployment/office/news'],
    });
  }),

  // https://wiki.squid-cache.org/: everything leaves through one proxy, and that runs in the cluster.
  'proxy-of-the-cluster-crashes': scenario(
    'The proxy through which all traffic leaves crashes, and its clients say whom they wanted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'docker.io/ubuntu/squid:6.10';
      cluster.deployment('egress/squid', { replicas: 2, image });
      cluster.service('egress/squid', { ports: [{ name: 'proxy', port: 3128, targetPort: 3128, protocol: 'TCP' }] });
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(['FATAL: Unable to open HTTP Socket', 'Squid Cache (Version 6.10): Terminated abnormally.'], 1, 1),
        ),
      );
      const values = { HTTPS_PROXY: 'http://squid.egress.svc:3128' };
      const names = dependants(cluster, '12s', {
        'shop/payments': {
          values,
          does: ends([
            'Post "https://api.psp.example/v2/charges": proxyconnect tcp: dial tcp: connect to squid.egress.svc:3128: connect: connection refused',
          ]),
        },
        'media/uploads': {
          values,
          does: ends([
            "requests.exceptions.ProxyError: HTTPSConnectionPool(host='storage.cloud.example', port=443): Max retries exceeded with url: / (Caused by ProxyError('Unable to connect to proxy', NewConnectionError('<urllib3.connection.HTTPSConnection object at 0x7f>: Failed to establish a new connection: [Errno 111] Connection refused')))",
          ]),
        },
      });
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'Deployment/egress/squid', messages: { resolve: 0 }, mustNotBlame: names });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/nodelocaldns/
  'node-local-dns-crashes': scenario(
    'A release of the DNS cache on every machine crashes, and names are not found',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const image = 'registry.k8s.example/k8s-dns-node-cache';
      const cache = cluster.daemonSet('kube-system/node-local-dns', {
        ...{ image: `${image}:1.25`, probe: false, labels: { 'k8s-app': 'node-local-dns' } },
      });
      cluster.image(
        `${image}:1.26`,
        ends(
          [
            '[ERROR] Failed to add non-existent interface nodelocaldns: operation not permitted',
            '[FATAL] Failed to setup: Unable to listen on 169.254.20.10:53',
          ],
          1,
          1,
        ),
      );
      cluster.at('6s', () =>
        cache.change({
          image: `${image}:1.26`,
          spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
        }),
      );
      cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16.3' });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const says =
        'lookup postgres.shop.svc.cluster.local on 169.254.20.10:53: read udp 169.254.20.10:41833->169.254.20.10:53: read: connection refused';
      const names = dependants(cluster, '14s', {
        'shop/orders': { does: ends([`dial tcp: ${says}`]) },
        'office/crm': { does: ends(['Error: getaddrinfo EAI_AGAIN api.partner.example']) },
        'web/portal': { does: unready(['socket.gaierror: [Errno -3] Temporary failure in name resolution']) },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/node-local-dns',
        accepts: ['Service/kube-system/kube-dns'],
        messages: { resolve: 0 },
        mustNotBlame: [...names, 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://github.com/coredns/deployment/blob/master/kubernetes/: a release needs EndpointSlices, the role does not name them.
  'dns-release-lacks-a-right': scenario(
    'A release of CoreDNS may not read what it needs and is never ready',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.statefulSet('shop/postgres', { image: 'docker.io/library/postgres:16.3' });
      cluster.service('shop/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
      const image = 'registry.k8s.example/coredns';
      const coredns = cluster.deployment('kube-system/coredns', {
        ...{
          replicas: 2,
          image: `${image}:1.8`,
          labels: { 'k8s-app': 'kube-dns' },
          spec: { strategy: { type: 'Recreate' } },
        },
      });
      cluster.service('kube-system/kube-dns', {
        selector: { 'k8s-app': 'kube-dns' },
        ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
      });
      cluster.image(
        `${image}:1.12`,
        unready([
          '[ERROR] plugin/kubernetes: pkg/mod/k8s.io/client-go@v0.29.3/tools/cache/reflector.go:229: Failed to watch *v1.EndpointSlice: failed to list *v1.EndpointSlice: endpointslices.discovery.k8s.io is forbidden: User "system:serviceaccount:kube-system:coredns" cannot list resource "endpointslices" in API group "discovery.k8s.io" at the cluster scope',
          '[INFO] plugin/ready: Still waiting on: "kubernetes"',
        ]),
      );
      cluster.at('6s', () => coredns.setImage(`${image}:1.12`));
      const names = dependants(cluster, '14s', {
        'shop/orders': {
          does: ends([
            'dial tcp: lookup postgres.shop.svc.cluster.local on 10.96.0.10:53: read udp 10.244.1.9:50032->10.96.0.10:53: i/o timeout',
          ]),
        },
        'office/crm': {
          does: unready(['java.net.UnknownHostException: ldap.corp.example: Temporary failure in name resolution']),
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        accepts: ['Deployment/kube-system/coredns'],
        messages: { resolve: 0 },
        mustNotBlame: names,
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/services-networking/network-policies/#default-deny-all-egress-traffic
  'policy-cuts-off-the-outside': scenario(
    'A team may no longer leave its namespace; its two workloads wanted different hosts',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      cluster.at('6s', () =>
        cluster.object(networkPolicy('billing/default-deny-egress', { podSelector: {}, policyTypes: ['Egress'] })),
      );
      const names = dependants(cluster, '12s', {
        'billing/invoices': {
          does: ends([
            'Post "https://einvoice.gov.example/v1": dial tcp 198.51.100.7:443: i/o timeout',
            'fatal: einvoice.gov.example:443 is not reachable: i/o timeout',
          ]),
        },
        'billing/dunning': { does: ends(['Error: connect ETIMEDOUT smtp.corp.example:587']) },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'NetworkPolicy/billing/default-deny-egress',
        messages: { resolve: 0 },
        mustNotBlame: [...names, 'ExternalEndpoint//smtp.corp.example:587'],
      });
    },
  ),
};
