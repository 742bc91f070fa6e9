import { scenario } from '../../kit/scenario.ts';

export const story = scenario('The controllers stand still when a run is due', (cluster) => {
  cluster.image('registry.example/report:1', { exit: { afterSeconds: 5, code: 0 } });
  cluster.cronJob('shop/report', { schedule: '* * * * *', image: 'registry.example/report:1' });
  cluster.at('2m', () => cluster.stopControllers());
  cluster.lasts('10m');
  cluster.recordedFrom('sandbox');
  cluster.expectIncident({
    root: 'CronJob/shop/report',
    reason: 'CronJobMissedSchedule',
    severity: 'medium',
    messages: { open: 1, update: '≤1', resolve: 0 },
    beginsAfterSeconds: 120,
  });
});
