import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';
import { storageClass, volume } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;

/** What has members with names, memory limits, certificates. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/tutorials/stateful-application/zookeeper/
  'last-member-does-not-come-back': scenario(
    'The release of an ensemble begins with its last member, which does not come back; the others stay as they are',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      const ensemble = cluster.statefulSet('coord/zookeeper', { replicas: 3, image: image('zookeeper:3.8') });
      cluster.service('coord/zookeeper', {
        clusterIP: 'None',
        ports: [{ name: 'client', port: 2181, targetPort: 2181, protocol: 'TCP' }],
      });
      cluster.deployment('coord/registry', {
        replicas: 2,
        image: image('registry-api:1'),
        values: { ZK: 'zookeeper.coord.svc:2181' },
      });
      cluster.image(
        image('zookeeper:3.9'),
        ends(
          [
            'ERROR [main:o.a.z.s.q.QuorumPeerMain@99] - Invalid config, exiting abnormally',
            'org.apache.zookeeper.server.quorum.QuorumPeerConfig$ConfigException: Error processing /conf/zoo.cfg',
            'Caused by: java.lang.IllegalArgumentException: myid file is missing',
          ],
          2,
          2,
        ),
      );
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('10s', () => ensemble.setImage(image('zookeeper:3.9')));
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/coord/zookeeper',
        mustNotBlame: ['Deployment/coord/registry', 'Deployment/office/wiki'],
      });
    },
  ),
  // https://etcd.io/docs/v3.5/op-guide/runtime-configuration/
  'member-with-an-empty-disk': scenario(
    'A member of an etcd cluster starts with an empty disk and is refused by the others; these go on',
    (cluster) => {
      surroundings(cluster);
      cluster.statefulSet('apisix/etcd', { replicas: 3, image: image('etcd:3.5') });
      cluster.service('apisix/etcd', {
        clusterIP: 'None',
        ports: [{ name: 'client', port: 2379, targetPort: 2379, protocol: 'TCP' }],
      });
      cluster.deployment('apisix/gateway', { replicas: 2, image: image('apisix:3') });
      cluster.at('12s', () =>
        cluster.befall(image('etcd:3.5'), (pod) =>
          pod.metadata.name === 'etcd-1'
            ? {
                exit: { afterSeconds: 2, code: 1 },
                readyAfterSeconds: 'never',
                log: [
                  '{"level":"warn","msg":"failed to publish local member to cluster through raft","error":"etcdserver: request timed out"}',
                  '{"level":"fatal","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"member 8211f1d0f64f3269 has already been bootstrapped"}',
                ],
              }
            : {},
        ),
      );
      cluster.lasts('2m10s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'StatefulSet/apisix/etcd',
        accepts: ['Pod/apisix/etcd-1'],
        mustNotBlame: ['Deployment/apisix/gateway', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/policy/resource-quotas/#storage-resource-quota
  'no-more-storage-for-the-team': scenario(
    'The team has used up its quota of storage: a database that grows gets no claim for its new member',
    (cluster) => {
      surroundings(cluster);
      cluster.object(storageClass('standard', { provisioner: 'kubernetes.io/no-provisioner' }));
      cluster.object(
        volume('pv-0', 'standard', {
          capacity: { storage: '10Gi' },
          claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace: 'iot', name: 'data-influx-0' },
        }),
      );
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.csi.example' } },
        spec: { attachRequired: false },
      });
      cluster.quota('iot/storage', { 'requests.storage': '15Gi', persistentvolumeclaims: '4' });
      const influx = cluster.statefulSet('iot/influx', {
        image: image('influxdb:2.7'),
        spec: {
          volumeClaimTemplates: [
            {
              metadata: { name: 'data' },
              spec: {
                storageClassName: 'standard',
                accessModes: ['ReadWriteOnce'],
                resources: { requests: { storage: '10Gi' } },
              },
            },
          ],
        },
      });
      cluster.service('iot/influx');
      cluster.at('12s', () => influx.scale(2));
      cluster.lasts('2m15s');
      cluster.expectIncident({
        root: 'ResourceQuota/iot/storage',
        beginsAfterSeconds: 12,
        accepts: ['StatefulSet/iot/influx'],
        mustNotBlame: ['StorageClass//standard'],
      });
    },
  ),
  // https://kubernetes.io/docs/tasks/configure-pod-container/assign-memory-resource/
  'cache-in-the-process-grows': scenario(
    'A release caches without bounds: each Pod serves for a while and is killed for its memory, and its callers see errors',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const profile = cluster.deployment('social/profile', {
        replicas: 2,
        image: image('profile:20'),
        memory: '300Mi',
      });
      cluster.service('social/profile');
      for (const name of ['timeline', 'friends'])
        cluster.deployment(`social/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { PROFILE: 'http://profile.social.svc' },
        });
      cluster.image(image('profile:21'), {
        exit: { afterSeconds: 9, code: 137, oom: true },
        log: [
          'Server listening on 0.0.0.0:8080',
          '<--- Last few GCs --->',
          'Mark-Compact 291.2 (305.1) -> 290.8 (305.6) MB, allocation failure',
        ],
      });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => profile.setImage(image('profile:21')));
      cluster.at('50s', () => {
        for (const name of ['timeline', 'friends'])
          cluster.befall(image(`${name}:1`), {
            readyAfterSeconds: 'never',
            log: [
              '{"level":50,"msg":"upstream request failed","url":"http://profile.social.svc/v1/me","err":"connect ECONNREFUSED profile.social.svc:80"}',
            ],
          });
      });
      cluster.lasts('3m');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/social/profile',
        mustNotBlame: ['Deployment/social/timeline', 'Deployment/social/friends', 'Deployment/web/storefront'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/configuration/manage-resources-containers/
  'limits-halved-by-hand': scenario(
    'Somebody halves the memory of a workload by hand to save money; it does not get through its start',
    (cluster) => {
      surroundings(cluster);
      const solr = cluster.deployment('search/solr', { replicas: 2, image: image('solr:9'), memory: '1Gi' });
      cluster.service('search/solr', { ports: [{ name: 'http', port: 8983, targetPort: 8983, protocol: 'TCP' }] });
      cluster.at('10s', () => {
        cluster.image(image('solr:9'), (pod) =>
          JSON.stringify(pod.spec.containers).includes('512Mi')
            ? {
                exit: { afterSeconds: 6, code: 137, oom: true },
                readyAfterSeconds: 'never',
                log: ['INFO  - 2026-11-02 10:10:02.112; o.a.s.c.CorePropertiesLocator; Found 9 core definitions'],
              }
            : {},
        );
        solr.change({ memory: '512Mi' });
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({ root: 'Deployment/search/solr', mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'] });
    },
  ),
  // https://cert-manager.io/docs/troubleshooting/
  'certificate-between-services-expired': scenario(
    'The certificate by which a service shows who it is has expired; it runs on, and nobody trusts it',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      cluster.secret('pay/vault-proxy-tls', { 'tls.crt': 'x', 'tls.key': 'y' });
      cluster.deployment('pay/tokens', {
        replicas: 2,
        image: image('tokens:3'),
        pod: { volumes: [{ name: 'tls', secret: { secretName: 'vault-proxy-tls' } }] },
        container: { volumeMounts: [{ name: 'tls', mountPath: '/tls' }] },
      });
      cluster.service('pay/tokens', { ports: [{ name: 'https', port: 8443, targetPort: 8080, protocol: 'TCP' }] });
      const names = ['checkout', 'refunds'];
      for (const name of names)
        cluster.deployment(`pay/${name}`, {
          replicas: 2,
          image: image(`${name}:1`),
          values: { TOKENS: 'https://tokens.pay.svc:8443' },
        });
      cluster.at('5s', () => wiki.setImage(image('wiki:4.0')));
      cluster.at('15s', () => {
        cluster.befall(image('checkout:1'), {
          readyAfterSeconds: 'never',
          log: [
            'level=error msg="tokens" err="Post \\"https://tokens.pay.svc:8443/v1/token\\": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: current time 2026-11-02T10:00:15Z is after 2026-11-02T10:00:00Z"',
          ],
        });
        cluster.befall(
          image('refunds:1'),
          ends(
            ['Error: certificate has expired: https://tokens.pay.svc:8443/v1/token', "  code: 'CERT_HAS_EXPIRED'"],
            1,
            6,
          ),
        );
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'Deployment/pay/tokens',
        accepts: ['Service/pay/tokens', 'Secret/pay/vault-proxy-tls'],
        mustNotBlame: ['Deployment/pay/checkout', 'Deployment/pay/refunds', 'Deployment/office/wiki'],
      });
    },
  ),
};
