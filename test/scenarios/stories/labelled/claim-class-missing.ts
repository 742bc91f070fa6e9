import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The claim of a StatefulSet names a StorageClass that does not exist', (cluster) => {
  cluster.at('5s', () =>
    cluster.statefulSet('shop/db', {
      image: 'registry.example/db:16',
      spec: {
        volumeClaimTemplates: [
          {
            metadata: { name: 'data' },
            spec: {
              storageClassName: 'fast-ssd',
              accessModes: ['ReadWriteOnce'],
              resources: { requests: { storage: '10Gi' } },
            },
          },
        ],
      },
    }),
  );
  cluster.lasts('60s');
  cluster.expectIncident({
    root: 'StorageClass//fast-ssd',
    reason: 'StorageClassMissing',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    firstMessageWithinSeconds: 60,
    mustNotBlame: ['StatefulSet/shop/db', 'Node//n1'],
  });
});
