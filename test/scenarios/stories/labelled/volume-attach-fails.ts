import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The volume of a moved Pod cannot be attached to its new machine', (cluster) => {
  cluster.object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSIDriver',
    metadata: { name: 'disk.csi.example' },
    spec: { attachRequired: true },
  });
  cluster.object({
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'disk-7' },
    spec: {
      ...{ capacity: { storage: '10Gi' }, accessModes: ['ReadWriteOnce'], storageClassName: 'disk' },
      csi: { driver: 'disk.csi.example', volumeHandle: 'disk-7' },
    },
  });
  cluster.object({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'shop' },
    spec: {
      ...{ storageClassName: 'disk', volumeName: 'disk-7', accessModes: ['ReadWriteOnce'] },
      resources: { requests: { storage: '10Gi' } },
    },
  });
  const says =
    'AttachVolume.Attach failed for volume "disk-7" : rpc error: code = Internal desc = disk-7 is in another zone';
  cluster.image('registry.example/db:16', { heldUp: { reason: 'FailedAttachVolume', message: says } });
  const attachment = cluster.planned({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'VolumeAttachment',
    metadata: { name: 'csi-disk-7-n1' },
    spec: { attacher: 'disk.csi.example', nodeName: 'n1', source: { persistentVolumeName: 'disk-7' } },
  });
  cluster.nodes(['n1']);
  cluster.object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'CSINode',
    metadata: { name: 'n1' },
    spec: { drivers: [{ name: 'disk.csi.example', nodeID: 'n1', topologyKeys: [] }] },
  });
  cluster.at('5s', () =>
    cluster.deployment('shop/db', {
      image: 'registry.example/db:16',
      pod: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    }),
  );
  cluster.at('6s', () => attachment.create());
  cluster.at('8s', () =>
    attachment.status({
      attached: false,
      attachError: { message: 'rpc error: code = Internal desc = disk-7 is in another zone' },
    }),
  );
  cluster.lasts('90s');
  cluster.expectIncident({
    root: 'PersistentVolumeClaim/shop/data',
    reason: 'VolumeAttachFailed',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 5,
    mustNotBlame: ['Deployment/shop/db', 'Node//n1'],
  });
});
