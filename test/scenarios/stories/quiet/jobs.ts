import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Five Jobs do their work', (cluster) => {
  cluster.image('registry.example/report:1', { exit: { afterSeconds: 8, code: 0 } });
  for (const name of ['daily', 'weekly', 'monthly', 'yearly', 'audit'])
    cluster.at('5s', () => cluster.job(`shop/${name}`, { image: 'registry.example/report:1' }));
  cluster.lasts('40s');
});
