import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, plainEnv, surroundings } from '../../kit/surroundings.ts';

const coredns = 'registry.k8s.example/coredns:1.12';

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tasks/administer-cluster/dns-custom-nameservers/: an edited Corefile is the whole cluster's.
  'corefile-broken': scenario('An edited Corefile stops cluster DNS, and what looks up names crashes', (cluster) => {
    cluster.pro();
    const corefile = cluster.configMap('kube-system/coredns', { Corefile: '.:53 { forward . /etc/resolv.conf }' });
    const dns = cluster.deployment('kube-system/coredns', {
      ...{ replicas: 2, image: coredns },
      pod: { volumes: [{ name: 'config', configMap: { name: 'coredns' } }] },
      container: { volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }] },
      // As a maintenance script does it: all at once.
      spec: { strategy: { type: 'Recreate' } },
    });
    cluster.service('kube-system/kube-dns', {
      selector: { app: 'coredns' },
      ports: [{ name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' }],
    });
    cluster.statefulSet('data/postgres', { image: 'docker.io/library/postgres:16' });
    cluster.service('data/postgres', { ports: [{ name: 'sql', port: 5432, targetPort: 5432, protocol: 'TCP' }] });
    const places = ['shop/orders', 'shop/search', 'office/wiki', 'web/storefront'];
    for (const place of places) cluster.deployment(place, { replicas: 2, image: `registry.acme.example/${place}:1` });
    cluster.at('6s', () => corefile.edit({ Corefile: '.:53 { frward . /etc/resolv.conf }' }));
    cluster.at('12s', () => {
      cluster.image(
        coredns,
        ends(["/etc/coredns/Corefile:5 - Error during parsing: Unknown directive 'frward'"], 1, 1),
      );
      dns.restart();
    });
    cluster.at('22s', () => {
      for (const place of places)
        cluster.befall(
          `registry.acme.example/${place}:1`,
          ends([
            'Error: getaddrinfo EAI_AGAIN postgres.data.svc.cluster.local',
            '    at GetAddrInfoReqWrap.onlookup [as oncomplete] (node:dns:109:26)',
          ]),
        );
    });
    cluster.expectIncident({
      root: 'ConfigMap/kube-system/coredns',
      accepts: ['Deployment/kube-system/coredns', 'Service/kube-system/kube-dns'],
      mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/office/wiki'],
    });
  }),

  // https://github.com/hjacobs/kubernetes-failure-stories: "Total DNS outage in Kubernetes cluster", CoreDNS out of memory.
  'coredns-out-of-memory': scenario(
    'CoreDNS is killed for its memory again and again, and names are not resolved',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      const { storefront } = surroundings(cluster);
      const names = ['orders', 'search', 'accounts'];
      for (const name of names) {
        const container = plainEnv({ API_HOST: 'api.partner.example' });
        cluster.deployment(`shop/${name}`, { replicas: 3, image: `registry.acme.example/${name}:7`, container });
      }
      cluster.at('3s', () => storefront.scale(4));
      cluster.at('10s', () =>
        cluster.befall(coredns, {
          ...{ exit: { afterSeconds: 5, code: 137, oom: true }, readyAfterSeconds: 'never' },
          log: ['.:53', 'CoreDNS-1.12.0', 'linux/amd64, go1.23.3'],
        }),
      );
      cluster.at('18s', () => {
        for (const name of names)
          cluster.befall(
            `registry.acme.example/${name}:7`,
            ends([
              'dial tcp: lookup api.partner.example on 10.96.0.10:53: read udp 10.244.1.7:41022->10.96.0.10:53: i/o timeout',
              'giving up after 5 attempts',
            ]),
          );
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['Service/kube-system/kube-dns'],
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search', 'Deployment/web/storefront'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/: one name that does not exist is no outage of DNS.
  'one-name-misspelt': scenario('A new workload asks for a name outside that does not exist', (cluster) => {
    cluster.recordedFrom('sandbox');
    cluster.pro();
    surroundings(cluster);
    for (const name of ['orders', 'accounts'])
      cluster.deployment(`shop/${name}`, { replicas: 2, image: `registry.acme.example/${name}:7` });
    const image = 'registry.acme.example/shipping:0.1';
    cluster.image(
      image,
      ends([
        "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='api.parcles.example', port=443): Max retries exceeded with url: /v1 (Caused by NameResolutionError(\"Failed to resolve 'api.parcles.example' ([Errno -2] Name or service not known)\"))",
      ]),
    );
    cluster.at('8s', () =>
      cluster.deployment('shop/shipping', {
        replicas: 2,
        image,
        container: plainEnv({ PARCELS: 'https://api.parcles.example' }),
      }),
    );
    cluster.expectIncident({
      root: 'Deployment/shop/shipping',
      accepts: ['ExternalEndpoint//api.parcles.example', 'ExternalEndpoint//api.parcles.example:443'],
      mustNotBlame: ['Service/kube-system/kube-dns', 'Deployment/kube-system/coredns'],
    });
  }),
};
