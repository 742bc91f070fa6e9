import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The volumes of a StatefulSet are made when its Pods are placed', (cluster) => {
  cluster.object({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.csi.example' }, spec: {} },
  });
  for (const name of ['n1', 'n2', 'n3'])
    cluster.object({
      ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode', metadata: { name } },
      spec: { drivers: [{ name: 'disk.csi.example', nodeID: name, topologyKeys: [] }] },
    });
  cluster.object({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disk' } },
    ...{ provisioner: 'disk.csi.example', volumeBindingMode: 'WaitForFirstConsumer' },
  });
  const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
  cluster.at('5s', () =>
    cluster.statefulSet('shop/db', {
      ...{ image: 'registry.example/db:16', replicas: 3 },
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'disk', ...asked } }] },
    }),
  );
  cluster.lasts('60s');
  cluster.recordedFrom('sandbox');
});
