import { imageAt, innocentRelease } from '../../kit/company.ts';
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

  // https://github.com/vmware-tanzu/community-edition/pull/5501: each disk was made in a zone of its own.
  'two-disks-of-one-pod-are-in-two-zones': reported(
    'A release mounts a second disk that was made in another zone; its new Pod can be placed nowhere',
    (cluster) => {
      const zone = 'topology.kubernetes.io/zone';
      cluster.nodes(
        ['a', 'b', 'c'].map((letter) => ({ name: `m-${letter}`, labels: { [zone]: `us-west-2${letter}` } })),
      );
      disks(cluster);
      const disk = (name: string, letter: string): void => {
        const matchExpressions = [{ key: zone, operator: 'In', values: [`us-west-2${letter}`] }];
        const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions }] } };
        cluster.object(
          volume(`pv-${name}`, 'gp3', {
            csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${name}` },
            nodeAffinity,
          }),
        );
        cluster.object(claim(`registry/${name}`, 'gp3', { volumeName: `pv-${name}` }));
      };
      disk('jobservice', 'a');
      disk('scan-data', 'b');
      const jobs = cluster.deployment('registry/jobservice', {
        ...{ image: imageAt('jobservice', '2.6.0'), pod: mounts('jobservice') },
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.service('registry/jobservice');
      cluster.at(after(0), () =>
        jobs.change({
          image: imageAt('jobservice', '2.6.1'),
          pod: {
            volumes: ['jobservice', 'scan-data'].map((claimName) => ({
              name: claimName,
              persistentVolumeClaim: { claimName },
            })),
          },
        }),
      );
      cluster.expectIncident({
        root: 'Deployment/registry/jobservice',
        accepts: ['PersistentVolumeClaim/registry/scan-data', 'PersistentVolume//pv-scan-data'],
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: ['Node//m-a', 'Node//m-b', 'Node//m-c', 'StorageClass//gp3'],
      });
    },
  ),
};
