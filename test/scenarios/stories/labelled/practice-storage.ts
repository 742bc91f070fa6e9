import { company, imageAt, innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const template = (storageClassName?: string): object => ({
  volumeClaimTemplates: [
    {
      metadata: { name: 'data' },
      spec: {
        ...(storageClassName && { storageClassName }),
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '5Gi' } },
      },
    },
  ],
});

/** Disks, claims and the drivers that bring them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/storage/volumes/#local, https://github.com/kubernetes/kubernetes/issues/81020
  'local-disk-of-a-machine-that-is-gone': scenario(
    'A machine is taken out of the cluster for good, and a database finds its local disk on no other',
    (cluster) => {
      company(cluster);
      const nodeAffinity = {
        required: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['n3'] }] },
          ],
        },
      };
      cluster.object(volume('disk-n3', 'local', { csi: undefined, local: { path: '/mnt/disk1' }, nodeAffinity }));
      cluster.object(claim('erp/ledger-db', 'local', { volumeName: 'disk-n3' }));
      cluster.statefulSet('erp/ledger-db', { image: 'docker.io/library/postgres:17', pod: mounts('ledger-db') });
      cluster.deployment('erp/forms', { replicas: 2, image: imageAt('forms', 1) });
      cluster.at('5s', () => cluster.node('n3').drain());
      cluster.at('15s', () => cluster.node('n3').remove());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'PersistentVolume//disk-n3',
        accepts: ['PersistentVolumeClaim/erp/ledger-db', 'Node//n3', 'StatefulSet/erp/ledger-db'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/erp/forms'],
      });
    },
  ),

  // https://longhorn.io/kb/, https://github.com/longhorn/longhorn/issues/3866: the manager crashes, no volume is attached any more.
  'manager-of-the-volumes-crashes': scenario(
    'The manager of Longhorn crashes on all machines, and two databases that restart get no disk',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const manager = 'docker.io/longhornio/longhorn-manager:v1.9';
      cluster.daemonSet('longhorn-system/longhorn-manager', { image: manager, probe: false });
      cluster.object(storageClass('longhorn', { provisioner: 'driver.longhorn.io' }));
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'driver.longhorn.io' },
        spec: { attachRequired: true },
      });
      const places = ['forum/postgres', 'wiki/mariadb'];
      const handles = places.map((place) =>
        cluster.statefulSet(place, { image: imageOf(place), spec: template('longhorn') }),
      );
      cluster.at('6s', () =>
        cluster.befall(
          manager,
          ends(
            [
              'level=fatal msg="Error starting manager: upgrade resources failed: cannot upgrade from v1.7 to v1.9 directly, skipping versions is not supported"',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('20s', () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedAttachVolume',
              message:
                'AttachVolume.Attach failed for volume "pvc-9d02c710-a934-40e1-88aa-59997fadc1e9" : rpc error: code = Aborted desc = volume pvc-9d02c710-a934-40e1-88aa-59997fadc1e9 is not ready for workloads',
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'DaemonSet/longhorn-system/longhorn-manager',
        accepts: ['CSIDriver//driver.longhorn.io'],
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/forum/postgres', 'StatefulSet/wiki/mariadb'],
      });
    },
  ),

  // https://kubernetes.io/docs/tasks/administer-cluster/change-default-storage-class/
  'no-class-is-the-default-any-more': scenario(
    'The mark of the default storage class is taken away, and new claims of two teams wait',
    (cluster) => {
      const firm = company(cluster);
      const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' };
      const standard = cluster.object({ ...storageClass('standard'), metadata: { name: 'standard', annotations } });
      cluster.at('5s', () =>
        standard.patch({ metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'false' } } }),
      );
      innocentRelease(cluster, '8s', firm);
      cluster.at('15s', () => {
        cluster.statefulSet('lab/notebooks', { image: imageAt('notebooks', 1), spec: template(), broken: true });
        cluster.statefulSet('press/archive', { image: imageAt('archive', 1), spec: template(), broken: true });
      });
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'StorageClass//standard',
        accepts: ['PersistentVolumeClaim/lab/data-notebooks-0', 'PersistentVolumeClaim/press/data-archive-0'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/logistics/tracking'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#volume-snapshot-and-restore-volume-from-snapshot-support
  'restored-from-a-snapshot-that-is-gone': scenario(
    'A test database is to be made from a snapshot that a clean-up has deleted',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object(storageClass('fast', { provisioner: 'ebs.csi.aws.com' }));
      const dataSource = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'nightly-1120' };
      cluster.at('6s', () => {
        cluster.object(claim('qa/orders-copy', 'fast', { dataSource }));
        cluster.statefulSet('qa/orders-copy', {
          image: 'docker.io/library/postgres:17',
          pod: mounts('orders-copy'),
          broken: true,
        });
      });
      for (const when of ['9s', '40s', '90s'])
        cluster.at(when, () =>
          cluster.event({
            about: 'PersistentVolumeClaim/qa/orders-copy',
            reason: 'ProvisioningFailed',
            message:
              'failed to provision volume with StorageClass "fast": error getting handle for DataSource Type VolumeSnapshot by Name nightly-1120: error getting snapshot nightly-1120 from api server: volumesnapshots.snapshot.storage.k8s.io "nightly-1120" not found',
            by: 'ebs.csi.aws.com_ebs-csi-controller-0',
            count: 3,
          }),
        );
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/qa/orders-copy',
        accepts: ['VolumeSnapshot/qa/nightly-1120'],
        messages: { resolve: 0 },
        mustNotBlame: ['StorageClass//fast'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#access-modes: ReadWriteOncePod, and a rolling update that needs two.
  'claim-for-one-pod-and-a-rolling-update': scenario(
    'A release rolls with one Pod more than before, and the claim is for one Pod only',
    (cluster) => {
      company(cluster);
      const csi = { csi: { driver: 'disk.csi.example', volumeHandle: 'desk' } };
      cluster.object(volume('desk', 'single', { ...csi, accessModes: ['ReadWriteOncePod'] }));
      cluster.object(claim('support/desk', 'single', { volumeName: 'desk', accessModes: ['ReadWriteOncePod'] }));
      const rolling = {
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
        progressDeadlineSeconds: 60,
      };
      const desk = cluster.deployment('support/desk', {
        image: imageAt('desk', 4),
        pod: mounts('desk'),
        spec: rolling,
      });
      cluster.service('support/desk');
      cluster.at('6s', () => desk.setImage(imageAt('desk', 5)));
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'Deployment/support/desk',
        accepts: ['PersistentVolumeClaim/support/desk'],
        messages: { resolve: 0 },
      });
    },
  ),

  // https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/faq.md: a damaged file system.
  'file-system-of-a-volume-is-damaged': scenario(
    'The file system of a volume is damaged, and its database does not get it mounted again',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      cluster.object(storageClass('fast', { provisioner: 'ebs.csi.aws.com' }));
      cluster.object(volume('vol-7f3a', 'fast', { csi: { driver: 'ebs.csi.aws.com', volumeHandle: 'vol-7f3a' } }));
      cluster.object(claim('shop/orders-db', 'fast', { volumeName: 'vol-7f3a' }));
      const image = 'docker.io/library/postgres:16';
      const database = cluster.statefulSet('shop/orders-db', { image, pod: mounts('orders-db') });
      cluster.at('8s', () => {
        cluster.image(image, {
          heldUp: {
            reason: 'FailedMount',
            message:
              'MountVolume.MountDevice failed for volume "vol-7f3a" : rpc error: code = Internal desc = could not format "/dev/nvme2n1" and mount it at "/var/lib/kubelet/plugins/kubernetes.io/csi/ebs.csi.aws.com/globalmount": mount failed: exit status 32\nOutput: mount: wrong fs type, bad option, bad superblock on /dev/nvme2n1, missing codepage or helper program, or other error.',
          },
        });
        database.restart();
      });
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'PersistentVolume//vol-7f3a',
        accepts: ['PersistentVolumeClaim/shop/orders-db', 'StatefulSet/shop/orders-db'],
        messages: { resolve: 0 },
        mustNotBlame: ['StorageClass//fast'],
      });
    },
  ),

  // https://kubernetes-csi.github.io/docs/node-driver-registrar.html: the part of a driver on the machines runs out of memory.
  'driver-on-the-machines-out-of-memory': scenario(
    'The node part of a file driver runs out of memory on all machines; two releases cannot mount their share',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      company(cluster);
      const driver = 'public.ecr.example/efs-csi-driver:v2.1';
      cluster.daemonSet('kube-system/efs-csi-node', { image: driver, memory: '64Mi', probe: false });
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'efs.csi.aws.com' },
        spec: { attachRequired: false },
      });
      cluster.object(storageClass('efs', { provisioner: 'efs.csi.aws.com' }));
      const handles = ['media/photos', 'press/layout'].map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'efs', {
            accessModes: ['ReadWriteMany'],
            csi: { driver: 'efs.csi.aws.com', volumeHandle: name },
          }),
        );
        cluster.object(claim(place, 'efs', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      cluster.at('5s', () => cluster.befall(driver, { exit: { afterSeconds: 3, code: 137, oom: true } }));
      cluster.at('20s', () => {
        for (const place of ['media/photos', 'press/layout'])
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.MountDevice failed for volume "data" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name efs.csi.aws.com not found in the list of registered CSI drivers',
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m30s');
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/efs-csi-node',
        accepts: ['CSIDriver//efs.csi.aws.com'],
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/media/photos', 'Deployment/press/layout'],
      });
    },
  ),
};
