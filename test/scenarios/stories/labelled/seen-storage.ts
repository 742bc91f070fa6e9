import { condition, custom, define, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, claimOf, clients, disks, killed, recover, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

/** Storage that several workloads share without knowing of each other. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes/kubernetes/issues/75918, https://github.com/reanahub/reana/issues/924
  'file-server-forgets-its-handles': reported(
    'The NFS server of the cluster moves and serves again; three workloads that had its shares mounted hold handles it does not know',
    (cluster) => {
      const image = 'registry.k8s.io/sig-storage/nfs-provisioner:v4.0.8';
      const nfs = server(cluster, 'nfs/nfs-server', image, 2049, { clusterIP: '10.96.192.199' });
      const does = {
        'media/gallery': unready(["[error] Error: ESTALE: stale file handle, scandir '/data/albums'"]),
        'media/encoder': ends([
          'Traceback (most recent call last):',
          "OSError: [Errno 116] Stale file handle: '/data/queue'",
        ]),
        'science/jobs': unready([
          '2026-11-23 09:32:11.310 ERROR c.a.j.Workspace - cannot list /data/runs',
          'java.nio.file.FileSystemException: /data/runs: Stale file handle',
        ]),
      };
      for (const place of Object.keys(does)) {
        const name = place.replace('/', '-');
        const nfsVolume = {
          csi: undefined,
          accessModes: ['ReadWriteMany'],
          nfs: { server: '10.96.192.199', path: `/export/${name}` },
        };
        cluster.object(volume(name, 'nfs', nfsVolume));
        cluster.object(claim(place, 'nfs', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        cluster.deployment(place, { replicas: 2, image: imageOf(place), pod: mounts(place.split('/')[1] ?? '') });
      }
      cluster.at(after(0), () => nfs.restart());
      Object.entries(does).forEach(([place, behaviour], index) => {
        cluster.at(after(10 + 4 * index), () => cluster.befall(imageOf(place), behaviour));
      });
      cluster.expectIncident({
        root: 'StatefulSet/nfs/nfs-server',
        accepts: ['Service/nfs/nfs-server'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/media/gallery', 'Deployment/media/encoder', 'Deployment/science/jobs', 'Node//n1'],
      });
    },
  ),

  // https://docs.ceph.com/en/latest/rados/troubleshooting/troubleshooting-osd/#no-free-drive-space: full stores take no write.
  'store-of-the-volumes-is-full': reported(
    'The stores below all volumes of Ceph are full, though no volume is; databases of three teams on several machines cannot write',
    (cluster, firm) => {
      cluster.pro();
      define(cluster, 'ceph.rook.io/v1', ['CephCluster']);
      const ceph = custom(cluster, 'ceph.rook.io/v1', 'CephCluster', 'rook-ceph/rook-ceph', {});
      ceph.status({
        phase: 'Ready',
        ceph: { health: 'HEALTH_OK' },
        ...condition('Ready', 'True', 'ClusterCreated', 'Cluster created successfully'),
      });
      const spec = disks(cluster, 'rook-ceph-block', 'rook-ceph.rbd.csi.ceph.com');
      for (const id of [0, 1, 2])
        cluster.deployment(`rook-ceph/rook-ceph-osd-${id}`, { image: 'quay.io/ceph/ceph:v18.2.2' });
      const does = {
        'orders/postgres': ends(
          [
            'PANIC:  could not write to file "pg_wal/xlogtemp.29": No space left on device',
            'LOG:  database system is shut down',
          ],
          1,
          12,
        ),
        'events/kafka': ends(
          [
            '[2026-11-23 09:31:40,118] ERROR Error while writing to checkpoint file /var/lib/kafka/data/replication-offset-checkpoint (org.apache.kafka.storage.internals.log.LogDirFailureChannel)',
            'java.io.IOException: Input/output error',
          ],
          1,
          9,
        ),
        'metrics/prometheus': unready(
          [
            'ts=2026-11-23T09:31:44.101Z caller=db.go:1011 level=error component=tsdb msg="compaction failed" err="preallocate: no space left on device"',
          ],
          'HTTP probe failed with statuscode: 503',
        ),
      };
      for (const place of Object.keys(does)) cluster.statefulSet(place, { replicas: 2, image: imageOf(place), spec });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () =>
        ceph.status({
          ceph: { health: 'HEALTH_ERR', details: { OSD_FULL: { message: '3 full osd(s)', severity: 'HEALTH_ERR' } } },
        }),
      );
      Object.entries(does).forEach(([place, behaviour], index) => {
        cluster.at(after(8 + 5 * index), () => cluster.befall(imageOf(place), behaviour));
      });
      cluster.expectIncident({
        root: 'CephCluster.ceph.rook.io/rook-ceph/rook-ceph',
        accepts: ['StorageClass//rook-ceph-block', 'CSIDriver//rook-ceph.rbd.csi.ceph.com'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'StatefulSet/orders/postgres',
          'StatefulSet/events/kafka',
          'StatefulSet/metrics/prometheus',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/longhorn/longhorn/issues/7629: all engines of a machine are in one process.
  'engines-of-one-machine-are-killed': reported(
    'The Pod that runs all engines of Longhorn on a machine is killed for its memory; two databases there lose their disks, others do not',
    (cluster) => {
      const spec = disks(cluster, 'longhorn', 'driver.longhorn.io');
      const image = 'docker.io/longhornio/longhorn-instance-manager:v1.7.1';
      cluster.daemonSet('longhorn-system/longhorn-manager', { image: 'docker.io/longhornio/longhorn-manager:v1.7.1' });
      const engines = cluster.daemonSet('longhorn-system/instance-manager', { image, memory: '512Mi' });
      void engines;
      const on = (name: string) => ({ nodeSelector: { 'kubernetes.io/hostname': name } });
      cluster.statefulSet('chat/matrix-db', { image: imageOf('chat/matrix-db'), ...on('n2'), spec });
      cluster.statefulSet('git/forgejo-db', { image: imageOf('git/forgejo-db'), ...on('n2'), spec });
      cluster.statefulSet('home/assistant-db', {
        image: imageOf('home/assistant-db'),
        ...on('n1'),
        spec: claimOf('longhorn'),
      });
      const kill = killed(
        [
          '[longhorn-instance-manager] time="2026-11-23T09:31:10Z" level=info msg="Process Manager: started new process"',
        ],
        40,
      );
      cluster.at(after(0), () =>
        cluster.befall(image, (pod) => (pod.spec.nodeName === 'n2' && typeof kill !== 'function' ? kill : {})),
      );
      cluster.at(after(42), () => {
        cluster.befall(
          imageOf('chat/matrix-db'),
          ends(['PANIC:  could not fdatasync file "000000010000000A000000C4": Input/output error'], 134, 15),
        );
        cluster.befall(
          imageOf('git/forgejo-db'),
          ends(
            [
              '[ERROR] InnoDB: Operating system error number 30 in a file operation.',
              "[ERROR] InnoDB: Error number 30 means 'Read-only file system'",
            ],
            1,
            11,
          ),
        );
      });
      cluster.expectIncident({
        root: 'DaemonSet/longhorn-system/instance-manager',
        accepts: ['Node//n2'],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/chat/matrix-db', 'StatefulSet/git/forgejo-db', 'StatefulSet/home/assistant-db'],
      });
    },
  ),

  // https://github.com/aws/efs-utils/issues/90: the name of the file system is known nowhere.
  'file-systems-of-a-driver-have-no-name': reported(
    'The zone with the names of the file systems is gone; what three teams roll out on several machines cannot mount, and the driver is well',
    (cluster, firm) => {
      const driver = 'efs.csi.aws.com';
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: driver },
        spec: { attachRequired: false },
      });
      cluster.object(storageClass('efs-sc', { provisioner: driver }));
      cluster.daemonSet('kube-system/efs-csi-node', {
        image: 'public.ecr.aws/efs-csi-driver/amazon/aws-efs-csi-driver:v2.0.4',
      });
      const places = ['docs/vault', 'docs/renderer', 'archive/importer'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        const csi = { driver, volumeHandle: 'fs-0f2c1f9a1d7f1a3c5' };
        cluster.object(volume(name, 'efs-sc', { csi, accessModes: ['ReadWriteMany'] }));
        cluster.object(claim(place, 'efs-sc', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      innocentRelease(cluster, after(-60), firm);
      places.forEach((place, index) => {
        cluster.at(after(4 * index), () => {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${place.replace('/', '-')}" : rpc error: code = Internal desc = Could not mount "fs-0f2c1f9a1d7f1a3c5:/" at "/var/lib/kubelet/pods/1b7b0c4e-6b60/volumes/kubernetes.io~csi/${place.replace('/', '-')}/mount": mount failed: exit status 1\nMounting command: mount\nMounting arguments: -t efs -o tls fs-0f2c1f9a1d7f1a3c5:/ /var/lib/kubelet/pods/1b7b0c4e-6b60/volumes/kubernetes.io~csi/${place.replace('/', '-')}/mount\nOutput: Failed to resolve "fs-0f2c1f9a1d7f1a3c5.efs.eu-central-1.amazonaws.com" - check that your file system ID is correct, and ensure that the VPC has an EFS mount target for this file system ID.`,
            },
          });
          handles[index]?.restart();
        });
      });
      cluster.expectIncident({
        root: 'CSIDriver//efs.csi.aws.com',
        accepts: [
          'StorageClass//efs-sc',
          'DaemonSet/kube-system/efs-csi-node',
          'ExternalEndpoint//fs-0f2c1f9a1d7f1a3c5.efs.eu-central-1.amazonaws.com',
        ],
        messages: { update: '≤2', resolve: 0 },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['Deployment/docs/vault', 'Deployment/docs/renderer', 'Deployment/archive/importer', 'Node//n1'],
      });
    },
  ),

  // The codes are those of MinIO's table of errors, cmd/api-errors.go: it serves and refuses to write.
  'object-store-answers-without-quorum': reported(
    'An object store is released and answers all writes with an error, while it is ready; an archive, a registry and a backup say so in their words',
    (cluster) => {
      const image = 'quay.io/minio/minio';
      const store = server(cluster, 'store/minio', `${image}:RELEASE.2024-05-10T01-41-38Z`, 9000, { replicas: 4 });
      cluster.at(after(0), () => store.setImage(`${image}:RELEASE.2025-02-03T21-03-04Z`));
      const places = {
        'logs/loki': {
          does: unready([
            'level=error ts=2026-11-23T09:33:01.118Z caller=flush.go:178 component=ingester msg="failed to flush" err="failed to flush chunks: store put chunk: XMinioStorageFull: Storage backend has reached its minimum free drive threshold. Please delete a few objects to proceed."',
          ]),
          values: { S3_ENDPOINT: 'minio.store.svc.cluster.local:9000' },
        },
        'ci/registry': {
          does: ends([
            'time="2026-11-23T09:33:04Z" level=fatal msg="s3aws: SlowDownWrite: Resource requested is unwritable, please reduce your request rate\\n\\tstatus code: 503, request id: 17D3A1"',
          ]),
          values: { REGISTRY_STORAGE_S3_REGIONENDPOINT: 'http://minio.store.svc.cluster.local:9000' },
        },
        'crm/attachments': {
          does: unready([
            'software.amazon.awssdk.services.s3.model.S3Exception: We encountered an internal error, please try again. (Service: S3, Status Code: 500, Request ID: 17D3A22)',
          ]),
          values: { STORAGE_URL: 'http://minio.store:9000' },
        },
      };
      const innocents = clients(cluster, 45, places);
      recover(cluster, 1200, ...Object.keys(places));
      cluster.expectIncident({
        root: 'StatefulSet/store/minio',
        accepts: ['Service/store/minio'],
        messages: { update: '≤2', resolve: '≤1' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: innocents,
      });
    },
  ),
};
