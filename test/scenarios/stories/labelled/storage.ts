import { type Scenario, scenario } from '../../kit/scenario.ts';
import { surroundings } from '../../kit/surroundings.ts';

const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };

export const stories: Readonly<Record<string, Scenario>> = {
  // https://kubernetes.io/docs/concepts/storage/persistent-volumes/#class-1: moved to a cluster whose classes have other names.
  'class-of-the-old-cluster': scenario(
    'A StatefulSet from another cluster asks for a class that is not here',
    (cluster) => {
      surroundings(cluster);
      cluster.object({
        ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'gp3' } },
        ...{ provisioner: 'ebs.csi.example', volumeBindingMode: 'WaitForFirstConsumer' },
      });
      cluster.at('8s', () =>
        cluster.statefulSet('data/minio', {
          ...{ image: 'quay.example/minio:2026', replicas: 2, broken: true },
          spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'gp2', ...asked } }] },
        }),
      );
      cluster.lasts('2m');
      cluster.expectIncident({
        root: 'PersistentVolumeClaim/data/data-minio-0',
        reason: 'StorageClassMissing',
        accepts: ['StatefulSet/data/minio', 'StorageClass//gp2'],
        mustNotBlame: ['StorageClass//gp3'],
      });
    },
  ),

  // https://github.com/kubernetes/kubernetes/issues/96142: a rolling update of a Deployment whose volume has one machine at a time.
  'volume-held-by-the-old-pod': scenario('A rolling update waits for a volume that the old Pod holds', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    cluster.object({
      apiVersion: 'v1',
      kind: 'PersistentVolume',
      metadata: { name: 'gitea-disk' },
      spec: {
        ...{ capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'manual' },
        hostPath: { path: '/data/gitea' },
      },
    });
    cluster.object({
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'gitea-data', namespace: 'office' },
      spec: { storageClassName: 'manual', volumeName: 'gitea-disk', ...asked },
    });
    const image = 'docker.io/gitea/gitea';
    const gitea = cluster.deployment('office/gitea', {
      image: `${image}:1.24`,
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'gitea-data' } }] },
    });
    const message =
      'Multi-Attach error for volume "gitea-disk" Volume is already used by pod(s) gitea-6c9f7d6b54-x2x9p';
    cluster.image(`${image}:1.25`, { heldUp: { reason: 'FailedAttachVolume', message } });
    cluster.at('8s', () => gitea.setImage(`${image}:1.25`));
    cluster.expectIncident({
      root: 'Deployment/office/gitea',
      beginsAfterSeconds: 8,
      accepts: ['PersistentVolumeClaim/office/gitea-data', 'PersistentVolume//gitea-disk'],
      mustNotBlame: ['Deployment/office/wiki', 'Node//n1', 'Node//n2', 'Node//n3'],
    });
  }),

  // https://cloud.google.com/compute/resource-usage: the cloud's quota of disks is used up, whoever asks.
  'cloud-quota-of-disks': scenario('The cloud makes no more disks, and two teams wait for theirs', (cluster) => {
    surroundings(cluster);
    const driver = 'pd.csi.example';
    cluster.object({ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: driver }, spec: {} });
    cluster.object({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'premium' }, provisioner: driver },
      parameters: {
        'sandbox.tocsin.dev/fails':
          "rpc error: code = ResourceExhausted desc = CreateVolume failed: googleapi: Error 403: Quota 'SSD_TOTAL_GB' exceeded. Limit: 500.0 in region europe-west1., quotaExceeded",
      },
    });
    const spec = {
      volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'premium', ...asked } }],
    };
    cluster.at('8s', () =>
      cluster.statefulSet('shop/search', { image: 'docker.io/library/opensearch:3', spec, broken: true }),
    );
    cluster.at('11s', () =>
      cluster.statefulSet('ml/features', { image: 'docker.io/library/redis:7.4', spec, broken: true }),
    );
    cluster.recordedFrom('sandbox');
    cluster.expectIncident({
      root: 'StorageClass//premium',
      accepts: [
        'PersistentVolumeClaim/shop/data-search-0',
        'PersistentVolumeClaim/ml/data-features-0',
        'CSIDriver//pd.csi.example',
      ],
      mustNotBlame: ['StatefulSet/shop/search', 'StatefulSet/ml/features'],
    });
  }),

  // https://kubernetes.io/docs/concepts/storage/volumes/#nfs: the file server is away when Pods are started anew.
  'file-server-away': scenario('A file server does not answer; what is restarted cannot mount its share', (cluster) => {
    cluster.recordedFrom('sandbox');
    surroundings(cluster);
    const pod = { volumes: [{ name: 'media', nfs: { server: 'nas.corp.example', path: '/exports/media' } }] };
    const names = ['transcoder', 'library', 'thumbnails'];
    const handles = names.map((name) =>
      cluster.deployment(`media/${name}`, { replicas: 2, image: `registry.acme.example/${name}:1`, pod }),
    );
    const message =
      'MountVolume.SetUp failed for volume "media" : mount failed: exit status 32\nMounting command: mount\nMounting arguments: -t nfs nas.corp.example:/exports/media /var/lib/kubelet/pods/7e1/volumes/kubernetes.io~nfs/media\nOutput: mount.nfs: Connection timed out for nas.corp.example:/exports/media';
    cluster.at('6s', () => {
      for (const name of names)
        cluster.image(`registry.acme.example/${name}:1`, { heldUp: { reason: 'FailedMount', message } });
    });
    cluster.at('8s', () => {
      for (const handle of handles) handle.restart();
    });
    cluster.expectIncident({
      root: 'ExternalEndpoint//nas.corp.example',
      beginsAfterSeconds: 8,
      accepts: [
        ...(['ExternalEndpoint//nas.corp.example:2049', 'Deployment/media/transcoder'] as const),
        ...(['Deployment/media/library', 'Deployment/media/thumbnails'] as const),
      ],
      mustNotBlame: ['Node//n1', 'Node//n2', 'Node//n3'],
    });
  }),
};
