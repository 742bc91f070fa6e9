import { type Scenario, scenario } from '../../kit/scenario.ts';
import { ends, surroundings } from '../../kit/surroundings.ts';
import { claim, mounts, storageClass, volume } from '../../kit/things.ts';

const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
const claims = (storageClassName: string): object => ({
  volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName, ...asked } }],
});

/** Disks that are not made, not found, not let in. */
export const stories: Readonly<Record<string, Scenario>> = {
  // https://github.com/kubernetes-sigs/aws-ebs-csi-driver/blob/master/docs/faq.md: its controller crashes, and nobody makes disks.
  'storage-controller-crashes': scenario(
    'The controller of a storage driver crashes; new claims of two teams wait for it',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      const image = 'public.ecr.example/aws-ebs-csi-driver:v1.48';
      cluster.deployment('kube-system/ebs-csi-controller', { replicas: 2, image, probe: false });
      cluster.object(storageClass('gp3', { provisioner: 'ebs.csi.aws.com' }));
      cluster.at('6s', () =>
        cluster.befall(
          image,
          ends(
            [
              'F1122 main.go:154] "Failed to initialize metadata" err="could not get EC2 instance identity metadata: operation error ec2imds: GetInstanceIdentityDocument, request canceled, context deadline exceeded"',
            ],
            1,
            2,
          ),
        ),
      );
      cluster.at('20s', () =>
        cluster.statefulSet('shop/search', {
          image: 'docker.io/library/opensearch:3',
          spec: claims('gp3'),
          broken: true,
        }),
      );
      cluster.at('24s', () =>
        cluster.statefulSet('ml/features', { image: 'docker.io/library/redis:7.4', spec: claims('gp3'), broken: true }),
      );
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Deployment/kube-system/ebs-csi-controller',
        accepts: ['StorageClass//gp3', 'CSIDriver//ebs.csi.aws.com'],
        messages: { resolve: 0 },
        mustNotBlame: ['StatefulSet/shop/search', 'StatefulSet/ml/features'],
      });
    },
  ),

  // https://kubernetes-csi.github.io/docs/node-driver-registrar.html: a driver that has not registered on a machine.
  'driver-not-registered-on-a-machine': scenario(
    'The storage driver has not registered on one machine; two workloads cannot mount there',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      cluster.object({
        apiVersion: 'storage.k8s.io/v1',
        kind: 'CSIDriver',
        metadata: { name: 'disk.csi.example' },
        spec: {},
      });
      cluster.object(storageClass('disk'));
      const message =
        'MountVolume.MountDevice failed for volume "pvc-1" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name disk.csi.example not found in the list of registered CSI drivers';
      for (const name of ['orders', 'search']) {
        cluster.object(volume(`disk-${name}`, 'disk'));
        cluster.object(claim(`shop/${name}`, 'disk', { volumeName: `disk-${name}` }));
      }
      const handles = ['orders', 'search'].map((name) =>
        cluster.deployment(`shop/${name}`, {
          ...{
            image: `registry.acme.example/${name}:1`,
            pod: mounts(name),
            nodeSelector: { 'kubernetes.io/hostname': 'n2' },
          },
          spec: { strategy: { type: 'Recreate' } },
        }),
      );
      cluster.at('6s', () => {
        for (const name of ['orders', 'search'])
          cluster.image(`registry.acme.example/${name}:1`, { heldUp: { reason: 'FailedMount', message } });
      });
      cluster.at('8s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('3m');
      cluster.expectIncident({
        root: 'Node//n2',
        accepts: ['CSIDriver//disk.csi.example', 'CSINode//n2'],
        beginsAfterSeconds: 8,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/shop/orders', 'Deployment/shop/search'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#reclaiming: somebody deletes the volume below its claim.
  'volume-deleted-below-its-claim': scenario(
    'The volume of a database is deleted, and its claim is lost at the next restart',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      cluster.pro();
      surroundings(cluster);
      cluster.object(storageClass('disk'));
      const disk = cluster.object(volume('disk-crm', 'disk'));
      cluster.object(claim('office/crm-db', 'disk', { volumeName: 'disk-crm' }));
      const image = 'docker.io/library/mariadb:11';
      const db = cluster.deployment('office/crm-db', {
        image,
        pod: mounts('crm-db'),
        spec: { strategy: { type: 'Recreate' } },
      });
      cluster.at('6s', () => disk.delete());
      cluster.at('12s', () => db.restart());
      cluster.lasts('2m30s');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/office/crm-db',
        accepts: ['PersistentVolume//disk-crm'],
        beginsAfterSeconds: 6,
        messages: { resolve: 0 },
        mustNotBlame: ['Deployment/office/crm-db'],
      });
    },
  ),

  // https://kubernetes.io/docs/concepts/configuration/secret/: a certificate is deleted that two workloads mount.
  'mounted-secret-deleted': scenario(
    'A Secret that two workloads mount is deleted; both are restarted later',
    (cluster) => {
      cluster.recordedFrom('sandbox');
      surroundings(cluster);
      const secret = cluster.secret('edge/client-certificate', { 'tls.pem': 'x' });
      const pod = { volumes: [{ name: 'tls', secret: { secretName: 'client-certificate' } }] };
      const handles = ['partner-gateway', 'edi'].map((name) =>
        cluster.deployment(`edge/${name}`, { replicas: 2, image: `registry.acme.example/${name}:3`, pod }),
      );
      cluster.at('5s', () => secret.delete());
      cluster.at('20s', () => {
        for (const handle of handles) handle.restart();
      });
      cluster.lasts('2m50s');
      cluster.expectIncident({
        root: 'Secret/edge/client-certificate',
        beginsAfterSeconds: 20,
        // A kubelet says it again every few minutes; the recording ends before.
        messages: { resolve: '≤1' },
        mustNotBlame: ['Deployment/edge/partner-gateway', 'Deployment/edge/edi'],
      });
    },
  ),

  // https://man7.org/linux/man-pages/man5/exports.5.html: a new network is not in the exports.
  'share-refuses-a-new-workload': scenario('A file server does not let a new workload mount its share', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const share = { volumes: [{ name: 'share', nfs: { server: 'nas.corp.example', path: '/exports/scans' } }] };
    const message =
      'MountVolume.SetUp failed for volume "share" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs nas.corp.example:/exports/scans /var/lib/kubelet/pods/9a0/volumes/kubernetes.io~nfs/share\nOutput: mount.nfs: access denied by server while mounting nas.corp.example:/exports/scans';
    cluster.image('registry.acme.example/scans:1', { heldUp: { reason: 'FailedMount', message } });
    cluster.at('6s', () =>
      cluster.deployment('office/scans', { image: 'registry.acme.example/scans:1', pod: share, broken: true }),
    );
    cluster.lasts('2m30s');
    cluster.expectIncident({
      root: 'Deployment/office/scans',
      accepts: ['ExternalEndpoint//nas.corp.example', 'ExternalEndpoint//nas.corp.example:2049'],
      beginsAfterSeconds: 6,
      firstMessageWithinSeconds: 240,
      messages: { resolve: 0 },
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
    });
  }),
};
