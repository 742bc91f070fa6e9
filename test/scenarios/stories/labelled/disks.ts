import type { Ref } from '../../../../src/model/ref.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const image = (name: string): string => `registry.acme.example/${name}`;
/** Each member has a claim of its own. */
const claimEach = (storageClassName: string, storage = '10Gi'): object => ({
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: { storageClassName, accessModes: ['ReadWriteOnce'], resources: { requests: { storage } } },
    },
  ],
});
/** A volume that a claim of a member is bound to. */
const bound = (namespace: string, name: string, storageClassName: string, spec: object = {}) =>
  volume(`pv-${name}`, storageClassName, {
    capacity: { storage: '10Gi' },
    claimRef: { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name },
    ...spec,
  });

/** A driver whose volumes need not be attached. */
const csiDriver = (name: string) => ({
  ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name } },
  spec: { attachRequired: false },
});

/** Volumes, their claims, classes and drivers. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/faq.md
  'driver-has-lost-its-credentials': scenario(
    'The controller of the storage driver has lost its credentials: two databases that grow get no new volumes',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      cluster.object(csiDriver('ebs.csi.aws.com'));
      cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
      const driver = cluster.deployment('kube-system/ebs-csi-controller', {
        replicas: 2,
        image: image('aws-ebs-csi-driver:1.35'),
        probe: false,
        spec: { strategy: { type: 'Recreate' } },
      });
      const names = ['ratings', 'sessions'];
      const all = names.map((name) => {
        cluster.object(
          bound('shop', `data-${name}-0`, 'gp3', { csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` } }),
        );
        return cluster.statefulSet(`shop/${name}`, { image: image(`${name}-db:1`), spec: claimEach('gp3') });
      });
      cluster.image(
        image('aws-ebs-csi-driver:1.36'),
        ends([
          'I1102 09:01:12.004 main.go:154] "Initializing metadata"',
          'E1102 09:01:14.118 main.go:201] "Failed to get credentials" err="operation error STS: AssumeRoleWithWebIdentity, https response error StatusCode: 403, api error AccessDenied: Not authorized to perform sts:AssumeRoleWithWebIdentity"',
        ]),
      );
      cluster.at('4s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('8s', () => driver.setImage(image('aws-ebs-csi-driver:1.36')));
      cluster.at('25s', () => {
        for (const workload of all) workload.scale(2);
      });
      cluster.lasts('2m40s');
      cluster.expectIncident({
        root: 'Deployment/kube-system/ebs-csi-controller',
        mustNotBlame: names.map((name): Ref => `StatefulSet/shop/${name}`),
      });
    },
  ),
  // https://www.rack2cloud.com/kubernetes-pvc-stuck-volume-node-affinity
  'disk-stays-in-the-other-zone': scenario(
    'The only machine of a zone is removed; the database that lived there has its disk there and can run nowhere else',
    (cluster) => {
      cluster.nodes(
        ['a', 'b', 'c'].map((letter) => ({
          name: `m-${letter}`,
          labels: { 'topology.kubernetes.io/zone': `eu-west-1${letter}` },
        })),
      );
      surroundings(cluster);
      cluster.object(csiDriver('disk.csi.example'));
      cluster.object(storageClass('zonal'));
      const nodeSelectorTerms = [
        { matchExpressions: [{ key: 'topology.kubernetes.io/zone', operator: 'In', values: ['eu-west-1b'] }] },
      ];
      cluster.object(bound('data', 'data-orders-db-0', 'zonal', { nodeAffinity: { required: { nodeSelectorTerms } } }));
      cluster.statefulSet('data/orders-db', { image: image('postgres:16'), spec: claimEach('zonal') });
      cluster.service('data/orders-db', {
        ports: [{ name: 'postgres', port: 5432, targetPort: 5432, protocol: 'TCP' }],
      });
      cluster.at('10s', () => cluster.node('m-b').drain());
      cluster.at('18s', () => cluster.node('m-b').remove());
      cluster.lasts('2m20s');
      cluster.expectIncident({
        root: 'StatefulSet/data/orders-db',
        accepts: ['PersistentVolumeClaim/data/data-orders-db-0', 'PersistentVolume//pv-data-orders-db-0', 'Node//m-b'],
        mustNotBlame: ['Node//m-a', 'Node//m-c'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#expanding-persistent-volumes-claims
  'volume-does-not-grow': scenario(
    'A full volume is to grow, the driver cannot do it, and the database on it ends',
    (cluster) => {
      surroundings(cluster);
      cluster.object(storageClass('block', { allowVolumeExpansion: true }));
      cluster.object(volume('pv-events', 'block', { capacity: { storage: '1Gi' } }));
      const data = cluster.object(claim('events/clickhouse-data', 'block', { volumeName: 'pv-events' }));
      cluster.deployment('events/clickhouse', { image: image('clickhouse:24.8'), pod: mounts('clickhouse-data') });
      cluster.service('events/clickhouse', {
        ports: [{ name: 'http', port: 8123, targetPort: 8123, protocol: 'TCP' }],
      });
      cluster.deployment('events/collector', {
        replicas: 2,
        image: image('collector:1'),
        values: { CLICKHOUSE: 'clickhouse.events.svc:8123' },
      });
      cluster.at('8s', () => data.patch({ spec: { resources: { requests: { storage: '2Gi' } } } }));
      cluster.at('12s', () =>
        cluster.event({
          about: 'PersistentVolumeClaim/events/clickhouse-data',
          reason: 'VolumeResizeFailed',
          message:
            'resize volume "pv-events" by resizer "disk.csi.example" failed: rpc error: code = ResourceExhausted desc = volume group vg0 has insufficient free space (0 extents): 256 required',
          by: 'external-resizer disk.csi.example',
        }),
      );
      cluster.at('20s', () =>
        cluster.befall(
          image('clickhouse:24.8'),
          ends(
            [
              '<Error> Application: DB::Exception: Cannot reserve 1.00 MiB, not enough space: While executing. (NOT_ENOUGH_SPACE)',
              '<Error> std::exception. Code: 1001, e.what() = write: No space left on device, path: /var/lib/clickhouse',
            ],
            233,
            4,
          ),
        ),
      );
      cluster.at('34s', () =>
        cluster.befall(
          image('collector:1'),
          ends(
            ['level=fatal err="dial tcp: connect to clickhouse.events.svc:8123: connect: connection refused"'],
            1,
            5,
          ),
        ),
      );
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/events/clickhouse-data',
        accepts: ['PersistentVolume//pv-events', 'Deployment/events/clickhouse'],
        mustNotBlame: ['Deployment/events/collector'],
      });
    },
  ),
  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#storage-object-in-use-protection
  'claim-deleted-while-in-use': scenario(
    'A claim is deleted while its Pod runs; at the next release the Pod cannot come back',
    (cluster) => {
      const { wiki } = surroundings(cluster);
      cluster.object(csiDriver('disk.csi.example'));
      cluster.object(storageClass('standard'));
      cluster.object(volume('pv-uploads', 'standard'));
      const data = cluster.object(claim('media/uploads', 'standard', { volumeName: 'pv-uploads' }));
      const files = cluster.deployment('media/files', {
        image: image('files:3'),
        pod: mounts('uploads'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('media/files');
      cluster.at('5s', () => wiki.restart());
      cluster.at('10s', () => data.delete());
      cluster.at('22s', () => files.setImage(image('files:4')));
      cluster.lasts('2m20s');
      cluster.expectIncident({ root: 'PersistentVolumeClaim/media/uploads', mustNotBlame: ['Deployment/media/files'] });
    },
  ),
  // https://github.com/rook/rook/issues/4183
  'driver-of-the-machines-is-gone': scenario(
    'The storage driver on the machines crashes after its release; whoever moves cannot mount its volume',
    (cluster) => {
      surroundings(cluster);
      const name = 'rook-ceph.rbd.csi.ceph.com';
      cluster.object(csiDriver(name));
      cluster.object(storageClass('rook-ceph-block', { provisioner: name }));
      const plugin = cluster.daemonSet('rook-ceph/csi-rbdplugin', {
        image: image('cephcsi:3.12'),
        probe: false,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      const names = ['gitea', 'nexus'];
      const all = names.map((workload) => {
        cluster.object(
          bound('dev', `${workload}-data`, 'rook-ceph-block', {
            csi: { driver: name, volumeHandle: `0001-${workload}` },
          }),
        );
        cluster.object(
          claim(`dev/${workload}-data`, 'rook-ceph-block', {
            volumeName: `pv-${workload}-data`,
            resources: { requests: { storage: '10Gi' } },
          }),
        );
        return cluster.deployment(`dev/${workload}`, {
          image: image(`${workload}:1`),
          pod: mounts(`${workload}-data`),
          spec: { strategy: { type: 'Recreate' } },
        });
      });
      cluster.image(
        image('cephcsi:3.13'),
        ends(
          [
            'E1102 08:30:01.710 driver.go:118] failed to write ceph configuration file (open /etc/ceph/ceph.conf: read-only file system)',
          ],
          1,
          1,
        ),
      );
      cluster.at('10s', () => plugin.setImage(image('cephcsi:3.13')));
      cluster.at('25s', () => {
        for (const [index, workload] of names.entries()) {
          cluster.image(image(`${workload}:2`), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "pv-${workload}-data" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name ${name} not found in the list of registered CSI drivers`,
            },
          });
          all[index]?.setImage(image(`${workload}:2`));
        }
      });
      cluster.lasts('2m40s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'DaemonSet/rook-ceph/csi-rbdplugin',
        accepts: [`CSIDriver//${name}`],
        mustNotBlame: [...names.map((workload): Ref => `Deployment/dev/${workload}`), 'Node//n1'],
      });
    },
  ),
  // https://secrets-store-csi-driver.sigs.k8s.io/troubleshooting
  'provider-class-of-secrets-missing': scenario(
    'Two releases mount a class of secrets that nobody has applied',
    (cluster) => {
      const { storefront } = surroundings(cluster);
      const names = ['issuing', 'clearing'];
      const all = names.map((name) => cluster.deployment(`cards/${name}`, { replicas: 2, image: image(`${name}:1`) }));
      const csi = {
        driver: 'secrets-store.csi.k8s.io',
        readOnly: true,
        volumeAttributes: { secretProviderClass: 'hsm-keys' },
      };
      for (const name of names)
        cluster.image(image(`${name}:2`), {
          heldUp: {
            reason: 'FailedMount',
            message:
              'MountVolume.SetUp failed for volume "keys" : rpc error: code = Unknown desc = failed to get secretproviderclass cards/hsm-keys, error: SecretProviderClass.secrets-store.csi.x-k8s.io "hsm-keys" not found',
          },
        });
      cluster.at('5s', () => storefront.setImage(image('storefront:5.2')));
      cluster.at('12s', () => {
        for (const [index, name] of names.entries())
          all[index]?.change({ image: image(`${name}:2`), pod: { volumes: [{ name: 'keys', csi }] } });
      });
      cluster.lasts('2m20s');
      cluster.recordedFrom('sandbox');
      cluster.expectIncident({
        root: 'SecretProviderClass.secrets-store.csi.x-k8s.io/cards/hsm-keys',
        accepts: ['SecretProviderClass/cards/hsm-keys'],
        mustNotBlame: ['Deployment/web/storefront', 'Node//n1'],
      });
    },
  ),
};
