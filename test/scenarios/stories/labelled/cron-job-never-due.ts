import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A CronJob is edited to a day that never comes', (cluster) => {
  cluster.image('registry.example/report:1', { exit: { afterSeconds: 5, code: 0 } });
  const report = cluster.cronJob('shop/report', { schedule: '0 4 1 * *', image: 'registry.example/report:1' });
  cluster.at('5s', () => report.patch({ spec: { schedule: '0 4 30 2 *' } }));
  cluster.at('50s', () => report.patch({ spec: { schedule: '0 4 28 2 *' } }));
  cluster.lasts('60s');
  cluster.expectIncident({
    root: 'CronJob/shop/report',
    reason: 'CronJobInvalidSchedule',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 1 },
    beginsAfterSeconds: 5,
    firstMessageWithinSeconds: 45,
  });
});
