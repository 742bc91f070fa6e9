import { company, dnsAt, imageAt, port } from '../../kit/company.ts';
import { dependants } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { dns } from '../../kit/things.ts';

const nobodyHere = (name: string) => ({
  does: ends([
    `dial tcp: lookup ${name} on 10.96.0.10:53: read udp 10.244.1.12:41210->10.96.0.10:53: read: connection refused`,
  ]),
});

/** Whom the workloads ask for. */
const asked = [
  ['shop/index', 'docker.io/library/solr:9', 8983],
  ['crm/postgres', 'docker.io/library/postgres:17', 5432],
] as const;

/** Names that are not found, and why. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#pod-s-dns-policy
  'release-asks-the-machine-for-names': scenario(
    'A release sets dnsPolicy Default, and the names of the cluster are unknown to it alone',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.statefulSet('crm/postgres', { image: 'docker.io/library/postgres:17' });
      cluster.service('crm/postgres', port(5432));
      const values = { PGHOST: 'postgres.crm.svc' };
      const api = cluster.deployment('crm/api', { replicas: 2, image: imageAt('crm-api', 50), values });
      cluster.deployment('crm/exports', { replicas: 2, image: imageAt('exports', 8), values });
      cluster.image(
        imageAt('crm-api', 51),
        ends([
          'psycopg.OperationalError: [Errno -2] Name or service not known: could not translate host name "postgres.crm.svc" to address',
        ]),
      );
      cluster.at('6s', () => api.change({ image: imageAt('crm-api', 51), pod: { dnsPolicy: 'Default' } }));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/crm/api',
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/crm/postgres', 'Service/crm/postgres', 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://coredns.io/plugins/loop/#troubleshooting
  'names-go-round-in-a-circle': scenario(
    'CoreDNS finds that it asks itself and ends; three workloads resolve nothing',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster, { dnsService: 'none' });
      for (const [place, image, number] of asked) {
        cluster.statefulSet(place, { image });
        cluster.service(place, port(number));
      }
      cluster.deployment('kube-system/coredns', dns.workload);
      cluster.object(dnsAt('10.96.0.10'));
      cluster.at('6s', () =>
        cluster.befall(
          dns.workload.image,
          ends(
            [
              '[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."',
            ],
            1,
            2,
          ),
        ),
      );
      const clients = dependants(cluster, '14s', {
        'shop/search': nobodyHere('index.shop.svc'),
        'crm/contacts': nobodyHere('postgres.crm.svc'),
        'mail/relay': nobodyHere('smtp.provider.example'),
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/kube-system/coredns',
        accepts: ['ConfigMap/kube-system/coredns'],
        messages: { resolve: 0 },
        mustNotBlame: clients,
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/dns-debugging-resolution/#check-for-dns-service
  'service-of-the-names-deleted': scenario(
    'Somebody deletes the Service of the cluster DNS; its Pods are healthy, and nobody finds them',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster, { dnsService: 'none' });
      for (const [place, image, number] of asked) {
        cluster.statefulSet(place, { image });
        cluster.service(place, port(number));
      }
      cluster.deployment('kube-system/coredns', dns.workload);
      const service = cluster.object(dnsAt('10.96.0.10'));
      cluster.at('6s', () => service.delete());
      const clients = dependants(cluster, '14s', {
        'shop/search': {
          does: ends([
            'dial tcp: lookup index.shop.svc on 10.96.0.10:53: read udp 10.244.1.12:50112->10.96.0.10:53: i/o timeout',
          ]),
        },
        'crm/contacts': {
          does: unready(['java.net.UnknownHostException: postgres.crm.svc: Temporary failure in name resolution']),
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Service/kube-system/kube-dns',
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/kube-system/coredns'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/dns-custom-nameservers/#configuration-of-stub-domain-and-upstream-nameserver-using-coredns
  'names-of-the-head-office-are-forwarded-to-nobody': scenario(
    'The CoreDNS file forwards the names of the head office to a server that is gone; all other names are found',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster, { dnsService: 'none' });
      cluster.deployment('kube-system/coredns', {
        ...dns.workload,
        container: { volumeMounts: [{ name: 'config', mountPath: '/etc/coredns' }] },
        pod: { volumes: [{ name: 'config', configMap: { name: 'coredns' } }] },
      });
      const file = cluster.configMap('kube-system/coredns', {
        Corefile: '.:53 { forward . /etc/resolv.conf }\nhq.example:53 { forward . 10.20.0.53 }',
      });
      cluster.object(dnsAt('10.96.0.10'));
      cluster.deployment('shop/catalog', {
        replicas: 2,
        image: imageAt('catalog', 3),
        values: { DB: 'postgres.shop.svc:5432' },
      });
      cluster.at('6s', () =>
        file.edit({ Corefile: '.:53 { forward . /etc/resolv.conf }\nhq.example:53 { forward . 10.20.9.53 }' }),
      );
      const clients = dependants(cluster, '16s', {
        'finance/booking': {
          does: ends(['dial tcp: lookup sap.hq.example on 10.96.0.10:53: server misbehaving']),
          values: { SAP_HOST: 'sap.hq.example:3300' },
        },
        'hr/badges': {
          does: unready(["socket.gaierror: [Errno -3] Temporary failure in name resolution: 'ldap.hq.example'"]),
          values: { LDAP_HOST: 'ldap.hq.example:636' },
        },
      });
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'ConfigMap/kube-system/coredns',
        accepts: ['Deployment/kube-system/coredns'],
        messages: { resolve: 0 },
        mustNotBlame: [...clients, 'Deployment/shop/catalog'],
      });
    },
  ),
};
