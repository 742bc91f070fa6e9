import { innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

/** Volumes, and the programs that make, attach and mount them. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/longhorn/longhorn/issues/8809, https://github.com/longhorn/longhorn/issues/9569: two minor versions at once are refused, on every machine.
  'storage-manager-skips-a-version': reported(
    'Longhorn is upgraded over a version and its managers end on all machines; two databases that are moved cannot be attached',
    (cluster) => {
      const repository = 'docker.io/longhornio/longhorn-manager';
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'driver.longhorn.io' } },
        spec: { attachRequired: true },
      });
      cluster.object(storageClass('longhorn', { provisioner: 'driver.longhorn.io' }));
      const managers = cluster.daemonSet('longhorn-system/longhorn-manager', {
        image: `${repository}:v1.4.2`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '100%' } } },
      });
      cluster.service('longhorn-system/longhorn-backend', {
        ...{ selector: { app: 'longhorn-manager' }, clusterIP: '10.43.9.1' },
        ports: [{ name: 'manager', port: 9500, targetPort: 9500, protocol: 'TCP' }],
      });
      cluster.deployment('longhorn-system/csi-attacher', {
        replicas: 3,
        image: 'docker.io/longhornio/csi-attacher:v4.2.0',
      });
      cluster.daemonSet('longhorn-system/longhorn-csi-plugin', { image: `${repository}:v1.4.1` });
      const places = ['wiki/postgres', 'chat/mongo'];
      const handles = places.map((place) => {
        const [, name = ''] = place.split('/');
        const volumeName = `pvc-${place.replace('/', '-')}`;
        cluster.object(
          volume(volumeName, 'longhorn', { csi: { driver: 'driver.longhorn.io', volumeHandle: volumeName } }),
        );
        cluster.object(claim(place, 'longhorn', { volumeName }));
        return cluster.deployment(place, {
          image: imageOf(place),
          pod: mounts(name),
          spec: { strategy: { type: 'Recreate' } },
        });
      });
      cluster.image(
        `${repository}:v1.6.0`,
        ends(
          [
            'time="2026-11-22T09:08:40Z" level=info msg="Starting longhorn manager v1.6.0"',
            'time="2026-11-22T09:08:41Z" level=fatal msg="Error starting manager: failed to upgrade since upgrading from v1.4.2 to v1.6.0 for minor version is not supported" func=main.main.DaemonCmd.func3 file="daemon.go:92"',
          ],
          1,
          3,
        ),
      );
      cluster.at(after(0), () => managers.setImage(`${repository}:v1.6.0`));
      cluster.at(after(80), () => {
        for (const [index, place] of places.entries()) {
          const volumeName = `pvc-${place.replace('/', '-')}`;
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedAttachVolume',
              message: `AttachVolume.Attach failed for volume "${volumeName}" : rpc error: code = Internal desc = Bad response statusCode [500]. Failed to get the volume: Get "http://longhorn-backend:9500/v1/volumes/${volumeName}": dial tcp 10.43.9.1:9500: connect: connection refused`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/longhorn-system/longhorn-manager',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/wiki/postgres',
          'Deployment/chat/mongo',
          'StorageClass//longhorn',
          'Deployment/longhorn-system/csi-attacher',
          'DaemonSet/longhorn-system/longhorn-csi-plugin',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/ceph/ceph-csi/issues/4563: the key of the driver was made anew in Ceph, the Secret has another.
  'key-of-the-volume-driver-is-replaced': reported(
    'Somebody replaces the key with which volumes of Ceph are mounted; two workloads that are rolled out cannot mount theirs',
    (cluster, firm) => {
      const secret = cluster.secret('rook-ceph/rook-csi-rbd-node', { userID: 'csi-rbd-node', userKey: 'one' });
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'rook-ceph.rbd.csi.ceph.com' } },
        spec: { attachRequired: true },
      });
      cluster.object(
        storageClass('rook-ceph-block', {
          provisioner: 'rook-ceph.rbd.csi.ceph.com',
          parameters: {
            ...{ clusterID: 'rook-ceph', pool: 'replicapool' },
            'csi.storage.k8s.io/node-stage-secret-name': 'rook-csi-rbd-node',
            'csi.storage.k8s.io/node-stage-secret-namespace': 'rook-ceph',
          },
        }),
      );
      cluster.daemonSet('rook-ceph/csi-rbdplugin', { image: 'quay.io/cephcsi/cephcsi:v3.11.0' });
      const places = ['git/gitea', 'mail/dovecot'];
      const handles = places.map((place) => {
        const volumeName = `pvc-${place.replace('/', '-')}`;
        cluster.object(
          volume(volumeName, 'rook-ceph-block', {
            csi: {
              ...{ driver: 'rook-ceph.rbd.csi.ceph.com', volumeHandle: volumeName },
              nodeStageSecretRef: { name: 'rook-csi-rbd-node', namespace: 'rook-ceph' },
            },
          }),
        );
        cluster.object(claim(place, 'rook-ceph-block', { volumeName }));
        return cluster.deployment(place, {
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      innocentRelease(cluster, after(-50), firm);
      cluster.at(after(0), () => secret.edit({ userID: 'csi-rbd-node', userKey: 'two' }));
      cluster.at(after(70), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "pvc-${place.replace('/', '-')}" : rpc error: code = Internal desc = rbd: map failed with error an error (exit status 1) occurred while running rbd args: [--id csi-rbd-node -m 10.43.11.2:6789 --keyfile=***stripped*** map replicapool/csi-vol-5a1f0c], rbd error output: rbd: sysfs write failed\nrbd: map failed: (1) Operation not permitted`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'Secret/rook-ceph/rook-csi-rbd-node',
        accepts: ['StorageClass//rook-ceph-block'],
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/git/gitea',
          'Deployment/mail/dovecot',
          'DaemonSet/rook-ceph/csi-rbdplugin',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/digitalocean/csi-digitalocean/issues/90, https://github.com/hetznercloud/csi-driver/issues/1191: a new version lists a kind that its role does not name; it runs and makes nothing.
  'provisioner-lists-what-it-may-not': reported(
    'The controller of a volume driver is upgraded without its role and waits for a list it may not read: it runs, and new claims of two teams get no volume',
    (cluster) => {
      cluster.object(storageClass('nfs-csi', { provisioner: 'nfs.csi.k8s.io' }));
      const repository = 'registry.k8s.io/sig-storage/csi-provisioner';
      const controller = cluster.deployment('kube-system/csi-nfs-controller', {
        ...{ image: `${repository}:v4.0.1`, probe: false },
        pod: { serviceAccountName: 'default' },
      });
      cluster.daemonSet('kube-system/csi-nfs-node', {
        image: 'registry.k8s.io/sig-storage/nfsplugin:v4.9.0',
        probe: false,
      });
      cluster.image(`${repository}:v5.1.0`, {
        log: [
          'I1122 09:11:00.113001       1 csi-provisioner.go:154] Version: v5.1.0',
          'E1122 09:11:02.910214       1 reflector.go:158] "Unhandled Error" err="k8s.io/client-go/informers/factory.go:160: Failed to watch *v1beta1.VolumeAttributesClass: failed to list *v1beta1.VolumeAttributesClass: volumeattributesclasses.storage.k8s.io is forbidden: User \\"system:serviceaccount:kube-system:csi-nfs-controller-sa\\" cannot list resource \\"volumeattributesclasses\\" in API group \\"storage.k8s.io\\" at the cluster scope" logger="UnhandledError"',
        ],
      });
      cluster.at(after(0), () => controller.setImage(`${repository}:v5.1.0`));
      cluster.at(after(120), () => {
        for (const place of ['lab/notebook', 'press/uploads']) {
          const [namespace = '', name = ''] = place.split('/');
          cluster.object(claim(place, 'nfs-csi', { accessModes: ['ReadWriteMany'] }));
          cluster.deployment(place, { image: imageOf(place), pod: mounts(name), broken: true });
          cluster.event({
            about: `PersistentVolumeClaim/${namespace}/${name}`,
            ...{ type: 'Normal', reason: 'ExternalProvisioning', by: 'persistentvolume-controller' },
            message:
              "Waiting for a volume to be created either by the external provisioner 'nfs.csi.k8s.io' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.",
          });
        }
      });
      cluster.expectIncident({
        root: 'Deployment/kube-system/csi-nfs-controller',
        accepts: ['StorageClass//nfs-csi'],
        messages: { update: '≤2', resolve: 0 },
        beginsAfterSeconds: 450,
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Deployment/lab/notebook', 'Deployment/press/uploads', 'DaemonSet/kube-system/csi-nfs-node'],
      });
    },
    { minutes: 25 },
  ),

  // https://github.com/kubernetes-sigs/secrets-store-csi-driver/issues/953: the driver runs, who fetches for it does not.
  'fetcher-of-mounted-secrets-crashes': reported(
    'The program that fetches mounted secrets from the vault of the cloud crashes on all machines after its upgrade; what two teams start waits',
    (cluster) => {
      const repository = 'mcr.microsoft.com/oss/azure/secrets-store/provider-azure';
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'secrets-store.csi.k8s.io' } },
        spec: { attachRequired: false, volumeLifecycleModes: ['Ephemeral'] },
      });
      cluster.daemonSet('kube-system/csi-secrets-store', {
        image: 'registry.k8s.io/csi-secrets-store/driver:v1.4.5',
        probe: false,
      });
      const fetchers = cluster.daemonSet('kube-system/csi-secrets-store-provider-azure', {
        image: `${repository}:v1.5.3`,
        spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 3 } } },
      });
      const places = ['hr/payroll', 'legal/archive'];
      const handles = places.map((place) =>
        cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: {
            volumes: [
              {
                name: 'vault',
                csi: {
                  ...{ driver: 'secrets-store.csi.k8s.io', readOnly: true },
                  volumeAttributes: { secretProviderClass: place.split('/')[1] },
                },
              },
            ],
          },
        }),
      );
      cluster.image(
        `${repository}:v1.6.0`,
        ends(
          [
            'I1122 09:19:00.000213       1 main.go:92] "Starting Azure Key Vault Provider" version="v1.6.0"',
            'flag provided but not defined: -construct-pem-chain',
            'Usage of /bin/secrets-store-csi-driver-provider-azure:',
          ],
          2,
          2,
        ),
      );
      cluster.at(after(0), () => fetchers.setImage(`${repository}:v1.6.0`));
      cluster.at(after(75), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "vault" : rpc error: code = Unknown desc = failed to mount secrets store objects for pod ${place}-6f7d9c, err: error connecting to provider "azure": provider not found: provider "azure"`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'DaemonSet/kube-system/csi-secrets-store-provider-azure',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/hr/payroll',
          'Deployment/legal/archive',
          'DaemonSet/kube-system/csi-secrets-store',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/rook/rook/issues/14602: the store of a monitor is on the disk of its machine.
  'store-of-volumes-has-no-majority': reported(
    'Two of three monitors of a Ceph end, as their disks are full; what is restarted cannot mount its volume',
    (cluster) => {
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'rbd.csi.ceph.com' } },
        spec: { attachRequired: true },
      });
      cluster.object(storageClass('ceph', { provisioner: 'rbd.csi.ceph.com' }));
      const image = 'quay.io/ceph/ceph:v18.2.4';
      server(cluster, 'ceph/mon', image, 6789, { replicas: 3, clusterIP: '10.43.60.1' });
      cluster.daemonSet('ceph/csi-rbdplugin', { image: 'quay.io/cephcsi/cephcsi:v3.12.2', probe: false });
      const places = ['photos/library', 'music/library'];
      const handles = places.map((place) => {
        const volumeName = `pvc-${place.replace('/', '-')}`;
        cluster.object(volume(volumeName, 'ceph', { csi: { driver: 'rbd.csi.ceph.com', volumeHandle: volumeName } }));
        cluster.object(claim(place, 'ceph', { volumeName }));
        return cluster.deployment(place, {
          image: `${imageOf(place)}-${place.split('/')[0]}`,
          pod: mounts('library'),
          spec: { strategy: { type: 'Recreate' } },
        });
      });
      cluster.at(after(0), () =>
        cluster.befall(image, ({ metadata }) =>
          metadata.name === 'mon-2'
            ? {}
            : ends(
                [
                  'debug 2026-11-22T09:22:01.331+0000 7f2b8c  0 mon.a@0(leader).data_health reached critical levels of available space on local monitor storage -- shutdown!',
                  'debug 2026-11-22T09:22:01.333+0000 7f2b8c -1 mon.a@0(leader) e3 *** Got Signal Interrupt ***',
                ],
                0,
                7,
              ),
        ),
      );
      cluster.at(after(60), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(`${imageOf(place)}-${place.split('/')[0]}`, {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.MountDevice failed for volume "pvc-${place.replace('/', '-')}" : rpc error: code = DeadlineExceeded desc = context deadline exceeded`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: 'StatefulSet/ceph/mon',
        messages: { update: '≤2', resolve: 0 },
        mustNotBlame: [
          'Deployment/photos/library',
          'Deployment/music/library',
          'DaemonSet/ceph/csi-rbdplugin',
          'StorageClass//ceph',
        ],
      });
    },
  ),
};
