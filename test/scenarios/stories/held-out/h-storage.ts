import { innocentRelease, onlyOn } from '../../kit/company.ts';
import { imageOf } from '../../kit/dependants.ts';
import { after, claimOf, clients, disks, reported, server } from '../../kit/reported.ts';
import type { Scenario } from '../../kit/scenario.ts';
import { ends, unready } from '../../kit/surroundings.ts';
import { claim, mounts, volume } from '../../kit/things.ts';

/** Volumes. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/oracle/oci-cloud-controller-manager/issues/412: "iscsid service was not started on our nodes".
  'new-machine-does-not-log-in-to-its-disks': reported(
    'A machine replaces another, and its iSCSI service is not started; two databases that move there cannot mount their disks',
    (cluster) => {
      const pool = { 'acme.example/pool': 'db' };
      cluster.nodes(['n1', { name: 'd1', labels: pool }]);
      const driver = 'blockvolume.csi.oraclecloud.com';
      const spec = disks(cluster, 'oci-bv', driver);
      cluster.daemonSet('kube-system/csi-oci-node', {
        image: 'ghcr.io/oracle/cloud-provider-oci:v1.29.0',
        probe: false,
      });
      const places = ['grants/applications-db', 'grants/payments-db'];
      for (const place of places) cluster.statefulSet(place, { image: imageOf(place), nodeSelector: pool, spec });
      cluster.statefulSet('office/mail-db', { image: imageOf('office/mail-db'), spec: claimOf('oci-bv') });
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(
            imageOf(place),
            onlyOn('d2', {
              heldUp: {
                reason: 'FailedMount',
                message:
                  'MountVolume.MountDevice failed for volume "csi-0c5b52a7-3a41-4a3f-8d0e-5f0a5b6f0d3a" : rpc error: code = Internal desc = iscsi: device not found or iscsi login failed: exit status 20\niscsiadm: can not connect to iSCSI daemon (111)!\niscsiadm: Could not login to [iface: default, target: iqn.2015-12.com.oracleiaas:d6f7c2d1, portal: 169.254.2.3,3260]. ',
              },
            }),
          );
        cluster.addNode({ name: 'd2', labels: pool });
      });
      cluster.at(after(30), () => cluster.node('d1').drain());
      cluster.at(after(140), () => cluster.node('d1').remove());
      cluster.expectIncident({
        root: 'Node//d2',
        accepts: [`CSIDriver//${driver}`, 'StorageClass//oci-bv', 'DaemonSet/kube-system/csi-oci-node'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: [
          'StatefulSet/grants/applications-db',
          'StatefulSet/grants/payments-db',
          'StatefulSet/office/mail-db',
          'Node//n1',
        ],
      });
    },
  ),

  // https://github.com/truenas/truenas-csi/issues/77, https://github.com/NetApp/trident/issues/909: what is mounted stays, what is new waits.
  'box-with-the-disks-answers-no-new-logins': reported(
    'The storage box in the rack answers no new login; two databases that are restarted cannot mount, and a client of one of them fails',
    (cluster, firm) => {
      const driver = 'csi.truenas.io';
      const spec = disks(cluster, 'truenas-iscsi', driver);
      cluster.daemonSet('truenas-csi/truenas-csi-node', { image: 'ghcr.io/truenas/truenas-csi:1.0.1', probe: false });
      const places = ['farm/sensors-db', 'farm/herd-db'];
      const handles = places.map((place) => cluster.statefulSet(place, { image: imageOf(place), spec }));
      cluster.service('farm/herd-db', { clusterIP: '10.96.44.5' });
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message:
                'MountVolume.MountDevice failed for volume "pvc-c8ef93c2-cefd-4e3a-970d-532a894b5912" : rpc error: code = Internal desc = failed to stage volume: failed to connect to iSCSI target iqn.2005-10.org.freenas.ctl:csi-pvc-c8ef93c2 at mynas.example.lan:3260: failed to find device path: [], last error seen: failed to sendtargets to portal mynas.example.lan:3260, err: exit status 15',
            },
          });
        for (const handle of handles) handle.restart();
      });
      const innocents = clients(cluster, 20, {
        'farm/milking': {
          does: unready([
            'level=error msg="herd: dial tcp 10.96.44.5:80: connect: connection refused" host=herd-db.farm.svc.cluster.local',
          ]),
          values: { HERD_DB: 'herd-db.farm.svc.cluster.local' },
        },
      });
      cluster.expectIncident({
        root: `CSIDriver//${driver}`,
        accepts: [
          'StorageClass//truenas-iscsi',
          'ExternalEndpoint//mynas.example.lan:3260',
          'ExternalEndpoint//mynas.example.lan',
          'DaemonSet/truenas-csi/truenas-csi-node',
        ],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: [
          ...innocents,
          'StatefulSet/farm/sensors-db',
          'StatefulSet/farm/herd-db',
          'Deployment/logistics/tracking',
        ],
      });
    },
  ),

  // https://github.com/juicedata/juicefs-csi-driver/issues/351, https://github.com/juicedata/juicefs-csi-driver/issues/145
  'file-system-has-lost-what-knows-its-files': reported(
    'The Redis in which JuiceFS keeps what it knows of its files does not load its data; two workloads that are restarted cannot mount',
    (cluster) => {
      const driver = 'csi.juicefs.com';
      disks(cluster, 'juicefs-sc', driver);
      cluster.daemonSet('kube-system/juicefs-csi-node', {
        image: 'docker.io/juicedata/juicefs-csi-driver:v0.25.2',
        probe: false,
      });
      const image = 'docker.io/library/redis:7.2.5';
      server(cluster, 'storage/juicefs-meta', image, 6379, { clusterIP: '10.110.1.49' });
      const places = ['genome/align', 'genome/variants'];
      const handles = places.map((place) => {
        const name = place.replace('/', '-');
        cluster.object(
          volume(name, 'juicefs-sc', { accessModes: ['ReadWriteMany'], csi: { driver, volumeHandle: name } }),
        );
        cluster.object(claim(place, 'juicefs-sc', { volumeName: name, accessModes: ['ReadWriteMany'] }));
        return cluster.deployment(place, {
          replicas: 2,
          image: imageOf(place),
          pod: mounts(place.split('/')[1] ?? ''),
        });
      });
      cluster.at(after(0), () =>
        cluster.befall(
          image,
          ends(
            [
              '1:M 23 Nov 2026 09:31:10.402 * Reading RDB base file on AOF loading...',
              '1:M 23 Nov 2026 09:31:10.977 # Bad file format reading the append only file appendonly.aof.7.incr.aof: make a backup of your AOF file, then use ./redis-check-aof --fix <filename.manifest>',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at(after(60), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedMount',
              message: `MountVolume.SetUp failed for volume "${place.replace('/', '-')}" : rpc error: code = Internal desc = Could not mount juicefs: mount redis://:****@juicefs-meta.storage.svc.cluster.local:6379/1 at /jfs/${place.replace('/', '-')}-mysipn failed, failed log: 2026/11/23 09:32:41.939842 juicefs[7] <WARNING>: parse info: dial tcp 10.110.1.49:6379: connect: connection refused [redis.go:3498]`,
            },
          });
        for (const handle of handles) handle.restart();
      });
      cluster.expectIncident({
        root: 'StatefulSet/storage/juicefs-meta',
        messages: { resolve: 0, update: '≤2' },
        mustNotBlame: [
          'Deployment/genome/align',
          'Deployment/genome/variants',
          'DaemonSet/kube-system/juicefs-csi-node',
          'Service/storage/juicefs-meta',
        ],
      });
    },
  ),

  // https://github.com/NetApp/trident/issues/607: its controller runs and answers nobody until it is restarted.
  'disks-are-attached-to-nobody': reported(
    'The controller of Trident hangs: whatever is moved waits for its disk, two databases of two teams among it',
    (cluster, firm) => {
      const driver = 'csi.trident.netapp.io';
      const spec = disks(cluster, 'ontap-san', driver);
      cluster.deployment('trident/trident-controller', { image: 'docker.io/netapp/trident:24.10.0', probe: false });
      const places = ['claims/ledger-db', 'fraud/cases-db'];
      const handles = places.map((place) => cluster.statefulSet(place, { image: imageOf(place), spec }));
      innocentRelease(cluster, after(-30), firm);
      cluster.at(after(0), () => {
        for (const place of places)
          cluster.image(imageOf(place), {
            heldUp: {
              reason: 'FailedAttachVolume',
              message:
                'AttachVolume.Attach failed for volume "pvc-1323e7b5-6535-4c22-8f90-2ac59b271a9c" : rpc error: code = DeadlineExceeded desc = context deadline exceeded',
            },
          });
        handles[0]?.restart();
      });
      cluster.at(after(50), () => handles[1]?.restart());
      cluster.expectIncident({
        root: `CSIDriver//${driver}`,
        accepts: ['Deployment/trident/trident-controller', 'StorageClass//ontap-san'],
        messages: { resolve: 0, update: '≤2' },
        firstMessageWithinSeconds: 500,
        mustNotBlame: [
          'StatefulSet/claims/ledger-db',
          'StatefulSet/fraud/cases-db',
          'Deployment/logistics/tracking',
          'Node//n1',
        ],
      });
    },
  ),
};
