import { innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, disks, reported } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

/** Volumes that are not mounted, not reached, or in the wrong place. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/aws-efs-csi-driver/issues/1633, https://github.com/kubernetes-sigs/aws-efs-csi-driver/issues/228
  'file-system-of-the-cloud-does-not-answer-mounts': reported(
    'A rule of the cloud closes the way to a shared file system; what runs goes on, and two workloads that are rolled out cannot mount it',
    (cluster, firm) => {
      const driver = 'efs.csi.aws.com';
      disks(cluster, 'efs-sc', driver);
      cluster.daemonSet('kube-system/efs-csi-node', {
        image: 'public.ecr.aws/efs-csi-driver/amazon/aws-efs-csi-driver:v1.7.6',
      });
      const places = ['media/uploads', 'media/transcripts'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        const csi = { driver, volumeHandle: 'fs-08a109851a0f7b374::fsap-0575fda0c87b147f5' };
        cluster.object(volume(name, 'efs-sc', { accessModes: ['ReadWriteMany'], csi }));
        cluster.object(claim(place, 'efs-sc', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      innocentRelease(cluster, after(-40), firm);
      cluster.at(after(0), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${place.replace('/', '-')}" : rpc error: code = DeadlineExceeded desc = context deadline exceeded`,
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: `CSIDriver//${driver}`,
        accepts: ['StorageClass//efs-sc', 'DaemonSet/kube-system/efs-csi-node'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: [
          'Deployment/media/uploads',
          'Deployment/media/transcripts',
          'Deployment/logistics/tracking',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/piraeusdatastore/piraeus-operator/issues/424: after a machine was lost, and its disks with it.
  'replicated-volumes-cannot-be-written-after-a-loss': reported(
    'The satellites of a replicated storage are not put right after an update; two databases that are moved cannot open their volumes for writing',
    (cluster) => {
      const driver = 'linstor.csi.linbit.com';
      const spec = disks(cluster, 'linstor-r2', driver);
      cluster.daemonSet('piraeus/linstor-satellite', {
        image: 'quay.io/piraeusdatastore/piraeus-server:v1.20.3',
        probe: false,
      });
      cluster.deployment('piraeus/linstor-controller', { image: 'quay.io/piraeusdatastore/piraeus-server:v1.20.3-c' });
      const places = ['clinic/appointments-db', 'clinic/letters-db'];
      const handles = places.map((place) => cluster.statefulSet(place, { image: imageOf(place), spec }));
      cluster.at(after(0), () => {
        for (const [index, place] of places.entries()) {
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.SetUp failed for volume "pvc-a3dab82f-60d7-4696-9bd4-feeaaf50272e" : rpc error: code = Internal desc = NodePublishVolume failed for pvc-a3dab82f-60d7-4696-9bd4-feeaaf50272e: failed to set source device readwrite: exit status 1',
            },
          });
          handles[index]?.restart();
        }
      });
      cluster.expectIncident({
        root: `CSIDriver//${driver}`,
        accepts: [
          'StorageClass//linstor-r2',
          'DaemonSet/piraeus/linstor-satellite',
          'Deployment/piraeus/linstor-controller',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 600,
        mustNotBlame: ['StatefulSet/clinic/appointments-db', 'StatefulSet/clinic/letters-db'],
      });
    },
  ),

  // https://github.com/piraeusdatastore/linstor-csi/issues/194: the volume can be on one machine at a time.
  'second-replica-cannot-have-the-same-disk': reported(
    'A file store is scaled to two Pods that share a disk for one machine; the second is placed elsewhere and waits for it for ever',
    (cluster) => {
      const driver = 'linstor.csi.linbit.com';
      disks(cluster, 'linstor-r3', driver);
      const name = 'pvc-941890bd-6be7-4775-9e7c-203bd0e23337';
      cluster.object(volume(name, 'linstor-r3', { csi: { driver, volumeHandle: name } }));
      cluster.object(claim('cloud/nextcloud-files', 'linstor-r3', { volumeName: name }));
      const image = imageOf('cloud/cloud-files');
      const files = cluster.deployment('cloud/cloud-files', { image, pod: mounts('nextcloud-files') });
      cluster.service('cloud/cloud-files');
      cluster.at(after(0), () => {
        cluster.image(image, {
          heldUp: {
            reason: 'FailedAttachVolume',
            message: `Multi-Attach error for volume "${name}" Volume is already used by pod(s) cloud-files-858cf84c99-krtjk`,
          },
        });
        files.scale(2);
      });
      cluster.expectIncident({
        root: 'Deployment/cloud/cloud-files',
        accepts: ['PersistentVolumeClaim/cloud/nextcloud-files', `PersistentVolume//${name}`],
        messages: { resolve: 0 },
        firstMessageWithinSeconds: 900,
        mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3', 'StorageClass//linstor-r3'],
      });
    },
  ),
};
