import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A Job fails until its back-off limit is reached', (cluster) => {
  cluster.image('registry.example/report:1', {
    exit: { afterSeconds: 2, code: 3 },
    log: ['ERROR no orders table in this database'],
  });
  cluster.at('5s', () => cluster.job('shop/report', { image: 'registry.example/report:1', spec: { backoffLimit: 2 } }));
  cluster.lasts('75s');
  cluster.expectIncident({
    root: 'Job/shop/report',
    reason: 'JobFailed',
    severity: 'medium',
    messages: { open: 1, resolve: 0 },
    firstMessageWithinSeconds: 60,
  });
});
