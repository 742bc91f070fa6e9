import { cronJobOf } from '../../kit/manifests.ts';
import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A CronJob does its work every minute', (cluster) => {
  cluster.image('registry.example/sync:1', { exit: { afterSeconds: 6, code: 0 } });
  const sync = cluster.planned(cronJobOf('shop/sync', { schedule: '* * * * *', image: 'registry.example/sync:1' }));
  cluster.at('1s', () => sync.create());
  // What is recorded ends here: without an end, the runs after it would be missed.
  cluster.at('5m20s', () => sync.patch({ spec: { suspend: true } }));
  cluster.lasts('5m30s');
  cluster.recordedFrom('sandbox');
});
