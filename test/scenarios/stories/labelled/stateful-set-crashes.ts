import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A release of a StatefulSet crashes in the first Pod it reaches', (cluster) => {
  const db = cluster.statefulSet('shop/db', { replicas: 3, image: 'registry.example/db:15' });
  cluster.image('registry.example/db:16', {
    exit: { afterSeconds: 4, code: 1 },
    log: ['FATAL the data directory was made by version 15'],
  });
  cluster.at('5s', () => db.setImage('registry.example/db:16'));
  cluster.lasts('2m');
  cluster.expectIncident({
    root: 'StatefulSet/shop/db',
    reason: 'CrashLoopBackOff',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
  });
});
