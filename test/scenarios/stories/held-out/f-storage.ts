import { innocentRelease } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { at } from '../../kit/field.ts';
import { after, disks, killed, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

/** Volumes, and what they are made of. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/juicedata/juicefs-csi-driver/issues/351, https://github.com/juicedata/juicefs-csi-driver/issues/145
  'file-system-lost-its-catalogue': reported(
    'The Redis in which a JuiceFS keeps its catalogue is killed for its memory again and again; two workloads that are rolled out cannot mount their files',
    (cluster, firm) => {
      const driver = 'csi.juicefs.com';
      disks(cluster, 'juicefs-sc', driver);
      const image = 'docker.io/library/redis:7.0.15';
      server(cluster, 'juicefs/juicefs-redis', image, 6379, { clusterIP: '10.110.1.49', memory: '512Mi' });
      cluster.daemonSet('juicefs/juicefs-csi-node', {
        image: 'docker.io/juicedata/juicefs-csi-driver:v0.23.5',
        probe: false,
      });
      const places = ['lab/notebooks', 'lab/trainer'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'juicefs-sc', {
            accessModes: ['ReadWriteMany'],
            csi: {
              driver,
              volumeHandle: name,
              volumeAttributes: { metaurl: 'redis://juicefs-redis.juicefs.svc.cluster.local:6379/0' },
            },
          }),
        );
        cluster.object(claim(place, 'juicefs-sc', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      innocentRelease(cluster, after(-25), firm);
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          killed(
            ['1:M 23 Nov 2026 09:02:11.120 * DB loaded from base file appendonly.aof.1.base.rdb: 9.114 seconds'],
            14,
          ),
        ),
      );
      cluster.at(after(70), () => {
        for (const place of places) {
          const name = place.replace('/', '-');
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${name}" : rpc error: code = Internal desc = Could not mount juicefs: mount redis://:****@juicefs-redis.juicefs.svc.cluster.local:6379/0 at /jfs/${name}-mysipn failed, mountpod: juicefs-n2-${name}-mysipn, failed log: 2026/11/23 09:03:52.941211 juicefs[7] <FATAL>: load setting: dial tcp 10.110.1.49:6379: connect: connection refused [format.go:521]`,
            },
          });
        }
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/juicefs/juicefs-redis',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          ...places.map((place) => at(place)),
          'DaemonSet/juicefs/juicefs-csi-node',
          'Deployment/logistics/tracking',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/stolostron/rhacm-docs/pull/7282, https://github.com/thanos-io/thanos/issues/7197
  'compactor-writes-beyond-its-volume': reported(
    'The compactor of a Thanos has a block to make that its volume has no room for, and ends each time it comes to it',
    (cluster) => {
      const image = 'quay.io/thanos/thanos:v0.36.1';
      server(cluster, 'longterm/thanos-compact', image, 10902, { spec: disks(cluster) });
      server(cluster, 'longterm/thanos-store', 'quay.io/thanos/thanos:v0.36.0', 10901, { replicas: 2 });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              'ts=2026-11-23T09:34:39.589842814Z caller=compact.go:1273 level=info msg="start of compactions"',
              'ts=2026-11-23T09:34:51.948653839Z caller=compact.go:491 level=error msg="critical error detected; halting" err="compaction: group 0@5827190780573537664: compact blocks [/var/thanos/compact/compact/0@15699422364132557315/01HKZGQGJCKQWF3XMA8]: 2 errors: populate block: add series: write series data: write /var/thanos/compact/compact/0@15699422364132557315/01HKZGQGJCKQWF3XMA8.tmp-for-creation/index: no space left on device"',
            ],
            1,
            22,
          ),
        ),
      );
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/longterm/data-thanos-compact-0',
        accepts: ['StatefulSet/longterm/thanos-compact'],
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/longterm/thanos-store', 'Node//n1', 'Node//n2', 'Node//n3', 'StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/testground/testground/issues/732, https://github.com/kubernetes-sigs/aws-efs-csi-driver/issues/228
  'share-of-the-cloud-has-no-name-any-more': reported(
    'The mount targets of a shared file system are deleted in the cloud, and its name with them; three workloads of two teams that are rolled out cannot mount it',
    (cluster) => {
      const driver = 'efs.csi.aws.com';
      const host = 'fs-d0439888.efs.eu-central-1.amazonaws.com';
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: driver } },
        spec: { attachRequired: false },
      });
      cluster.object(storageClass('efs-sc', { provisioner: driver }));
      cluster.daemonSet('kube-system/efs-csi-node', {
        image: 'public.ecr.aws/efs-csi-driver/amazon/aws-efs-csi-driver:v2.0.7',
        probe: false,
      });
      const places = ['media/uploads', 'media/thumbs', 'school/homework'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'efs-sc', { accessModes: ['ReadWriteMany'], csi: { driver, volumeHandle: 'fs-d0439888' } }),
        );
        cluster.object(claim(place, 'efs-sc', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${place.replace('/', '-')}" : rpc error: code = Internal desc = Could not mount "fs-d0439888:/" at "/var/lib/kubelet/pods/c073d693-fb29-41ab-9fa0-c67a36797207/volumes/kubernetes.io~csi/efs-pv/mount": mount failed: exit status 1\nMounting command: mount\nMounting arguments: -t efs -o tls fs-d0439888:/ /var/lib/kubelet/pods/c073d693-fb29-41ab-9fa0-c67a36797207/volumes/kubernetes.io~csi/efs-pv/mount\nOutput: Failed to resolve "${host}" - check that your file system ID is correct, and ensure that the VPC has an EFS mount target for this file system ID.`,
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: `ExternalEndpoint//${host}`,
        accepts: [`ExternalEndpoint//${host}:2049`, `CSIDriver//${driver}`, 'StorageClass//efs-sc'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 400,
        mustNotBlame: [
          ...places.map((place) => at(place)),
          'DaemonSet/kube-system/efs-csi-node',
          'Node//n1',
          'Deployment/kube-system/coredns',
        ],
      });
    },
  ),
};
