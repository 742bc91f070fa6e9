import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The driver of a class cannot make the volume of a new StatefulSet', (cluster) => {
  cluster.object({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'CSIDriver', metadata: { name: 'disk.csi.example' }, spec: {} },
  });
  cluster.object({
    ...{ apiVersion: 'storage.k8s.io/v1', kind: 'StorageClass', metadata: { name: 'disk' } },
    provisioner: 'disk.csi.example',
    parameters: { 'sandbox.tocsin.dev/fails': 'rpc error: code = ResourceExhausted desc = quota of disks exceeded' },
  });
  const asked = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } };
  cluster.at('5s', () =>
    cluster.statefulSet('shop/db', {
      image: 'registry.example/db:16',
      spec: { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: { storageClassName: 'disk', ...asked } }] },
    }),
  );
  cluster.lasts('2m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'PersistentVolumeClaim/shop/data-db-0',
    reason: 'ProvisioningFailed',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 5,
    mustNotBlame: ['StatefulSet/shop/db', 'Node//n1'],
  });
});
