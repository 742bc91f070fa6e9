import { imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, disks, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

/** Volumes. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/longhorn/longhorn/issues/1210, https://github.com/longhorn/longhorn/issues/1819: an update of the systems brought it.
  'multipath-takes-every-new-disk': reported(
    'An update of all machines starts multipathd, which takes the disks of Longhorn; two databases that are rolled out cannot mount theirs',
    (cluster, firm) => {
      const spec = disks(cluster, 'longhorn', 'driver.longhorn.io');
      cluster.daemonSet('longhorn-system/longhorn-csi-plugin', {
        image: 'docker.io/longhornio/longhorn-manager:v1.6.2',
      });
      const places = ['docs/confluence-db', 'code/gitlab-db'];
      const handles = places.map((place) => cluster.statefulSet(place, { image: imageOf(place), spec }));
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.MountDevice failed for volume "pvc-8ffdf006-f66c-4b1e-8c52-bc3641a3d96c" : rpc error: code = Internal desc = mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t ext4 -o defaults /dev/longhorn/pvc-8ffdf006-f66c-4b1e-8c52-bc3641a3d96c /var/lib/kubelet/plugins/kubernetes.io/csi/driver.longhorn.io/globalmount\nOutput: mount: /var/lib/kubelet/plugins/kubernetes.io/csi/driver.longhorn.io/globalmount: /dev/longhorn/pvc-8ffdf006-f66c-4b1e-8c52-bc3641a3d96c already mounted or mount point busy.',
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'CSIDriver//driver.longhorn.io',
        accepts: ['StorageClass//longhorn', 'DaemonSet/longhorn-system/longhorn-csi-plugin'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          'StatefulSet/docs/confluence-db',
          'StatefulSet/code/gitlab-db',
          'Deployment/logistics/tracking',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/rook/rook/issues/4896, https://github.com/rook/rook/issues/6280: without a monitor no volume is mounted.
  'monitor-of-the-storage-is-gone': reported(
    'The monitor of a small Ceph cannot read its store; two workloads that are moved cannot mount their volumes',
    (cluster) => {
      const driver = 'rook-ceph.cephfs.csi.ceph.com';
      disks(cluster, 'rook-cephfs', driver);
      const image = 'quay.io/ceph/ceph:v18.2.4';
      cluster.deployment('rook-ceph/rook-ceph-mon-a', { image });
      cluster.service('rook-ceph/rook-ceph-mon-a', {
        ports: [{ name: 'msgr2', port: 3300, targetPort: 3300, protocol: 'TCP' }],
      });
      cluster.daemonSet('rook-ceph/csi-cephfsplugin', { image: 'quay.io/cephcsi/cephcsi:v3.12.2', probe: false });
      const places = ['studio/assets', 'studio/renders'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'rook-cephfs', { accessModes: ['ReadWriteMany'], csi: { driver, volumeHandle: name } }),
        );
        cluster.object(claim(place, 'rook-cephfs', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        const pod = mounts(place.split('/')[1] ?? '');
        return cluster.deployment(place, { replicas: 2, image: imageOf(place), pod });
      });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'debug 2026-11-23T09:36:12.118+0000 7f1c5d9b8d40  4 rocksdb: Corruption: missing start of fragmented record(2)',
              "debug 2026-11-23T09:36:12.121+0000 7f1c5d9b8d40 -1 rocksdb: Corruption: Can't access /000017.sst: IO error: No such file or directory",
              "debug 2026-11-23T09:36:12.122+0000 7f1c5d9b8d40 -1 error opening mon data directory at '/var/lib/ceph/mon/ceph-a': (22) Invalid argument",
            ],
            1,
            4,
          ),
        ),
      );
      cluster.at(after(75), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "${place.replace('/', '-')}" : rpc error: code = Aborted desc = an operation with the given Volume ID 0001-0009-rook-ceph-0000000000000001-9f8bd31a-f9bc-11ea-812a-7e5e86ceb1e5 already exists`,
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Deployment/rook-ceph/rook-ceph-mon-a',
        accepts: [`CSIDriver//${driver}`, 'StorageClass//rook-cephfs'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Deployment/studio/assets', 'Deployment/studio/renders', 'DaemonSet/rook-ceph/csi-cephfsplugin'],
      });
    },
  ),

  // https://github.com/Azure/AKS/issues/714, https://github.com/kubernetes-sigs/azurefile-csi-driver/issues/802
  'key-of-a-share-was-rotated-elsewhere': reported(
    'The key of a storage account is rotated in the cloud, and the Secret in the cluster keeps the old one: two workloads cannot mount their share again',
    (cluster) => {
      const driver = 'file.csi.azure.com';
      disks(cluster, 'azurefile-csi', driver);
      cluster.secret('papers/azure-storage-account', {
        azurestorageaccountname: 'paperstore',
        azurestorageaccountkey: 'one',
      });
      const share = '//paperstore.file.core.windows.net/scans';
      cluster.object(
        volume('papers-scans', 'azurefile-csi', {
          accessModes: ['ReadWriteMany'],
          csi: {
            ...{ driver, volumeHandle: 'paperstore#scans', volumeAttributes: { shareName: 'scans' } },
            nodeStageSecretRef: { name: 'azure-storage-account', namespace: 'papers' },
          },
        }),
      );
      cluster.object(
        claim('papers/scans', 'azurefile-csi', { volumeName: 'papers-scans', accessModes: ['ReadWriteMany'] }),
      );
      const names = ['intake', 'viewer'];
      const handles = names.map((name) => {
        cluster.service(`papers/${name}`);
        return cluster.deployment(`papers/${name}`, { replicas: 2, image: imageAt(name, 3), pod: mounts('scans') });
      });
      cluster.at(after(0), () => {
        for (const name of names)
          cluster.image(imageAt(name, 3), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "papers-scans" : rpc error: code = Internal desc = volume(paperstore#scans) mount ${share} on /var/lib/kubelet/plugins/kubernetes.io/csi/${driver}/globalmount failed with mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t cifs -o mfsymlinks,actimeo=30,nosharesock,file_mode=0777,dir_mode=0777,<masked> ${share}\nOutput: mount error(13): Permission denied\nRefer to the mount.cifs(8) manual page (e.g. man mount.cifs) and kernel log messages (dmesg)`,
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'Secret/papers/azure-storage-account',
        accepts: [
          'ExternalEndpoint//paperstore.file.core.windows.net',
          'ExternalEndpoint//paperstore.file.core.windows.net:445',
          'PersistentVolume//papers-scans',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: ['Deployment/papers/intake', 'Deployment/papers/viewer', 'Node//n1', 'Node//n2', 'Node//n3'],
      });
    },
  ),
};
