import { scenario } from '../../kit/scenario.ts';

export const story = scenario('Thirty Jobs finish', (cluster) => {
  cluster.image('registry.example/render:1', { exit: { afterSeconds: 4, code: 0 } });
  for (let index = 0; index < 30; index += 1)
    cluster.at(`${5 + Math.floor(index / 5)}s`, () =>
      cluster.job(`studio/frame-${index}`, { image: 'registry.example/render:1' }),
    );
  cluster.lasts('40s');
  cluster.recordedFrom('sandbox');
});
