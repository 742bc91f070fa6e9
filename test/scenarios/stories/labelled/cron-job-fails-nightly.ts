import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A nightly backup fails, night after night', (cluster) => {
  cluster.image('registry.example/backup:1', {
    exit: { afterSeconds: 20, code: 2 },
    log: ['ERROR bucket backups: access denied'],
  });
  cluster.at('1s', () => cluster.cronJob('shop/backup', { schedule: '0 2 * * *', image: 'registry.example/backup:1' }));
  cluster.lasts('75h');
  cluster.recordedFrom('sandbox');
  cluster.expectSummaries(1);
  cluster.expectIncident({
    root: 'CronJob/shop/backup',
    reason: 'CronJobFailing',
    severity: 'high',
    messages: { open: 1, update: '≤1', resolve: 0 },
    // Once is low and waits for the digest; the third night in a row is worth a message.
    firstMessageWithinSeconds: 2 * 86_400 + 3_600,
  });
});
