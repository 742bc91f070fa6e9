import { scenario } from '../../kit/scenario.ts';

export const story = scenario('A Job fails once and succeeds when it is tried again', (cluster) => {
  let first: string | undefined;
  cluster.image('registry.example/report:1', ({ metadata: { name } }) => {
    first ??= name;
    return { exit: { afterSeconds: 3, code: name === first ? 1 : 0 } };
  });
  cluster.at('5s', () => cluster.job('shop/report', { image: 'registry.example/report:1' }));
  cluster.lasts('40s');
});
