import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Claims wait for their first consumer, which nobody has made yet', (cluster) => {
  cluster.object({
    apiVersion: 'storage.k8s.io/v1',
    kind: 'StorageClass',
    metadata: { name: 'disk' },
    provisioner: 'disk.csi.example',
    volumeBindingMode: 'WaitForFirstConsumer',
  });
  cluster.at('5s', () => {
    for (const name of ['data', 'backup'])
      cluster.object({
        apiVersion: 'v1',
        kind: 'PersistentVolumeClaim',
        metadata: { name, namespace: 'shop' },
        spec: {
          storageClassName: 'disk',
          accessModes: ['ReadWriteOnce'],
          resources: { requests: { storage: '1Gi' } },
        },
      });
  });
  cluster.lasts('40s');
});
